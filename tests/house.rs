//! The rules of the house that no lint knows.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files under `src` that may be longer than [`LINES`].
const LONG: &[&str] = &[];

/// How long a file under `src` may be.
const LINES: usize = 400;

/// How many lines `cargo tree` may print of the core without features.
const PACKAGES: usize = 50;

/// Async runtimes, clocks and randomness. `rand_core` is not among them: RustCrypto's traits name
/// its traits, and it holds no generator and no source of randomness.
const BANNED: &[&str] = &[
    "async-executor",
    "async-std",
    "chrono",
    "fastrand",
    "futures-executor",
    "getrandom",
    "jiff",
    "mio",
    "rand",
    "smol",
    "time",
    "tokio",
    "wasi",
    "web-time",
];

#[test]
fn unsafe_code_is_forbidden() {
    let doorway = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    assert!(
        doorway
            .lines()
            .any(|line| line == "#![forbid(unsafe_code)]")
    );
}

#[test]
fn the_core_is_small() {
    let tree = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["tree", "--offline", "--edges", "normal"])
        .args(["--no-default-features", "--prefix", "none"])
        .output()
        .unwrap();
    let problem = String::from_utf8_lossy(&tree.stderr);
    assert!(tree.status.success(), "cargo tree: {problem}");
    let tree = String::from_utf8(tree.stdout).unwrap();
    let lines: BTreeSet<&str> = tree.lines().filter(|line| !line.is_empty()).collect();
    assert!(
        lines.iter().any(|line| line.starts_with("serde v")),
        "{tree}"
    );
    assert!(
        lines.len() <= PACKAGES,
        "{} lines, and {PACKAGES} are allowed:\n{tree}",
        lines.len()
    );
    for line in lines {
        let name = line.split(' ').next().unwrap_or_default();
        assert!(!BANNED.contains(&name), "the core depends on {name}");
    }
}

#[test]
fn files_are_short() {
    let long: Vec<String> = files()
        .iter()
        .filter(|(name, _)| name.starts_with("src/") && name.ends_with(".rs"))
        .filter(|(_, text)| text.lines().count() > LINES)
        .map(|(name, _)| name.clone())
        .collect();
    assert_eq!(
        long, LONG,
        "files over {LINES} lines, and those that may be"
    );
}

#[test]
fn nothing_is_left_undone() {
    let stubs = ["todo!", "unimplemented!", "FIXME"];
    let found = lines_with(|name, line| {
        !name.starts_with("tests/") && stubs.iter().any(|stub| line.contains(stub))
    });
    assert!(found.is_empty(), "stubs:\n{}", found.join("\n"));
}

/// A path that exists on one machine has no place in the project.
#[test]
fn no_machine_path_is_written_down() {
    let folders = ["work", "tmp", "root"].map(|name| format!("/{name}/"));
    let found = lines_with(|_, line| {
        folders.iter().any(|folder| {
            line.match_indices(folder.as_str())
                .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric()))
        })
    });
    assert!(found.is_empty(), "machine paths:\n{}", found.join("\n"));
}

/// Pages that say which test holds what they say name tests that are there.
#[test]
fn the_docs_name_tests_that_are_there() {
    let files = files();
    let mut named = 0;
    for (page, text) in files
        .iter()
        .filter(|(path, _)| path.starts_with("src/") && path.ends_with(".md"))
    {
        let words: Vec<&str> = text.split('`').collect();
        for pair in words.windows(3) {
            let [file, between, test] = pair else {
                continue;
            };
            let is_test = matches!(between.trim(), ":" | ",") && file.ends_with(".rs");
            if !is_test {
                continue;
            }
            named += 1;
            let held = files.iter().find(|(path, _)| path == file);
            let found = held.is_some_and(|(_, text)| text.contains(&format!("fn {test}(")));
            assert!(
                found,
                "{page} names `{test}` in `{file}`, which is not there"
            );
        }
    }
    assert!(named > 10, "only {named} tests are named");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The lines of the project that a condition holds for, as `file:line: text`.
fn lines_with(holds: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in files() {
        for (number, line) in text.lines().enumerate() {
            if holds(&name, line) {
                found.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    found
}

/// The text files of the project, by their path below its folder, in order.
fn files() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    walk(root(), &mut paths);
    paths.sort();
    paths
        .into_iter()
        .filter_map(|path| {
            let name = path.strip_prefix(root()).ok()?.to_str()?.to_owned();
            Some((name, fs::read_to_string(&path).ok()?))
        })
        .collect()
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            // What is built, and what git keeps, is not the project's text.
            if name != "target" && name != ".git" && name != "artifacts" && name != "corpus" {
                walk(&path, paths);
            }
        } else if name != "Cargo.lock" && name != ".git" {
            paths.push(path);
        }
    }
}

//! Imports go down: every room of the house stands on a floor, and names only rooms below it.
//!
//! A room is a file `src/ROOM.rs`, a folder `src/ROOM/`, or both. The test reads the sources: each
//! path that starts at the crate's root must lead to a room that stands earlier in [`HOUSE`]. What
//! is compiled for tests only may look up.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every room with its floor, from the cellar up. Rooms on one floor stand in order too: a room
/// may name whatever is above it in this list.
const HOUSE: &[(u8, &str)] = &[
    // Small and pure.
    (0, "moment"),
    (0, "sse"),
    (0, "template"),
    (0, "limits"),
    (0, "json"),
    (0, "canonical"),
    (0, "seal"),
    (0, "scope"),
    // The wire's shapes, and the plain values of the driver.
    (1, "protocol"),
    (1, "caller"),
    (1, "change"),
    (1, "challenge"),
    // What is remembered, and what goes in and out.
    (2, "exchange"),
    (2, "message"),
    (2, "wire"),
    (2, "journal"),
    (2, "request_state"),
    (2, "observation"),
    // One run, and what an author sees.
    (3, "question"),
    (3, "step"),
    (3, "tool"),
    (3, "listener"),
    (3, "action"),
    (3, "offering"),
    (3, "calling"),
    // The two lanes.
    (4, "modern"),
    (4, "legacy"),
    (5, "server"),
    // The two bindings.
    (6, "lines"),
    (6, "http"),
    // Drivers, and what tests are written with.
    (7, "tracing"),
    (7, "adapters"),
    (7, "testing"),
    // What is read beside the items.
    (7, "guide"),
    // The doorway.
    (8, "lib"),
];

/// Rooms of one floor that know each other: the lower names the upper all the same.
const PAIRS: &[(&str, &str, &str)] = &[
    (
        "question",
        "step",
        "a question is put through `Cx` and its answer may end the run with a `ToolError`, while a \
         step holds the questions it put",
    ),
    (
        "listener",
        "action",
        "a turn opens a listener by an action, and an open listener comes to actions",
    ),
];

#[test]
fn every_room_is_entered_in_the_table() {
    let strangers: BTreeSet<String> = sources()
        .into_iter()
        .filter(|source| place(source.room()).is_none())
        .map(|source| source.room().to_owned())
        .collect();
    assert!(
        strangers.is_empty(),
        "rooms without a floor: enter them in HOUSE: {strangers:?}"
    );
}

#[test]
fn the_table_is_sorted_and_names_no_room_twice() {
    assert!(HOUSE.windows(2).all(|two| two[0].0 <= two[1].0));
    let rooms: BTreeSet<_> = HOUSE.iter().map(|(_, room)| room).collect();
    assert_eq!(rooms.len(), HOUSE.len());
}

#[test]
fn imports_go_down() {
    let sources = sources();
    let only_tests = only_tests(&sources);
    let mut upward = Vec::new();
    let mut pairs_used = BTreeSet::new();
    for source in &sources {
        if only_tests.iter().any(|path| source.path.starts_with(path)) {
            continue;
        }
        let room = source.room();
        for (line, name) in from_root(&source.path, &without_tests(&tokens(&source.text))) {
            // A name that is no room is one that the doorway re-exports.
            let named = place(&name).map_or("lib", |_| &name);
            if named == room || place(named) < place(room) {
                continue;
            }
            match PAIRS
                .iter()
                .position(|pair| (pair.0, pair.1) == (room, named))
            {
                Some(pair) => drop(pairs_used.insert(pair)),
                None => upward.push(format!("{}:{line}: {room} names {name}", source.file)),
            }
        }
    }
    assert!(
        upward.is_empty(),
        "imports that don't go down:\n{}",
        upward.join("\n")
    );
    assert_eq!(
        pairs_used.len(),
        PAIRS.len(),
        "a pair in PAIRS is no longer one: take it out"
    );
}

#[test]
fn the_lanes_never_name_each_other() {
    for source in sources() {
        let other = match source.room() {
            "modern" => "legacy",
            "legacy" => "modern",
            _ => continue,
        };
        let named = lines_naming(&source.text, other);
        assert!(
            named.is_empty(),
            "{}: lines {named:?} name {other}",
            source.file
        );
    }
}

/// Law 8: the legacy lane is one room that can be deleted.
#[test]
fn few_lines_outside_the_legacy_lane_name_it() {
    let lines: Vec<String> = sources()
        .iter()
        .filter(|source| source.room() != "legacy")
        .flat_map(|source| {
            lines_naming(&source.text, "legacy")
                .into_iter()
                .map(|line| format!("{}:{line}", source.file))
        })
        .collect();
    assert!(
        lines.len() <= 20,
        "{} lines name the legacy lane:\n{}",
        lines.len(),
        lines.join("\n")
    );
}

/// The tests above are no better than what they read with.
#[test]
fn the_reader_sees_what_the_compiler_sees() {
    let text = r##"
        //! crate::comment
        use crate::{json::{self, Kind}, seal as lock, Limits};
        /* crate::outer /* crate::inner */ */
        fn f<'a>(c: char) -> &'a str { if c == '"' || c == '\'' { "crate::text" } else { r#"" crate::raw"# } }
        mod within { use super::super::wire; use super::sibling; }
        use super::{message, super_fluous};
        #[cfg(test)]
        #[derive(Debug)]
        pub(crate) struct S { at: crate::skipped::T }
        #[cfg(test)]
        pub(crate) mod apart;
        pub(in crate::step) fn g() -> crate::step::Cx { crate::journal::open() }
        macro_rules! m { () => { $crate::server::S } }
        use crate::*;
        #[cfg(all(test, feature = "x"))]
        mod tests { use crate::skipped_too; }
    "##;
    let path = vec!["a".to_owned()];
    let tokens = tokens(text);
    let named: Vec<String> = from_root(&path, &without_tests(&tokens))
        .into_iter()
        .map(|(_, name)| name)
        .collect();
    assert_eq!(
        named,
        [
            "json",
            "seal",
            "Limits",
            "wire",
            "message",
            "super_fluous",
            "step",
            "step",
            "journal",
            "server",
            "*"
        ]
    );
    assert_eq!(
        test_modules(&path, &tokens),
        [["a", "apart"], ["a", "tests"]]
    );

    let text = "// legacy\nuse crate::legacy;\n#[cfg(feature = \"legacy\")]\nlet legacy_names = \"a legacy shape\";";
    assert_eq!(lines_naming(text, "legacy"), [2, 3].into());
}

/// One file under `src`.
struct Source {
    /// Its path below the project's folder, for messages.
    file: String,
    /// Its path as a module: `src/a/b.rs` is `[a, b]`, and `src/lib.rs` is `[]`.
    path: Vec<String>,
    text: String,
}

impl Source {
    fn room(&self) -> &str {
        self.path.first().map_or("lib", String::as_str)
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    walk(&root.join("src"), &mut files);
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let text = fs::read_to_string(&file).unwrap();
            let file = file.strip_prefix(root).unwrap();
            let mut path: Vec<String> = file
                .with_extension("")
                .iter()
                .skip(1)
                .map(|part| part.to_str().unwrap().to_owned())
                .collect();
            if matches!(path.last().unwrap().as_str(), "mod" | "lib") {
                path.pop();
            }
            let file = file.display().to_string();
            Source { file, path, text }
        })
        .collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Where a room stands in the table.
fn place(room: &str) -> Option<usize> {
    HOUSE.iter().position(|(_, known)| *known == room)
}

/// The modules that are compiled for tests only.
fn only_tests(sources: &[Source]) -> Vec<Vec<String>> {
    sources
        .iter()
        .flat_map(|source| test_modules(&source.path, &tokens(&source.text)))
        .collect()
}

/// The lines whose code names the word, on its own or as a whole string literal.
fn lines_naming(text: &str, word: &str) -> BTreeSet<usize> {
    tokens(text)
        .iter()
        .filter(|token| token.text.trim_matches('"') == word)
        .map(|token| token.line)
        .collect()
}

/// The names that stand first in the paths from the crate's root, each with its line.
fn from_root(module: &[String], tokens: &[Token<'_>]) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    // For each open brace, whether a module's body is within it.
    let mut braces: Vec<bool> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.text {
            "{" => {
                let named = at >= 2 && tokens[at - 2].text == "mod";
                braces.push(named);
            }
            "}" => drop(braces.pop()),
            "crate" if text_at(tokens, at + 1) == "::" => first_names(tokens, at + 2, &mut names),
            "super" => {
                let depth = module.len() + braces.iter().filter(|module| **module).count();
                let mut steps = 1;
                while text_at(tokens, at + 1) == "::" && text_at(tokens, at + 2) == "super" {
                    steps += 1;
                    at += 2;
                }
                if steps >= depth {
                    first_names(tokens, at + 2, &mut names);
                }
            }
            _ => {}
        }
        at += 1;
    }
    names
}

/// The name at `at`, or the first names within the group that opens there.
fn first_names(tokens: &[Token<'_>], at: usize, names: &mut Vec<(usize, String)>) {
    if text_at(tokens, at) != "{" {
        names.extend(
            tokens
                .get(at)
                .map(|token| (token.line, token.text.to_owned())),
        );
        return;
    }
    let mut depth = 0;
    let mut first = false;
    for token in &tokens[at..] {
        match token.text {
            "{" => {
                depth += 1;
                first = depth == 1;
            }
            "}" if depth == 1 => return,
            "}" => depth -= 1,
            "," => first = depth == 1,
            name if first => {
                names.push((token.line, name.to_owned()));
                first = false;
            }
            _ => {}
        }
    }
}

fn text_at<'a>(tokens: &[Token<'a>], at: usize) -> &'a str {
    tokens.get(at).map_or("", |token| token.text)
}

fn without_tests<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if opens_test_item(tokens, at) {
            at = end_of_item(tokens, at);
        } else {
            kept.push(tokens[at]);
            at += 1;
        }
    }
    kept
}

/// The modules that this file declares for tests only, within it or beside it.
fn test_modules(module: &[String], tokens: &[Token<'_>]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for at in (0..tokens.len()).filter(|at| opens_test_item(tokens, *at)) {
        let item = &tokens[at..end_of_item(tokens, at)];
        let head = item
            .iter()
            .position(|token| matches!(token.text, "{" | ";"));
        let head = head.unwrap_or(item.len());
        if head >= 2 && item[head - 2].text == "mod" {
            let name = item[head - 1].text.to_owned();
            found.push([module, &[name]].concat());
        }
    }
    found
}

/// Whether `#[cfg(test)]` or `#[cfg(all(test, ...))]` stands here.
fn opens_test_item(tokens: &[Token<'_>], at: usize) -> bool {
    let begins = |words: &[&str]| {
        tokens.len() >= at + words.len()
            && words
                .iter()
                .zip(&tokens[at..])
                .all(|(word, token)| *word == token.text)
    };
    begins(&["#", "[", "cfg", "(", "test", ")", "]"])
        || begins(&["#", "[", "cfg", "(", "all", "(", "test", ","])
}

/// Where the item ends whose attributes begin here: after its `;` or its braces, or before what
/// closes around it.
fn end_of_item(tokens: &[Token<'_>], mut at: usize) -> usize {
    let mut depth = 0;
    while let Some(token) = tokens.get(at) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return at,
            ")" | "]" => depth -= 1,
            "}" => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// A word, a mark, or a literal with its quotes.
#[derive(Clone, Copy)]
struct Token<'a> {
    line: usize,
    text: &'a str,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let rest = &text[at..];
        let length = token_length(rest);
        let token = &rest[..length];
        let silent = token.starts_with("//") || token.starts_with("/*");
        if !silent && !token.trim().is_empty() {
            tokens.push(Token { line, text: token });
        }
        line += token.matches('\n').count();
        at += length;
    }
    tokens
}

/// How long the token, comment or space is that the text begins with.
fn token_length(text: &str) -> usize {
    let first = text.chars().next().unwrap();
    let word = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    if text.starts_with("//") {
        text.find('\n').unwrap_or(text.len())
    } else if text.starts_with("/*") {
        block_comment(text)
    } else if text.starts_with("::") {
        2
    } else if matches!(&text[..word], "r" | "br" | "cr") && text[word..].starts_with(['"', '#']) {
        raw_literal(text, word)
    } else if word > 0 {
        word
    } else if first == '"' {
        literal(text, '"')
    } else if first == '\'' && is_char(text) {
        literal(text, '\'')
    } else {
        first.len_utf8()
    }
}

/// A character literal, and no lifetime.
fn is_char(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    chars.next() == Some('\\') || chars.next() == Some('\'')
}

fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + 1;
        }
    }
    text.len()
}

/// A raw string, or the prefix of a raw word.
fn raw_literal(text: &str, prefix: usize) -> usize {
    let hashes = text[prefix..].chars().take_while(|c| *c == '#').count();
    if !text[prefix + hashes..].starts_with('"') {
        return prefix + hashes;
    }
    let body = prefix + hashes + 1;
    let close = format!("\"{}", "#".repeat(hashes));
    text[body..]
        .find(&close)
        .map_or(text.len(), |end| body + end + close.len())
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

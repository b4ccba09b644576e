"""Deletes the legacy lane from a copy of the project: its folder, its tests, its feature."""

import pathlib
import re
import shutil
import sys

copy = pathlib.Path(sys.argv[1])
for folder in ("src/legacy", "tests/legacy"):
    shutil.rmtree(copy / folder)
manifest = copy / "Cargo.toml"
text = manifest.read_text()
for pattern in (
    r"# Serves revisions 2025-11-25[^\n]*\nlegacy = \[\]\n",
    r'\[\[test\]\]\nname = "legacy"\nrequired-features = \["legacy"\]\n\n',
    r'"legacy", (?=.*\n)',
):
    text, count = re.subn(pattern, "", text, count=1)
    if count != 1:
        sys.exit(f"{pattern} is not in Cargo.toml")
manifest.write_text(text)

#!/usr/bin/env python3
"""Counts the instructions of every case of the benchmark, and says which bars hold.

    benches/instructions.py            prints the table
    benches/instructions.py --record   and writes it to recorded.json
    benches/instructions.py --check    and fails where a ratio is over the recorded one by a tenth
    benches/instructions.py echo list  only these, and the floors they stand on

It needs valgrind. A case is run twice under callgrind, a few times and more times, and the
difference is divided by how many more: what is done before the first time cancels out. Counts
differ between machines, since libraries choose their loops by the processor: ratios hardly do.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
RECORDED = Path(__file__).resolve().parent / "recorded.json"
# How far a ratio may be over the recorded one.
SLACK = 1.10
# A long copy by one string instruction is counted as an instruction a byte, which is not what it
# costs: the C library is told to copy by its loops.
NEVER = 1 << 40
COPIES = f"glibc.cpu.x86_rep_movsb_threshold={NEVER}:glibc.cpu.x86_rep_stosb_threshold={NEVER}"
# An echo may allocate so often.
ALLOCATIONS = {"echo": 20}


def build():
    """Builds the benchmark, and gives the path of its binary."""
    command = ["cargo", "bench", "--no-run", "--bench", "exchanges", "--no-default-features"]
    command += ["--features", "legacy", "--message-format", "json-render-diagnostics"]
    lines = subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True)
    for line in lines.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == "exchanges":
            return message["executable"]
    sys.exit("cargo named no binary")


def count(binary, arguments):
    """All instructions of a run of the binary."""
    with tempfile.TemporaryDirectory() as scratch:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/out"]
        command += [binary, *arguments]
        # A process of its own environment begins the same whatever the shell has set.
        environment = {"PATH": os.environ.get("PATH", ""), "GLIBC_TUNABLES": COPIES}
        run = subprocess.run(command, env=environment, capture_output=True, text=True)
    found = re.search(r"Collected\s*:\s*(\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"{' '.join(arguments)} failed under valgrind:\n{run.stderr}")
    return int(found[1])


def measured(binary, case):
    few, many = case["few"], case["many"]
    times = ["--case", case["name"], "--count"]
    more = count(binary, times + [str(many)]) - count(binary, times + [str(few)])
    return more / (many - few) / case["units"]


def wanted(cases, names):
    """The cases of these names, with the floors they stand on; all where none is named."""
    by_name = {case["name"]: case for case in cases}
    unknown = [name for name in names if name not in by_name]
    if unknown:
        sys.exit(f"no such case: {', '.join(unknown)}")
    keep, pending = set(), list(names or by_name)
    while pending:
        name = pending.pop()
        if name not in keep:
            keep.add(name)
            pending.append(by_name[name]["floor"])
    return [case for case in cases if case["name"] in keep]


def verdict(case):
    bars = [(case["ratio"], case["bar"])]
    bars.append((case["allocations"], ALLOCATIONS.get(case["name"])))
    held = [value <= bar for value, bar in bars if bar is not None]
    if not held:
        return ""
    return "held" if all(held) else "NOT held"


def show(cases, held):
    print(f"{'case':16}{'instructions':>14}{'ratio':>9}{'allocs':>8}{'bytes':>10}  bar")
    for case in cases:
        bar = f"<= {case['bar']:g}" if case["bar"] is not None else ""
        if case["name"] in ALLOCATIONS:
            bar += f", {ALLOCATIONS[case['name']]} allocs"
        against = "" if case["floor"] == case["name"] else f"of {case['floor']}"
        print(
            f"{case['name']:16}{case['instructions']:>14,.0f}{case['ratio']:>9.2f}"
            f"{case['allocations']:>8}{case['bytes']:>10}  {bar:18} {verdict(case):9}{against}"
        )
    print()
    for fact in held:
        word = "held" if fact["held"] <= fact["bar"] else "NOT held"
        print(f"{fact['name']:42}{fact['held']:>8,}  <= {fact['bar']:<8,} {word}")


def worse(cases, held):
    """What is over what was recorded by more than the slack."""
    recorded = json.loads(RECORDED.read_text())
    found = []
    now = [(case["name"], case["ratio"]) for case in cases]
    now += [(fact["name"], fact["held"]) for fact in held]
    for name, value in now:
        before = recorded["ratios"].get(name, recorded["held"].get(name))
        if before is None:
            found.append(f"{name} is not recorded")
        elif value > before * SLACK:
            found.append(f"{name}: {value:.3f}, and {before:.3f} is recorded")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true", help="write recorded.json")
    parser.add_argument("--check", action="store_true", help="fail where a ratio has grown")
    parser.add_argument("cases", nargs="*", help="only these")
    arguments = parser.parse_args()
    if arguments.record and arguments.cases:
        parser.error("only a whole run can be recorded")

    binary = build()
    facts = json.loads(subprocess.run([binary, "--facts"], check=True, stdout=subprocess.PIPE).stdout)
    cases, held = wanted(facts["cases"], arguments.cases), facts["held"]
    with ThreadPoolExecutor(max_workers=2) as pool:
        counts = list(pool.map(lambda case: measured(binary, case), cases))
    instructions = {case["name"]: value for case, value in zip(cases, counts)}
    for case in cases:
        case["instructions"] = instructions[case["name"]]
        case["ratio"] = case["instructions"] / instructions[case["floor"]]
    show(cases, held)

    if arguments.check:
        found = worse(cases, held)
        if found:
            sys.exit("\n" + "\n".join(found))
        print("\nNothing is over what was recorded by more than a tenth.")
    if arguments.record:
        ratios = {case["name"]: round(case["ratio"], 3) for case in cases}
        recorded = {"ratios": ratios, "held": {fact["name"]: fact["held"] for fact in held}}
        RECORDED.write_text(json.dumps(recorded, indent=2) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Judge a run of the protocol cases by era.

    cases.py OUTCOMES.json CASES.jsonl ERA...

OUTCOMES.json is what the cases' runner wrote with `--json`. Exit status 1 when a case of one of the
eras failed, or when a case that is excused here passed.
"""

import json
import sys

# Cases that are wrong by the specification: the id, and the passage that says so.
EXCUSED: dict[str, str] = {}


def main(outcomes, cases, *eras):
    with open(cases, encoding="utf-8") as lines:
        era_of = {case["id"]: case["era"] for case in map(json.loads, filter(str.strip, lines))}
    with open(outcomes, encoding="utf-8") as file:
        told = json.load(file)["cases"]
    judged = [case for case in told if era_of[case["id"]] in eras]
    count = dict.fromkeys(("passed", "failed", "skipped", "excused"), 0)
    bad = []
    for case in judged:
        outcome, excuse = case["outcome"], EXCUSED.get(case["id"])
        if excuse and outcome == "failed":
            outcome = "excused"
        elif excuse and outcome == "passed":
            bad.append(f"{case['id']} passes: take it out of EXCUSED")
        elif outcome == "failed":
            bad.append(f"{case['id']} ({era_of[case['id']]}) failed: {case['title']}")
        count[outcome] += 1
    for line in bad:
        print(line)
    print(f"cases of {', '.join(eras)}:", ", ".join(f"{n} {what}" for what, n in count.items()))
    print(f"cases of other eras, not judged: {len(told) - len(judged)}")
    # No case passed: nothing was shown.
    return 1 if bad or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

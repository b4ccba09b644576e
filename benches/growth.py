#!/usr/bin/env python3
"""Counts what a call costs as its questions, the tools, the listeners or its body grow.

    benches/growth.py            prints the table, and fails where a cost outgrows its size
    benches/growth.py --record   and writes it, with a plot, for the docs

It needs valgrind, and counts as instructions.py does.
"""

import argparse
import json
import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from instructions import PROJECT, build, count

GUIDE = PROJECT / "src" / "guide"
# Twice the size may cost twice as much and so much more, which is what the allocator and the
# machine's own block sizes make of it.
SLACK = 1.02
COLOURS = ["#0969da", "#cf222e", "#1a7f37", "#8250df", "#9a6700"]


def measured(binary, name, size):
    """The instructions of one time: the difference of few and more."""

    def between(few, many):
        case = ["--growth", name, "--size", str(size), "--count"]
        more = count(binary, case + [str(many)]) - count(binary, case + [str(few)])
        return more / (many - few)

    # What the allocator does now and then is spread over the more of them, the less one costs.
    rough = between(2, 4)
    return rough if rough > 1e6 else between(20, 220)


def outgrown(costs):
    """The sizes whose cost has grown faster than they have."""
    pairs = zip(costs, costs[1:])
    return [b for (a, before), (b, after) in pairs if after / before > b / a * SLACK]


def table(curves):
    lines = ["| what grows | size | instructions | of the first, for the size's |", "|---|---:|---:|---|"]
    for curve in curves:
        first_size, first = curve["costs"][0]
        for size, cost in curve["costs"]:
            head = f"**{curve['name']}**: {curve['what']}" if size == first_size else ""
            grown = f"{cost / first:.1f} for {size / first_size:.0f}"
            lines.append(f"| {head} | {size:,} | {cost:,.0f} | {grown} |")
    return "\n".join(lines) + "\n"


def plot(curves):
    """Cost over size, both as multiples of the smallest, on scales of powers of ten."""
    left, top, width, height, decades = 56, 16, 520, 300, 3.2
    x = lambda value: left + math.log10(value) / decades * width
    y = lambda value: top + height - math.log10(value) / decades * height
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 24} {top + height + 48}"'
        ' font-family="sans-serif" font-size="12" role="img"'
        ' aria-label="Cost over size, each as a multiple of its smallest: no line is steeper than the diagonal">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for power in range(4):
        value = 10**power
        out.append(f'<line x1="{x(value):.1f}" y1="{top}" x2="{x(value):.1f}" y2="{top + height}" stroke="#d0d7de"/>')
        out.append(f'<line x1="{left}" y1="{y(value):.1f}" x2="{left + width}" y2="{y(value):.1f}" stroke="#d0d7de"/>')
        out.append(f'<text x="{x(value):.1f}" y="{top + height + 18}" text-anchor="middle" fill="#59636e">{value:,}</text>')
        out.append(f'<text x="{left - 8}" y="{y(value) + 4:.1f}" text-anchor="end" fill="#59636e">{value:,}</text>')
    end = 10**decades
    out.append(
        f'<line x1="{x(1):.1f}" y1="{y(1):.1f}" x2="{x(end):.1f}" y2="{y(end):.1f}"'
        ' stroke="#59636e" stroke-dasharray="5 4"/>'
    )
    out.append(f'<text x="{x(end) - 8:.1f}" y="{y(end) + 44:.1f}" text-anchor="end" fill="#59636e">as the size</text>')
    out.append(
        f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle" fill="#1f2328">'
        "size, the smallest as 1</text>"
    )
    for row, (curve, colour) in enumerate(zip(curves, COLOURS)):
        first_size, first = curve["costs"][0]
        points = [(x(size / first_size), y(max(cost / first, 1))) for size, cost in curve["costs"]]
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}"/>' for px, py in points]
        legend = top + 18 + 18 * row
        out.append(f'<rect x="{left + 14}" y="{legend - 9}" width="10" height="10" fill="{colour}"/>')
        out.append(f'<text x="{left + 30}" y="{legend}" fill="#1f2328">{curve["name"]}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true", help="write the table and the plot")
    arguments = parser.parse_args()

    binary = build()
    facts = json.loads(subprocess.run([binary, "--facts"], check=True, stdout=subprocess.PIPE).stdout)
    curves = facts["growth"]
    points = [(curve["name"], size) for curve in curves for size in curve["sizes"]]
    with ThreadPoolExecutor(max_workers=2) as pool:
        costs = dict(zip(points, pool.map(lambda point: measured(binary, *point), points)))
    for curve in curves:
        curve["costs"] = [(size, costs[curve["name"], size]) for size in curve["sizes"]]
    print(table(curves))
    if arguments.record:
        (GUIDE / "growth.md").write_text(table(curves))
        (GUIDE / "growth.svg").write_text(plot(curves))
    found = [f"{it['name']} at {size:,}" for it in curves for size in outgrown(it["costs"])]
    if found:
        sys.exit("The cost has grown faster than the size: " + ", ".join(found))
    print("No cost grows faster than its size.")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What moved between two revisions: FOLDER has the reports of several rounds of each, base-1.json,
now-1.json, base-2.json and so on, made in turns.

A time is the median over the rounds. Its spread is what the rounds are apart, or the spread inside
of a round where that is more; a ratio has moved where it differs from 1 by more than half of both
sides' spreads together. Promises are compared by their ratios, in which a machine's mood cancels;
Reap's times by themselves.

Usage: compare.py FOLDER
"""
import glob
import os
import statistics
import sys

import cases
import report as reports
from report import is_measured, seconds_text, size_text


def load_all(folder, side):
    paths = sorted(glob.glob(os.path.join(glob.escape(folder), f"{side}-*.json")))
    if not paths:
        raise reports.Failure(f"{folder}: {side}-1.json is missing")
    return [reports.load(path) for path in paths]


def points(report):
    """{name: (Reap's seconds, spread)}"""
    return {(cases.title(p["case"], p["variant"]), p["type"], size_text(p["elements"]),
             f"{p['threads']} thr."): (p["seconds"], p["spread"])
            for p in report["points"] if p["peer"] == "reap"}


def rows(report):
    """{name: (ratio, spread)}"""
    return {(row["work"], row["against"]): (
        row["ratio"], row["reap_spread"] + row["baseline_spread"])
            for row in report["rows"] if is_measured(row)}


def gather(all_reports, values):
    """{name: (median, spread)} over the rounds."""
    found = {}
    for report in all_reports:
        for name, value in values(report).items():
            found.setdefault(name, []).append(value)
    result = {}
    for name, rounds in found.items():
        each = [number for number, _ in rounds]
        median = statistics.median(each)
        result[name] = (median, max((max(each) - min(each)) / median,
                                    statistics.median(spread for _, spread in rounds)))
    return result


def moved(base, now):
    """(name, base, now, base over now, spread) where that is more than the spread."""
    lines = []
    for name, (before, spread_before) in base.items():
        if name in now:
            after, spread_after = now[name]
            ratio, spread = before / after, (spread_before + spread_after) / 2
            if abs(ratio - 1) > spread:
                lines.append((name, before, after, ratio, spread))
    return sorted(lines, key=lambda line: line[3])


def print_lines(head, lines, count, text, factor):
    print(f"{head}: {len(lines)} of {count} moved by more than the spread")
    if not lines:
        return
    width = max(len(", ".join(line[0])) for line in lines)
    print(f"  {'':<{width}}  {'base':>9} {'now':>9} {'times':>6} {'spread':>7}")
    for name, before, after, ratio, spread in lines:
        print(f"  {', '.join(name):<{width}}  {text(before):>9} {text(after):>9}"
              f" {factor(ratio):>6.2f} {spread * 100:>5.0f} %")


def compare(folder):
    base, now = load_all(folder, "base"), load_all(folder, "now")
    for head, values, text, factor in (
            ("Promises' ratios (times: now over base, above 1 is better)", rows,
             lambda ratio: f"{ratio:.3g}", lambda ratio: 1 / ratio),
            ("Reap's times (times: as fast as base, above 1 is better)", points, seconds_text,
             lambda ratio: ratio)):
        before, after = gather(base, values), gather(now, values)
        print_lines(head, moved(before, after), len(before.keys() & after.keys()), text, factor)


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: compare.py FOLDER", file=sys.stderr)
        return 2
    try:
        compare(arguments[0])
    except reports.Failure as failure:
        print(f"compare.py: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fills in what the page of the results has of each machine: in FOLDER/README.md everything between
the marks `<!-- made: NAME -->` and `<!-- end -->`, from FOLDER/*/report.json. What is outside of
them is written by hand.

Usage: page.py FOLDER
"""
import glob
import os
import re
import sys

import cases
import findings
import report as reports
import tables
from report import machine_text, significant, size_text, unique

FEW = 12        # how many of a list are on the page; all of them are in the tables


def pictures(machines, names):
    """The pictures of those names, of each machine that has them."""
    parts = []
    for folder, report in machines:
        for name in names:
            if os.path.exists(os.path.join(folder, f"{name}.svg")):
                there = f"{os.path.basename(folder)}/{name}.svg"
                parts.append(f"![{name}: {tables.cell(machine_text(report))}]({there})\n")
    return "\n".join(parts)


def each(machines, say):
    """What is to be said of each machine, under its name."""
    return "\n".join(f"**{os.path.basename(folder)}.** {say(report)}"
                     for folder, report in machines)


def made_machines(machines):
    lines = [[f"[{os.path.basename(folder)}]({os.path.basename(folder)}/tables.md)",
              machine_text(report), report["machine"].get("system", ""),
              f"{report['reap']['version']}, {report['reap']['revision']}",
              report["date"][:10], f"`{report['command']}`"] for folder, report in machines]
    return tables.table(["results", "machine", "system", "Reap", "date", "command"], lines)


VERDICTS = {"aim": "at their aim", "holds": "between bound and aim", "below": "below their bound",
            "void": "void", "skipped": "skipped", "wrong": "wrong"}


def say_promises(report):
    counts = {}
    for row in report["rows"]:
        counts[row["verdict"]] = counts.get(row["verdict"], 0) + 1
    words = ", ".join(f"{counts[verdict]} {text}" for verdict, text in VERDICTS.items()
                      if verdict in counts)
    below = [f"- {row['work']} against {row['against']}: {significant(row['ratio'])} instead of"
             f" {significant(row['at_least'], 2)}\n" for row in findings.rows_below(report)]
    return (f"Of {len(report['rows'])} rows: {words or 'none'}.\n"
            + ("\nBelow their bounds:\n\n" + "".join(below) if below else
               "\nEvery promise holds.\n"))


def made_promises(machines):
    return each(machines, say_promises)


def say_time(report):
    lines = findings.behind_peers(report)
    if not lines:
        return "No peer is faster than Reap anywhere by more than the spreads.\n"
    cut = f"; the first {FEW}, the others are in its tables" if len(lines) > FEW else ""
    every = len(unique((p["case"], p["type"], p["variant"], p["threads"])
                       for p in report["points"]))
    return (f"In {len(lines)} of {every} series Reap is behind some peer at some size, by more than"
            f" the\nspreads{cut}:\n\n" + tables.behind(report, FEW))


def made_time(machines):
    first = []
    for folder, _ in machines:
        there = sorted(os.path.basename(path)[:-4]
                       for path in glob.glob(os.path.join(folder, "time-*.svg")))
        shown = "time-float" if "time-float" in there else (there or [""])[0]
        others = ", ".join(f"[{name[5:]}]({os.path.basename(folder)}/{name}.svg)"
                           for name in there if name != shown)
        if shown:
            first.append(pictures([m for m in machines if m[0] == folder], [shown])
                         + (f"\nThe others: {others}.\n" if others else ""))
    return "\n".join(first) + "\n" + each(machines, say_time)


def say_roofline(report):
    lines = findings.below_limit(report)
    if not lines:
        return f"In memory no case stays below {findings.NEAR:g} of the limit.\n"
    return (f"In memory, cases that stay below {findings.NEAR:g} of the limit:\n\n" + tables.table(
        ["case", "type", "elements:", "of limit:"],
        [[cases.title(case, variant), kind, size_text(elements), significant(fraction, 2)]
         for case, kind, variant, elements, fraction in lines]))


def made_roofline(machines):
    return pictures(machines, ["roofline"]) + "\n" + each(machines, say_roofline)


def made_threads(machines):
    return pictures(machines, ["threads"])


MADE = {"machines": made_machines, "promises": made_promises, "time": made_time,
        "roofline": made_roofline, "threads": made_threads}


def fill(text, machines):
    def made(match):
        if match[1] not in MADE:
            raise reports.Failure(f"README.md: there is nothing to be made of '{match[1]}'")
        what = MADE[match[1]](machines) if machines else "No results yet.\n"
        return f"<!-- made: {match[1]} -->\n{what}<!-- end -->"
    return re.sub(r"<!-- made: ([a-z]+) -->\n.*?<!-- end -->", made, text, flags=re.DOTALL)


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: page.py FOLDER", file=sys.stderr)
        return 2
    readme = os.path.join(arguments[0], "README.md")
    try:
        machines = [(os.path.dirname(path), reports.load(path))
                    for path in sorted(glob.glob(os.path.join(arguments[0], "*", "report.json")))]
        with open(readme, encoding="utf-8") as file:
            text = file.read()
        reports.write(readme, fill(text, machines))
    except (reports.Failure, OSError) as failure:
        print(f"page.py: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

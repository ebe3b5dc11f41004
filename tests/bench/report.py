#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What shows the benchmarks' reports, run on the small report beside this file: pictures and tables
hold what they should, the same report makes the same bytes, damaged reports get one line, and the
comparison finds what moved.

Usage: report.py SOURCE
"""
import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

source = sys.argv[1]
sys.path.insert(0, os.path.join(source, "bench/report"))
sys.dont_write_bytecode = True
import report as reports

sample = os.path.join(source, "tests/bench/sample.json")
checks = failed = 0
PICTURES = ["roofline", "threads", "time-float", "time-histogram-uint32", "time-others"]


def holds(what, is_so):
    global checks, failed
    checks += 1
    if not is_so:
        failed += 1
        print(f"failed: {what}")


def run(command, *arguments, **environment):
    done = subprocess.run([os.path.join(source, command), *arguments], capture_output=True,
                          text=True, encoding="utf-8", env={**os.environ, **environment},
                          check=False)
    return done.returncode, done.stdout, done.stderr


def refuses(what, status, words, command, *arguments, **environment):
    got, output, errors = run(command, *arguments, **environment)
    holds(f"{what}: status {got}, {errors!r}", got == status and output == "" and words in errors
          and errors.count("\n") == 1)


def write(path, report):
    with open(path, "w", encoding="utf-8") as file:
        file.write(report if isinstance(report, str) else json.dumps(report))
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def words_of(svg):
    return ["".join(text.itertext()) for text in
            xml.parse(svg).iter("{http://www.w3.org/2000/svg}text")]


def check_pictures(report):
    status, output, errors = run("bench/report/show.py", sample, "out")
    holds(f"a report is shown: {status} {errors}", status == 0 and errors == "")
    holds(f"the pictures: {output}", sorted(os.listdir("out")) == sorted(
        [f"{name}.{ending}" for name in PICTURES for ending in ("png", "svg")] + ["tables.md"]))
    for name in PICTURES:
        words = words_of(f"out/{name}.svg")
        for title in ("Reap", "OpenMP, gcc", "A peer of 'quotes' & <signs>"):
            holds(f"{name} has a legend with {title}: {words}", title in words)
        holds(f"{name} has no curve of the read loop: {words}", "read loop" not in words)
        holds(f"{name} has the machine", any("An example, 2 threads" in text for text in words))
        holds(f"{name}.png", read(f"out/{name}.png").startswith(b"\x89PNG\r\n"))
    words = words_of("out/time-histogram-uint32.svg")
    for variant in {p["variant"] for p in report["points"] if p["case"] == "histogram"}:
        holds(f"a panel for {variant}: {words}", f"histogram: {variant}" in words)
    words = words_of("out/roofline.svg")
    for text in ("L1: 200 GB/s", "DRAM: 20.0 GB/s", "sum (0.25)"):
        holds(f"the roofline has {text}: {words}", text in words)
    run("bench/report/show.py", sample, "again")
    holds("the same report makes the same bytes", all(
        read(f"out/{name}") == read(f"again/{name}") for name in os.listdir("out")))


def check_tables(report):
    table = read("out/tables.md").decode()
    for row in report["rows"]:
        line = next((line for line in table.splitlines()
                     if line.startswith(f"| {row['work']} | {row['against']} |")), "")
        texts = [row["verdict"], row.get("reap_flags", "-"), row.get("baseline_flags", "-")]
        holds(f"a row for {row['work']}: {line}", line.count("|") == 15
              and all(text in line for text in texts))
    holds("a row's figures", "| 0.500 | 0.95 | 1.0 | **below** | 2.00 ms | 2 % | 1.00 ms | 3 % |"
          " 2^24 | read loop | -O2 | -O3 -march=native |" in table)
    holds("a row that is void", "| void: a spread is over half of the time | - |" in table)
    holds("the read loop has a column", "| read loop |" in table)
    holds("the read loop is not a rival", not any(line.startswith("| sum | float | 2 |")
                                               for line in table.splitlines()))
    holds("a peer that was skipped", "skipped: libtbb-dev is not installed" in table)
    holds("where a peer is faster",
          "| histogram: 16 bins, uniform | uint32 | 2 | 4 of 4 |" in table)


def check_page():
    os.mkdir("results")
    shutil.copy(os.path.join(source, "docs/performance/README.md"), "results")
    script = "scripts/bench-report.sh"
    status, _, errors = run(script, sample, "example", RESULTS="results")
    holds(f"a report is taken in: {status} {errors}", status == 0 and errors == "")
    page = read("results/README.md")
    for text in (b"](example/time-float.svg)", b"](example/roofline.svg)",
                 b"](example/threads.svg)",
                 b"- sum of floats against read bandwidth: 0.500 instead of 0.95"):
        holds(f"the page has {text}", text in page)
    run(script, RESULTS="results")
    holds("the page stays as it is", read("results/README.md") == page)
    refuses("a bad name", 2, "is not a name", script, sample, "../x", RESULTS="results")
    refuses("no report", 1, "No such file", script, "none.json", "x", RESULTS="results")
    holds("which changes nothing", sorted(os.listdir("results")) == ["README.md", "example"])


def why_not(path):
    """What show.py says of a report that is none; without a process for each, which takes long."""
    try:
        reports.load(path)
    except reports.Failure as failure:
        return str(failure)
    return ""


def check_damaged(report):
    """Whatever is missing or of another kind is one line, and nothing is written."""
    show = "bench/report/show.py"
    refuses("no file", 1, "none.json: No such file", show, "none.json", "damaged")
    for text, words in (("", "no JSON"), ("{", "no JSON"), ("[]", "the file is not an object"),
                        ("{}", "has no 'format'"), ("[" * 100000, "no JSON"), ("\x00", "no JSON"),
                        ('{"format": "x", "version": 1}', "its format is 'x'"),
                        ('{"format": "reap-bench", "version": 3}', "its version is 3")):
        refuses(f"damaged: {text[:40]}", 1, words, show, write("bad.json", text), "damaged")
    for path in (["points"], ["machine", "threads"], ["limits", 0, "bytes_per_second"],
                 ["machine", "memory_bytes"],
                 ["points", 3, "elements"], ["points", 3, "fraction"], ["peers", 0, "title"],
                 ["rows", 0, "ratio"], ["rows", 0, "verdict"], ["reap", "revision"]):
        for value in (None, "", -1, float("nan"), {}, "missing"):
            changed = copy.deepcopy(report)
            place = changed
            for key in path[:-1]:
                place = place[key]
            if value == "" and isinstance(place[path[-1]], str):
                continue
            if value in (-1, "missing") and path[-1] in ("fraction", "memory_bytes"):
                continue
            place[path[-1]] = value
            if value == "missing":
                del place[path[-1]]
            explanation = why_not(write("bad.json", changed))
            holds(f"damaged: {path} is {value}: {explanation!r}", f"'{path[-1]}'" in explanation
                  and explanation.startswith("bad.json: ") and "\n" not in explanation)
    refuses("damaged", 1, "bad.json: 'reap' has no 'revision'", show, "bad.json", "damaged")
    holds("nothing is written", not os.path.exists("damaged"))
    refuses("wrong usage", 2, "usage: show.py", show)
    refuses("no gnuplot", 1, "gnuplot is not installed", show, sample, "damaged",
            PATH=os.path.abspath("tools"))
    refuses("a folder that is none", 1, "Not a directory", show, sample, "bad.json/x")


def check_empty(report):
    for key in ("points", "rows", "limits"):
        report[key] = []
    status, _, errors = run("bench/report/show.py", write("empty.json", report), "nothing")
    holds(f"a report of nothing: {errors}", status == 0 and os.listdir("nothing") == ["tables.md"])


def check_comparison(report):
    os.mkdir("rounds")
    for i in (1, 2, 3):
        write(f"rounds/base-{i}.json", report)
        changed = copy.deepcopy(report)
        point = next(p for p in changed["points"] if p["case"] == "sum" and p["peer"] == "reap"
                     and p["elements"] == 4096)
        point["seconds"] *= 2
        changed["rows"][0]["ratio"] *= 1.5
        write(f"rounds/now-{i}.json", changed)
    status, output, errors = run("bench/report/compare.py", "rounds")
    holds(f"a comparison: {status} {errors} {output}", status == 0 and errors == "")
    lines = [line.split() for line in output.splitlines() if line.startswith("  ")]
    holds(f"what moved: {output}", [line[-3] for line in lines if "%" in line] == ["1.50", "0.50"]
          and "sum, float, 2^12, 2 thr." in output)
    refuses("no rounds", 1, "base-1.json is missing", "bench/report/compare.py", "out")
    compare = "scripts/bench-compare.sh"
    refuses("no revision given", 2, "say which revision", compare)
    refuses("an unknown revision", 2, "unknown revision 'no/such'", compare, "no/such")
    refuses("a bad count", 2, "ROUNDS: '0'", compare, "HEAD", ROUNDS="0")


def main():
    if shutil.which("gnuplot") is None:
        print("skipped: pictures and tables of benchmarks: gnuplot is not installed")
        return 77
    with open(sample, encoding="utf-8") as file:
        report = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        # All that a script with `env python3` needs, and no gnuplot.
        os.mkdir("tools")
        os.symlink(sys.executable, "tools/python3")
        check_pictures(report)
        check_tables(report)
        check_page()
        check_damaged(report)
        check_comparison(report)
        check_empty(report)
        os.chdir("/")
    print(f"{checks} checks, {failed} failed")
    return 0 if failed == 0 and checks > 50 else 1


sys.exit(main())

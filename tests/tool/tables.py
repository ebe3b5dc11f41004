#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `reap describe --json` says of tables as people have them, beside pandas.

Each case is a file with something that files from instruments, spreadsheets and other programs
have: comments, values for missing ones, odd cells, gaps, European numbers, quoted newlines, a byte
order mark. The tool recognises what it can; options say the rest, and pandas gets options for all of it. What the
tool leaves out, or counts as text, it must name.

Usage: tables.py TOOL; SEED=... of the environment repeats a run
"""
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd

import checks
from checks import check, rng

tool = sys.argv[1]

# ---- Cases --------------------------------------------------------------------------------------


class Case:
    """A file, the tool's options, pandas' options, and what must be said of the columns. `plain` is
    the file without what pandas has no options for."""

    def __init__(self, name, text, columns, *, options=(), left_out=(), text_cells=None,
                 sentinels=None, comments=None, encoding="utf-8", plain=None, **told):
        self.name, self.data, self.columns = name, text.encode(encoding), list(columns)
        self.plain = self.data if plain is None else plain.encode()
        self.options, self.left_out, self.told = list(options), list(left_out), told
        self.text_cells, self.sentinels = text_cells or {}, sentinels or {}
        self.comments = comments


def lines(rows, separator=",", end="\n"):
    return "".join(separator.join(str(cell) for cell in row) + end for row in rows)


def numbers(count, digits=3, scale=100.0):
    return [f"{value:.{digits}f}" for value in rng.normal(20, scale, count)]


def with_cells(column, cells):
    """The column with these cells, by row."""
    column = list(column)
    for row, cell in cells.items():
        column[row] = cell
    return column


def table(header, *columns, separator=",", end="\n"):
    rows = list(zip(*columns))
    return lines(([header] if header else []) + rows, separator, end)


def comments():
    a, b = numbers(40), numbers(40, 1)
    plain = table(None, a, b, separator=" ")
    named = table(["a", "b"], a, b)
    middle = named.splitlines(keepends=True)
    yield Case("savetxt's header", "# a b\n" + plain, ["a", "b"], comments=1,
               sep=" ", comment="#", header=None, names=["a", "b"])
    yield Case("savetxt's header and title", "# made by a program, 2024\n# a b\n" + plain,
               ["a", "b"], comments=2, sep=" ", comment="#", header=None, names=["a", "b"])
    yield Case("a title alone", "# two columns without names\n" + table(None, a, b),
               ["column 1", "column 2"], comments=1, comment="#", header=None,
               names=["column 1", "column 2"])
    yield Case("MATLAB's comments", "% x [m]\n% two\n" + table(None, a, b, separator="\t"),
               ["column 1", "column 2"], comments=2, sep="\t", comment="%", header=None,
               names=["column 1", "column 2"])
    yield Case("slashes", "// of a logger\n" + named, ["a", "b"], comments=1, comment="/")
    yield Case("comments between rows", "".join(
        middle[:9] + ["# the sensor was \"replaced\", see log\n"] + middle[9:]), ["a", "b"],
        comments=1, comment="#")
    yield Case("comments after values", "# c\n" + "".join(
        line.replace("\n", "  # ok, checked\n") if number % 7 == 3 else line
        for number, line in enumerate(middle)), ["a", "b"], comments=1, comment="#")
    yield Case("an unusual mark", "! exported\n" + named, ["a", "b"], comments=1,
               options=["--comment", "!"], comment="!")
    yield Case("comments with separators", "# a,b,c\n# d;e\n" + named, ["a", "b"], comments=2,
               comment="#")
    yield Case("a header that begins with a mark", "#" + table(["", "b"], range(40), b)[0:],
               ["#", "b"], header=0, names=["#", "b"])
    yield Case("hashes in text", table(["tag", "b"], [f"#{x}" for x in a], b), ["b"])
    yield Case("indented comments and blank lines", "\n  # note\n\n" + named + "\n  # end\n",
               ["a", "b"], comments=2, plain=named)


def missing():
    a, b = numbers(60), numbers(60)
    fill = {5: "-999", 17: "-999", 44: "-999"}
    yield Case("-999 by an option", table(["a", "b"], with_cells(a, fill), b), ["a", "b"],
               options=["--missing=-999"], na_values=["-999"])
    yield Case("-999.00 is -999", table(["a", "b"], with_cells(a, {3: "-999.00", 9: "-999"}), b),
               ["a", "b"], options=["--missing", "-999"], na_values=["-999"])
    yield Case("two words", table(["a", "b"], with_cells(a, {1: "n.d.", 8: "<LOD"}), b),
               ["a", "b"], options=["--missing", "n.d.,<LOD"], na_values=["n.d.", "<LOD"])
    yield Case("of one column", table(["a", "b"], with_cells(a, {1: "-1", 3: "-1"}),
                                      with_cells(b, {2: "-1"})), ["a", "b"],
               options=["--missing", "a=-1"], na_values={"a": ["-1"]})
    yield Case("-999 is noticed", table(["a", "b"], with_cells(np.abs(np.array(a, float)), fill),
                                        b), ["a", "b"], sentinels={"a": (-999, 3)})
    yield Case("9999 is noticed", table(["a", "b"], with_cells(
        rng.integers(0, 500, 60), {3: 9999, 30: 9999}), b), ["a", "b"], sentinels={"a": (9999, 2)})
    yield Case("NetCDF's fill value is noticed", table(["a"], with_cells(
        a, {3: "9.96921e+36"})), ["a"], sentinels={"a": (9.96921e36, 1)})
    yield Case("99 among percents is none", table(["a", "b"], list(range(40, 100)), b), ["a", "b"])
    words = ["", "NA", "N/A", "null", "NULL", "None", "#N/A", "<NA>", "nan", "NaN"]
    yield Case("pandas' words", table(["a", "b"], with_cells(a, dict(enumerate(words))), b),
               ["a", "b"], na_values=["None"])
    yield Case("a column of gaps", table(["a", "b"], [""] * 60, b), ["a", "b"])
    gaps = with_cells(a, {row: "" for row in range(10, 30)})
    times = pd.date_range("2024-03-01", periods=60, freq="h").strftime("%Y-%m-%d %H:%M")
    yield Case("gaps in a time series", table(["time", "a", "b"], times, gaps, b), ["a", "b"])
    yield Case("gaps, with tabs", table(["time", "a"], times, gaps, separator="\t"), ["a"],
               sep="\t")


def odd_cells():
    a, b = numbers(200), numbers(200, 1)
    yield Case("a stray word", table(["a", "b"], with_cells(a, {16: "call us"}), b), ["a", "b"],
               text_cells={"a": (1, 17, "call us")})
    yield Case("two stray words", table(["a", "b"], with_cells(a, {150: "err", 3: "--"}), b),
               ["a", "b"], text_cells={"a": (2, 4, "--")})
    yield Case("a stray number with units", table(["a", "b"], a, with_cells(b, {0: "12.5 mm"})),
               ["a", "b"], text_cells={"b": (1, 1, "12.5 mm")})
    yield Case("a stray boolean", table(["a", "b"], a, with_cells(b, {7: "true"})), ["a", "b"],
               text_cells={"b": (1, 8, "true")})
    yield Case("one in ten", table(["a", "b"], with_cells(a, {10 * r: "x" for r in range(20)}), b),
               ["a", "b"], text_cells={"a": (20, 1, "x")})
    more = {9 * row: "x" for row in range(22)}
    yield Case("more than one in ten", table(["a", "b"], with_cells(a, more), b), ["b"],
               left_out=["a"])
    yield Case("more than one in ten, but named", table(["a", "b"], with_cells(a, more), b), ["a"],
               options=["--columns", "a"], text_cells={"a": (22, 1, "x")})
    mixed = with_cells(a, {row: random.choice(["x7", "n/k", "ab"]) for row in range(0, 200, 2)})
    yield Case("half and half", table(["a", "b"], mixed, b), ["b"], left_out=["a"])
    yield Case("identifiers are text", table(["id", "b"], [f"A-{x}" for x in range(200)], b), ["b"])
    yield Case("a footer", table(["a", "b"], a, b) + "total,see above\n", ["a", "b"],
               text_cells={"a": (1, 201, "total"), "b": (1, 201, "see above")})
    yield Case("a second header", table(["a", "b"], a[:100], b[:100]) + table(
        ["a", "b"], a[100:], b[100:]), ["a", "b"], text_cells={"a": (1, 101, "a"),
                                                               "b": (1, 101, "b")})
    late = with_cells(numbers(30000, 1), {29998: "overflow"})
    yield Case("a stray word after the first megabyte", table(
        ["a", "b", "c", "d", "e", "f", "g", "h"], *[late] * 8), list("abcdefgh"),
        text_cells={name: (1, 29999, "overflow") for name in "abcdefgh"})


def dialects():
    a, b = numbers(50, 2, 3.0), numbers(50, 2, 3.0)
    comma = [x.replace(".", ",") for x in a], [x.replace(".", ",") for x in b]
    yield Case("European decimals", table(["a", "b"], *comma, separator=";"), ["a", "b"], sep=";",
               decimal=",")
    yield Case("European decimals and tabs", table(["a", "b"], *comma, separator="\t"), ["a", "b"],
               sep="\t", decimal=",")
    yield Case("European decimals, odd cells", table(
        ["a", "b"], with_cells(comma[0], {4: "k.A."}), comma[1], separator=";"), ["a", "b"],
        text_cells={"a": (1, 5, "k.A.")}, sep=";", decimal=",")
    yield Case("carriage returns", table(["a", "b"], a, b, end="\r\n"), ["a", "b"])
    yield Case("carriage returns and comments", "# x\r\n" + table(["a", "b"], a, b, end="\r\n"),
               ["a", "b"], comments=1, comment="#")
    yield Case("a byte order mark", table(["a", "b"], a, b), ["a", "b"], encoding="utf-8-sig")
    yield Case("a byte order mark and a comment", "# a b\n" + table(None, a, b, separator=" "),
               ["a", "b"], encoding="utf-8-sig", comments=1, sep=" ", comment="#", header=None,
               names=["a", "b"])
    notes = [f'"line one\nline ""{row}"", # two"' for row in range(50)]
    yield Case("quoted newlines", table(["note", "a"], notes, a), ["a"])
    yield Case("quoted numbers", table(["a", "b"], [f'"{x}"' for x in a], b), ["a", "b"])
    yield Case("quoted names", table(['"a, in m"', '"b ""x"""'], a, b), ["a, in m", 'b "x"'])
    yield Case("aligned by blanks", "".join(f"  {x:>10}   {y:>12}\n" for x, y in zip(
        ["a"] + a, ["b"] + b)), ["a", "b"], sep=r"\s+")
    yield Case("blanks around cells", "a , b\n" + "".join(f" {x} ,  {y} \n" for x, y in zip(a, b)),
               ["a", "b"], names=["a", "b"], header=0)
    yield Case("bars", table(["a", "b"], a, b, separator="|"), ["a", "b"], sep="|")
    yield Case("no header", table(None, a, b), ["column 1", "column 2"], header=None,
               names=["column 1", "column 2"])
    yield Case("no end of the last line", table(["a", "b"], a, b)[:-1], ["a", "b"])


def kinds():
    wide = [numbers(30, 2) for _ in range(120)]
    yield Case("a wide table", table([f"c{c}" for c in range(120)], *wide),
               [f"c{c}" for c in range(120)])
    yield Case("mixed types", table(
        ["name", "n", "x", "ok", "when"], ["p q"] * 40, rng.integers(-9, 9, 40), numbers(40),
        rng.choice(["true", "false"], 40), ["2024-01-02"] * 40), ["n", "x", "ok"])
    yield Case("large integers", table(["a", "b"], rng.integers(2**53, 2**62, 30), [
        f"1{x:03d}" for x in range(30)]), ["a", "b"])
    yield Case("exponents and infinities", table(
        ["a", "b"], [f"{x}e{e}" for x, e in zip(range(1, 31), range(-15, 15))],
        with_cells(numbers(30), {3: "1e5", 9: "1E-3"})), ["a", "b"])
    yield Case("counts beside text with commas", table(
        ["city", "n"], ['"Paris, France"', '"Lyon"'] * 15, rng.integers(0, 10**6, 30)), ["n"])


# ---- Comparison ---------------------------------------------------------------------------------


def same(ours, theirs, scale):
    if theirs is None or not math.isfinite(theirs):
        return ours is None
    return ours is not None and abs(ours - theirs) <= 1e-10 * (scale + 1e-300)


def check_series(case, series, values):
    name = series["name"]
    if values.dtype == object and case.told.get("decimal") == ",":
        values = values.str.replace(",", ".")
    text = pd.to_numeric(values, errors="coerce")
    if values.dtype == object and case.text_cells.get(name, ("", 0, ""))[2] == "true":
        text = pd.to_numeric(values.where(values != "true"), errors="coerce")
    odd = int((text.isna() & values.notna()).sum())
    count, row, first = case.text_cells.get(name, (0, None, None))
    check(odd == count, case.name, name, "the case is as it says", odd)
    check(series["text"] == count, case.name, name, "text", series["text"], count)
    check(series.get("text_at") == row and series.get("text_first") == first, case.name, name,
          series.get("text_at"), series.get("text_first"))
    finite = text.dropna().astype(float)
    check(series["count"] == len(values), case.name, name, "count", series["count"], len(values))
    check(series["missing"] + series["nan"] == int(values.isna().sum()), case.name, name, "missing")
    scale = float(finite.abs().max()) if len(finite) else 0
    for ours, theirs in (("minimum", finite.min()), ("maximum", finite.max()),
                         ("mean", finite.mean()), ("median", finite.median()),
                         ("standard_deviation", finite.std())):
        check(same(series[ours], theirs if len(finite) else None, scale), case.name, name, ours,
              series[ours], theirs)
    check(same(series["sum"], finite.sum(), float(finite.abs().sum())), case.name, name, "sum")
    skewness = finite.skew() if finite.nunique() > 1 and len(finite) > 2 else None
    check(series["skewness"] is None if skewness is None else abs(
        series["skewness"] - skewness) <= 1e-6 * (1 + abs(skewness)), case.name, name, "skewness")
    found = [(s["value"], s["count"]) for s in series.get("sentinels", [])]
    check(found == [s for n, s in case.sentinels.items() if n == name], case.name, name, found)


def check_records(case, path, series):
    """--csv has what --json has."""
    run = subprocess.run([tool, "describe", "--csv", *case.options, path], capture_output=True,
                         check=False)
    records = pd.read_csv(io.BytesIO(run.stdout), float_precision="round_trip",
                          keep_default_na=False, na_values=dict.fromkeys(["mean", "median", "skewness"], [""]))
    check(list(records["name"]) == [s["name"] for s in series], case.name, "records", run.stdout)
    for key in ("count", "missing", "text", "mean", "median", "skewness"):
        for ours, theirs in zip(records[key], (s[key] for s in series)):
            check(ours == theirs or (theirs is None and not np.isfinite(ours)), case.name, key,
                  ours, theirs)


def check_groups(folder, by, rows):
    """--by against groupby: of text, of numbers, with missing and odd cells, over several blocks."""
    path = os.path.join(folder, "groups.csv")
    words = ["Hamburg", "Bergen", 'a "b", c', "10", ""]
    data = pd.DataFrame({"word": rng.choice(words, rows), "number": rng.choice([10, 9, -1.5], rows),
                         "x": rng.normal(5, 2, rows), "n": rng.integers(-99, 99, rows),
                         "odd": rng.integers(0, 10**6, rows).astype(str)})
    data.loc[rng.random(rows) < 0.2, "x"] = np.nan
    odd = rng.random(rows) < 0.01
    odd[:2] = True
    data.loc[odd, "odd"] = "n/k"
    data.to_csv(path, index=False)
    columns = [name for name in data.columns if name != by and name != "word"]
    run = subprocess.run([tool, "describe", "--csv", "--by", by, path], capture_output=True,
                         check=False)
    records = pd.read_csv(io.BytesIO(run.stdout), float_precision="round_trip",
                          dtype={"group": str}, keep_default_na=False,
                          na_values={key: [""] for key in ("mean", "median", "minimum_at")})
    groups = sorted(data[by].unique(), key=lambda key: (key == "", key))
    names = [str(key) for key in groups] if by == "word" else [f"{key:g}" for key in groups]
    expected = [(column, key) for column in columns for key in groups]
    check(list(records["name"]) == [column for column, _ in expected], by, run.stderr)
    check([key.removesuffix(".0") for key in records["group"]] == names * len(columns), by,
          list(records["group"]), names)
    for record, (column, key) in zip(records.to_dict("records"), expected):
        rows_of = data[data[by] == key]
        values = pd.to_numeric(rows_of[column], errors="coerce")
        what = (by, key, column)
        check(record["count"] == len(rows_of), *what, "count")
        check(record["missing"] == rows_of[column].isna().sum(), *what, "missing")
        check(record["text"] == (rows_of[column].astype(str) == "n/k").sum(), *what, "text")
        check(abs(record["mean"] - values.mean()) <= 1e-9 * abs(values).max(), *what, "mean")
        check(not rows * len(columns) <= 1 << 19 or record["median"] == values.median(), *what,
              "median", record["median"], values.median())
        check(record["minimum_at"] == values.idxmin() + 1, *what, "minimum", record["minimum_at"])
        check(record["maximum"] == values.max(), *what, "maximum")


def check_case(case, path):
    with open(path, "wb") as file:
        file.write(case.data)
    run = subprocess.run([tool, "describe", "--json", *case.options, path], capture_output=True,
                         check=False)
    check(run.returncode == 0, case.name, run.stderr.decode())
    if run.returncode != 0:
        return
    found = json.loads(run.stdout)
    theirs = pd.read_csv(io.BytesIO(case.plain), float_precision="round_trip" if len(
        case.told.get("sep", ",")) == 1 else None, **case.told)
    theirs.columns = [str(name).strip() for name in theirs.columns]
    check(found["rows"] == len(theirs), case.name, "rows", found["rows"], len(theirs))
    names = [series["name"] for series in found["series"]]
    check(names == case.columns, case.name, "columns", names[:9], case.columns[:9])
    check([column["name"] for column in found["left_out"]] == case.left_out, case.name, "left out")
    if case.comments is not None:
        check(found["comment_lines"] == case.comments, case.name, found["comment_lines"])
    check_records(case, path, found["series"])
    for series in found["series"] if names == case.columns else []:
        check_series(case, series, theirs[series["name"]])


with tempfile.TemporaryDirectory() as folder:
    np.save(os.path.join(folder, "x.npy"), np.zeros(1))
    if b"without" in subprocess.run([tool, "describe", "--json", os.path.join(folder, "x.npy")],
                                    capture_output=True, check=False).stderr:
        print("skipped: tables beside pandas: the tool was built without json-c")
        sys.exit(77)
    cases = [case for kind in (comments, missing, odd_cells, dialects, kinds) for case in kind()]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(check_case, cases, (os.path.join(folder, f"{n}.csv") for n in range(
            len(cases)))))
    check_groups(folder, "word", 40000)
    check_groups(folder, "number", 2000)
print(len(cases), "files,", checks.made, "checks,", checks.failed, "failed")
sys.exit(0 if checks.failed == 0 and len(cases) >= 50 and checks.made > 1000 else 1)

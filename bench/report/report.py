# SPDX-License-Identifier: Apache-2.0
"""A report of reap-bench: reads the JSON file, looks whether it is what it should be, and says it
in words.

Everything that shows a report reads it through here, so that a file that is none gets one line of
explanation before anything is written.
"""
import json
import math
import os

FORMAT, VERSIONS = "reap-bench", (1, 2)
READ_LOOP = "read"      # the peer that only reads: it is a limit, not a competitor

# The required members of objects, and the types of optional ones; further keys are ignored.
REPORT = {"command": str, "date": str, "reap": dict, "machine": dict, "limits": list,
          "peers": list, "points": list, "rows": list}
REAP = {"version": str, "revision": str}
MACHINE = {"device": str, "description": str, "threads": int}
LIMIT = {"name": str, "threads": int, "bytes_per_second": float}
PEER = {"name": str, "title": str}
POINT = {"case": str, "type": str, "variant": str, "peer": str, "threads": int, "elements": int,
         "bytes": int, "seconds": float, "spread": float}
LIMITED = {"limit": str, "fraction": float}     # a point whose limit is known
ROW = {"work": str, "against": str, "verdict": str}
MEASURED_ROW = {"ratio": float, "reap_seconds": float, "baseline_seconds": float,
                "reap_spread": float, "baseline_spread": float, "reap_flags": str,
                "baseline_flags": str}
OPTIONAL = {"instruction_set": str, "compiler": str, "system": str, "memory_bytes": float,
            "caches": list, "level": int, "version": str, "flags": str, "skipped": str,
            "reap_flags": str, "baseline_flags": str, "at_least": float, "aim": float,
            "bytes": float, "spread": float, "why": str, "baseline": str, "elements": int}
POSITIVE = ("threads", "elements", "bytes", "seconds", "bytes_per_second", "ratio")

KINDS = {str: "a text", int: "a whole number", float: "a number", dict: "an object",
         list: "an array"}


class Failure(Exception):
    """One line for the user."""


def is_a(value, kind):
    if kind in (int, float):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return number and math.isfinite(value) and (kind is float or value == int(value))
    return isinstance(value, kind)


def check(found, keys, where):
    """Whether an object has the keys, with values of their kinds."""
    if not isinstance(found, dict):
        raise Failure(f"{where} is not an object")
    for key in keys:
        if key not in found:
            raise Failure(f"{where} has no '{key}'")
    for key, kind in {**OPTIONAL, **keys}.items():
        if key not in found:
            continue
        if not is_a(found[key], kind):
            raise Failure(f"{where}: '{key}' is not {KINDS[kind]}")
        if key in POSITIVE and found[key] <= 0:
            raise Failure(f"{where}: '{key}' is not above 0")


def check_report(report):
    whole = {"format": str, "version": int}
    check(report, whole, "the file")
    if report["format"] != FORMAT:
        raise Failure(f"its format is '{report['format']}', not '{FORMAT}'")
    if report["version"] not in VERSIONS:
        raise Failure(f"its version is {report['version']}, and {VERSIONS[-1]} is the last that is"
                      " understood here")
    check(report, {**whole, **REPORT}, "the file")
    check(report["reap"], REAP, "'reap'")
    check(report["machine"], MACHINE, "'machine'")
    for i, cache in enumerate(report["machine"].get("caches", [])):
        check(cache, {"level": int, "bytes": int}, f"'caches' {i + 1}")
    for name, keys in (("limits", LIMIT), ("peers", PEER), ("points", POINT), ("rows", ROW)):
        for i, entry in enumerate(report[name]):
            check(entry, keys, f"'{name}' {i + 1}")
    for i, row in enumerate(report["rows"]):
        if is_measured(row):
            check(row, MEASURED_ROW, f"'rows' {i + 1}")
    for i, point in enumerate(report["points"]):
        if "limit" in point:
            check(point, LIMITED, f"'points' {i + 1}")
    known = {peer["name"] for peer in report["peers"]}
    for point in report["points"]:
        if point["peer"] not in known:
            raise Failure(f"a point's peer '{point['peer']}' is not among 'peers'")


def load(path):
    """A report from a file; Failure where that is none."""
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        check_report(report)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise Failure(f"{path}: no JSON: {error}") from None
    except Failure as failure:
        raise Failure(f"{path}: {failure}") from None
    return report


def write(path, text):
    """Writes a text file, which is complete or as it was before."""
    try:
        draft = f"{path}.new"
        with open(draft, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(draft, path)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from None


# ---- What is in it -------------------------------------------------------------------------------

def is_measured(row):
    """A row that is skipped, void or wrong may have no times."""
    return row["verdict"] not in ("skipped", "void", "wrong") or "ratio" in row


def unique(values):
    """Each once, in the order of their first."""
    return list(dict.fromkeys(values))


def series(points):
    """Points of one kind by their number of elements, in order."""
    return sorted(points, key=lambda point: point["elements"])


def titles(report):
    return {peer["name"]: peer["title"] for peer in report["peers"]}


def peers_of(report, points):
    """The names of those that have points, in the report's order, without the read loop."""
    there = {point["peer"] for point in points} - {READ_LOOP}
    return unique(peer["name"] for peer in report["peers"] if peer["name"] in there)


# ---- In words ------------------------------------------------------------------------------------

def threads_text(threads):
    return "one thread" if threads == 1 else f"{threads} threads"


def on_threads(report, threads):
    """How many threads, where the machine has such: nothing is to be said of a GPU."""
    return threads_text(threads) if report["machine"]["device"] == "host" else ""


def size_text(elements):
    """As a power of two, where it is one."""
    power = elements.bit_length() - 1
    return f"2^{power}" if elements == 1 << power else str(elements)


def significant(number, digits=3):
    """So many digits, without an exponent."""
    if number == 0:
        return "0"
    return f"{number:.{max(digits - 1 - math.floor(math.log10(abs(number)) + 1e-9), 0)}f}"


def seconds_text(seconds):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")):
        if seconds >= unit:
            return f"{significant(seconds / unit)} {name}"
    return f"{seconds / 1e-9:.2g} ns"


def bytes_text(count):
    for power, unit in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if count >= 1 << power:
            return f"{count / (1 << power):.3g} {unit}"
    return f"{count} B"


def machine_text(report):
    machine = report["machine"]
    parts = [machine["description"], on_threads(report, machine["threads"]),
             machine.get("instruction_set", ""), machine.get("compiler", "")]
    return ", ".join(part for part in parts if part)

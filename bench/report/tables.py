# SPDX-License-Identifier: Apache-2.0
"""A report as tables in Markdown."""
import cases
import findings
from report import (bytes_text, is_measured, machine_text, on_threads, seconds_text, significant,
                    size_text, titles)


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|") or "-"


def table(head, lines):
    """Of texts; columns are right-aligned where the head says so by a colon."""
    rule = ["---:" if name.endswith(":") else "---" for name in head]
    rows = [[name.rstrip(":") for name in head], rule] + [[cell(c) for c in line] for line in lines]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def percent(fraction):
    return f"{fraction * 100:.0f} %"


def promises(report):
    lines = []
    for row in report["rows"]:
        if is_measured(row):
            measured = [significant(row["ratio"]), seconds_text(row["reap_seconds"]),
                        percent(row["reap_spread"]), seconds_text(row["baseline_seconds"]),
                        percent(row["baseline_spread"]),
                        size_text(row["elements"]) if row.get("elements") else "-",
                        row.get("baseline", "-")]
        else:
            measured = ["-"] * 7
        bounds = [significant(row[key], 2) if row.get(key) else "-" for key in ("at_least", "aim")]
        lines.append([row["work"], row["against"], measured[0], *bounds,
                      f"**{row['verdict']}**" if row["verdict"] == "below" else
                      ": ".join(text for text in (row["verdict"], row.get("why")) if text),
                      *measured[1:], row.get("reap_flags", "-"), row.get("baseline_flags", "-")])
    return table(["work", "against", "ratio:", "at least:", "aim:", "verdict", "Reap:", "spread:",
                  "baseline:", "spread:", "elements:", "the baseline is", "Reap's flags",
                  "baseline's flags"], lines)


def limits(report):
    return table(["level", "threads:", "bytes read:", "GB/s:", "spread:"],
                 [[limit["name"], limit["threads"], bytes_text(int(limit.get("bytes", 0))),
                   significant(limit["bytes_per_second"] / 1e9), percent(limit.get("spread", 0))]
                  for limit in report["limits"]])


def peers(report):
    return table(["peer", "version", "flags"],
                 [[peer["title"], peer.get("version", "-"),
                   f"skipped: {peer['skipped']}" if "skipped" in peer else peer.get("flags", "-")]
                  for peer in report["peers"]])


def behind(report, most=None):
    """The cases where a peer is faster, or the first of them."""
    names = titles(report)
    lines = []
    for case, kind, variant, threads, sizes, count, factor, size, peer in \
            findings.behind_peers(report)[:most]:
        span = size_text(sizes[0])
        if len(sizes) > 1:
            span += f" to {size_text(sizes[-1])}"
        lines.append([cases.title(case, variant), kind, threads, f"{len(sizes)} of {count}", span,
                      significant(factor), names[peer], size_text(size)])
    return table(["case", "type", "threads:", "sizes:", "from, to", "at most, times:", "by",
                  "at:"], lines)


def every_size(report):
    """For each case a table: sizes, Reap's time, its part of the limit, and each peer's ratio."""
    found = {}
    for point in report["points"]:
        key = (point["type"], point["threads"], point["case"], point["variant"])
        found.setdefault(key, {}).setdefault(point["elements"], {})[point["peer"]] = point
    names, parts = titles(report), []
    for (kind, threads, case, variant), sizes in found.items():
        there = [peer["name"] for peer in report["peers"] if peer["name"] != "reap"
                 and any(peer["name"] in of_size for of_size in sizes.values())]
        lines = []
        for elements, of_size in sorted(sizes.items()):
            ours = of_size.get("reap")
            if ours is None:
                continue
            limit = f"{ours['fraction']:.2f} {ours['limit']}" if "limit" in ours else "-"
            lines.append([size_text(elements), seconds_text(ours["seconds"]),
                          percent(ours["spread"]), limit]
                         + [significant(of_size[name]["seconds"] / ours["seconds"])
                            if name in of_size else "-" for name in there])
        heading = ", ".join(part for part in (f"{cases.title(case, variant)}, {kind}",
                                              on_threads(report, threads)) if part)
        parts.append(f"### {heading}\n\n" + table(
            ["elements:", "Reap:", "spread:", "of limit:"] + [f"{names[n]}:" for n in there],
            lines))
    return "\n".join(parts)


def page(report, pictures):
    """The whole page."""
    machine, reap = report["machine"], report["reap"]
    memory = machine.get("memory_bytes")
    caches = ", ".join(f"L{cache['level']} {bytes_text(int(cache['bytes']))}"
                       for cache in machine.get("caches", []))
    facts = [machine_text(report), machine.get("system", ""),
             f"memory {bytes_text(int(memory))}" if memory else "", caches,
             f"Reap {reap['version']}, revision {reap['revision']}", report["date"]]
    parts = ["<!-- Made by `make bench-report` from report.json; not to be edited. -->\n"
             f"# {machine['description']}\n\n",
             "".join(f"- {fact}\n" for fact in facts if fact),
             f"- command: `{report['command']}`\n\n",
             "A ratio is the other side's time over Reap's: above 1 Reap is faster. A spread is the"
             "\nmiddle half of the turns' times, relative to the median;"
             " [benchmarks.md](../../benchmarks.md) says\nhow it is measured.\n\n",
             "Pictures: ",
             ", ".join(f"[{name}]({name}.svg)" for name in pictures) or "none", "\n\n",
             "## What was promised\n\n", promises(report), "\n## Limits\n\n", limits(report),
             "\n## Who took part\n\n", peers(report),
             "\n## Where a peer is faster\n\nBy more than the spreads, at the sizes counted.\n\n",
             behind(report), "\n## Every size\n\nA peer's column is its time over Reap's.\n\n",
             every_size(report)]
    return "".join(parts)

# SPDX-License-Identifier: Apache-2.0
"""Time per element against size, with all threads: a picture for each type, a panel for each case,
in it a curve for Reap and each peer, and the limit in steps.

The limit is what moving the case's bytes takes at the bandwidth of the level that holds them. A
case with many variants has a picture of its own, and types with few cases share one.
"""
import math
import re

import cases
from gnuplot import GREY, LIMIT_GREY, MARGIN, WIDTH, Picture, legend_height, quoted, style
from report import machine_text, peers_of, series, titles, unique

COLUMNS = 3
PANEL_HEIGHT = 230
AXIS_LEFT = 48      # the room for an axis' numbers
AXIS_BELOW = 34
TITLE_ABOVE = 22
MANY_VARIANTS = 4
FEW_PANELS = 4
LEAVES = 10         # what takes so many times Reap's longest is above the frame


def most_threads(points):
    return max((point["threads"] for point in points), default=1)


def file_name(case):
    return re.sub(r"[^a-z0-9]+", "-", case.lower())


def groups(report):
    """The pictures: (name, title, points). What has few panels shares one."""
    whole = [p for p in report["points"] if p["threads"] == most_threads(report["points"])]
    variants, kinds = {}, {}
    for point in whole:
        variants.setdefault((point["case"], point["type"]), set()).add(point["variant"])
    own = {pair for pair, names in variants.items() if len(names) >= MANY_VARIANTS}
    for (case, kind), names in variants.items():
        if (case, kind) not in own:
            kinds[kind] = kinds.get(kind, 0) + len(names)
    found = {}
    for point in whole:
        case, kind = point["case"], point["type"]
        if (case, kind) in own:
            key = (f"time-{file_name(case)}-{kind}", f"{cases.title(case)} of {kind}")
        elif kinds[kind] >= FEW_PANELS:
            key = (f"time-{kind}", kind)
        else:
            key = ("time-others", "other types")
        found.setdefault(key, []).append(point)
    for (name, title), points in found.items():
        yield name, title, points


def limit_steps(report, points):
    """Lines (from, to, nanoseconds, level) of the limit, which meet between the sizes."""
    bandwidths = {(limit["name"], limit["threads"]): limit["bytes_per_second"]
                  for limit in report["limits"]}
    sizes = list({p["elements"]: p for p in series(points)}.values())
    counts = [p["elements"] for p in sizes]
    borders = [math.sqrt(a * b) for a, b in zip(counts, counts[1:])]
    borders = [counts[0] / 2] + borders + [counts[-1] * 2]
    steps = []
    for i, point in enumerate(sizes):
        level = point.get("limit")
        if (level, point["threads"]) not in bandwidths:
            continue
        each = point["bytes"] / counts[i] / bandwidths[level, point["threads"]] * 1e9
        if steps and steps[-1][3] == level and math.isclose(steps[-1][2], each, rel_tol=0.01):
            steps[-1] = (steps[-1][0], borders[i + 1], each, level)
        else:
            steps.append((borders[i], borders[i + 1], each, level))
    return steps


def draw_limit(picture, steps):
    """The levels' names are in a row at the bottom, where no curve is."""
    rows, named = [], {}
    for begin, end, nanoseconds, level in steps:
        rows.append((begin, nanoseconds, end - begin, 0))
        named[level] = (named.get(level, (begin,))[0], end)
    for level, (begin, end) in named.items():
        picture.say(f"set label {quoted(level)} at first {math.sqrt(begin * end):.6g}, graph 0.06"
                    f" center noenhanced font ',10' tc rgb '{GREY}'")
    if not rows:
        return []
    return [f"{picture.data(rows)} using 1:2:3:4 with vectors nohead lw 3 lc rgb '{LIMIT_GREY}'"]


def ticks(low, high):
    """Powers of ten; where they are few, twos and fives as well."""
    steps = (1,) if high / low > 300 else (1, 2, 5)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [step * 10.0 ** power for power in powers for step in steps]
    return ", ".join(f"{value:.3g}" for value in values if low <= value <= high)


def ranges(picture, points, steps):
    """Axes that hold every size of the panel and every curve, and a decade at least."""
    first, last = min(p["elements"] for p in points), max(p["elements"] for p in points)
    middle = math.sqrt(first * last)
    first, last = min(first / 2, middle / 16), max(last * 2, middle * 16)
    times = [p["seconds"] / p["elements"] * 1e9 for p in points]
    ours = [p["seconds"] / p["elements"] * 1e9 for p in points if p["peer"] == "reap"] or times
    low = min(times + [step[2] for step in steps]) / 4
    least = {}
    for p in points:
        least[p["peer"]] = min(p["seconds"] / p["elements"] * 1e9, least.get(p["peer"], math.inf))
    high = max(min(max(times), max(ours) * LEAVES), max(least.values()) * 1.25) * 1.6
    high = max(high, low * 30)
    picture.say("set logscale x 2", "set logscale y 10",
                f"set xrange [{first:.6g}:{last:.6g}]",
                f"set yrange [{low:.6g}:{high:.6g}]",
                "set xtics 64,16 nomirror out scale 0.5 font ',11' offset 0,0.3",
                "set mxtics 1", "set format x '2^{%L}'",
                f"set ytics ({ticks(low, high)}) nomirror out scale 0.5 font ',11' offset 0.6,0",
                "set format y '%g'", "set border 3 lc rgb '#444444'",
                "set grid xtics ytics lt 1 lw 0.5 lc rgb '#dddddd'")


def draw_panel(picture, report, points, place):
    left, top, right, bottom = place
    picture.panel(left, top, right, bottom)
    steps = limit_steps(report, points)
    ranges(picture, points, steps)
    parts = draw_limit(picture, steps)
    for peer in reversed(peers_of(report, points)):     # Reap's, the first, lies on top
        curve = series(p for p in points if p["peer"] == peer)
        name = picture.data([(p["elements"], p["seconds"] / p["elements"] * 1e9) for p in curve])
        colour, mark = style(report, peer)
        wide = 2.2 if peer == "reap" else 1.4
        parts.append(f"{name} using 1:2 with linespoints lw {wide} pt {mark} ps 0.6"
                     f" lc rgb '{colour}'")
    picture.plot(parts)


def legend_entries(report, points):
    names = titles(report)
    entries = [(names[peer], *style(report, peer), 1) for peer in peers_of(report, points)]
    return entries + [("the limit", LIMIT_GREY, None, 1)]


def panels_of(points):
    """(title, points) of each; the title has the type where that is not the picture's."""
    kinds = unique(point["type"] for point in points)
    for kind in kinds:
        of_kind = [point for point in points if point["type"] == kind]
        for pair in cases.in_order(of_kind):
            case, variant = pair
            name = cases.title(case) + (f" of {kind}" if len(kinds) > 1 else "")
            yield (f"{name}: {variant}" if variant else name,
                   [p for p in of_kind if (p["case"], p["variant"]) == pair])


def draw(report, title, points, path):
    panels = list(panels_of(points))
    columns = min(COLUMNS, len(panels))
    entries = legend_entries(report, points)
    head = 58 + legend_height(entries) + 8
    lines = -(-len(panels) // columns)
    picture = Picture(f"Nanoseconds per element against the number of elements: {title}",
                      machine_text(report) + f". Above the frame: over {LEAVES} times Reap's"
                      " longest.", head + lines * PANEL_HEIGHT + MARGIN)
    picture.legend(52, entries)
    width = (WIDTH - MARGIN) / columns
    for i, (name, of_panel) in enumerate(panels):
        left = i % columns * width + AXIS_LEFT
        top = head + i // columns * PANEL_HEIGHT + TITLE_ABOVE
        bottom = head + (i // columns + 1) * PANEL_HEIGHT - AXIS_BELOW
        picture.label(left, top - 10, name)
        draw_panel(picture, report, of_panel, (left, top, (i % columns + 1) * width - 8, bottom))
    picture.draw(path)


def draw_all(report, folder):
    """Draws every picture into the folder; their names."""
    names = []
    for name, title, points in groups(report):
        draw(report, title, points, f"{folder}/{name}")
        names.append(name)
    return names

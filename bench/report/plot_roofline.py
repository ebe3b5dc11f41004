# SPDX-License-Identifier: Apache-2.0
"""The roofline: how many bytes a second each case moves, a line for each case, a panel for each
level of memory, whose roof is the bandwidth that was measured there.

Every case here does so few operations for a byte that the slanted part of a roofline is the only
one that it can meet; said in bytes instead of operations a second that part is level, and cases of
the same intensity do not fall on each other. They are in the order of their intensity, which stands
after the names.
"""
import cases
from gnuplot import LIMIT_GREY, MARGIN, WIDTH, Picture, legend_height, style
from report import machine_text, peers_of, significant, titles

ROW = 21
NAMES = 262         # the room for the cases' names
LEVEL_TITLE = 34
AXIS_BELOW = 42


def whole_points(report):
    """With all threads, of a known limit, of cases that move bytes and are not about latency."""
    most = max((p["threads"] for p in report["points"]), default=1)
    return [p for p in report["points"] if p["threads"] == most and "limit" in p
            and p["case"] not in ("launch", "small", "chain")]


def largest_in_levels(points):
    """{level: {(case, type, variant): (elements, {peer: point})}}, of the largest size in each."""
    found = {}
    for point in points:
        key = (point["case"], point["type"], point["variant"])
        size, there = found.setdefault(point["limit"], {}).get(key, (0, {}))
        if point["elements"] > size:
            size, there = point["elements"], {}
        if point["elements"] == size:
            there[point["peer"]] = point
        found[point["limit"]][key] = (size, there)
    return found


def lines_of(points):
    """(key, name) of each line, by intensity from the least on, those without one last."""
    found, kinds = {}, {}
    for point in sorted(points, key=lambda p: p["elements"]):   # the largest size decides
        found[point["case"], point["type"], point["variant"]] = cases.intensity(point)
        kinds.setdefault(point["case"], set()).add(point["type"])

    def place(key):
        return (found[key] is None, found[key] or 0, key)

    for key in sorted(found, key=place):
        case, kind, variant = key
        name = cases.title(case) + (f", {kind}" if len(kinds[case]) > 1 else "")
        name += f": {variant}" if variant else ""
        yield key, name + ("" if found[key] is None else f" ({significant(found[key], 2)})")


def draw_level(picture, report, level, limit, lines, found, place):
    left, top, right, bottom = place
    picture.panel(left, top, right, bottom)
    picture.label(left, top - 24, f"{level}: {significant(limit / 1e9)} GB/s")
    speeds = [p["bytes"] / p["seconds"] / 1e9 for _, there in found.values()
              for p in there.values()]
    peak = max([limit / 1e9] + speeds) * 1.06
    picture.say("unset logscale", f"set xrange [0:{peak:.6g}]",
                f"set yrange [{len(lines) - 0.5}:-0.5]",
                f"set xtics {step(peak)} nomirror out scale 0.5 font ',11' offset 0,0.3",
                "set format x '%g'", "unset ytics", "set border 3 lc rgb '#444444'",
                "set grid xtics lt 1 lw 0.5 lc rgb '#dddddd'",
                "set xlabel 'GB/s' font ',11' offset 0,0.9")
    for i in range(len(lines)):
        picture.say(f"set arrow from graph 0, first {i} to graph 1, first {i} nohead back lw 0.5"
                    " lc rgb '#eeeeee'")
    roof = picture.data([(limit / 1e9, -0.5), (limit / 1e9, len(lines) - 0.5)])
    parts = [f"{roof} using 1:2 with lines lw 3 lc rgb '{LIMIT_GREY}'"]
    everyone = [p for _, there in found.values() for p in there.values()]
    for peer in reversed(peers_of(report, everyone)):
        rows = [(found[key][1][peer]["bytes"] / found[key][1][peer]["seconds"] / 1e9, i)
                for i, (key, _) in enumerate(lines) if key in found and peer in found[key][1]]
        colour, mark = style(report, peer)
        scale = 1.0 if peer == "reap" else 0.7
        parts.append(f"{picture.data(rows)} using 1:2 with points pt {mark} ps {scale} lw 1.3"
                     f" lc rgb '{colour}'")
    picture.plot(parts)


def step(peak):
    """Between ticks: a round number, three to six times on the axis."""
    power = 1.0
    while power * 10 <= peak:
        power *= 10
    for factor in (0.2, 0.5, 1, 2):
        if peak / (power * factor) <= 5:
            return f"{power * factor:g}"
    return f"{power * 5:g}"


def draw_all(report, folder):
    """Draws it into the folder; its name, in a list, or an empty list: there is nothing to draw."""
    points = whole_points(report)
    most = max((p["threads"] for p in points), default=1)
    limits = {limit["name"]: limit["bytes_per_second"] for limit in report["limits"]
              if limit["threads"] == most}
    found = largest_in_levels(points)
    levels = [name for name in limits if name in found]
    if not levels:
        return []
    lines = list(lines_of(points))
    names = titles(report)
    entries = [(names[peer], *style(report, peer), None) for peer in peers_of(report, points)]
    entries.append(("the limit", LIMIT_GREY, None, 1))
    head = 58 + legend_height(entries) + LEVEL_TITLE
    bottom = head + len(lines) * ROW
    picture = Picture("Bytes moved per second, at the largest size in each level",
                      machine_text(report) + ". In parentheses: operations per byte.",
                      bottom + AXIS_BELOW)
    picture.legend(52, entries)
    for i, (_, name) in enumerate(lines):
        picture.label(NAMES - 10, head + (i + 0.5) * ROW, name, size=11, more="right")
    width = (WIDTH - MARGIN - NAMES) / len(levels)
    for i, level in enumerate(levels):
        draw_level(picture, report, level, limits[level], lines, found[level],
                   (NAMES + i * width, head, NAMES + (i + 1) * width - 26, bottom))
    picture.draw(f"{folder}/roofline")
    return ["roofline"]

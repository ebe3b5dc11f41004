# SPDX-License-Identifier: Apache-2.0
"""Speed-up by threads: how many times as fast each side is as itself with one thread, a panel for
each case; and what the read loop gains, which is what memory allows.
"""
import cases
from gnuplot import GREY, LIMIT_GREY, MARGIN, WIDTH, Picture, legend_height, style
from report import machine_text, peers_of, size_text, titles

COLUMNS = 3
PANEL_HEIGHT = 235
AXIS_LEFT = 40
AXIS_BELOW = 46
TITLE_ABOVE = 22


def speed_ups(points):
    """{(case, type, variant, elements): {peer: [(threads, times as fast as one)]}}, of the largest
    size that was measured with one thread, too, where that is in memory."""
    times, largest = {}, {}
    for p in points:
        if p["threads"] == 1 and p.get("limit") == "DRAM":
            kind = (p["case"], p["type"], p["variant"])
            largest[kind] = max(largest.get(kind, 0), p["elements"])
    points = [p for p in points
              if largest.get((p["case"], p["type"], p["variant"])) == p["elements"]]
    for p in points:
        key = (p["case"], p["type"], p["variant"], p["elements"])
        times.setdefault(key, {}).setdefault(p["peer"], {})[p["threads"]] = p["seconds"]
    found = {}
    for key, peers in times.items():
        for peer, of_threads in peers.items():
            if 1 in of_threads and len(of_threads) > 1:
                found.setdefault(key, {})[peer] = [
                    (threads, of_threads[1] / of_threads[threads])
                    for threads in sorted(of_threads)]
    return found


def limit_speed_up(report):
    """Of the read loop in the last level that was read with one thread and with more."""
    found = {}
    for limit in report["limits"]:
        found.setdefault(limit["name"], {})[limit["threads"]] = limit["bytes_per_second"]
    whole = [of_threads for of_threads in found.values() if 1 in of_threads and len(of_threads) > 1]
    if not whole:
        return []
    return [(threads, whole[-1][threads] / whole[-1][1]) for threads in sorted(whole[-1])]


def draw_panel(picture, report, curves, most, place):
    picture.panel(*place)
    limit = limit_speed_up(report)
    top = max([most, 2] + [y for curve in curves.values() for _, y in curve]
              + [y for _, y in limit]) * 1.08
    ticks = 1 if most <= 8 else 4 if most <= 32 else 16
    picture.say("unset logscale", f"set xrange [0.8:{most + 0.2 * (most > 2) + 0.1}]",
                f"set yrange [0:{top:.6g}]",
                f"set xtics {1 if ticks == 1 else ticks},{ticks} nomirror out scale 0.5"
                " font ',11' offset 0,0.3",
                f"set ytics {ticks if most > 2 else 0.5} nomirror out scale 0.5 font ',11'"
                " offset 0.6,0", "set format x '%g'", "set format y '%g'",
                "set border 3 lc rgb '#444444'",
                "set grid xtics ytics lt 1 lw 0.5 lc rgb '#dddddd'",
                "set xlabel 'threads' font ',11' offset 0,0.9")
    ideal = picture.data([(1, 1), (most, most)])
    parts = [f"{ideal} using 1:2 with lines dt 3 lw 1.5 lc rgb '{GREY}'"]
    if limit:
        parts.append(f"{picture.data(limit)} using 1:2 with lines lw 3 lc rgb '{LIMIT_GREY}'")
    for peer, curve in reversed(list(curves.items())):
        colour, mark = style(report, peer)
        wide = 2.2 if peer == "reap" else 1.4
        parts.append(f"{picture.data(curve)} using 1:2 with linespoints lw {wide} pt {mark} ps 0.6"
                     f" lc rgb '{colour}'")
    picture.plot(parts)


def draw_all(report, folder):
    """Draws it into the folder; its name, in a list, or an empty list: there is nothing to draw."""
    points = report["points"]
    found = speed_ups(points)
    if not found:
        return []
    shown = [peer for peer in peers_of(report, points)
             if any(peer in curves for curves in found.values())]
    names = titles(report)
    entries = [(names[peer], *style(report, peer), 1) for peer in shown]
    entries += [("the read loop in memory", LIMIT_GREY, None, 1),
                ("as many times as threads", GREY, None, 3)]
    head = 58 + legend_height(entries) + 8
    keys = sorted(found, key=lambda key: list(cases.CASES).index(key[0])
                  if key[0] in cases.CASES else len(cases.CASES))
    columns = min(COLUMNS, len(keys))
    lines = -(-len(keys) // columns)
    picture = Picture("Times as fast as with one thread", machine_text(report),
                      head + lines * PANEL_HEIGHT + MARGIN)
    picture.legend(52, entries)
    most = max(threads for curves in found.values() for curve in curves.values()
               for threads, _ in curve)
    width = (WIDTH - MARGIN) / columns
    for i, key in enumerate(keys):
        case, kind, variant, elements = key
        left = i % columns * width + AXIS_LEFT
        top = head + i // columns * PANEL_HEIGHT + TITLE_ABOVE
        name = f"{cases.title(case, variant)}, {size_text(elements)} of {kind}"
        picture.label(left, top - 10, name)
        curves = {peer: found[key][peer] for peer in shown if peer in found[key]}
        draw_panel(picture, report, curves, most,
                   (left, top, (i % columns + 1) * width - 8,
                    head + (i // columns + 1) * PANEL_HEIGHT - AXIS_BELOW))
    picture.draw(f"{folder}/threads")
    return ["threads"]

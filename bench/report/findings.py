# SPDX-License-Identifier: Apache-2.0
"""Where Reap is behind, found in a report: beside its peers, beside what memory allows, and of what
was promised. Sentences and tables of the pages are made of this.
"""
import cases
from report import READ_LOOP, is_measured, series

NEAR = 0.8      # of the limit: a case in memory below it is named


def noise(*points):
    """How far apart two medians may be for no reason: half of the spreads, together."""
    return sum(point["spread"] for point in points) / 2


def of_peer(report, name):
    return {(p["case"], p["type"], p["variant"], p["threads"], p["elements"]): p
            for p in report["points"] if p["peer"] == name}


def behind_peers(report):
    """Where a peer needs less time than Reap, by more than the spreads: for each case (case, type,
    variant, threads, sizes, of how many, the greatest factor, its size, its peer), the greatest
    factors first."""
    ours, best = of_peer(report, "reap"), {}
    for p in report["points"]:
        key = (p["case"], p["type"], p["variant"], p["threads"], p["elements"])
        if p["peer"] not in ("reap", READ_LOOP) and key in ours:
            if key not in best or p["seconds"] < best[key]["seconds"]:
                best[key] = p
    found, counts = {}, {}
    for key, theirs in best.items():
        counts[key[:4]] = counts.get(key[:4], 0) + 1
        factor = ours[key]["seconds"] / theirs["seconds"]
        if factor > 1 + noise(ours[key], theirs):
            found.setdefault(key[:4], []).append((factor, key[4], theirs["peer"]))
    lines = [(*key, sorted(size for _, size, _ in places), counts[key], *max(places))
             for key, places in found.items()]
    return sorted(lines, key=lambda line: -line[6])


def below_limit(report):
    """Reap's points far beyond the caches, with all threads, that reach less than NEAR of the
    limit: (case, type, variant, elements, fraction), the least first."""
    most = max((p["threads"] for p in report["points"]), default=1)
    largest = {}
    for p in series(p for p in report["points"] if p["peer"] == "reap"
                    and p["threads"] == most and p.get("limit") == "DRAM"):
        largest[p["case"], p["type"], p["variant"]] = p
    found = [(*key, p["elements"], p["fraction"]) for key, p in largest.items()
             if p["fraction"] < NEAR and cases.intensity(p) is not None]
    return sorted(found, key=lambda line: line[4])


def rows_below(report):
    return [row for row in report["rows"] if is_measured(row) and row["verdict"] == "below"]

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a report of reap-bench and writes it as tables: into FOLDER (the report's own where none is
given) go time-*, roofline and threads, each as .svg and .png, and tables.md. The same report gives
the same bytes. Needs gnuplot.

Usage: show.py REPORT.json [FOLDER]
"""
import os
import sys

import gnuplot
import plot_roofline
import plot_threads
import plot_time
import report as reports
import tables


def show(path, folder):
    """Its pictures' names."""
    report = reports.load(path)
    gnuplot.find()
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise reports.Failure(f"{folder}: {error.strerror}") from None
    pictures = []
    for plot in (plot_time, plot_roofline, plot_threads):
        pictures += plot.draw_all(report, folder)
    reports.write(os.path.join(folder, "tables.md"), tables.page(report, pictures))
    return pictures


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        print("usage: show.py REPORT.json [FOLDER]", file=sys.stderr)
        return 2
    folder = arguments[1] if len(arguments) > 1 else os.path.dirname(arguments[0]) or "."
    try:
        pictures = show(arguments[0], folder)
    except reports.Failure as failure:
        print(f"show.py: {failure}", file=sys.stderr)
        return 1
    print(f"{len(pictures)} pictures and tables.md are in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

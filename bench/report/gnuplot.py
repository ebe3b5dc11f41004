# SPDX-License-Identifier: Apache-2.0
"""Pictures of several panels, drawn by gnuplot as SVG and PNG.

A Picture collects gnuplot's commands. Places are in pixels from the top left, since that is how a
page is laid out; panels share a title and a legend above them, so that nothing lies over the
curves. The same commands give the same bytes.
"""
import os
import re
import shutil
import subprocess

from report import Failure

WIDTH = 880     # what a page of a repository shows without shrinking
MARGIN = 12
LEGEND_ROW = 20
LEGEND_COLUMNS = 4
GREY = "#767676"
LIMIT_GREY = "#b8b8b8"

# Okabe and Ito's colours, which the colour-blind can tell apart, each with a mark of its own: a
# peer has the same in every picture. What never shares a machine, CUB and OpenCL, shares the black;
# gcc's OpenMP is one colour, and its mark says how it was compiled.
STYLES = {
    "reap": ("#0072b2", 7),
    "openmp-gcc": ("#d55e00", 5),
    "openmp-gcc-O2": ("#d55e00", 4),
    "openmp-clang": ("#e69f00", 9),
    "openblas": ("#cc79a7", 11),
    "tbb": ("#009e73", 13),
    "numpy": ("#56b4e9", 6),
    "opencl": ("#000000", 2),
    "cub": ("#000000", 5),
}
OTHERS = (("#009e73", 12), ("#cc79a7", 8), ("#e69f00", 10), ("#56b4e9", 14))


def style(report, peer):
    """A peer's colour and mark; of one that has none above, by its place among such."""
    if peer in STYLES:
        return STYLES[peer]
    unknown = [other["name"] for other in report["peers"] if other["name"] not in STYLES]
    return OTHERS[unknown.index(peer) % len(OTHERS)]


def quoted(text):
    """In single quotes, where only those mean something, and without what would end a line."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return "'" + printable.replace("'", "''") + "'"


def legend_height(entries):
    return -(-len(entries) // LEGEND_COLUMNS) * LEGEND_ROW


class Picture:
    def __init__(self, title, subtitle, height):
        self.height = height
        self.commands = ["set encoding utf8", "set multiplot", "unset key"]
        self.blocks = 0
        self.label(MARGIN, 18, title, size=15)
        self.label(MARGIN, 38, subtitle, size=11, colour=GREY)

    def say(self, *commands):
        self.commands.extend(commands)

    def x(self, pixels):
        return f"{pixels / WIDTH:.5f}"

    def y(self, pixels):
        return f"{1 - pixels / self.height:.5f}"

    def label(self, x, y, text, size=12, colour="#000000", more="left"):
        self.say(f"set label {quoted(text)} at screen {self.x(x)},{self.y(y)} {more} noenhanced"
                 f" font ',{size}' tc rgb '{colour}'")

    def legend(self, y, entries):
        """Rows of (text, colour, mark or None, dash), from y on."""
        columns = LEGEND_COLUMNS
        width = (WIDTH - 2 * MARGIN) / columns
        for i, (text, colour, mark, dash) in enumerate(entries):
            left = MARGIN + i % columns * width
            middle = y + i // columns * LEGEND_ROW + LEGEND_ROW / 2
            if dash is not None:
                self.say(f"set arrow from screen {self.x(left)},{self.y(middle)} to screen"
                         f" {self.x(left + 30)},{self.y(middle)} nohead lw 2 dt {dash}"
                         f" lc rgb '{colour}'")
            if mark is not None:
                self.say(f"set label '' at screen {self.x(left + 15)},{self.y(middle)}"
                         f" point pt {mark} ps 0.7 lc rgb '{colour}'")
            self.label(left + 38, middle, text)

    def panel(self, left, top, right, bottom):
        """Begins a panel whose frame has these edges; its labels are outside of them."""
        self.say(f"set lmargin at screen {self.x(left)}", f"set rmargin at screen {self.x(right)}",
                 f"set tmargin at screen {self.y(top)}", f"set bmargin at screen {self.y(bottom)}")

    def data(self, rows):
        """A block of data for the next plot; its name."""
        self.blocks += 1
        name = f"$block{self.blocks}"
        self.say(f"{name} << END", *(" ".join(f"{n:.6g}" if isinstance(n, float) else str(n)
                                              for n in row) for row in rows), "END")
        return name

    def plot(self, parts):
        """Ends a panel: draws it, and forgets what was set for it alone."""
        self.say("plot " + ", ".join(parts), "unset label", "unset arrow", "unset object")

    def draw(self, path):
        """Draws PATH.svg and PATH.png."""
        size = f"size {WIDTH},{self.height}"
        # A PNG's fonts are in points, at 96 to an inch.
        for ending, terminal in (("svg", f"svg {size} enhanced font 'sans-serif,12'"),
                                 ("png", f"pngcairo {size} enhanced font 'sans-serif,12'"
                                         " fontscale 0.75")):
            file = f"{path}.{ending}"
            run_gnuplot([f"set terminal {terminal} background 'white'",
                 f"set output {quoted(file + '.new')}", *self.commands, "unset multiplot",
                 "set output"])
            if ending == "svg":
                drop_empty_groups(f"{file}.new")
            os.replace(f"{file}.new", file)


def drop_empty_groups(path):
    """gnuplot writes a group for every change of a line's style: a third of the file is empty."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    count = 1
    while count > 0:
        text, count = re.subn(r"<g [^<>]*>\s*</g>\s*", "", text)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def find():
    if shutil.which("gnuplot") is None:
        raise Failure("gnuplot is not installed")


def run_gnuplot(script):
    done = subprocess.run(["gnuplot", "-"], input="\n".join(script) + "\n", text=True,
                          encoding="utf-8", capture_output=True, check=False)
    if done.returncode != 0 or done.stderr.strip():
        words = done.stderr.strip().splitlines() or ["it says nothing"]
        raise Failure(f"gnuplot: {words[-1].strip()}")

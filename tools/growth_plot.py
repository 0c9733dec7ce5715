#!/usr/bin/env python3
"""Draws what graze-bench-growth has measured: time against size, one panel per axis, as SVG.

    graze-bench-growth --csv growth.csv
    tools/growth_plot.py growth.csv -o docs/pictures/growth.svg
    tools/growth_plot.py growth.csv --table      # the table of docs/benchmarks.md

Both scales are logarithmic, the scale of time is the same in all panels. A line is a way to check, a
bar the range of the rounds; e is the exponent that the CSV gives for the last two decades. The dashed
curve grows as the logarithm of the size, from where graze's exponent is measured on. Of several CSVs
that hold the same axis, the last one's counts.
"""

import argparse
import csv
import math
import sys
from xml.sax.saxutils import escape

COLUMNS = 3
PANEL_WIDTH, PANEL_HEIGHT = 300, 210
LEFT, RIGHT, TOP, BOTTOM = 70, 22, 142, 52  # around the panel, legend and labels included
HEADER = 64

# Colour class, marker, dash of each way; two hues that stay apart for the colour-blind too.
WAYS = {
    "graze, one at a time": ("graze", "disc", ""),
    "graze, batch": ("graze", "ring", "5 3"),
    "graze, kinematics alone": ("quiet", "none", "2 3"),
    "graze, least distance": ("graze", "square", ""),
    "graze, certified motion": ("graze", "diamond", "5 3"),
    "FCL, manager": ("fcl", "square", ""),
    "FCL, octree": ("fcl", "square", ""),
    "FCL, a sphere each": ("fcl", "diamond", "5 3"),
}

STYLE = """
.paper{fill:#ffffff} .ink{fill:#1f2328} .quiet-ink{fill:#59636e}
.grid{stroke:#d1d9e0;stroke-width:1} .frame{stroke:#818b98;stroke-width:1;fill:none}
.graze{stroke:#0b62c4} .graze-fill{fill:#0b62c4} .fcl{stroke:#b35300} .fcl-fill{fill:#b35300}
.quiet{stroke:#59636e} .quiet-fill{fill:#59636e} .guide{stroke:#59636e;stroke-dasharray:7 5}
.line{fill:none;stroke-width:2} .bar{stroke-width:1}
@media (prefers-color-scheme: dark){
.paper{fill:#0d1117} .ink{fill:#e6edf3} .quiet-ink{fill:#9da7b3}
.grid{stroke:#2a313a} .frame{stroke:#656c76}
.graze{stroke:#6cb0ff} .graze-fill{fill:#6cb0ff} .fcl{stroke:#f0a35e} .fcl-fill{fill:#f0a35e}
.quiet{stroke:#9da7b3} .quiet-fill{fill:#9da7b3} .guide{stroke:#9da7b3}
}
"""


def read(path):
    """Axes in the order of the file; of each its title, unit and ways with their points."""
    axes = {}
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.readlines()
    comments = [line[1:].strip() for line in lines if line.startswith("#")]
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        try:
            axis = axes.setdefault(row["axis"], {"title": row["title"], "unit": row["unit"], "ways": {}})
            way = axis["ways"].setdefault(f"{row['library']}, {row['method']}", {"points": []})
            way["points"].append(tuple(float(row[k]) for k in ("size", "median_us", "least_us", "most_us")))
            way["build"] = float(row["build_s"]), float(row["bytes"]) / 2**20
            if row["exponent"]:
                way["exponent"], way["logarithm"] = float(row["exponent"]), float(row["logarithm"])
        except (KeyError, TypeError, ValueError) as problem:
            sys.exit(f"growth_plot: {path}: not a table of graze-bench-growth: {problem}")
    if not axes:
        sys.exit(f"growth_plot: {path}: no rows")
    return axes, comments


def size_label(value):
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:.3g} {letter}"
    return f"{value:g}"


class Scale:
    """A logarithmic scale onto pixels."""

    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def decades(self):
        first = math.ceil(math.log10(self.low) - 1e-9)
        last = math.floor(math.log10(self.high) + 1e-9)
        return [10.0**k for k in range(first, last + 1)]


def text(x, y, words, kind="ink", anchor="start", size=12, extra=""):
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{extra}>'
        f"{escape(words)}</text>"
    )


def marker(shape, colour, x, y):
    if shape == "disc":
        return f'<circle class="{colour}-fill" cx="{x:.1f}" cy="{y:.1f}" r="3.6"/>'
    if shape == "ring":
        return f'<circle class="{colour} paper" stroke-width="1.6" cx="{x:.1f}" cy="{y:.1f}" r="3.4"/>'
    if shape == "square":
        return f'<rect class="{colour}-fill" x="{x - 3.3:.1f}" y="{y - 3.3:.1f}" width="6.6" height="6.6"/>'
    if shape == "diamond":
        return (
            f'<path class="{colour} paper" stroke-width="1.6" '
            f'd="M{x:.1f} {y - 4.6:.1f}l4.6 4.6-4.6 4.6-4.6-4.6z"/>'
        )
    return ""


def path(points, classes, dash):
    steps = " ".join(f"{'L' if i else 'M'}{x:.1f} {y:.1f}" for i, (x, y) in enumerate(points))
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path class="{classes}" d="{steps}"{dashes}/>'


def guide(axis, x, y):
    """log(size), through graze's time where the last two decades begin."""
    points = axis["ways"].get("graze, one at a time", {"points": []})["points"]
    most = max((p[0] for p in points), default=0)
    fitted = [p for p in points if p[0] >= 0.008 * most]
    if len(fitted) < 2:
        return []
    start, time = fitted[0][0], fitted[0][1]
    sizes = [start * (most / start) ** (i / 16) for i in range(17)]
    curve = [(x(s), y(time * math.log(s) / math.log(start))) for s in sizes]
    return [path(curve, "line guide", "")]


def panel(axis, left, top, y_range):
    right, bottom = left + PANEL_WIDTH, top + PANEL_HEIGHT
    sizes = [p[0] for way in axis["ways"].values() for p in way["points"]]
    x = Scale(min(sizes) / 1.35, max(sizes) * 1.35, left, right)
    y = Scale(*y_range, bottom, top)
    out = [text(left, top - TOP + 16, axis["title"], size=13, extra=' font-weight="600"')]
    for value in x.decades():
        out.append(f'<path class="grid" d="M{x(value):.1f} {top}V{bottom}"/>')
        out.append(text(x(value), bottom + 16, size_label(value), "quiet-ink", "middle"))
    for value in y.decades():
        out.append(f'<path class="grid" d="M{left} {y(value):.1f}H{right}"/>')
        out.append(text(left - 7, y(value) + 4, f"{value:,g}", "quiet-ink", "end"))
    out.append(f'<rect class="frame" x="{left}" y="{top}" width="{PANEL_WIDTH}" height="{PANEL_HEIGHT}"/>')
    out.append(text((left + right) / 2, bottom + 35, axis["unit"], "ink", "middle"))
    middle = (top + bottom) / 2
    out.append(
        text(left - 56, middle, "µs per configuration", "ink", "middle", 12, f' transform="rotate(-90 {left - 56} {middle})"')
    )
    out += guide(axis, x, y)
    for row, (name, way) in enumerate(axis["ways"].items()):
        colour, shape, dash = WAYS.get(name, ("quiet", "none", ""))
        out.append(path([(x(p[0]), y(p[1])) for p in way["points"]], f"line {colour}", dash))
        for size, median, least, most in way["points"]:
            out.append(f'<path class="bar {colour}" d="M{x(size):.1f} {y(least):.1f}V{y(most):.1f}"/>')
            out.append(marker(shape, colour, x(size), y(median)))
        line = top - TOP + 36 + 17 * row
        out.append(path([(left, line), (left + 26, line)], f"line {colour}", dash))
        out.append(marker(shape, colour, left + 13, line))
        out.append(text(left + 33, line + 4, name))
        if "exponent" in way:
            words = f"e = {round(way['exponent'], 2) + 0.0:.2f} (log: {way['logarithm']:.2f})"
            out.append(text(right, line + 4, words.replace("-", "\u2212"), "ink", "end"))
    return out


def draw(axes, comments):
    rows = math.ceil(len(axes) / COLUMNS)
    columns = min(COLUMNS, len(axes))
    width = columns * (LEFT + PANEL_WIDTH + RIGHT)
    height = HEADER + rows * (TOP + PANEL_HEIGHT + BOTTOM)
    times = [p for axis in axes.values() for way in axis["ways"].values() for p in way["points"]]
    y_range = min(p[2] for p in times) / 1.3, max(p[3] for p in times) * 1.3
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="-apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        text(16, 28, "Time of a check against the size of the problem", size=17, extra=' font-weight="600"'),
        text(
            16,
            48,
            "e: time grows as size to the power e (last two decades); log, dashed: what the logarithm of the size would give. "
            + "; ".join(comments[:1]),
            "quiet-ink",
        ),
    ]
    for i, axis in enumerate(axes.values()):
        left = (i % COLUMNS) * (LEFT + PANEL_WIDTH + RIGHT) + LEFT
        top = HEADER + (i // COLUMNS) * (TOP + PANEL_HEIGHT + BOTTOM) + TOP
        out += panel(axis, left, top, y_range)
    return "\n".join(out) + "\n</svg>\n"


def figure(value):
    """Three significant digits, no exponent."""
    return f"{value:,.{max(0, 2 - math.floor(math.log10(abs(value))))}f}" if value else "0"


def write_table(axes):
    print("| axis | way | size | µs at its least | µs at its most | e | log | s to build | MiB kept |")
    print("|---|---|---|---|---|---|---|---|---|")
    for title, axis in axes.items():
        for name, way in axis["ways"].items():
            first, last = way["points"][0], way["points"][-1]
            seconds, kept = way["build"]
            cells = [title, name, f"{size_label(first[0])} to {size_label(last[0])} {axis['unit']}"]
            cells += [figure(first[1]), figure(last[1])]
            if "exponent" in way:
                cells += [f"{round(way['exponent'], 2) + 0.0:.2f}", f"{way['logarithm']:.2f}"]
            else:
                cells += ["-", "-"]
            built = kept > 0 and not name.endswith("kinematics alone")
            cells += [figure(seconds), figure(kept)] if built else ["-", "-"]
            print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tables", nargs="+", metavar="table", help="what graze-bench-growth --csv has written")
    parser.add_argument("-o", "--output", default="-", help="SVG file; default: standard output")
    parser.add_argument("--table", dest="text", action="store_true", help="print a Markdown table instead")
    arguments = parser.parse_args()
    axes, comments = {}, []
    for table in arguments.tables:
        measured, comments = read(table)
        axes.update(measured)
    if arguments.text:
        write_table(axes)
        return
    picture = draw(axes, comments)
    if arguments.output == "-":
        sys.stdout.write(picture)
        return
    with open(arguments.output, "w", encoding="utf-8") as file:
        file.write(picture)


if __name__ == "__main__":
    main()

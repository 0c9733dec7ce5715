#!/usr/bin/env python3
"""Draws a run of `graze bench --csv FILE` as bars, an SVG drawing.

    tools/benchmark_plot.py table.csv -o docs/pictures/peers.svg

One panel for each environment, one bar for each way to check: the median, on a logarithmic axis that all
panels share; a whisker from the least to the most of the rounds; a diamond where the 99th percentile of
single configurations lies. Needs nothing but Python.
"""

import argparse
import math
import sys
from html import escape
from pathlib import Path

from benchmark_csv import plain, read

# What is drawn of graze; the peers are drawn as they are.
GRAZE = ["solid, batch, 1 thread", "surface, batch, 1 thread", "solid, any pair", "surface, any pair",
         "solid, first pair by name", "surface, first pair by name"]
COLOURS = {"graze": "#1b7f5c", "FCL": "#c2542d", "ODE": "#8062a8", "Bullet": "#5a6b7d"}
OTHER = "#7a7a7a"
WIDTH, LEFT, RIGHT, HEAD, FOOT = 1000, 258, 142, 78, 46
MEDIAN, HIGH = WIDTH - 78, WIDTH - 16  # right edges of the columns of figures
BAR, GAP, TITLE, BETWEEN = 11, 5, 26, 14


class Drawing:
    def __init__(self, width, height):
        self.lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                      f'width="{width}" height="{height}" font-family="DejaVu Sans, Verdana, sans-serif" '
                      'font-size="11.5" fill="#22272b">']
        # A ground of its own: the drawing is read on light pages and on dark ones.
        self.lines.append(f'<rect width="{width}" height="{height}" rx="8" fill="#fbfaf7"/>')

    def text(self, x, y, words, anchor="start", size=None, weight=None, fill=None):
        style = "".join(f' {name}="{value}"' for name, value in
                        [("font-size", size), ("font-weight", weight), ("fill", fill)] if value)
        self.lines.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(words)}</text>')

    def line(self, x1, y1, x2, y2, colour, width=1.0):
        self.lines.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" '
                          f'stroke-width="{width}" fill="none"/>')

    def bar(self, x, y, width, height, colour):
        self.lines.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" fill="{colour}"/>')

    def diamond(self, x, y, size, colour):
        self.lines.append(f'<path d="M{x - size:.1f} {y:.1f}L{x:.1f} {y - size:.1f}L{x + size:.1f} {y:.1f}'
                          f'L{x:.1f} {y + size:.1f}Z" fill="#fbfaf7" stroke="{colour}" stroke-width="1.4"/>')

    def save(self, path):
        Path(path).write_text("\n".join(self.lines + ["</svg>"]) + "\n")


class Axis:
    """A logarithmic axis over whole decades and halves of them."""

    def __init__(self, least, most):
        self.low = math.floor(math.log10(least) * 2) / 2
        self.high = math.ceil(math.log10(most * 1.02) * 2) / 2

    def x(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def ticks(self):
        for decade in range(math.floor(self.low), math.ceil(self.high) + 1):
            for step in range(1, 10):
                value = step * 10.0 ** decade
                if self.low - 1e-9 <= math.log10(value) <= self.high + 1e-9:
                    yield value, step in (1, 3), step == 1


def panels_of(figures):
    """[(environment, [(figure, its 99th percentile or None)])] in the order of the run."""
    wanted = {plain(f"graze {method}") for method in GRAZE}
    out = {}
    for (environment, name), f in figures.items():
        if f.unit != "us" or plain(f.method).endswith(("each mean", "each median", "each 99th percentile")):
            continue
        if f.library == "graze" and name not in wanted:
            continue
        percentile = figures.get((environment, f"{name} each 99th percentile"))
        out.setdefault(f.environment, []).append((f, percentile))
    for rows in out.values():
        graze = [plain(f"graze {method}") for method in GRAZE]
        rows.sort(key=lambda row: graze.index(plain(f"graze {row[0].method}")) if row[0].library == "graze" else 99)
    return list(out.items())


def number(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def draw_panel(drawing, axis, y, environment, rows):
    drawing.text(LEFT, y + TITLE - 10, environment, weight="bold", size=13)
    drawing.text(MEDIAN, y + TITLE - 10, "median", anchor="end")
    drawing.text(HIGH, y + TITLE - 10, "99th %", anchor="end")
    top, bottom = y + TITLE - 2, y + TITLE + len(rows) * (BAR + GAP)
    for value, _, strong in axis.ticks():
        drawing.line(axis.x(value), top, axis.x(value), bottom, "#cfcbc2" if strong else "#ece9e2")
    for i, (figure, percentile) in enumerate(rows):
        at = y + TITLE + i * (BAR + GAP)
        colour, middle = COLOURS.get(figure.library, OTHER), at + BAR / 2
        drawing.text(LEFT - 8, at + BAR - 1.5, f"{figure.library}: {figure.method}", anchor="end")
        drawing.bar(LEFT, at, axis.x(figure.median) - LEFT, BAR, colour)
        drawing.line(axis.x(figure.least), middle, axis.x(figure.most), middle, "#22272b", 1.3)
        drawing.text(MEDIAN, at + BAR - 1.5, number(figure.median), anchor="end", fill=colour, weight="bold")
        if percentile is not None:
            drawing.diamond(axis.x(percentile.median), middle, 4, colour)
            drawing.text(HIGH, at + BAR - 1.5, number(percentile.median), anchor="end", fill=colour)
    return bottom + BETWEEN


def draw(comments, figures, path):
    panels = panels_of(figures)
    if not panels:
        sys.exit("benchmark_plot: no row of times per configuration")
    values = [value for _, rows in panels for f, p in rows
              for value in (f.least, f.most, p.median if p else f.median) if value > 0]
    axis = Axis(min(values), max(values))
    height = HEAD + FOOT + sum(TITLE + len(rows) * (BAR + GAP) + BETWEEN for _, rows in panels)
    drawing = Drawing(WIDTH, height)
    drawing.text(20, 26, "Microseconds per configuration, forward kinematics included", size=16, weight="bold")
    drawing.text(20, 46, f"{comments.get('processor', 'unknown processor')}; {comments.get('compiler', '')}; "
                         f"{comments.get('date', '')}, commit {comments.get('graze', '').split('commit ')[-1]}")
    drawing.text(20, 63, f"{comments.get('peers as packaged', '')}. Bar: median of the rounds, line: least to most, "
                         "diamond: 99th percentile of single configurations")
    y = HEAD
    for environment, rows in panels:
        y = draw_panel(drawing, axis, y, environment, rows)
    for value, labelled, strong in axis.ticks():
        if labelled:
            drawing.text(axis.x(value), y + 12, f"{value:g}", anchor="middle", weight="bold" if strong else None)
    drawing.text((LEFT + WIDTH - RIGHT) / 2, y + 32, "µs, logarithmic", anchor="middle")
    drawing.save(path)
    print(f"{path}: {len(panels)} panels, {sum(len(rows) for _, rows in panels)} bars")


def main():
    parser = argparse.ArgumentParser(description="Draws a run of graze bench as bars.")
    parser.add_argument("csv")
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    draw(*read(arguments.csv), arguments.output)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times random paths with graze_time_path() and compares with a reachability analysis of its own, in numpy.

    tests/oracle/timed_paths.py --library build-release/libgraze.so [--paths N] [--seed N] [--cells N]

The reference (Pham and Pham 2018) takes the same curve, straight ways and bends, parabolas and cubic B-splines in turn, and N
cells of even length; it shares no code with the library. A trajectory may take at most 1.1 of its time, and no less than 0.999. Prints the ratios. Exit status
77 where there is no numpy.
"""

import argparse
import ctypes
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not there")
    sys.exit(77)

WIDTH = 6


class Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("spline", ctypes.c_uint32), ("velocities", ctypes.c_void_p),
                ("accelerations", ctypes.c_void_p), ("corner", ctypes.c_double)]


class Report(ctypes.Structure):
    _fields_ = [("verdict", ctypes.c_int), ("motion", ctypes.c_size_t), ("seconds", ctypes.c_double),
                ("velocity", ctypes.c_double), ("acceleration", ctypes.c_double), ("stops", ctypes.c_size_t),
                ("rounds", ctypes.c_uint32), ("reserved", ctypes.c_uint32)]


class Graze:
    """A robot of joints without geometry, so that every path is free."""

    def __init__(self, path):
        self.lib, self.error = ctypes.CDLL(path), ctypes.create_string_buffer(8192)
        joints = "".join(f"<link name='l{i + 1}'/><joint name='j{i}' type='revolute'><parent link='l{i}'/><child link='l{i + 1}'/>"
                         "<axis xyz='0 0 1'/><limit lower='-9' upper='9' effort='1' velocity='1'/></joint>" for i in range(WIDTH))
        self.robot, self.checker = ctypes.c_void_p(), ctypes.c_void_p()
        with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
            file.write(f"<robot name='r'><link name='l0'/>{joints}</robot>")
            file.flush()
            self.must(self.lib.graze_robot_load_urdf(ctypes.byref(self.robot), file.name.encode(), None, self.error))
        self.must(self.lib.graze_checker_create(ctypes.byref(self.checker), self.robot, None, None, self.error))

    def must(self, status):
        if status != 0:
            sys.exit(f"status {status}: {self.error.raw[12:400].split(bytes(1))[0].decode()}")

    def seconds(self, path, velocities, accelerations, corner, spline):
        options, report, out = Options(), Report(), ctypes.c_void_p()
        self.lib.graze_timing_options_init(ctypes.byref(options), ctypes.c_size_t(ctypes.sizeof(options)))
        options.velocities, options.accelerations, options.corner = velocities.ctypes.data, accelerations.ctypes.data, corner
        options.spline = spline
        self.must(self.lib.graze_time_path_sized(
            ctypes.byref(out), self.checker, path.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(len(path)), None,
            ctypes.byref(options), ctypes.byref(report), ctypes.c_size_t(ctypes.sizeof(report)), self.error))
        self.lib.graze_trajectory_free(out)
        if report.verdict != 0 or report.velocity > 1 or report.acceleration > 1:
            sys.exit(f"verdict {report.verdict}, {report.velocity} and {report.acceleration} of the limits")
        return report.seconds


def cells_of(path, corner, wanted, spline):
    """Of each cell: q' and q'' at both ends, its length, whether the robot stops where it begins."""
    steps = np.diff(path, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    along, cuts, spans = steps / lengths[:, None], np.zeros(len(path)), []
    for i in range(1, len(path) - 1):
        turn, most = np.linalg.norm(along[i] - along[i - 1]), 0.45 * min(lengths[i - 1], lengths[i])
        cuts[i] = 0 if turn > 1.9 else min(most, (6 if spline else 4) * corner / turn) if turn > 0 else most
    for i, u in enumerate(along):
        if cuts[i] > 0:
            spans.append((along[i - 1], u - along[i - 1], cuts[i], 2 * cuts[i], False))
        spans.append((u, 0 * u, 1, lengths[i] - cuts[i] - cuts[i + 1], i > 0 and cuts[i] == 0))
    total, cells = sum(span[3] for span in spans), []
    for u, turn, cut, length, stops in spans:
        at = np.linspace(0, length, max(20, int(wanted * length / total)) + 1)
        if spline:  # q'' goes up to turn / cut and down again
            second = np.minimum(at, length - at) / cut ** 2
            first = np.where(at < cut, at ** 2 / (2 * cut ** 2), 1 - (length - at) ** 2 / (2 * cut ** 2))
        else:
            second, first = np.full(len(at), 1 / (2 * cut)), at / (2 * cut)
        rows = [(u + turn * a, turn * b) for a, b in zip(first, second)]
        cells += [(rows[k], rows[k + 1], at[k + 1] - at[k], stops and k == 0) for k in range(len(at) - 1)]
    return cells


def accelerations_allowed(cell, x, last, limits):
    """The interval of d2s/dt2 on a cell that begins with x = (ds/dt)^2 and ends with at most `last`."""
    length = cell[2]
    low, high = -x / (2 * length), (last - x) / (2 * length)
    for slope, bend, later in ((*cell[0], 0), (*cell[1], 2 * length)):
        c = slope + later * bend
        counts = np.abs(c) > 1e-14
        if (np.abs(bend * x)[~counts] > limits[~counts]).any():
            return 1, -1
        ends = (np.array([-1, 1])[:, None] * limits - bend * x)[:, counts] / c[counts]
        if counts.any():
            low, high = max(low, ends.min(axis=0).max()), min(high, ends.max(axis=0).min())
    return low, high


def reference(path, velocities, limits, corner, wanted, spline):
    cells = cells_of(path, corner, wanted, spline)
    x = np.zeros(len(cells) + 1)
    with np.errstate(divide="ignore"):
        fastest = [[((velocities / np.abs(slope)) ** 2).min() for slope in (cell[0][0], cell[1][0])] for cell in cells]
    for k in range(len(cells) - 1, 0, -1):
        low, high = 0.0, 0.0 if cells[k][3] else min(fastest[k][0], fastest[k - 1][1])
        allowed = accelerations_allowed(cells[k], high, x[k + 1], limits)
        for _ in range(0 if allowed[0] <= allowed[1] else 40):
            middle = 0.5 * (low + high)
            allowed = accelerations_allowed(cells[k], middle, x[k + 1], limits)
            low, high = (middle, high) if allowed[0] <= allowed[1] else (low, middle)
        x[k] = high
    for k, cell in enumerate(cells):
        most = x[k] + 2 * cell[2] * accelerations_allowed(cell, x[k], x[k + 1], limits)[1]
        x[k + 1] = min(x[k + 1], max(most, 0))
    speeds = np.sqrt(x)
    return sum(2 * cell[2] / (speeds[k] + speeds[k + 1]) for k, cell in enumerate(cells))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", dest="shared", required=True)
    parser.add_argument("--paths", type=int, default=6)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--cells", type=int, default=600)
    o = parser.parse_args()
    graze, rng, ratios = Graze(o.shared), np.random.default_rng(o.seed), []
    for k in range(o.paths):
        steps = rng.normal(size=(int(rng.integers(2, 7)), WIDTH)) * rng.uniform(0.05, 0.6)
        path = np.ascontiguousarray(np.vstack([np.zeros(WIDTH), np.cumsum(steps, axis=0)]))
        velocities, limits = rng.uniform(0.5, 3, WIDTH), rng.uniform(0.5, 6, WIDTH)
        corner = float(rng.choice([0, 0.01, 0.05, 0.1, 0.3]))
        ratios.append(graze.seconds(path, velocities, limits, corner, k % 2) /
                      reference(path, velocities, limits, corner, o.cells, k % 2))
    print(f"{len(ratios)} paths: {min(ratios):.4f} to {max(ratios):.4f} of the reference's time, median {np.median(ratios):.4f}")
    return 0 if 0.999 < min(ratios) and max(ratios) < 1.1 else 1


if __name__ == "__main__":
    sys.exit(main())

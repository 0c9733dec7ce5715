#!/usr/bin/env python3
"""What the Python package costs beside the command, and that its batches leave the interpreter free.

    GRAZE_COMMAND=build/graze env/bin/python bench/python_figures.py

Processor time, medians of runs that alternate with what they are compared with; a figure of clocks stands with how much
processor the machine gave meanwhile.
"""

import ctypes
import gc
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

import numpy as np

import graze

SOURCE = Path(__file__).resolve().parent.parent
COMMAND = os.environ["GRAZE_COMMAND"]
BALL = "<robot name='r'><link name='a'><collision><geometry><sphere radius='1'/></geometry></collision></link></robot>"
BATCH = """
#include <graze/graze.h>
static graze_checker *checker;
int make(const char *urdf, const char *srdf, const char *objects) {
    graze_robot *robot;
    graze_world *world;
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    if (graze_robot_load_urdf(&robot, urdf, &options, NULL) || graze_world_create(&world, "world", NULL) ||
        graze_world_add_file(world, objects, NULL, NULL) || graze_world_commit(world, NULL))
        return 1;
    return graze_checker_create(&checker, robot, world, NULL, NULL);
}
int check(const double *q, size_t count, uint8_t *verdicts) {
    graze_batch batch = graze_batch_default();
    batch.q = q;
    batch.count = count;
    batch.verdicts = verdicts;
    return graze_check_batch(checker, &batch, NULL);
}
"""
ROWS = int(os.environ.get("ROWS", 1_000_000))


def cpu(call):
    before = time.process_time()
    call()
    return time.process_time() - before


def one_call():
    """A call on a robot of one ball, of which there is nothing to check: the call, and the check's entry and exit."""
    checker, q, calls = graze.Checker(graze.load("<memory>", text=BALL)), np.empty(0), range(200_000)
    check = checker.check

    def run():
        for _ in calls:
            check(q)

    def loop():
        for _ in calls:
            pass

    return 1e9 * statistics.median(cpu(run) - cpu(loop) for _ in range(9)) / len(calls)


def load_c(folder):
    """graze_check_batch() of the build that has the command, on the same robot and world."""
    build = Path(COMMAND).resolve().parent
    (folder / "batch.c").write_text(BATCH)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I", SOURCE / "include", folder / "batch.c", build / "libgraze.so",
                    f"-Wl,-rpath,{build}", "-o", folder / "batch.so"], check=True)
    library = ctypes.CDLL(str(folder / "batch.so"))
    assert library.make(*(str(SOURCE / name).encode() for name in ("urdf/heron.urdf", "urdf/heron.srdf", "worlds/shelf.json"))) == 0
    return library.check


def batch(checker, q):
    """Processor time of a batch, and over that of the C call on the same rows, in turns."""
    verdicts, ratios, mine = np.empty(len(q), np.uint8), [], []
    with tempfile.TemporaryDirectory() as folder:
        call = load_c(Path(folder))
        arguments = ctypes.c_void_p(q.ctypes.data), ctypes.c_size_t(len(q)), ctypes.c_void_p(verdicts.ctypes.data)
        for i in range(15):
            order = [lambda: checker.check(q), lambda: call(*arguments)]
            spent = [cpu(run) for run in (order if i % 2 else order[::-1])]
            mine.append(spent[i % 2 == 0])
            ratios.append(mine[-1] / spent[i % 2])
        assert (verdicts == checker.check(q)).all()
    ratios.sort()
    return 1e6 * statistics.median(mine) / len(q), [ratios[len(ratios) * k // 4] for k in (2, 1, 3)]


def in_pieces(checker, q):
    """What the frame of a batch costs: the same rows in calls of 32,768, each with all that a call does."""
    whole = statistics.median(cpu(lambda: checker.check(q)) for _ in range(3))
    empty = statistics.median(cpu(lambda: [checker.check(q[:0]) for _ in range(1000)]) for _ in range(5)) / 1000
    return 100 * empty * (1 + len(q) // 32768) / whole


def threads(checker, q):
    """Two threads with a batch each, over one thread with two: clock, and processor given."""
    def both():
        workers = [threading.Thread(target=checker.check, args=(q,)) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    best = 0.0, 0.0
    for _ in range(40):  # short ones, so that the machine is free for one of them
        start = time.perf_counter()
        checker.check(q)
        checker.check(q)
        one = time.perf_counter() - start
        start, spent = time.perf_counter(), time.process_time()
        both()
        two = time.perf_counter() - start
        best = max(best, ((time.process_time() - spent) / two, one / two))
    return best[1], best[0]


def counter(checker, q):
    """Steps a second of a counting thread, beside a batch and alone."""
    steps, ended = [0], threading.Event()

    def count():
        while not ended.is_set():
            steps[0] += 1

    worker = threading.Thread(target=count)
    worker.start()
    rates = []
    for call in (lambda: checker.check(q), lambda: time.sleep(1)):
        before, start = steps[0], time.perf_counter()
        call()
        rates.append((steps[0] - before) / (time.perf_counter() - start))
    ended.set()
    worker.join()
    return rates


def memory(checker, q):
    """Growth of the process, bytes: of a batch beyond its verdicts, and of 1e6 calls."""
    checker.check(q)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kept = checker.check(q)
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    rows, bad = q[:1000], np.full(q.shape[1], np.nan)
    for _ in range(20):
        for row in rows:
            checker.check(row)
    gc.collect()

    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = resident()
    for _ in range(1000):
        for row in rows:
            checker.check(row)
        try:
            checker.check(bad)
        except graze.Error:
            pass
    return grown - kept.nbytes, resident() - before


def main():
    warnings.simplefilter("ignore")
    robot, world = graze.load(SOURCE / "urdf/heron.urdf", srdf=SOURCE / "urdf/heron.srdf"), graze.World()
    world.add_file(SOURCE / "worlds/shelf.json")
    checker = graze.Checker(robot, world)
    q = robot.sample(ROWS, seed=1)
    print(f"one call, of a robot with nothing to check: {one_call():.0f} ns")
    mine, (ratio, low, high) = batch(checker, q)
    print(f"a batch of {ROWS}: {mine:.3f} us/config, {100 * (ratio - 1):+.2f} % over the C call ({100 * (low - 1):+.2f} to "
          f"{100 * (high - 1):+.2f} %, quartiles of 15 turns)")
    print(f"the frame of that batch (its calls, without rows): {in_pieces(checker, q):.5f} % of it")
    print("two threads of batches over one: %.2f by the clock, at %.2f processors given" % threads(checker, q[:20000]))
    beside, alone = counter(checker, q)
    print(f"a counting thread: {beside:.3g} steps/s beside a batch, {alone:.3g} alone")
    more, leaked = memory(checker, q)
    print(f"memory: {q.nbytes} bytes of q; a batch takes {more} beyond its verdicts; 1e6 calls leave {leaked}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

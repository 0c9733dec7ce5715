#!/usr/bin/env python3
"""Sweeps of Fetch with itself: killed and resumed against undisturbed, and two workers against one.

    GRAZE_COMMAND=build/graze bench/sweep_figures.py kills --count 1e9 --calm 1e8   # an undisturbed run of the first 1e8
    GRAZE_COMMAND=build/graze bench/sweep_figures.py workers --count 2e7 --rounds 5

Both take GRAZE_TEST_DATA. `kills` ends the run --kills times at moments drawn at random, goes on with what is there, and compares
every byte with a run that nobody disturbs. --calm: that run is of so many configurations, and so are the bytes that are compared;
shards of a longer sweep with the same seed begin with the same bytes. Printed are the seconds beside those of the checks
alone. `workers` computes the same shards by one process, and by two at once: how many times faster the slower of the two is, by its own
processor time, so that what other programs take does not count, but memory and caches that the two share do.
"""

import argparse
import hashlib
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

COMMAND = os.environ["GRAZE_COMMAND"]
DATA = Path(os.environ["GRAZE_TEST_DATA"]) / "robots"
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "OMPI_", "PMI_"))}


def compile_fetch(folder):
    """Compiled once, so that processes share its memory and start in milliseconds."""
    subprocess.run([COMMAND, "compile", DATA / "fetch_description/robots/fetch.urdf", "--srdf",
                    DATA / "fetch_moveit_config/config/fetch.srdf", "--package-path", DATA, "--no-visuals", "--quiet",
                    "-o", folder / "fetch.graze"], check=True)


def line(folder, out, count, *words):
    return [COMMAND, "sweep", folder / "fetch.graze", "--count", str(count), "--seed", "1", "-o", folder / out, "--stats",
            *map(str, words)]


class Run:
    """A run of the command, with its own processor time; killed so many seconds after `ready()` where that is given."""

    def __init__(self, words, ready=None, later=0.0):
        self.process = subprocess.Popen(list(map(str, words)), stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.start, self.ended, self.killer = time.perf_counter(), threading.Event(), None
        if ready is not None:
            self.killer = threading.Thread(target=self.kill, args=(ready, later))
            self.killer.start()

    def kill(self, ready, later):
        while not ready():
            if self.ended.wait(0.01):
                return
        if not self.ended.wait(later):
            os.kill(self.process.pid, signal.SIGKILL)

    def end(self):
        """Seconds of processor, of the clock, what was said, and whether it was killed."""
        said = self.process.stderr.read()
        self.ended.set()
        if self.killer:
            self.killer.join()  # before its number may be another's
        _, status, used = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        killed = self.process.returncode == -signal.SIGKILL
        if self.process.returncode != 0 and not killed:
            raise SystemExit(said)
        return used.ru_utime + used.ru_stime, time.perf_counter() - self.start, said, killed


def checks(said):
    """Microseconds a configuration in the checks alone, and in all."""
    return tuple(float(x) for x in re.search(r"mean ([\d.]+) us/config in checks, ([\d.]+)", said).groups())


def chunks(folder):
    return {p.name: p for p in (folder / "collision").glob("[0-9]*") if p.name.isdigit()}


def kills(folder, o):
    words = "--threads", o.threads, "--chunk", o.chunk
    calm_spent, calm_clock, said, _ = Run(line(folder, "calm.zarr", o.calm, *words)).end()
    in_checks, in_all = checks(said)
    print(f"undisturbed: {o.calm} configurations, {calm_clock:.1f} s, {calm_spent:.1f} s of processor; {in_checks:.3f} us each in "
          f"checks, {in_all:.3f} in all", flush=True)
    source, begin, ended = random.Random(o.seed), time.perf_counter(), 0
    shards, shard_clock = -(-o.count // o.chunk), calm_clock * o.chunk / o.calm
    for least in sorted(source.randrange(shards) for _ in range(o.kills)):  # a moment amid one of the shards
        before = len(chunks(folder / "killed.zarr"))
        ready = lambda: len(chunks(folder / "killed.zarr")) >= least  # noqa: E731, B023
        _, clock, said, killed = Run(line(folder, "killed.zarr", o.count, *words), ready, source.uniform(0, shard_clock)).end()
        ended += killed
        print(f"{'killed' if killed else 'done'} after {clock:.1f} s; {before} shards before, {len(chunks(folder / 'killed.zarr'))} now of "
              f"{shards}", flush=True)
    _, _, said, _ = Run(line(folder, "killed.zarr", o.count, *words)).end()
    took = time.perf_counter() - begin
    print(said.strip().splitlines()[0] if said.strip() else "")
    found, wanted = chunks(folder / "killed.zarr"), chunks(folder / "calm.zarr")
    whole = o.count if o.calm == o.count else o.calm // o.chunk * o.chunk
    compared = [name for name in wanted if (int(name) + 1) * o.chunk <= whole or o.calm == o.count]
    different = [name for name in compared if found[name].read_bytes() != wanted[name].read_bytes()]
    size = sum(p.stat().st_size for p in found.values())
    bits = hashlib.sha256(b"".join(found[str(i)].read_bytes() for i in range(len(found)))).hexdigest()
    print(f"{o.count} configurations: {size} bytes in {len(found)} shards, sha256 {bits[:16]}; {len(compared)} shards compared with the "
          f"undisturbed run, {len(different)} different")
    print(f"{took:.1f} s with {ended} kills; the checks alone, on {o.threads} threads: {1e-6 * in_checks * o.count / o.threads:.1f} s "
          f"if each had a processor to itself")
    return 1 if different or not compared or ended == 0 else 0


def workers(folder, o):
    words, ratios, overhead = ("--chunk", o.chunk), [], []
    for i in range(o.rounds):
        alone, _, said, _ = Run(line(folder, f"one{i}.zarr", o.count, *words)).end()
        both = [Run(line(folder, f"two{i}.zarr", o.count, *words, "--shard", f"{k}/2")) for k in (0, 1)]
        spent = [run.end()[0] for run in both]
        ratios.append(alone / max(spent))
        in_checks, in_all = checks(said)
        overhead.append(in_all / in_checks)
        same = {n: p.read_bytes() for n, p in chunks(folder / f"one{i}.zarr").items()} == \
            {n: p.read_bytes() for n, p in chunks(folder / f"two{i}.zarr").items()}
        print(f"one {alone:.2f} s of processor, two at once {spent[0]:.2f} and {spent[1]:.2f}: {ratios[-1]:.3f} times; {in_checks:.3f} us "
              f"in checks, {in_all:.3f} in all; same bytes: {same}", flush=True)
        if not same:
            return 1
    print(f"median: {statistics.median(ratios):.3f} times by processor time; all over checks {statistics.median(overhead):.3f}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("kills", "workers"))
    parser.add_argument("--count", type=lambda s: int(float(s)), default=10**7)
    parser.add_argument("--calm", type=lambda s: int(float(s)), help="of the undisturbed run (default: --count)")
    parser.add_argument("--chunk", type=lambda s: int(float(s)), help="configurations of a shard (default: a 24th, 2^23 at most)")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    parser.add_argument("--work", help="where the folders are made, and stay (default: a temporary one)")
    o = parser.parse_args()
    o.calm = o.calm or o.count
    o.chunk = o.chunk or min(1 << 23, -(-o.calm // 192) * 8)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(o.work or scratch)
        compile_fetch(folder)
        return {"kills": kills, "workers": workers}[o.what](folder, o)


if __name__ == "__main__":
    sys.exit(main())

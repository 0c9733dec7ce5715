#!/usr/bin/env python3
"""Runs the fuzz targets, each for so many seconds of processor time, and prints what they did.

    cmake -S . -B build-fuzz -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang \\
          -DGRAZE_BUILD_FUZZ=ON -DGRAZE_BUILD_COMMAND=OFF && cmake --build build-fuzz
    tests/fuzz/fuzz.py --build build-fuzz                     60 s for each target
    tests/fuzz/fuzz.py --build build-fuzz --seconds 1200      the campaign
    tests/fuzz/fuzz.py --build build-fuzz --release           two hours for each target
    tests/fuzz/fuzz.py --build build-fuzz --minimize          keeps what the corpus lacked
    tests/fuzz/fuzz.py --build build-fuzz --reach             whether the corpus still gets as far as it did
    tests/fuzz/fuzz.py --build build-fuzz --reach --more 2    the same, and two seconds from there: what `make test` runs

The time counts from the beginning of the campaign: BUILD/fuzz holds the growing corpus, the inputs
that broke something, and for each target a file of the time spent, so that a run that was stopped goes
on where it was. Runs of different targets may go on beside one another. With --reach every run begins
anew, in BUILD/fuzz-reach. Exit status 1 when an input broke something.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import corpora

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REACH = HERE / "reach.tsv"  # target, edges that its corpus and its first inputs reach

# Target -> (longest input, where its first inputs come from, dictionaries or None). A prefix of one
# byte is what the target reads first.
TARGETS = {
    "api_calls": (600, [], None),
    "collada": (16384, [("tests/bad/mesh", ".dae", b""), ("tests/cli/data", ".dae", b"")], "collada"),
    "compiled": (240, [], None),
    "configurations": (2048, [("tests/bad/config", ".npy", b"\1"), ("tests/bad/config", ".csv", b"\0"),
                              ("tests/cli/data", ".csv", b"\0")], "configurations"),
    "importer": (16384, [("tests/bad/mesh", ".dae", b""), ("tests/cli/data", ".dae", b""),
                         ("tests/cli/data", ".off", b""), ("tests/cli/data", ".ac", b""),
                         ("tests/cli/data", ".x3d", b"")], "collada"),
    "lint": (8192, [("tests/bad/urdf", ".urdf", b""), ("tests/cli/data", ".urdf", b"")], "urdf srdf"),
    "moveit_scene": (4096, [("tests/bad/world", ".scene", b"")], "moveit_scene"),
    "obj_ply_gltf": (8192, [("tests/bad/mesh", ".obj", b"\0"), ("tests/bad/mesh", ".ply", b"\1"),
                            ("tests/bad/mesh", ".gltf", b"\2"), ("tests/bad/mesh", ".glb", b"\3"),
                            ("tests/cli/data", ".obj", b"\0"), ("tests/cli/data", ".ply", b"\1")],
                     "obj_ply_gltf"),
    "planar_scene": (2048, [], "planar_scene"),
    "points": (2048, [("tests/bad/mesh", ".ply", b""), ("tests/bad/mesh", ".xyz", b""),
                      ("tests/bad/world", ".xyz", b""), ("tests/cli/data", ".ply", b"")], "points"),
    "problems": (4096, [("tests/abi", "problems.json", b"\0"), ("tests/cli/data", "gantry_problems.json", b"\0")],
                 "problems"),
    "robot_mutation": (120, [], None),
    "srdf": (4096, [("tests/bad/srdf", ".srdf", b"")], "srdf"),
    "srdf_review": (4096, [("tests/bad/srdf", ".srdf", b""), ("urdf", ".srdf", b"")], "srdf"),
    "stl": (8192, [("tests/bad/mesh", ".stl", b""), ("tests/cli/data", ".stl", b"")], "stl"),
    "trajectory": (4096, [("tests/cli/data", ".yaml", b"")], "trajectory"),
    "urdf": (8192, [("tests/bad/urdf", ".urdf", b""), ("tests/cli/data", ".urdf", b"")], "urdf"),
    "verify_dump": (4096, [], "verify_dump"),
    "world_json": (4096, [("tests/bad/world", ".json", b""), ("tests/cli/data", ".json", b"")],
                   "world_json"),
    "world_urdf": (8192, [("tests/bad/urdf", ".urdf", b""), ("tests/cli/data", ".urdf", b"")], "urdf"),
    "world_yaml": (4096, [("tests/bad/world", ".yaml", b"")], "world_yaml"),
}


def seed(target, folder):
    """First inputs: the files that must be refused, and the small ones that must not."""
    longest, sources, _ = TARGETS[target]
    folder.mkdir(parents=True, exist_ok=True)
    for place, ending, prefix in sources:
        for path in sorted((ROOT / place).glob("*" + ending)):
            data = prefix + path.read_bytes()
            if len(data) <= longest:
                (folder / ("seed-" + path.name)).write_bytes(data)


class Campaign:
    def __init__(self, build, anew=False):
        self.programs = build / "tests/fuzz"
        self.work = build / ("fuzz-reach" if anew else "fuzz")
        if anew:
            shutil.rmtree(self.work, ignore_errors=True)
        (self.work / "state").mkdir(parents=True, exist_ok=True)
        self.state = {}

    def of(self, target):
        """What was done of a target; what is read stays the same object."""
        if target not in self.state:
            path = self.state_path(target)
            empty = {"cpu_seconds": 0.0, "executions": 0, "edges": 0, "contained": []}
            self.state[target] = json.loads(path.read_text()) if path.exists() else empty
        return self.state[target]

    def state_path(self, target):
        return self.work / "state" / f"{target}.json"

    def save(self, target):
        path = self.state_path(target)
        beside = path.with_suffix(".new")
        beside.write_text(json.dumps(self.of(target), indent=1, sort_keys=True) + "\n")
        beside.replace(path)

    def crashes(self, target):
        return sorted((self.work / "crashes").glob(target + "-*"))

    def dictionary(self, target, names):
        """One file of the words of all its dictionaries, as libFuzzer takes one."""
        path = self.work / "state" / f"{target}.dict"
        path.write_text("".join((HERE / f"dictionaries/{name}.dict").read_text() for name in names))
        return path

    def run_slice(self, target, seconds):
        """One run of a target, of about so many seconds; returns whether it ran anything."""
        longest, _, dictionaries = TARGETS[target]
        corpus = self.work / "corpus" / target
        if not corpus.exists():
            seed(target, corpus)
            corpora.unpack(target, corpus)
        for folder in ("crashes", "contained", "logs"):
            (self.work / folder).mkdir(exist_ok=True)
        command = ["nice", "-n", "19", self.programs / f"fuzz_{target}", corpus, f"-max_len={longest}", "-timeout=20",
                   "-rss_limit_mb=2048", "-print_final_stats=1", f"-max_total_time={seconds}",
                   f"-artifact_prefix={self.work}/crashes/{target}-"]
        if dictionaries:
            command.append(f"-dict={self.dictionary(target, dictionaries.split())}")
        environment = dict(os.environ, GRAZE_FUZZ_CONTAINED=str(self.work / "contained"))
        log_path = self.work / "logs" / f"{target}.log"
        with open(log_path, "wb") as log:
            process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL,
                                       stdout=log, stderr=subprocess.STDOUT, env=environment)
            # The processes that a target starts and waits for count, too.
            stopped = False
            try:
                _, _, usage = os.wait4(process.pid, 0)
            except KeyboardInterrupt:
                # libFuzzer ends with its statistics: what it did until now counts.
                stopped = True
                process.send_signal(signal.SIGINT)
                _, _, usage = os.wait4(process.pid, 0)
        text = log_path.read_text(errors="replace")
        state = self.of(target)
        executed = re.findall(r"stat::number_of_executed_units: (\d+)|^#(\d+)\t", text, re.M)
        executions = max([int(a or b) for a, b in executed], default=0)
        state["executions"] += executions
        state.setdefault("reached", max(map(int, re.findall(r"\bINITED +cov: (\d+)", text)), default=0))
        state["edges"] = max([state["edges"]] + [int(n) for n in re.findall(r" cov: (\d+)", text)])
        state["contained"] = sorted(set(state["contained"])
                                    | set(re.findall(r"^contained: (.*)$", text, re.M)))
        state["cpu_seconds"] += usage.ru_utime + usage.ru_stime
        self.save(target)
        if stopped:
            sys.exit(128 + signal.SIGINT)
        return executions > 0

    def reach(self, target):
        """Edges that the corpus of the repository and the first inputs reach."""
        with tempfile.TemporaryDirectory() as folder:
            seed(target, Path(folder))
            corpora.unpack(target, Path(folder))
            shown = subprocess.run([self.programs / f"fuzz_{target}", "-runs=0", f"-max_len={TARGETS[target][0]}",
                                    folder], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        edges = re.findall(r"\bDONE +cov: (\d+)", shown.stdout.decode(errors="replace"))
        if shown.returncode != 0 or not edges:
            sys.exit(f"{target}: {shown.stdout[-4000:].decode(errors='replace')}")
        return int(edges[0])

    def run(self, target, seconds):
        while self.of(target)["cpu_seconds"] < seconds:
            print(f"{target} ...", end="\r", file=sys.stderr, flush=True)
            left = seconds - self.of(target)["cpu_seconds"]
            before = len(self.crashes(target))
            # On a busy machine little processor time goes by in a second.
            if not self.run_slice(target, max(2, min(300, 2 * int(left)))):
                sys.exit(f"{target} did not run: see {self.work}/logs/{target}.log")
            if len(self.crashes(target)) > before + 20:
                break  # enough to look at

    def table(self, targets):
        print(f"{'target':<16}{'executions':>12}{'CPU s':>9}{'edges':>8}{'inputs':>8}{'findings':>10}")
        for target in targets:
            state, corpus = self.of(target), self.work / "corpus" / target
            inputs = len(list(corpus.iterdir())) if corpus.exists() else 0
            print(f"{target:<16}{state['executions']:>12,}{state['cpu_seconds']:>9.0f}"
                  f"{state['edges']:>8}{inputs:>8}{len(self.crashes(target)):>10}")
        for target in targets:
            for line in self.of(target)["contained"]:
                print(f"{target}: contained: {line}")
            for path in self.crashes(target):
                print(f"{target}: {path}")

    def minimize(self, target, limit):
        """Adds to the repository's corpus the shortest inputs that reach code which it does not."""
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder)
            corpora.unpack(target, kept)
            subprocess.run([str(self.programs / f"fuzz_{target}"), "-merge=1", "-use_counters=0",
                            f"-max_len={TARGETS[target][0]}", str(kept), str(self.work / "corpus" / target)],
                           stdin=subprocess.DEVNULL, capture_output=True, check=True)
            inputs = {path.name: path.read_bytes() for path in kept.iterdir()}
        # The shortest first, as many as a repository has room for; libFuzzer names inputs by their
        # SHA-1, and what has another name was put there by hand and stays.
        kept, total = {}, 0
        for name, data in sorted(inputs.items(), key=lambda item: (len(item[1]), item[0])):
            total += len(data)
            if total <= limit or not re.fullmatch("[0-9a-f]{40}", name):
                kept[name] = data
        corpora.write(target, kept)
        print(f"{target}: {len(kept)} inputs kept of {len(inputs)}")


def known_reach():
    lines = REACH.read_text().splitlines() if REACH.exists() else []
    return {target: int(edges) for target, edges in (line.split("\t") for line in lines)}


def keep_reach(campaign, targets):
    known = known_reach() | {target: campaign.reach(target) for target in targets}
    REACH.write_text("".join(f"{target}\t{known[target]}\n" for target in sorted(known)))


def check_reach(reached):
    """A corpus whose inputs are refused where they were read once, as by a format that has changed, tests nothing
    any more, and says nothing. A compiler may count a little less; a tenth less is such a corpus."""
    known, short = known_reach(), 0
    for target, edges in reached.items():
        before = known.get(target)
        fine = before is not None and edges >= 0.9 * before
        short += not fine
        print(f"{target:<16}{edges:>8} edges, {'none' if before is None else before} kept{'' if fine else ': FEWER'}")
    if short:
        print(f"{short} corpora do not get as far as they did: correct their inputs (verify_dump: dump_seeds.py --write), "
              "or, where code went away, --minimize")
    return 1 if short else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--seconds", type=int, default=60, help="CPU seconds for each target")
    parser.add_argument("--more", type=int, help="CPU seconds beyond those already spent")
    parser.add_argument("--release", action="store_true", help="--seconds 7200")
    parser.add_argument("--minimize", action="store_true", help="run nothing, keep what was found")
    parser.add_argument("--reach", action="store_true",
                        help="compare with tests/fuzz/reach.tsv; without --more, run nothing new")
    parser.add_argument("--bytes", type=int, default=160000, help="with --minimize: bytes per target")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    arguments = parser.parse_args()
    for target in arguments.targets:
        if target not in TARGETS:
            parser.error(f"'{target}' is no target; allowed: {', '.join(TARGETS)}")
    targets = arguments.targets or list(TARGETS)
    # Stopped from outside as by Ctrl-C: the time spent is kept, and no target stays behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    campaign = Campaign(arguments.build.resolve(), anew=arguments.reach)
    if arguments.reach and not arguments.more:
        return check_reach({target: campaign.reach(target) for target in targets})
    start = time.monotonic()
    for target in targets:
        seconds = 7200 if arguments.release else arguments.seconds
        if arguments.more:
            seconds = campaign.of(target)["cpu_seconds"] + arguments.more
        if arguments.minimize:
            campaign.minimize(target, arguments.bytes)
        else:
            campaign.run(target, seconds)
    if arguments.minimize:
        keep_reach(campaign, targets)
        return 0
    campaign.table(targets)
    print(f"{time.monotonic() - start:.0f} s")
    short = arguments.reach and check_reach({target: campaign.of(target)["reached"] for target in targets})
    return 1 if short or any(campaign.crashes(target) for target in targets) else 0


if __name__ == "__main__":
    sys.exit(main())

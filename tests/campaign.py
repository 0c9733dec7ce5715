#!/usr/bin/env python3
"""Runs the campaigns that hold the contract (docs/contract.md) to their full size, in slices.

    tests/campaign.py --work DIR [--jobs N] [--minutes N] [--only ROW,...]     go on
    tests/campaign.py --work DIR --estimate [--only ROW,...]   CPU minutes of each, from short runs
    tests/campaign.py --work DIR --report                      what was run, as Markdown
    tests/campaign.py --work DIR --record                      keep it in tests/record
    tests/campaign.py --list                                   the rows

Under DIR lie a copy of the tree, builds of it, the log of every slice, and DIR/state.json. A slice is
one run with a seed of its own; the next run of this script goes on with the slices that are missing.
A new folder begins with those slices of tests/record that are of the state of the tree.
Ctrl-C, SIGTERM and --minutes end the slices at work, which then do not count (fuzzing and mutation keep
a state of their own and lose nothing).

All slices of a row are of one state of what it tests: src/ and include/, or those modules that its
programs can reach by the table of tests/include_check.py, and the row's own programs, comments aside. Where the tree
has changed since the copy was made, nothing is run: --refresh copies it anew, and sets slices aside
whose row is affected; --frozen goes on with the copy. What was set aside is kept and not counted.

GRAZE_TEST_DATA names real robots and meshes, as in the tests; without it rows that need them are left
out, and the others have fewer robots; slices with and without it do not mix.

Exit status: 0 when nothing is wrong, 1 when a slice found a violation or failed, 2 when the tree
changed, 3 when something does not build.
"""

import argparse
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import campaign_record
import mutation
from campaign_rows import (COST_MOST, MUTANT_MINUTES, NEEDS_DATA, NOT_RUN, ROOT, ROWS, commit_name, fail,
                           program_of, reached, modules_of, state_of)

# ------------------------------------------------------------------------------------ folder and state


class Campaign:
    def __init__(self, work, jobs):
        self.work, self.jobs = work, jobs
        self.tree, self.logs, self.path = work / "tree", work / "logs", work / "state.json"
        self.logs.mkdir(parents=True, exist_ok=True)
        self.guard = open(work / "lock", "w")
        try:
            fcntl.flock(self.guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            fail(f"{work} is at work already")
        self.state = json.loads(self.path.read_text()) if self.path.exists() else {"rows": {}, "aside": []}
        self.lock = threading.Lock()
        self.children, self.stopping, self.until, self.failed = {}, False, None, False
        self.alone = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.stop)

    def save(self):
        beside = self.path.with_suffix(".new")
        beside.write_text(json.dumps(self.state, indent=1, sort_keys=True) + "\n")
        beside.replace(self.path)

    def slices(self, row):
        return self.state["rows"].setdefault(row.name, {"hash": "", "slices": []})["slices"]

    def done(self, row):
        return sum(s["done"] for s in self.slices(row))

    # ---- processes

    def stop(self, *_):
        self.stopping = True
        for child, gently in list(self.children.items()):
            self.end(child, gently)

    @staticmethod
    def end(child, gently):
        """Tells a script that keeps a state to stop, and kills anything else with all it started."""
        try:
            os.kill(child.pid, signal.SIGINT) if gently else os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def run(self, command, log, gently=False, limit=None):
        """Exit status (None: ended from here), CPU seconds with those of its children."""
        with open(log, "wb") as out:
            child = subprocess.Popen(["nice", "-n", "19", *[str(c) for c in command]], stdout=out,
                                     stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                     start_new_session=True, cwd=self.work)
        with self.lock:
            self.children[child] = gently
        if self.stopping:
            self.end(child, gently)
        started, asked = time.monotonic(), None
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            now = time.monotonic()
            late = (self.until and datetime.now() > self.until) or (limit and now - started > limit)
            if (late or self.stopping) and asked is None:
                asked = now
                self.end(child, gently)
            if asked is not None and now - asked > 60:
                self.end(child, False)
            time.sleep(0.1)
        child.returncode = os.waitstatus_to_exitcode(status)
        with self.lock:
            del self.children[child]
        self.end(child, False)  # what it may have left behind
        # A run that came to its end in the same moment says what it found.
        told = asked is not None or self.stopping
        ended = told and (gently or child.returncode == -signal.SIGKILL)
        return None if ended else child.returncode, usage.ru_utime + usage.ru_stime

    # ---- tree and builds

    def take_tree(self, rows):
        mutation.copy_tree(self.tree)
        self.state["tree"] = {"commit": commit_name(), "taken": datetime.now().isoformat(" ", "seconds")}
        for row in rows:
            now, known = state_of(self.tree, row), self.state["rows"].get(row.name)
            if known and known["hash"] != now and known["slices"]:
                self.state["aside"].append({"row": row.name, **known})
                print(f"{row.name}: {len(known['slices'])} slices of another state are set aside")
                if row.kind == "fuzz":  # its crashes are of that state, too
                    aside = self.work / f"build-fuzz/fuzz/crashes-{known['hash']}"
                    for path in aside.with_name("crashes").glob(f"{row.program}-*"):
                        aside.mkdir(exist_ok=True)
                        path.rename(aside / path.name)
            if not known or known["hash"] != now:
                self.state["rows"][row.name] = {"hash": now, "slices": []}
        campaign_record.take(self)
        self.save()

    def changed(self, rows):
        """Rows whose part of the tree is not what the copy has, and whether only the test data differ."""
        pairs = [(r.name, state_of(ROOT, r), self.state["rows"].get(r.name, {}).get("hash", "")) for r in rows]
        names = [name for name, now, then in pairs if now != then]
        return names, all(now.split("-")[0] == then.split("-")[0] for _, now, then in pairs)

    def build(self, kind, targets):
        """The folder of a build of the copy, with these targets made."""
        folder = self.work / f"build-{kind}"
        flags = {"oracle": ["-DCMAKE_BUILD_TYPE=Release", "-DGRAZE_BUILD_TESTS=ON",
                            "-DGRAZE_BUILD_ORACLES=ON"],
                 "cost": ["-DCMAKE_BUILD_TYPE=Release", "-DGRAZE_BUILD_BENCH=ON"],
                 "faults": ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DGRAZE_BUILD_TESTS=ON",
                            "-DGRAZE_SANITIZE=address,undefined"],
                 "fuzz": ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_C_COMPILER=clang",
                          "-DGRAZE_BUILD_FUZZ=ON", "-DGRAZE_BUILD_COMMAND=OFF"]}[kind]
        log = self.logs / f"build-{kind}.txt"
        steps = [["cmake", "-S", self.tree, "-B", folder, "-G", "Ninja", *flags],
                 ["ninja", f"-j{self.jobs}", "-C", folder, *targets]]
        for command in steps:
            status, _ = self.run(command, log)
            if status != 0:
                if self.stopping:
                    sys.exit(130)
                fail(f"{kind} does not build: see {log}")
        return folder

    def prepare(self, rows):
        """Builds all that the rows need."""
        wanted = {}
        for row in rows:
            targets = {"oracle": [program_of(row)], "fuzz": [program_of(row)],
                       "cost": ["graze-bench-exactness"],
                       "faults": ["fault_driver", "graze"]}.get(row.kind)
            if targets:
                wanted.setdefault(row.kind, []).extend(targets)
        for kind, targets in wanted.items():
            print(f"building {kind} ...", flush=True)
            self.build(kind, targets)
        for row in rows:
            self.check_modules(row)

    def program(self, row):
        """Where the built program of an oracle's or a fuzz target's row lies."""
        return self.work / f"build-{row.kind}/tests" / row.kind / program_of(row)

    def check_modules(self, row):
        """A module that a program reaches and its row does not name would change without its slices."""
        if row.kind not in ("oracle", "fuzz"):
            return
        library = self.work / f"build-{row.kind}/libgraze.a"
        more = reached(self.tree, library, self.program(row)) - set(modules_of(row.modules))
        if more:
            fail(f"{row.name} reaches {', '.join(sorted(more))} besides the modules of its row")


# ----------------------------------------------------------------------------------- slices of each kind


def oracle_command(campaign, row, amount, seed):
    return [campaign.program(row), row.option, int(amount), "--seed", seed]


def fault_scenarios(campaign):
    driver = campaign.work / "build-faults/tests/faults/fault_driver"
    shown = subprocess.run([driver, "--list"], capture_output=True, text=True, check=True).stdout
    return [line[:22].rstrip() for line in shown.splitlines()]


def fault_command(campaign, scenario, *more):
    build = campaign.work / "build-faults"
    return [sys.executable, campaign.tree / "tests/faults/faults.py", "--driver", build / "tests/faults/fault_driver",
            "--graze", build / "graze", *more, "--only", scenario]


def fuzz_seconds(campaign, target):
    path = campaign.work / f"build-fuzz/fuzz/state/{target}.json"
    return json.loads(path.read_text())["cpu_seconds"] if path.exists() else 0


def count_done(row, text, asked):
    if row.done is None:
        return asked
    found = re.findall(row.done, text, re.M)
    return sum(int(n) for n in found)


def violations_of(row, status, text):
    """How many, where the run says it; at least one where its status does."""
    if row.kind == "cost":
        costs = [float(n) for n in re.findall(r"^[a-z]+, [a-z]+ +[\d.]+ +[\d.]+ +([-+][\d.]+) %", text, re.M)]
        return sum(c > COST_MOST for c in costs) + (len(costs) != 4)
    said = [int(n) for n in re.findall(r"(\d+) violations", text)]
    return max(sum(said), 1) if status != 0 else sum(said)


def open_slices(campaign, row, scale):
    """What is still to be run of a row, as (key, amount); keys are seeds, scenarios or targets."""
    known = campaign.slices(row)
    if row.kind == "oracle":
        # An oracle may do a little more or less than it was asked for: it goes on until enough is done.
        seed = max((s["key"] for s in known), default=0)
        left = row.wanted * scale - campaign.done(row)
        if left <= 0:
            return []
        ratio = campaign.done(row) / sum(s["asked"] for s in known) if known else None
        asks = left / ratio if ratio else left if row.done is None or row.name == "pairs" else row.amount
        count = max(1, min(10000, int(-(-asks // row.amount))))
        return [(seed + 1 + i, row.amount if scale == 1 else row.short) for i in range(count)]
    if row.kind == "fuzz":
        left = row.wanted * scale - campaign.done(row)
        return [(row.program, min(row.amount, left))] if left > 0.02 else []
    if row.kind == "faults":
        have = {s["key"] for s in known}
        return [(name, 1) for name in fault_scenarios(campaign) if name not in have]
    if row.kind == "mutation":
        return [("all", row.wanted)] if campaign.done(row) < row.wanted * scale else []
    return [("all", 1)] if not known else []


def words_of(campaign, command):
    """A command as it is reported: DIR is the work folder, and no other folder of this machine is named."""
    data = os.environ.get("GRAZE_TEST_DATA")
    words = ["$GRAZE_TEST_DATA" if data and str(c) == data else
             str(c).replace(str(campaign.tree) + "/", "").replace(str(campaign.work), "DIR") for c in command]
    words = words[1:] if words[0] == sys.executable else words
    return " ".join(f"'{w}'" if " " in w else w for w in words)


def run_slice(campaign, row, key, amount):
    """Runs one slice; returns its record, or None where it was cut off and counts nothing."""
    log = campaign.logs / f"{row.name}-{re.sub('[^a-zA-Z0-9]+', '_', str(key))}.txt"
    gently = row.kind in ("fuzz", "mutation")
    before = 0
    if row.kind == "oracle":
        command = oracle_command(campaign, row, amount, key)
    elif row.kind == "faults":
        command = fault_command(campaign, key, "--all")
    elif row.kind == "fuzz":
        before = fuzz_seconds(campaign, key)
        command = [sys.executable, campaign.tree / "tests/fuzz/fuzz.py", "--build",
                   campaign.work / "build-fuzz", "--more", max(1, int(amount * 60)), key]
    elif row.kind == "mutation":
        folder = campaign.work / ("mutation-" + campaign.state["rows"][row.name]["hash"])
        command = [sys.executable, campaign.tree / "tests/mutation.py", "--work", folder,
                   "--jobs", campaign.jobs if campaign.alone else 1]
    else:
        command = [campaign.work / "build-cost/bench/graze-bench-exactness", os.environ["GRAZE_TEST_DATA"]]
    status, seconds = campaign.run(command, log, gently)
    text = log.read_text(errors="replace")
    done, wrong = count_done(row, text, amount), 0
    if row.kind == "fuzz":
        done = (fuzz_seconds(campaign, key) - before) / 60
    elif row.kind == "mutation":
        state = json.loads((folder / "state.json").read_text()) if (folder / "state.json").exists() else {}
        now = sum(m["verdict"] in ("killed", "survived") for m in state.get("mutants", {}).values())
        done = now - campaign.done(row)
    elif status is None:
        return None
    if status in NOT_RUN:
        print(f"{row.name} {key} did not run: status {status}, see {log}", flush=True)
        campaign.failed = True
        return None
    if status is not None:
        wrong = violations_of(row, status, text)
    return {"key": key, "asked": amount, "done": done, "violations": wrong, "status": status,
            "cpu_seconds": round(seconds, 1), "command": words_of(campaign, command), "log": log.name,
            "commit": campaign.state["tree"]["commit"], "hash": campaign.state["rows"][row.name]["hash"],
            "ended": datetime.now().isoformat(" ", "seconds")}


def work(campaign, rows, scale):
    """One slice after the other, of the row that is least far; until all is done or time is up."""
    busy, tried = set(), set()
    campaign.alone = len(rows) == 1  # a row that keeps one state may then have all processes

    def take():
        with campaign.lock:
            for row in sorted(rows, key=lambda r: campaign.done(r) / r.wanted):
                # Mutation keeps one state; times want no company of their own kind.
                alone = row.kind in ("mutation", "cost")
                if alone and any(name == row.name for name, _ in busy):
                    continue
                for key, amount in open_slices(campaign, row, scale):
                    if (row.name, key) in busy or (row.name, key) in tried:
                        continue
                    # Not begun where it would be cut off; what keeps a state may be.
                    rate = [s["cpu_seconds"] / s["asked"] for s in campaign.slices(row) if s["asked"]]
                    if campaign.until and rate and row.kind in ("oracle", "faults", "cost"):
                        seconds = 1.5 * max(rate) * amount
                        if datetime.now() + timedelta(seconds=seconds) > campaign.until:
                            continue
                    busy.add((row.name, key))
                    return row, key, amount
        return None

    def loop():
        while not campaign.stopping and not (campaign.until and datetime.now() > campaign.until):
            taken = take()
            if not taken:
                with campaign.lock:
                    idle = not busy
                if idle:
                    return
                time.sleep(1)
                continue
            row, key, amount = taken
            record = run_slice(campaign, row, key, amount)
            with campaign.lock:
                busy.discard((row.name, key))
                if record is None or record["done"] <= 0:
                    tried.add((row.name, key))
                if record and (record["done"] > 0 or record["violations"]):
                    campaign.slices(row).append(record)
                    campaign.save()
                    wrong = f", {record['violations']} VIOLATIONS" if record["violations"] else ""
                    print(f"{row.name} {key}: {record['done']:g} {row.unit}, {record['cpu_seconds']:.0f} CPU"
                          f" s{wrong}; {campaign.done(row):g} of {row.wanted * scale:g}", flush=True)

    threads = [threading.Thread(target=loop) for _ in range(campaign.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(0.2)  # signals are handled here


# -------------------------------------------------------------------------------- reports and estimates


def scaled(number):
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:.1f}"


def report(campaign, rows):
    tree = campaign.state.get("tree", {})
    print(f"Copy of {tree.get('commit', 'nothing')}, taken {tree.get('taken', '-')}.\n")
    print("| row | done of wanted | violations | CPU min | slices | state | command of a slice |")
    print("|---|---|---|---|---|---|---|")
    wrong = 0
    for row in rows:
        slices = campaign.slices(row)
        bad = sum(s["violations"] for s in slices)
        wrong += bad
        minutes = sum(s["cpu_seconds"] for s in slices) / 60
        states = sorted({f"{s['commit']}, {s['hash'][:8]}" for s in slices}) or ["-"]
        command = f"`{slices[-1]['command']}`" if slices else "-"
        print(f"| {row.title} | {scaled(campaign.done(row))} of {scaled(row.wanted)} {row.unit} | {bad} |"
              f" {minutes:.0f} | {len(slices)} | {'; '.join(states)} | {command} |")
    print("\nSlices of one row differ in their seed, target or scenario. State: the commit, and the hash of"
          "\nwhat the row tests.")
    for row in rows:
        for s in campaign.slices(row):
            if s["violations"]:
                print(f"\n{row.name} {s['key']}: {s['violations']} violations, see logs/{s['log']}:"
                      f" `{s['command']}`")
    aside = sum(len(entry["slices"]) for entry in campaign.state["aside"])
    if aside:
        print(f"\n{aside} slices of other states are set aside in state.json.")
    return wrong


def estimate(campaign, rows):
    """Two short runs of each oracle tell what the start costs, and what a unit does."""
    print(f"{'row':14} {'full size':>28} {'CPU s short':>12} {'CPU min full':>13}")
    for row in rows:
        if campaign.stopping:
            return
        statuses = []

        def measured(command, log):
            status, seconds = campaign.run(command, log)
            statuses.append(status)
            return seconds

        size = f"{scaled(row.wanted)} {row.unit}"
        if row.kind == "fuzz":
            print(f"{row.name:14} {size:>28} {'-':>12} {row.wanted:13.0f}")
            continue
        if row.kind == "mutation":
            print(f"{row.name:14} {size:>28} {'-':>12} {MUTANT_MINUTES * row.wanted:13.0f}  (about a minute"
                  " each)")
            continue
        log, points = campaign.logs / f"estimate-{row.name}.txt", []
        if row.kind == "oracle":
            for amount in (row.short / 4, row.short):
                seconds = measured(oracle_command(campaign, row, amount, 1), log)
                points.append((count_done(row, log.read_text(errors="replace"), amount), seconds))
        elif row.kind == "faults":
            names = fault_scenarios(campaign)
            sample = names[:2]
            seconds = sum(measured(fault_command(campaign, n, "--all"), log) for n in sample)
            points = [(0, 0), (len(sample), seconds)]
        else:
            seconds = measured([campaign.work / "build-cost/bench/graze-bench-exactness",
                                os.environ["GRAZE_TEST_DATA"], "--rounds", 1], log)
            points = [(0, 0), (1 / 9, seconds)]
        (few, start), (many, end) = points
        if campaign.stopping or many <= few or any(s not in (0, 1) for s in statuses):
            print(f"{row.name:14} {size:>28} no result: see {log}")
            continue
        rate = max(end - start, 0) / (many - few)
        slices = row.wanted / (many / row.short * row.amount) if row.kind == "oracle" else 0
        fixed = max(start - rate * few, 0)
        print(f"{row.name:14} {size:>28} {end:12.1f} {(row.wanted * rate + slices * fixed) / 60:13.1f}",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, metavar="DIR", help="folder for the copy, builds, logs and state")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes at a time (default 2)")
    parser.add_argument("--minutes", type=float, metavar="N", help="stop after so many minutes")
    parser.add_argument("--only", metavar="ROW,...", help="some rows; fuzz: those of all targets")
    parser.add_argument("--scale", type=float, default=1, metavar="X",
                        help="part of the full size, in short slices: to try the script")
    parser.add_argument("--refresh", action="store_true", help="copy the tree anew")
    parser.add_argument("--frozen", action="store_true", help="go on with the copy, whatever the tree is now")
    parser.add_argument("--estimate", action="store_true", help="CPU minutes of each row, from short runs")
    parser.add_argument("--report", action="store_true", help="print the table, run nothing")
    parser.add_argument("--record", action="store_true", help="keep what was run in tests/record, run nothing")
    parser.add_argument("--list", action="store_true", help="print the rows")
    o = parser.parse_args()
    names = o.only.split(",") if o.only else [r.name for r in ROWS]
    if "fuzz" in names:
        names += [r.name for r in ROWS if r.kind == "fuzz"]
        names.remove("fuzz")
    for name in names:
        if name not in {r.name for r in ROWS}:
            parser.error(f"'{name}' is no row; allowed: {', '.join(r.name for r in ROWS)}")
    rows = [r for r in ROWS if r.name in names]
    if o.list:
        for row in rows:
            print(f"{row.name:14} {scaled(row.wanted):>12} {row.unit:22} {row.title}")
        return 0
    if not o.work:
        parser.error("--work DIR is needed")
    if o.jobs < 1 or not 0 < o.scale <= 1 or (o.minutes is not None and o.minutes <= 0):
        parser.error("--jobs is at least 1, --minutes above 0, --scale in (0, 1]")
    campaign = Campaign(o.work.resolve(), o.jobs)
    if o.record:
        campaign_record.write(campaign)
        return 0
    if o.report:
        return 1 if report(campaign, rows) else 0
    if not os.environ.get("GRAZE_TEST_DATA"):
        left_out = [r.name for r in rows if r.name in NEEDS_DATA]
        rows = [r for r in rows if r.name not in NEEDS_DATA]
        if left_out:
            print(f"GRAZE_TEST_DATA is not set; left out: {', '.join(left_out)}")
    fresh = o.refresh or "tree" not in campaign.state
    if fresh:
        campaign.take_tree(ROWS)
    stale, only_data = ([], False) if fresh else campaign.changed(rows)
    if stale and only_data:
        fail("the copy was made with GRAZE_TEST_DATA set, or without; these must not mix. --refresh begins"
             " anew.", 2)
    if stale and not o.frozen:
        fail(f"the tree differs from the copy of {campaign.state['tree']['commit']} in what these rows test:"
             f" {', '.join(stale)}. --refresh takes the tree as it is, --frozen goes on with the copy.", 2)
    if o.minutes:
        campaign.until = datetime.now() + timedelta(minutes=o.minutes)
    campaign.prepare(rows)
    if o.estimate:
        estimate(campaign, rows)
        return 0
    work(campaign, rows, o.scale)
    wrong = sum(s["violations"] for r in rows for s in campaign.slices(r))
    left = [r.name for r in rows if open_slices(campaign, r, o.scale)]
    if left:
        print(f"not finished: {', '.join(left)}; the same command goes on")
    return 1 if wrong or campaign.failed else 0


if __name__ == "__main__":
    sys.exit(main())

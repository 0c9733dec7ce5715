#!/usr/bin/env python3
"""Sends signals to the command while it works and writes: nothing unfinished stays behind, whoever reads a
file finds it whole, and the exit status is one that docs/cli.md names.

    tests/cli/signals.py --graze build/graze [--moments 5]
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests/cli/data"
SIGNALS = ["HUP", "INT", "QUIT", "ALRM", "TERM", "USR1", "USR2", "XCPU", "XFSZ", "PIPE", "VTALRM", "KILL"]
HARMLESS = ["XFSZ", "PIPE"]  # the writes fail that they announce, and these are none
UNFINISHED = ".graze-unfinished-"

# Commands that work for longer than the last moment, unless a signal ends them; `check` waits for more rows.
ENDLESS = ["--time", "60", "--iterations", "18446744073709551615"]
COMMANDS = [
    ["check", "gantry.urdf", "--configs", "-", "--format", "csv", "-o", "out.csv"],
    ["check", "gantry.urdf", "--configs", "-", "--dump", "out.dump", "--all", "-o", "out.txt"],
    ["plan", "gantry.urdf", "--goal", "travel=2.6,turn=1.57", "--world", "room.json", *ENDLESS, "-o", "out.csv"],
    ["cspace", "gantry.urdf", "--joints", "lift,turn", "--size", "8192x8192", "--picture", "out.png"],
    ["srdf", str(ROOT / "urdf/heron.urdf"), "--samples", "1000000000", "-o", "out.srdf"],
]


def start(graze, command, folder, ignored=None):
    """Starts a command with every signal at its default, whatever this test was started with, but one."""
    def set_signals():
        for name in SIGNALS[:-1]:
            number = getattr(signal, "SIG" + name)
            signal.signal(number, signal.SIG_IGN if number == ignored else signal.SIG_DFL)
    child = subprocess.Popen([graze, *command, "--quiet"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, preexec_fn=set_signals)
    if "-" in command:
        child.stdin.write((DATA / "three.csv").read_bytes())
        child.stdin.flush()
    return child


def unfinished(folder):
    return [name for name in os.listdir(folder) if name.startswith(UNFINISHED)]


def outputs(folder):
    return [name for name in os.listdir(folder) if name.startswith("out.")]


def finish(child):
    """Ends its input and waits; what it said."""
    _, said = child.communicate(timeout=60)
    return said.decode(errors="replace")


def one_end(graze, command, name, moment):
    """What is wrong after that signal at that moment; None if nothing is."""
    number = getattr(signal, "SIG" + name)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(DATA, folder, dirs_exist_ok=True)
        child = start(graze, command, folder)
        # Before main() a program cannot ignore anything.
        time.sleep(max(moment, 0.5 if name in HARMLESS else 0))
        child.send_signal(number)
        if name in HARMLESS:
            time.sleep(0.02)
            if child.poll() is not None:
                return f"ended with {child.returncode}"
            child.terminate()
        said = finish(child)
        ended = [-number, 128 + number] + ([-signal.SIGTERM, 128 + signal.SIGTERM] if name in HARMLESS else [])
        if child.returncode not in ended:
            return f"exit status {child.returncode}: {said}"
        if outputs(folder):
            return f"left {outputs(folder)}"
        if name != "KILL" and unfinished(folder):
            return f"left {unfinished(folder)}"
        # What no program can remove in its end, the next one does that writes there.
        subprocess.run([graze, "check", "gantry.urdf", "-o", "next.txt", "--quiet"], cwd=folder, check=True)
        return f"the next run left {unfinished(folder)}" if unfinished(folder) else None


def wait_for_unfinished(folder):
    for _ in range(1000):
        if unfinished(folder):
            return
        time.sleep(0.01)
    raise AssertionError("no output was begun")


def check_living(graze):
    """What another run is writing, and what only looks like it, stays."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(DATA, folder, dirs_exist_ok=True)
        (Path(folder) / ".graze-unfinished").write_text("a user's own")
        os.mkfifo(Path(folder) / (UNFINISHED + "pipe"))
        child = start(graze, COMMANDS[0], folder)
        while len(unfinished(folder)) < 2:
            time.sleep(0.01)
        subprocess.run([graze, "check", "gantry.urdf", "-o", "other.txt", "--quiet"], cwd=folder, check=True)
        assert len(unfinished(folder)) == 2, "another run removed what is being written"
        said = finish(child)
        assert child.returncode in (0, 1), said
        assert outputs(folder) == ["out.csv"] and (Path(folder) / ".graze-unfinished").exists()
        assert unfinished(folder) == [UNFINISHED + "pipe"], unfinished(folder)


def check_ignored(graze):
    """A signal that the command is started to ignore, as by nohup, stays ignored."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(DATA, folder, dirs_exist_ok=True)
        for number in signal.SIGHUP, signal.SIGINT, signal.SIGUSR1:
            child = start(graze, COMMANDS[0], folder, ignored=number)
            wait_for_unfinished(folder)
            child.send_signal(number)
            said = finish(child)
            assert child.returncode in (0, 1), f"{number} ended what ignores it: {said}"


def check_names(graze):
    """Names of any length that the system takes can be written."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(DATA, folder, dirs_exist_ok=True)
        run = lambda name: subprocess.run([graze, "check", "gantry.urdf", "-o", name, "--quiet"], cwd=folder,
                                          capture_output=True, text=True)
        assert run("n" * 255).returncode == 0 and (Path(folder) / ("n" * 255)).read_text() == "free\n"
        longer = run("n" * 256)
        assert longer.returncode == 3 and "File name too long" in longer.stderr, longer.stderr
        assert not unfinished(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graze", required=True)
    parser.add_argument("--moments", type=int, default=1, help="per signal and command")
    arguments = parser.parse_args()
    graze = os.path.abspath(arguments.graze)
    check_living(graze)
    check_ignored(graze)
    check_names(graze)
    wrong = runs = 0
    for k, command in enumerate(COMMANDS):
        for i, name in enumerate(SIGNALS):
            for m in range(arguments.moments):
                # Other moments for each, from before the output is begun to well behind it.
                moment = 0.003 * (1 + (7 * k + 5 * i + 11 * m) % 24)
                found = one_end(graze, command, name, moment)
                runs += 1
                if found:
                    wrong += 1
                    print(f"{name} after {moment:.3f} s of graze {' '.join(command)}: {found}")
    print(f"{runs} ends of {len(COMMANDS)} commands by {len(SIGNALS)} signals: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Makes the pictures of README.md and docs/ anew, by the commands that stand beside them or, of some, here.

    tools/make_pictures.py [--measured] BUILD_FOLDER [NAME...]

BUILD_FOLDER has graze; of one built with -DGRAZE_BUILD_WEB=ON the page is drawn, too, with Chromium. NAME: only these, as
view.png. Pictures of times, which need minutes of a quiet machine and a build with -DGRAZE_BUILD_BENCH=ON, are made with
--measured alone. What was not made is named at the end, with its command, and stays as it is.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs/pictures"
sys.path.insert(0, str(ROOT / "tests"))
import readme_check  # noqa: E402

# Those that no page shows the command of; {build} is the build folder, {out} the picture.
LETTER = ("{build}/graze planar cspace --count 9 --radii 0.08,0.18 --seed 6 --body -0.15,-0.12,-0.09,-0.12,-0.055,-0.03,0.055,-0.03,"
          "0.09,-0.12,0.15,-0.12,0.04,0.18,-0.04,0.18/-0.035,0.02,0.035,0.02,0,0.11 --picture {out} --heading ")
BESIDE = {
    "peers.svg": "tools/benchmark_plot.py bench/baselines/fetch.csv -o {out}",  # figures that were measured before
    "planar-letter-0.svg": LETTER + "0",
    "planar-letter-90.svg": LETTER + "90",
    "planar-trajectory.svg": "{build}/examples/planar_arm {out}",
    "view.png": "node tools/make_view_picture.mjs {build}",
}
# Those that show times: they are measured anew on request alone, which takes minutes of a quiet machine.
MEASURED = {
    "planar-bench.svg": "{build}/bench/graze-bench-planar-polygons --repeats 15 --picture {out}",
    "growth.svg": "{build}/bench/graze-bench-growth --csv {build}/growth.csv && tools/growth_plot.py {build}/growth.csv -o {out}",
}
# The lines of a command in a page that is indented by four blanks.
INDENTED = re.compile(r"^    (graze (?:.*\\\n)*.*)$", re.M)


def scratch_of(folder, graze):
    """A folder that holds what the commands of the pages find in a clone."""
    for name in ("urdf", "meshes", "worlds", "examples", "tests", "package.xml"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("build", "docs/pictures", "bin"):
        (folder / name).mkdir(parents=True)
    for name in ("build/graze", "bin/graze"):
        (folder / name).symlink_to(graze)


def commands_of(page):
    """The scripts of a page that draw something."""
    text = page.read_text()
    for language, block in readme_check.FENCE.findall(text):
        if language == "console" and "--picture" in block:
            yield "\n".join(command for command, _ in readme_check.parse(block))
    for command in INDENTED.findall(text):
        if "docs/pictures" in command:
            yield command


def take(folder, wanted):
    """Moves what has been drawn to where it is shown; the names."""
    taken = set()
    for path in [*folder.glob("*.svg"), *folder.glob("*.png"), *(folder / "docs/pictures").iterdir()]:
        if path.name in wanted:
            shutil.copyfile(path, PICTURES / path.name)
            taken.add(path.name)
    return taken


def draw_pages(graze, wanted):
    made = set()
    for page in readme_check.pages():
        shown = {name for name in wanted if name in page.read_text()}
        scripts = list(commands_of(page)) if shown else []
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            scratch_of(folder, graze)
            for script in scripts:
                subprocess.run(["bash", "-c", f"PATH={folder}/bin:$PATH\n{script}"], cwd=folder, stdout=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, check=False)
            if page.name == "python-example.md" and shown:
                subprocess.run([sys.executable, "-c", "import doctest, sys; doctest.run_docstring_examples(sys.stdin.read(), {})"],
                               input=page.read_text().replace("\n```", "\n\n"), text=True, cwd=folder, check=False, stdout=subprocess.DEVNULL)
            made |= take(folder, shown)
    return made


def draw_beside(build, commands, wanted):
    """Runs the commands of those that are wanted; the names of what they have made."""
    made = set()
    for name in sorted(wanted & commands.keys()):
        with tempfile.TemporaryDirectory() as scratch:
            out = PICTURES / name if name == "view.png" else Path(scratch) / name
            done = subprocess.run(["bash", "-c", commands[name].format(build=build, out=out)], cwd=ROOT, stdout=subprocess.DEVNULL)
            if done.returncode != 0 or not out.exists():
                continue
            if out.parent != PICTURES:
                shutil.copyfile(out, PICTURES / name)
            made.add(name)
    return made


def main():
    measured = "--measured" in sys.argv
    arguments = [word for word in sys.argv[1:] if word != "--measured"]
    if not arguments:
        sys.exit(__doc__)
    build = Path(arguments[0]).resolve()
    if not (build / "graze").exists():
        sys.exit(f"{build}/graze: not there; build it first")
    there = {path.name for path in PICTURES.iterdir()}
    wanted = set(arguments[1:]) or there
    if wanted - there:
        sys.exit(f"no picture of docs/pictures is called {', '.join(sorted(wanted - there))}")
    made = draw_beside(build, BESIDE | MEASURED if measured else BESIDE, wanted)
    made |= draw_pages(build / "graze", wanted - made)
    print(f"made: {', '.join(sorted(made)) or 'none'}")
    for name in sorted(wanted - made):
        print(f"not made: {name}" + (f": {MEASURED[name].format(build=arguments[0], out='docs/pictures/' + name)}" if name in MEASURED else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Makes the pictures of README.md and docs/ anew, by the commands that stand beside them.

    tools/make_pictures.py BUILD_FOLDER [NAME...]

BUILD_FOLDER has graze; of one built with -DGRAZE_BUILD_WEB=ON the page is drawn, too, with Chromium. NAME: only these, as
view.png. What no command stands beside, or what needs a run of a benchmark, is named at the end and stays as it is.
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

# From figures that were measured before.
DRAWN = {"peers.svg": ["tools/benchmark_plot.py", "bench/baselines/fetch.csv", "-o"]}
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


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = Path(sys.argv[1]).resolve()
    if not (build / "graze").exists():
        sys.exit(f"{build}/graze: not there; build it first")
    there = {path.name for path in PICTURES.iterdir()}
    wanted = set(sys.argv[2:]) or there
    if wanted - there:
        sys.exit(f"no picture of docs/pictures is called {', '.join(sorted(wanted - there))}")
    made = draw_pages(build / "graze", wanted)
    for name in wanted & DRAWN.keys():
        subprocess.run([sys.executable, *DRAWN[name], PICTURES / name], cwd=ROOT, check=True)
        made.add(name)
    if "view.png" in wanted and (build / "web/npm").exists():
        subprocess.run(["node", ROOT / "tools/make_view_picture.mjs", build], check=True)
        made.add("view.png")
    print(f"made: {', '.join(sorted(made)) or 'none'}")
    if wanted - made:
        print(f"not made: {', '.join(sorted(wanted - made))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

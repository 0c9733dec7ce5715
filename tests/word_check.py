#!/usr/bin/env python3
"""Fails on words that were graze's own for things that the field has names for.

The first table lists words that no text of the repository uses, the second words that no identifier has as a part
of its name (split at underscores), the third patterns of file names. Each row says what to write instead.
Exceptions stand below the tables with their reasons.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# In comments, documents, messages and code.
TEXT = {
    r"sketch(es|ed)?": "mesh proxy, prefilter",
    r"lids?": "cap",
    r"settl(e|es|ed|ing)": "decide",
    r"mend(s|ed|ing)?": "fix, repair, correct",
    r"placings?": "affine transform",
    r"house": "project",
    r"arrows?": "dependency",
    r"doors?": "make target",
    r"rooms?(?! for\b)": "module",
    r"stations?": "joint frame",
    r"drift(s|ed|ing)?": "accumulated error; nonperiodic joint",
    r"believ(e|es|ed|ing)": "trust, accept",
    r"survivors?": "candidate",
    r"vicinit(y|ies)": "neighbourhood, nodes near the robot",
}
# As a part of an identifier: gz_NAME_..., a function, a field, a variable.
NAMES = {
    "sketch": "proxy", "sketches": "proxies", "lid": "cap", "settle": "decide", "mend": "fix", "placing": "affine",
    "part": "component", "parts": "components, internal", "reach": "threshold, tolerance, radius, max_abs, motion_rate",
    "course": "trajectory", "station": "joint_frame", "still": "static", "judge": "evaluate, test", "tell": "report",
    "ask": "query", "hang": "transform", "offer": "update", "survivor": "candidate", "survivors": "candidates",
    "meet": "overlap", "meets": "overlaps", "probe": "sample_point", "probes": "sample_points", "core": "inner_ball",
    "cores": "inner_balls", "cover": "bounding_spheres", "masked": "acm_hidden", "look": "test", "drift": "nonperiodic",
}
FILES = {r"_body\.h$": ".inl", r"/(lane|single)_[a-z_]*\.(c|h|inl)$": "batch_filter, query_filter",
         r"_parts\.h$": "_internal.h", r"/(sketch|lid|mend|placing|station|course)[a-z_]*\.": "see above"}

# (what, where, why): a word or part of a name that is allowed in files that match.
EXCEPTIONS = [
    ("survivor", r"^tests/(mutation|campaign|README)|^CONTRIBUTING|^docs/(contract|faults)", "mutants that live, in mutation testing"),
    ("part", r"^tests/oracle/planar_smooth", "field of graze_planar_constraint, public"),
    ("survivors", r"^tests/(mutation|README)", "mutants that live, in mutation testing"),
    ("survivor", r"^tests/gate_check", "mutants that live, in mutation testing"),
    ("parts?", r"^src/(cli/)?planar/|^tests/unit/planar/|^tests/oracle/planar_arms|^tests/fuzz/fuzz_planar",
     "convex part, of convex decomposition; fields of graze_planar_constraint"),
    ("GRAZE_PLANAR_MEETS_(DISK|CIRCLE)", r"^(src|tests)/", "public: include/graze/planar_smooth.h"),
    ("RLIMIT_CORE", r"^tests/unit/load/", "POSIX"),
    ("arrows?", r"^src/(picture|cli/planar)/", "drawn: a vector in a picture"),
    ("room", r"^tests/(cli|faults)/", "tests/cli/data/room.json, a room with walls"),
    ("doors?", r"^docs/worlds|^tests/unit/load/test_world_urdf", "a link of a cabinet"),
    ("RLIMIT_CORE", r"^src/import/confinement", "the limit's name in POSIX"),
    ("parts?|reach|graze_planar_\\w+|GRAZE_PLANAR_\\w+", r"^include/graze/planar_", "names that programs use"),
]

PLACES = ["src", "include", "docs", "tests", "bench", "web", "README.md", "CONTRIBUTING.md"]
ENDINGS = {".c", ".h", ".inl", ".cpp", ".hpp", ".md", ".py", ".sh", ".1", ".txt", ".cmake", ".bash", ".js", ".mjs", ".ts", ".html"}
LEFT_OUT = re.compile(r"^tests/(word_check\.py|bad/|record/|cli/data/|fuzz/(corpus|dictionaries)/|mutation_survivors)")
CODE = {".c", ".h", ".inl", ".cpp", ".hpp"}
NAME = re.compile(r"\b[a-zA-Z_][a-zA-Z0-9_]*\b")
STRINGS_AND_COMMENTS = re.compile(r"//.*|\"(?:[^\"\\]|\\.)*\"")


def files():
    for place in PLACES:
        path = ROOT / place
        for file in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file()):
            name = str(file.relative_to(ROOT))
            if file.suffix in ENDINGS and not LEFT_OUT.match(name):
                yield name, file


def allowed(word, name):
    return any(re.fullmatch(what, word, re.I) and re.search(where, name) for what, where, _ in EXCEPTIONS)


def check(name, file):
    faults = [f"{name}: a file of this name is {instead} now" for pattern, instead in FILES.items()
              if re.search(pattern, "/" + name)]
    for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
        for match in ANY_TEXT.finditer(line):
            word = match[0].lower()
            if not allowed(word, name):
                instead = next(v for k, v in TEXT.items() if re.match(rf"(?:{k})$", word) or re.match(rf"(?:{k})", word))
                faults.append(f"{name}:{number}: '{match[0]}': say {instead}")
        if file.suffix in CODE:
            for identifier in NAME.findall(STRINGS_AND_COMMENTS.sub("", line)):
                for word in identifier.lower().split("_"):
                    if word in NAMES and not allowed(word, name) and not allowed(identifier, name):
                        faults.append(f"{name}:{number}: {identifier}: '{word}': say {NAMES[word]}")
    return faults


ANY_TEXT = re.compile(rf"\b(?:{'|'.join(TEXT)})\b", re.I)


def main():
    faults, count = [], 0
    for name, file in files():
        faults += check(name, file)
        count += 1
    print("\n".join(faults) if faults else f"{count} files, none with a word that the field has a better one for")
    if faults:
        print(f"{len(faults)} places", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Each exported function has a comment of its own that says what a caller must know.

Purpose, threads, allocation and cost; errors where it returns a status; who frees what it makes; every parameter that it
names by @param exists. Prints what is missing, one line each, and how many functions there are.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = os.path.join(ROOT, "include", "graze")


def functions(text):
    """Yields (line, declaration, comment) of each exported function."""
    lines = text.split("\n")
    for start, line in enumerate(lines):
        if not re.match(r"\s*(GRAZE_API\b|static inline\b)", line):
            continue
        end = start
        while ";" not in lines[end] and "{" not in lines[end]:
            end += 1
        declaration = " ".join(part.strip() for part in lines[start:end + 1])
        comment, above = [], start - 1
        while above >= 0 and lines[above].strip().startswith("///"):
            comment.insert(0, lines[above].strip()[3:].strip())
            above -= 1
        if "(" in declaration:
            yield start + 1, declaration, " ".join(comment)


def missing(declaration, comment):
    """What the comment of a declaration does not say."""
    if not comment:
        return ["a comment of its own"]
    found = []
    if "thread" not in comment:
        found.append("threads")
    if not re.search(r"[Aa]llocat|alloc", comment):
        found.append("allocation")
    if not re.search(r"Cost|O\(", comment):
        found.append("cost")
    name = re.search(r"(\w+)\s*\(", declaration).group(1)
    arguments = declaration[declaration.index("(") + 1:declaration.rindex(")")]
    if declaration.startswith("GRAZE_API graze_status") and "GRAZE_ERROR" not in comment \
            and "@return" not in comment:
        found.append("errors")
    if re.search(r"\*\*\w+", arguments) and "const char **" not in arguments \
            and not re.search(r"free|close|graze_\w+_free", comment):
        found.append("who frees")
    for group in re.findall(r"@param\s+([\w,.\[\]]+)", comment):
        for parameter in group.split(","):
            if not re.search(r"\b%s\b" % re.escape(parameter), arguments):
                found.append(f"@param {parameter} is no parameter of {name}")
    return found


def main():
    count, bad = 0, 0
    only = sys.argv[1:]
    for name in sorted(os.listdir(INCLUDE)):
        if only and name not in only:
            continue
        with open(os.path.join(INCLUDE, name), encoding="utf-8") as file:
            for line, declaration, comment in functions(file.read()):
                count += 1
                lacks = missing(declaration, comment)
                bad += bool(lacks)
                if lacks:
                    function = re.search(r"(\w+)\s*\(", declaration).group(1)
                    print(f"include/graze/{name}:{line}: {function}: {', '.join(lacks)}")
    print(f"{count} functions, {count - bad} documented")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

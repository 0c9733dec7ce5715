#!/usr/bin/env python3
"""Fails when an #include goes against the allowed dependencies between the modules (docs/architecture.md), and when
a module opens files or allocates though that is not its business.

The dependencies, and who may use which outside library, are the tables below: this file is their only
place, the document refers here.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Module -> modules whose headers it may include, besides its own and the public ones it implements.
MODULES = {
    "base": set(),
    "math": {"base"},
    "mesh": {"base", "math"},
    "robot": {"base", "math", "mesh"},
    "world": {"base", "math", "mesh"},
    "kinematics": {"base", "math", "mesh", "robot"},
    "broad": {"base", "math", "mesh", "robot", "world"},
    "narrow": {"base", "math", "mesh"},
    "check": {"base", "math", "mesh", "robot", "world", "kinematics", "broad", "narrow"},
    "cspace": {"base", "math", "mesh", "robot", "kinematics", "narrow", "check"},
    "distance": {"base", "math", "mesh", "robot", "world", "kinematics", "broad", "narrow", "check"},
    "motion": {"base", "math", "mesh", "robot", "world", "kinematics", "broad", "narrow", "check"},
    "matrix": {"base", "math", "mesh", "robot", "world", "kinematics", "broad", "narrow", "check", "distance", "load"},
    "load": {"base", "math", "mesh", "robot", "world"},
    "compile": {"base", "math", "mesh", "robot", "world"},
    "import": {"base", "mesh", "load"},
    "plan": {"base", "math", "kinematics"},
    "planar": {"base", "math"},
    "lint": {"base", "math", "mesh", "robot", "kinematics", "narrow", "load"},
    "cli": {"base", "picture", "verify"},
    "picture": {"base"},
    "verify": set(),
}

# Outside headers that only some modules may see.
OUTSIDE = {
    r"assimp/": {"import"},
    r"expat\.h|jansson\.h|yaml\.h": {"load"},
    r"png\.h": {"picture"},
    r"zlib\.h|microhttpd\.h": {"cli"},
    r"xxhash\.h": {"compile"},
    r"gmp\.h": {"verify"},
    r"pthread\.h": {"base", "import"},
    r"cglm/|graze/cglm\.h": {"picture"},
}

# Calls that open files: the loader, and the command's own input and output.
FILES = re.compile(r"\b(fopen|freopen|popen|open|openat|creat|opendir|fdopen|mkstemp|l?stat)\s*\(")
FILE_MODULES = {"load", "cli", "picture"}
FILE_FILES = {"src/base/platform.c"}

# Extensions of the C library are for the platform's own file, and for the process that is Linux's alone; the compiler
# is told the same (_XOPEN_SOURCE in cmake/graze_compiler.cmake).
EXTENSIONS = re.compile(r"\b_(GNU|DEFAULT|BSD)_SOURCE\b|#\s*include <(sys/mman|spawn|malloc|linux/.*)\.h>")
EXTENSION_FILES = {"src/base/platform.c", "src/base/memory.c"}
EXTENSION_MODULES = {"import"}

# Calls that allocate: the library has one place for them, where tests can make them fail.
ALLOCATIONS = re.compile(r"\b([mc]alloc|realloc|free|strn?dup|v?asprintf|aligned_alloc|posix_memalign"
                         r"|getline|open_memstream)\s*\(")
ALLOCATION_MODULES = {"cli", "picture"}
ALLOCATION_FILES = {"src/base/memory.c", "src/base/memory.h", "src/verify/verify_memory.c"}

# The instruction set is chosen in one place, which honours GRAZE_ISA.
ISA = re.compile(r'\b__builtin_cpu_supports\b|\bgz_processor_has_avx2\b|"GRAZE_ISA"')
ISA_FILES = {"src/base/processor.c", "src/base/processor.h"}

PUBLIC_MAY_INCLUDE = ("stdbool.h", "stddef.h", "stdint.h")
# The one public header that is for programs with another library.
PUBLIC_EXCEPTIONS = {("cglm.h", "cglm/cglm.h")}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENT = re.compile(r"//.*|/\*.*?\*/|\"(?:[^\"\\]|\\.)*\"")


def check_file(path, module):
    faults = []
    name = str(path.relative_to(ROOT))
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{name}:{number}"
        if module not in EXTENSION_MODULES and name not in EXTENSION_FILES and EXTENSIONS.search(line):
            faults.append(f"{where}: only base/platform.c uses extensions of the C library")
        match = INCLUDE.match(line)
        if match:
            faults += check_include(where, module, match.group(1), match.group(2))
            continue
        code = COMMENT.sub("", line)
        if module not in FILE_MODULES and name not in FILE_FILES and FILES.search(code):
            faults.append(f"{where}: {module} must not open files")
        if name not in ISA_FILES and ISA.search(line):
            faults.append(f"{where}: only base/processor.h chooses the instruction set")
        if module not in ALLOCATION_MODULES and name not in ALLOCATION_FILES:
            if ALLOCATIONS.search(code):
                faults.append(f"{where}: only base/memory.h allocates")
    return faults


def check_include(where, module, quote, name):
    for pattern, allowed in OUTSIDE.items():
        if re.match(pattern, name) and module not in allowed:
            return [f"{where}: only {', '.join(sorted(allowed))} may include <{name}>"]
    target = name.split("/")[0]
    if quote == '"' and target not in MODULES and target != "graze":
        return [f'{where}: "{name}" does not begin with a module or with graze/']
    if target in MODULES and target != module and target not in MODULES[module]:
        allowed = ", ".join(sorted(MODULES[module])) or "no other module"
        return [f'{where}: {module} includes "{name}"; allowed: {allowed}']
    return []


def check_modules():
    """Every file of src: its module, its name, its includes; returns (faults, number of files)."""
    faults, names = [], {}
    files = sorted(path for path in (ROOT / "src").rglob("*") if path.suffix in (".c", ".h", ".inl"))
    for path in files:
        where = path.relative_to(ROOT)
        module = path.relative_to(ROOT / "src").parts[0]
        if module not in MODULES:
            faults.append(f"{where}: src/{module} is not a module of docs/architecture.md")
            continue
        faults += check_file(path, module)
        other = names.setdefault(path.name, path)
        if other != path and not path.name.startswith("kernels_"):
            faults.append(f"{where}: the name is taken by {other.relative_to(ROOT)}")
    return faults, len(files)


MAP_TABLE = re.compile(r"\| `src/([a-z]+)/` file \|")
MAP_ROW = re.compile(r"\| (`[^|]*`) \|")


def mapped_files(section):
    """The files of the tables: "module/folder/name" without suffix."""
    module, named = None, []
    for line in section.splitlines():
        table, row = MAP_TABLE.match(line), MAP_ROW.match(line)
        if table:
            module = table.group(1)
        elif row:
            named += [f"{module}/{name}" for name in re.findall(r"`([^`]+)`", row.group(1))]
    return named


def check_map():
    """docs/architecture.md has a row for every file of src, in the table of its module, and no other."""
    text = (ROOT / "docs/architecture.md").read_text()
    named = mapped_files(text.partition("\n## The files\n")[2].partition("\n## ")[0])
    there = {str(path.relative_to(ROOT / "src").with_suffix("")) for path in (ROOT / "src").rglob("*")
             if path.suffix in (".c", ".h", ".inl")}
    page = "docs/architecture.md, section The files"
    return ([f"src/{name}: not on the map in {page}" for name in sorted(there - set(named))]
            + [f"{page}: src/{name} is not in src" for name in sorted(set(named) - there)]
            + [f"{page}: src/{name} has two rows" for name in sorted(set(named)) if named.count(name) > 1])


def check_public_headers():
    faults = []
    headers = sorted((ROOT / "include/graze").glob("*.h"))
    for path in headers:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and match.group(2) not in PUBLIC_MAY_INCLUDE and (
                    not (path.parent / match.group(2)).exists()) and (
                    (path.name, match.group(2)) not in PUBLIC_EXCEPTIONS):
                faults.append(f"{path.relative_to(ROOT)}:{number}: a public header may include "
                              f"other public headers and <{'>, <'.join(PUBLIC_MAY_INCLUDE)}>")
    return faults, len(headers)


def main():
    module_faults, modules = check_modules()
    header_faults, headers = check_public_headers()
    faults = module_faults + check_map() + header_faults
    print("\n".join(faults) if faults else f"{modules + headers} files, every dependency is allowed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

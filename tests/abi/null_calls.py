#!/usr/bin/env python3
"""Writes a C program that calls every exported function with NULL and with bad indices.

For each function: all pointers NULL; then each pointer NULL by itself, everything else valid; then each index below and above its
range. No call may crash, and none that returns a status may return GRAZE_OK for an index that there is not.
  null_calls.py INCLUDE_DIR OUTPUT.c
"""
import os
import re
import sys

HANDLES = {"graze_robot", "graze_robot_builder", "graze_world", "graze_checker", "graze_workspace", "graze_mesh", "graze_path",
           "graze_matrix", "graze_matrix_review", "graze_rules", "graze_workspace_pool", "graze_lint_report", "graze_compiled",
           "graze_mesh_report", "graze_planar_scene", "graze_scene", "graze_view",
           "graze_trajectory", "graze_problems", "graze_roadmap", "graze_roadmap_workspace"}
INDICES = {"index", "i", "link", "joint", "object", "column", "group", "state", "a", "b", "first", "second", "polygon"}
INTEGERS = {"int", "int32_t", "uint32_t", "int64_t", "uint64_t", "size_t", "bool", "unsigned"}
# Ends of objects: called with NULL alone. Functions whose every value is allowed, or that have no index.
# Every number is the index of a sample.
FREE = {"graze_robot_sample"}
ENDS = re.compile(r"_(free|close|give_back|release)$")


def declarations(folder):
    for name in sorted(os.listdir(folder)):
        if name == "cglm.h":
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = re.sub(r"//.*", "", file.read())
        for match in re.finditer(r"GRAZE_API\s+([^;{]*?)\b(graze_\w+)\s*\(([^;]*?)\)\s*;", text, re.S):
            result = " ".join(match.group(1).split())
            yield result, match.group(2), split(" ".join(match.group(3).split()))


def split(text):
    """The parameters: commas inside parentheses are a callback's own."""
    parts, depth, part = [], 0, ""
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += char
    if part.strip() and part.strip() != "void":
        parts.append(part.strip())
    return parts


class Parameter:
    def __init__(self, text, place, sized):
        self.text, self.place, self.sized = text, place, sized
        self.callback = "(*" in text
        self.pointer = "*" in text or "[" in text
        self.name = re.search(r"(\w+)\s*(\[[^]]*\])*$", text).group(1) if not self.callback else "callback"
        self.type = text if self.callback else re.sub(r"\b%s\s*(\[[^]]*\])*$" % self.name, "", text).strip()
        self.base = self.type.replace("const", "").replace("*", "").replace("struct", "").split()[0]
        self.integer = not self.pointer and self.base in INTEGERS
        self.index = self.integer and self.name in INDICES

    def valid(self):
        if self.callback:
            return "NULL"
        if self.pointer:
            if self.base in HANDLES and self.text.count("*") == 1:
                return f"h_{self.base}"
            if self.base == "char" and self.text.count("*") == 1 and "const" in self.text:
                return '"x"'
            return f"(void *)scratch[{self.place}]"
        if self.base in ("double", "float"):
            return "0.5"
        if self.integer:
            # Of a structure that is filled: more than any has.
            return "1024" if self.sized and self.name.endswith("size") else "0"
        return f"({self.type}){{0}}"

    def null(self):
        return "NULL" if self.pointer else self.valid()


def calls(name, parameters):
    """Yields (arguments, whether an index is bad)."""
    if parameters:
        yield [p.null() for p in parameters], False
    if ENDS.search(name):
        return
    for k, parameter in enumerate(parameters):
        if parameter.pointer:
            yield [p.null() if i == k else p.valid() for i, p in enumerate(parameters)], False
    for k, parameter in enumerate(parameters):
        for bad in ("-1", "0x7fffffff") if parameter.index and name not in FREE else ():
            yield [f"({parameter.base}){bad}" if i == k else p.valid() for i, p in enumerate(parameters)], True


def main():
    functions = list(declarations(sys.argv[1]))
    out = ["// Written by tests/null_calls.py.", '#include "null_calls.h"', "", "void call_everything(void) {"]
    count = 0
    for result, name, texts in functions:
        parameters = [Parameter(text, place, name.endswith("_sized")) for place, text in enumerate(texts)]
        for arguments, bad in calls(name, parameters):
            call = f"{name}({', '.join(arguments)})"
            out.append(f'    if (begin("{name}")) {{')
            if result == "graze_status":
                out.append(f"        end({call}, {'true' if bad else 'false'});")
            else:
                out.append(f"        (void){call};")
            out.append("    }")
            count += 1
    out += ["}", "", f"const int function_count = {len(functions)}, call_count = {count};", ""]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(out))


if __name__ == "__main__":
    main()

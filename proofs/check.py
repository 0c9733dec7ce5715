#!/usr/bin/env python3
"""Proves the rounding bounds of filters with Gappa, from the expressions that the source computes.

    proofs/check.py              all proofs, that docs/bounds.md names each, and that it has all constants (constants.py)
    proofs/check.py NAME ...     some of the proofs alone
    proofs/check.py --show NAME  what Gappa is given

A proof is proofs/NAME.g, a script for Gappa (https://gappa.gitlabpages.inria.fr) with directives in comments:

    #@ FILE FUNCTION 24|53   where the statements that follow stand, and the bits of their arithmetic;
                             FUNCTION is - for a file's macros
    #~ A ->> B               in what follows, A (tokens of C) is translated as B, until another line has the same A; the longest A first
    #? STATEMENT             what the source has there, and the proof rests on, but that is not translated
    #= STATEMENT             a statement of the source, token by token as it stands there, in its order;
                             `; k=0` at its end sets an index of a loop

Each statement must be in the function. It is translated, every operation rounded on its own, with a relative
error of at most 2^-bits (add_rel, mul_rel, fma_rel: no underflow, which the sources' comments treat by itself);
gz_f8_muladd() once as two operations and once as one, because instruction sets differ. A conversion to float, a quotient
and a root are written as a product with 1 that is rounded so. Macros and expressions of literals have
the value that C gives them. A name that is set again gets the suffix _2, _3, ... What is proved, and under which
hypotheses, is the script's own text, one goal or more, each with its hints; hypotheses that contradict each other, and so
prove anything, are refused. So a source that computes something else has no proof until the script says so, too, and a smaller
pad has none at all.
"""

import ast
import re
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import constants

ROOT = Path(__file__).resolve().parent.parent
PROOFS = ROOT / "proofs"
TOKEN = re.compile(r"0[xX][0-9a-fA-F.]+p[+-]?\d+f?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?f?|[A-Za-z_]\w*|->|[-+*/]=|\S")
NUMBER = re.compile(r"(?:0[xX]|\d|\.\d)")
HEADERS = ("src/math/rounding.h", "src/check/filter_model.h", "src/math/transform.h", "src/math/trigonometry.h")
# What is as it stands: lanes filled with one number, or read.
PLAIN = {"load", "gz_f8_all", "gz_f4_all", "gz_f8_load", "gz_f4_load"}
OPERATIONS = {"add": "add", "sub": "sub", "mul": "mul"}
FOLDED = {ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b, ast.Div: lambda a, b: a / b}


class Refused(Exception):
    """What is wrong with a proof, in a line."""


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def tokens(text):
    return TOKEN.findall(text)


def function_body(text, name, file):
    """The tokens of a function's definition, from its name to its last brace."""
    for found in re.finditer(rf"\b{re.escape(name)}\s*\(", text):
        depth, at = 0, found.end() - 1
        while at < len(text):
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
            if depth == 0:
                break
        rest = re.match(r"\)*[^;{()]*?\{", text[at:], re.S)
        if not rest:
            continue
        end, depth = at + rest.end(), 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        return tokens(text[found.start():end])
    raise Refused(f"{file} has no function {name}()")


def find(statement, body, start, where):
    wanted = tokens(statement)
    for at in range(start, len(body) - len(wanted) + 1):
        if body[at:at + len(wanted)] == wanted:
            return at + len(wanted)
    raise Refused(f"{where} does not have, after what stands before it in the script: {statement}")


# ------------------------------------------------------------------------------------------ numbers


def to_float(x):
    return Fraction(struct.unpack("f", struct.pack("f", float(x)))[0])


def literal(token):
    """The value of a literal of C, and whether it is a float."""
    single = token.endswith("f") and not (token.lower().startswith("0x") and "p" not in token.lower())
    text = token[:-1] if single else token
    if text.lower().startswith("0x") and "p" in text.lower():
        value = Fraction(float.fromhex(text))
    elif re.fullmatch(r"\d+", text):
        value = Fraction(int(text))
    elif text.lower().startswith("0x"):
        value = Fraction(int(text, 16))
    else:
        value = Fraction(float(text))
    return (to_float(value) if single else value), single


def written(x):
    """A fraction with a power of two below it, as Gappa reads it."""
    exponent = x.denominator.bit_length() - 1
    assert x.denominator == 1 << exponent
    return f"{x.numerator}b-{exponent}" if exponent else str(x.numerator)


def constant(text):
    """The value of a macro: literals with + - *, rounded as C rounds."""
    single = []

    def walk(node):
        if isinstance(node, ast.BinOp):
            a, b = walk(node.left), walk(node.right)
            x = {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b}[type(node.op)]
            return to_float(x) if any(single) else Fraction(float(x))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -walk(node.operand)
        return values[node.id]

    values, parts = {}, []
    for token in tokens(text):
        if NUMBER.match(token):
            values[f"n{len(values)}"], is_float = literal(token)
            single.append(is_float)
            parts.append(f"n{len(values) - 1}")
        else:
            parts.append(token)
    return walk(ast.parse(" ".join(parts), mode="eval").body)


def macros(files):
    out = {}
    for file in files:
        for line in (ROOT / file).read_text().splitlines():
            found = re.match(r"#define\s+(\w+)\s+(.+?)(?:\s*//.*)?$", line)
            if found:
                try:
                    out[found[1]] = constant(found[2])
                except (SyntaxError, KeyError, AttributeError, ValueError):
                    pass
    return out


# --------------------------------------------------------------------------------------- translation


class Translation:
    """Statements of C to definitions of Gappa."""

    def __init__(self, fused):
        self.fused, self.bits, self.renames = fused, 24, []
        self.versions, self.macros, self.lines, self.zeros = {}, macros(HEADERS), [], set()
        self.singles = set()

    def current(self, name):
        n = self.versions.get(name, 1)
        name = name if n == 1 else f"{name}_{n}"
        return "0" if name in self.zeros else name

    def rounded(self, name, *operands):
        return f"{name}_rel<{self.bits}>({', '.join(operands)})"

    def expression(self, text, indices):
        """An expression of C in Gappa's words."""
        for before, after in sorted(self.renames, key=lambda pair: -len(pair[0])):
            pattern = r"\s*".join(re.escape(t) for t in tokens(before))
            text = re.sub(r"(?<![\w.>])" + pattern + r"(?!\w)", f" {after} ", text)
        numbers, parts, given = {}, [], tokens(text)
        self.singles = set()
        for token in given:
            if NUMBER.match(token):
                name = f"N{len(numbers)}"
                numbers[name], single = literal(token)
                self.singles |= {name} if single else set()
                token = name
            parts.append(indices.get(token, ".") if token == "->" else indices.get(token, token))
        source = re.sub(r"\( float \)", "to_float @ ", " ".join(parts)).replace("( double )", "")
        return self.walk(ast.parse(source.strip(), mode="eval").body, numbers)

    def index(self, node, numbers):
        values = {n: int(v) for n, v in numbers.items() if v.denominator == 1}
        return int(eval(compile(ast.Expression(node), "index", "eval"), {}, values))

    def folded(self, node, numbers):
        """The value of an expression of literals alone, as C rounds it, and whether it is a float; None for others."""
        if isinstance(node, ast.Name) and node.id in numbers:
            return numbers[node.id], node.id in self.singles
        if not isinstance(node, ast.BinOp) or type(node.op) not in FOLDED:
            return None
        a, b = self.folded(node.left, numbers), self.folded(node.right, numbers)
        if not a or not b or (isinstance(node.op, ast.Div) and a[0].denominator == b[0].denominator == 1):
            return None
        value, single = FOLDED[type(node.op)](a[0], b[0]), a[1] or b[1]
        return (to_float(value) if single else Fraction(float(value))), single

    def walk(self, node, numbers):
        go = lambda n: self.walk(n, numbers)
        known = self.folded(node, numbers)
        if known:
            return written(known[0])
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.MatMult):
                return f"mul_rel<24>({go(node.right)}, 1)"
            if isinstance(node.op, ast.Div):
                return self.rounded("mul", f"({go(node.left)} / {go(node.right)})", "1")
            names = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
            return self.rounded(names[type(node.op)], go(node.left), go(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return f"(-{go(node.operand)})"
        if isinstance(node, ast.Call):
            return self.call(node.func.id, [go(a) for a in node.args])
        if isinstance(node, ast.Subscript):
            return self.current(f"{self.place(node.value, numbers)}_{self.index(node.slice, numbers)}")
        if isinstance(node, (ast.Attribute, ast.Name)):
            return self.name(node, numbers)
        raise Refused(f"cannot translate {ast.dump(node)[:80]}")

    def place(self, node, numbers):
        if isinstance(node, ast.Attribute):
            return f"{self.place(node.value, numbers)}_{node.attr}"
        if isinstance(node, ast.Subscript):
            return f"{self.place(node.value, numbers)}_{self.index(node.slice, numbers)}"
        return node.id

    def name(self, node, numbers):
        name = self.place(node, numbers)
        if name in numbers:
            return written(numbers[name])
        if name in self.macros:
            return written(self.macros[name])
        return self.current(name)

    def call(self, name, operands):
        if name in PLAIN:
            return operands[0]
        if name in ("fabs", "fabsf", "gz_f8_abs", "gz_f4_abs"):
            return f"|{operands[0]}|"
        if name in ("sqrt", "sqrtf", "gz_f8_sqrt"):
            return self.rounded("mul", f"sqrt({operands[0]})", "1")
        short = re.sub(r"^gz_f[48]_", "", name)
        if short == "muladd" and operands[2] == "0":
            return self.rounded("mul", *operands[:2])
        if short == "add" and "0" in operands:
            return operands[operands[0] == "0"]
        if short in OPERATIONS:
            return self.rounded(short, *operands)
        if short == "div":
            return self.rounded("mul", f"({operands[0]} / {operands[1]})", "1")
        if short == "muladd":
            if self.fused:
                return self.rounded("fma", *operands)
            return self.rounded("add", self.rounded("mul", *operands[:2]), operands[2])
        raise Refused(f"cannot translate a call of {name}()")

    def statement(self, text):
        """Adds the definition that an assignment is."""
        text, _, given = text.partition(";")
        indices = dict(pair.split("=") for pair in given.split())
        found = re.match(r"\s*(?:(?:const|float|double|gz_f8|gz_f4)\s+)*\.?(\w[\w\[\] .>*+-]*?)\s*([-+*]?)=(?!=)(.*)$", text, re.S)
        if found:
            target, adds, right = found[1], found[2], found[3]
        else:  # an operand of a comparison, or of return
            target, adds, right = "result", "", re.sub(r"^\s*return\b", "", text)
        value = self.expression(right, indices)
        target = " ".join(indices.get(t, t) for t in tokens(target.replace("->", ".")))
        tree = ast.parse(target, mode="eval").body
        name = self.place_of_target(tree)
        if adds:
            own = self.expression(found[1], indices)
            value = value if own == "0" else self.rounded({"+": "add", "-": "sub", "*": "mul"}[adds], own, value)
        if name in self.versions or any(line.startswith(f"{name} = ") for line in self.lines) or re.search(rf"\b{name}\b", value):
            self.versions[name] = self.versions.get(name, 1) + 1
        now = self.current(name)
        if value == "0":
            self.zeros.add(now)
        self.lines.append(f"{now} = {value};")

    def place_of_target(self, node):
        if isinstance(node, ast.Subscript):
            return f"{self.place_of_target(node.value)}_{eval(compile(ast.Expression(node.slice), 'index', 'eval'))}"
        if isinstance(node, ast.Attribute):
            return f"{self.place_of_target(node.value)}_{node.attr}"
        return node.id


def script(path, fused):
    """The script that Gappa is given, and the places of the source that it rests on."""
    out, translation, body, at, where, places = [], Translation(fused), None, 0, None, set()
    for line in path.read_text().splitlines():
        kind, rest = line[:2], line[2:].strip()
        if kind == "#@":
            file, function, bits = rest.split()
            text = without_comments((ROOT / file).read_text())
            body = tokens(text) if function == "-" else function_body(text, function, file)
            at, where, translation.bits = 0, f"{file}, {function}()", int(bits)
            translation.renames = []
            translation.macros.update(macros([file]))
            places.add((file, function))
        elif kind == "#~":
            before, after = (p.strip() for p in rest.split("->>"))
            translation.renames = [r for r in translation.renames if r[0] != before] + [(before, after)]
        elif kind in ("#=", "#?"):
            if body is None:
                raise Refused("a statement before any #@")
            plain = re.sub(r";(\s*\w+=\w+)+\s*$", "", rest)
            try:
                at = find(plain, body, at, where)
            except Refused:
                at = find(plain, body, 0, where)  # a loop's next turn, or what stands twice
            first = len(translation.lines)
            if kind == "#=":
                translation.statement(rest)
            out += translation.lines[first:]
        else:
            out.append(line)
    return "\n".join(out) + "\n", places


def each_goal(text):
    """A script for each goal of one, which begins with { and has its hints behind it: with the definitions that it needs."""
    first, *goals = re.split(r"^(?=\{)", re.sub(r"#.*", "", text), flags=re.M)
    definitions = [(d.partition("=")[0].strip(), d + ";") for d in first.split(";") if d.strip()]
    for goal in goals:
        words, needed = set(re.findall(r"\w+", goal)), []
        for name, definition in reversed(definitions):
            if name in words:
                words |= set(re.findall(r"\w+", definition))
                needed.insert(0, definition)
        yield "".join(needed) + "\n" + goal


def gappa(text):
    """Whether Gappa proves what it is given, and what it says of it but for names."""
    # By processor time: the clock runs on while other programs have the processors.
    done = subprocess.run(["prlimit", "--cpu=20", "gappa", "-Eprecision=160"], input=text, capture_output=True,
                          text=True)
    if done.returncode < 0:
        return False, "no proof within 20 s"
    # Two statements that compute one expression are one to Gappa, which says so.
    said = re.sub(r"Warning: renaming identifier .*\n", "", done.stderr + done.stdout).strip()
    return done.returncode == 0 and "Error" not in said and "Warning" not in said, said


def contradicts_itself(text):
    """Whether the hypotheses of a goal prove anything, such as what they do not speak of."""
    goal = re.search(r"\{.*?->(.*?)\}", text, re.S)
    if not goal:
        return False
    text = text[:goal.start(1)] + " of_nothing in [1,2] " + text[goal.end(1):]
    return gappa(re.sub(r"^.*\$.*$", "", text, flags=re.M))[0]


def prove(path):
    """What is wrong, or None."""
    try:
        for fused in (False, True):
            goals = list(each_goal(script(path, fused)[0]))
            if not goals:
                return "it proves nothing"
            for text in goals:
                proved, said = gappa(text)
                if not proved:
                    return f"{'fused' if fused else 'unfused'}: Gappa does not prove it: {said}"
                if not fused and contradicts_itself(text):
                    return f"its hypotheses prove anything: {text.strip().splitlines()[-1]}"
            if "fma_rel" not in script(path, True)[0]:
                break
    except (Refused, SyntaxError, KeyError) as reason:
        return str(reason)
    return None


def main():
    arguments = sys.argv[1:]
    paths = sorted(PROOFS.glob("*.g"))
    if arguments[:1] == ["--show"]:
        for fused in (False, True):
            print(script(PROOFS / f"{arguments[1]}.g", fused)[0])
        return 0
    if arguments:
        paths = [PROOFS / f"{name}.g" for name in arguments]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(prove, paths))
    for path, wrong in zip(paths, results):
        print(f"{'FAIL' if wrong else 'ok'}  {path.stem}{': ' + wrong if wrong else ''}")
    failed = sum(1 for wrong in results if wrong)
    named = (ROOT / "docs/bounds.md").read_text()
    for path in paths:
        if f"`{path.stem}`" not in named:
            print(f"FAIL  {path.stem}: docs/bounds.md does not name it")
            failed += 1
    print(f"{len(paths) - failed} of {len(paths)} proofs hold")
    missing = [] if arguments else list(constants.differences(ROOT, named, without_comments))
    for line in [] if arguments else constants.shares(named):
        print(line)
    for line in missing:
        print(f"FAIL  {line}")
    return 1 if failed or missing or not paths else 0


if __name__ == "__main__":
    sys.exit(main())

"""The constants of bounds in the sources, each of which docs/bounds.md has in a row.

Looked for are powers of two and of ten with a negative exponent, numbers such as 1.00001f, 0.999 and 4.01, the factors of
math/rounding.h and their like, macros whose name says ERROR, SLACK, ROUND, PAD or TOLERANCE, and how often an error, a pad, a
skew or a turn is counted. Which of them are bounds the table says; a constant that is no bound has a row, too.
"""

import re
from collections import Counter

# The modules whose filters reject and accept, which have a share of their own.
FILTERS = ("check", "kinematics", "mesh", "narrow", "planar")
MODULES = ("broad", "check", "kinematics", "math", "mesh", "motion", "narrow", "planar", "robot")

NUMBER = r"\d+(?:\.\d+)?f?"
CONSTANT = re.compile(
    r"0x[0-9a-fA-F.]+p-\d+f?|\b\d+(?:\.\d+)?e-\d+f?|\b0\.99\d*f?|\b\d+\.00+[1-9]\d*f?|\b\d+\.01f?"
    r"|\bGZ_(?:ROUND_\w+|PAD_ROUND_UP|SQUARE_ROUND_UP|BOUND_SLACK|\w+_ERROR|CURVED_TOLERANCE)\b"
    rf"|\b{NUMBER} \* \(?(?:\(double\))?[\w.>\[\]-]*(?:error|pad|skew|turn)\b|\b{NUMBER} \* [uU]\b|\bpad\(\d+")
MACRO = re.compile(r"#define +(\w*(?:ERROR|SLACK|ROUND|PAD|TOLERANCE)\w*) +(.*)")
DEFINED = re.compile(r"\b(\w+)\s*(?:\(|(?:\[\w*\])?\s*= )")
ROW = re.compile(r"^\| `([\w/]+\.\w+)`, `(\w+)(?:\(\))?` \| (`[^|]+`) \|([^|]*)\|([^|]*)\|", re.M)


def in_sources(root, without_comments):
    """(file below src, function or macro) -> Counter of its constants."""
    out = {}
    for module in MODULES:
        for path in sorted((root / "src" / module).rglob("*.[chi]*")):
            scan(path, str(path.relative_to(root / "src")), without_comments, out)
    return out


def scan(path, file, without_comments, out):
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', without_comments(path.read_text()))
    function = "-"
    for line in text.split("\n"):
        place = function
        if line.startswith("#define") and len(line.split()) > 2:
            place = line.split()[1].partition("(")[0]
        elif line[:1].isalpha():
            found = DEFINED.search(line)
            place = function = found[1] if found else function
        constants = CONSTANT.findall(line)
        macro = MACRO.match(line)
        if macro and not constants:
            constants = [macro[2].strip()]
        for constant in constants:
            out.setdefault((file, place), Counter())[constant] += 1


def in_table(page):
    """(file, function or macro) -> (Counter of constants, what shows them)."""
    out = {}
    for file, place, constants, _, shown in ROW.findall(page):
        out[file, place] = Counter(re.findall(r"`([^`]+)`", constants)), shown.strip()
    return out


# What a row says that shows its bound. The first two are statements of rounding, which a proof can hold; the others are not.
BY_HAND = ("by hand", "no derivation written down")
NO_ROUNDING = ("free choice", "exact", "promised", "contract", "geometry", "below")


def kind_of(shown):
    """How a row is counted: by proofs alone, by proofs and a lemma by hand, or what it says; None where that is no kind."""
    if "`" in shown:
        return "a proof and a lemma" if "hand" in shown else "a proof"
    return next((kind for kind in BY_HAND + NO_ROUNDING if shown.split(" (")[0] == kind), None)


def shares(page):
    """Lines that say how many rows each kind has, and which share of the statements of rounding is proved."""
    rows = in_table(page)
    counts = Counter(kind_of(shown) for _, shown in rows.values())
    yield f"{sum(counts.values())} rows: " + ", ".join(f"{n} {kind}" for kind, n in counts.most_common())
    for modules in (MODULES, FILTERS):
        counts = Counter(kind_of(shown) for (file, _), (_, shown) in rows.items() if file.split("/")[0] in modules)
        whole, part = counts["a proof"], counts["a proof and a lemma"]
        every = whole + part + sum(counts[kind] for kind in BY_HAND)
        yield (f"of {every} statements of rounding{'' if modules is MODULES else ' in ' + ', '.join(modules)} {whole} are proved "
               f"by Gappa alone ({100 * whole / max(every, 1):.0f} %), {part} with a lemma by hand")


def differences(root, page, without_comments):
    """What the sources have and the table lacks, or the other way round, a line each."""
    have, table = in_sources(root, without_comments), in_table(page)
    for key in sorted(have.keys() | table.keys()):
        used, listed = have.get(key, Counter()), table.get(key, (Counter(),))[0]
        where = f"src/{key[0]}, {key[1]}"
        if used - listed:
            yield f"{where}: docs/bounds.md has no row for {', '.join((used - listed).elements())}"
        if listed - used:
            yield f"{where}: docs/bounds.md has {', '.join((listed - used).elements())}, which is not there"
    for (file, place), (_, shown) in table.items():
        for name in re.findall(r"`(\w+)`", shown):
            if not (root / f"proofs/{name}.g").exists():
                yield f"src/{file}, {place}: docs/bounds.md names a proof that there is not: {name}"
        if not kind_of(shown):
            yield f"src/{file}, {place}: docs/bounds.md does not say what shows it"

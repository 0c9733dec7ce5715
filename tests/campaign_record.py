"""What campaigns were run, kept in the repository: tests/record/slices.tsv and tests/record/mutants.tsv.

tests/campaign.py --record writes there what its folder holds, beside what stands there of the same state;
a campaign in a new folder begins with those slices of the record whose hash is that of the tree. So a
campaign can go on elsewhere, and anybody sees which command was run on which state, and what it found.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import mutation_operators
from campaign_rows import ROOT, ROWS, state_of

FOLDER = HERE / "record"
SLICES, MUTANTS = FOLDER / "slices.tsv", FOLDER / "mutants.tsv"
COLUMNS = ("row", "key", "asked", "done", "violations", "status", "cpu_seconds", "commit", "hash", "ended",
           "command")
NUMBERS = {"asked", "done", "violations", "cpu_seconds"}


def number(text):
    value = float(text)
    return int(value) if value == int(value) else value


def read_slices():
    """The slices of the record, as the state of a campaign has them, each with its row's name."""
    out = []
    for line in SLICES.read_text().splitlines()[1:] if SLICES.exists() else []:
        s = dict(zip(COLUMNS, line.split("\t"), strict=True))
        s = {k: number(v) if k in NUMBERS else v for k, v in s.items()}
        s["key"] = int(s["key"]) if s["key"].isdigit() else s["key"]
        s["status"] = None if s["status"] == "-" else int(s["status"])
        out.append({**s, "log": ""})
    return out


def text_of(name, s):
    fields = {**s, "row": name, "status": "-" if s["status"] is None else s["status"]}
    fields["done"] = f"{fields['done']:.10g}"
    return "\t".join(str(fields[c]) for c in COLUMNS)


def take(campaign):
    """Gives rows that have no slice those of the record that are of the same state."""
    taken = 0
    for s in read_slices():
        row = campaign.state["rows"].get(s.pop("row"))
        if row and row["hash"] == s["hash"] and all((k["key"], k["ended"]) != (s["key"], s["ended"])
                                                    for k in row["slices"]):
            row["slices"].append(s)
            taken += 1
    if taken:
        print(f"{taken} slices of this state are in the record and count", flush=True)
    take_mutants(campaign)


def mutation_state(campaign):
    return campaign.work / ("mutation-" + campaign.state["rows"]["mutation"]["hash"]) / "state.json"


def take_mutants(campaign):
    """Begins the state of tests/mutation.py with the mutants of the record."""
    path, lines = mutation_state(campaign), MUTANTS.read_text().splitlines() if MUTANTS.exists() else []
    if path.exists() or not lines or lines[0].split()[-1] != campaign.state["rows"]["mutation"]["hash"]:
        return
    mutants = {}
    for line in lines[1:]:
        verdict, key, by = line.split("\t")
        mutants[key] = {"verdict": verdict, "by": by or None, "quick": False}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"mutants": mutants, "times": {}}, indent=1, sort_keys=True))


def write(campaign):
    """Writes the record: what it has and what the campaign has, as far as it is of the tree as it is."""
    FOLDER.mkdir(exist_ok=True)
    now, lines = {r.name: state_of(ROOT, r) for r in ROWS}, {}
    known = [(s["row"], s) for s in read_slices()]
    known += [(name, s) for name, row in campaign.state["rows"].items() for s in row["slices"]]
    for name, s in known:
        if now.get(name) == s["hash"]:
            lines[(name, str(s["key"]), s["ended"])] = text_of(name, s)
    order = [r.name for r in ROWS]
    keys = sorted(lines, key=lambda k: (order.index(k[0]), k[2], k[1]))
    SLICES.write_text("\n".join(["\t".join(COLUMNS), *(lines[k] for k in keys)]) + "\n")
    path = mutation_state(campaign)
    if path.exists():
        known = {m.key for m, *_ in mutation_operators.choose(campaign.tree, 1.0, 1, None)}
        mutants = json.loads(path.read_text())["mutants"]
        head = f"verdict, mutant, noticed by; state {campaign.state['rows']['mutation']['hash']}"
        rows = [f"{m['verdict']}\t{key}\t{m['by'] or ''}" for key, m in sorted(mutants.items()) if key in known]
        MUTANTS.write_text("\n".join([head, *rows]) + "\n")
    print(f"{len(keys)} slices in {SLICES.relative_to(ROOT)}")

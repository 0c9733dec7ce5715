"""The mutants of src/narrow, src/broad and src/math: small faults put into the source by operators.

Every operator looks at one line at a time, comments and strings blanked out, and yields the columns
that it replaces and what stands there instead. A mutant is named by its file, its operator and a hash
of the line, the place in it and how many equal lines came before: names outlive edits elsewhere.
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

MODULES = ("narrow", "broad", "math")

# Lines that this build does not compile: the twin of the lanes for other processors.
UNCOMPILED = {"src/math/lanes.h": "#else"}


@dataclass(frozen=True)
class Mutant:
    file: str
    operator: str
    line: int  # from 1, in the source as it is now
    before: str
    after: str
    name: str

    @property
    def key(self):
        return f"{self.file} {self.operator} {self.name}"


def blank(text):
    """The text with comments, strings and characters as spaces, line by line as long as before."""
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)


# ------------------------------------------------------------------------------------- operators

BOUNDARY = {"<": "<=", ">": ">=", "<=": "<", ">=": ">"}
FLIP = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
PAIRED = {"fmax": "fmin", "fmin": "fmax", "gz_f8_max": "gz_f8_min", "gz_f8_min": "gz_f8_max",
          "gz_f8_add": "gz_f8_sub", "gz_f8_sub": "gz_f8_add", "true": "false", "false": "true",
          "gz_wide_add": "gz_wide_subtract", "gz_wide_subtract": "gz_wide_add",
          "gz_dd_add": "gz_dd_subtract", "gz_dd_subtract": "gz_dd_add"}
COMPARISON = re.compile(r" (<=|>=|==|!=|<|>) ")
TYPE_WORDS = re.compile(r"\b(const|double|float|int|bool|size_t|void|char|unsigned|\w+_t|gz_\w+ \*)")


def boundary(code):
    for m in COMPARISON.finditer(code):
        if m.group(1) in BOUNDARY:
            yield m.start(1), m.end(1), BOUNDARY[m.group(1)]


def comparison(code):
    for m in COMPARISON.finditer(code):
        yield m.start(1), m.end(1), FLIP[m.group(1)]


def arithmetic(code):
    """+ and -, += and -=, between operands."""
    for m in re.finditer(r" ([+-]=?) ", code):
        yield m.start(1), m.end(1), {"+": "-", "-": "+", "+=": "-=", "-=": "+="}[m.group(1)]


def sign(code):
    """A minus before an operand."""
    for m in re.finditer(r"(?:(?<=[(\[{])|(?<=[=,?:{] )|(?<=return ))-(?=[\w(])", code):
        yield m.start(), m.end(), ""


def logic(code):
    for m in re.finditer(r"&&|\|\|", code):
        yield m.start(), m.end(), "||" if m.group(0) == "&&" else "&&"
    for m in re.finditer(r"!(?=[\w(])", code):
        yield m.start(), m.end(), ""


def twin(code):
    """The other of two names: minima for maxima, sums for differences, true for false."""
    for m in re.finditer(r"\b(" + "|".join(PAIRED) + r")\b", code):
        yield m.start(), m.end(), PAIRED[m.group(1)]
    for m in re.finditer(r"\bfabs(?=\()", code):
        yield m.start(), m.end(), ""


def bound(code):
    """A constant of an error bound, shrunk to a sixteenth."""
    for m in re.finditer(r"\b(0x[0-9a-f.]+p-\d+f?|\d+(?:\.\d+)?e-\d+f?)\b", code):
        yield m.start(), m.end(), f"({m.group(1)} / 16)"


def count(code):
    """Off by one: the end of a loop over a fixed count, an index, a step."""
    for m in re.finditer(r"(?<= < )(\d+)(?=;)", code):
        yield m.start(), m.end(), str(int(m.group(1)) - 1)
    for m in re.finditer(r"(?<=[+-] )1(?=[)\];,])", code):
        yield m.start(), m.end(), "2"
    for m in re.finditer(r"(?<== )0(?=; \w+ [<!])", code):
        yield m.start(), m.end(), "1"


def exit_left_out(code):
    """An early return, continue or break that stands on one line."""
    m = re.match(r"\s*(if \(.*\b(?:return|continue|break)\b[^;]*;)\s*$", code)
    if m and "else" not in code:
        yield m.start(1), m.end(1), ";"


def arguments(code):
    """The first two arguments of a call, swapped; types must agree."""
    if re.match(r"(static|ALWAYS|bool|int|double|void|GZ_)\b.*[{,(]\s*$", code) or not code[:1].isspace():
        return
    for m in re.finditer(r"\b([a-z]\w*)\(([^(),]+), ([^(),]+)(?=[,)])", code):
        first, second = m.group(2), m.group(3)
        if m.group(1) in ("sizeof", "for", "while", "if") or first == second:
            continue
        if TYPE_WORDS.search(first) or TYPE_WORDS.search(second):
            continue
        yield m.start(2), m.end(3), f"{second}, {first}"


OPERATORS = {"boundary": boundary, "comparison": comparison, "arithmetic": arithmetic, "sign": sign,
             "logic": logic, "twin": twin, "bound": bound, "count": count, "exit": exit_left_out,
             "arguments": arguments}


# Mutants of bounds (--bounds): constants halved, factors off by 1e-4 either way, loops one short.

BOUND_MODULES = ("check", "kinematics", "mesh", "narrow", "plan")


def halved(code):
    """A constant of a bound, or how often it counts an error, a pad or a skew, halved."""
    for m in re.finditer(r"\b0x[0-9a-f.]+p-\d+f?|\b\d+(?:\.\d+)?e-\d+f?|(?<=\bpad\()\d+(?=,)"
                         r"|\b\d+(?:\.\d+)?f?(?= \* \(?(?:\(double\))?[\w.>\[\]-]*(?:error|pad|skew|turn)\b| \* [uU]\b)", code):
        yield m.start(), m.end(), f"({m.group()} / 2.0f)"


def factor(code):
    """A safety factor, made 1e-4 less or more."""
    for m in re.finditer(r"\bGZ_(?:ROUND_\w+|PAD_ROUND_UP|SQUARE_ROUND_UP|BOUND_SLACK)\b|\b1\.0\d*[1-9]f?|\b0\.99\d*f?", code):
        for by in ("0.9999f", "1.0001f"):
            yield m.start(), m.end(), f"({m.group()} * {by})"


def short_loop(code):
    """A loop without its last turn."""
    for m in re.finditer(r"\bfor \([^;]*; (\w+) < ", code):
        yield m.start(1), m.end(1), f"{m.group(1)} + 1"


BOUND_OPERATORS = {"halved": halved, "factor": factor, "loop": short_loop}


# ------------------------------------------------------------------------------- by hand
# (file, name, text, text instead, which occurrence from 0): error bounds at half of the worst error
# that was ever seen, and directions that are left out. The figures are those of tests/oracle/slack.

BY_HAND = []


def hand(file, name, before, after, occurrence=0):
    BY_HAND.append((file, name, before, after, occurrence))


TREE = "src/narrow/tree_pair.inl"
hand(TREE, "axes-of-the-node", "apart = gz_f8_or(apart, out);", "(void)out;")
hand(TREE, "axes-of-the-box", "apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(p), h));", ";", 0)
hand(TREE, "axes-across", "apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(p), h));", ";", 1)
hand(TREE, "plane-of-a", "gz_f8_or(beside_plane(&p->b_planes, a), beside_plane(&plane, p->b));",
     "(((void)plane), beside_plane(&p->b_planes, a));")
hand(TREE, "plane-of-b", "gz_f8_or(beside_plane(&p->b_planes, a), beside_plane(&plane, p->b));", "beside_plane(&plane, p->b);")
hand(TREE, "boxes-without-margin", "gz_f8_greater(square, gz_f8_all(margin_square(pads->margin)));",
     "gz_f8_greater(square, gz_f8_all(0));")
hand(TREE, "plane-without-pad", "return gz_f8_greater(gap, plane->pad);", "return gz_f8_greater(gap, gz_f8_all(0));")
hand(TREE, "edges-without-pad", "return gz_f8_greater(gap, pad_along(n, pads, near));",
     "return gz_f8_greater(gap, gz_f8_all(0 * (near + pads->pad)));")
hand(TREE, "box-against-packet", "apart = gz_f8_or(apart, gz_f8_greater(gap, gz_f8_all(pad)));", "(void)gap, (void)pad;")
hand(TREE, "no-pad-of-boxes", "abs_r[i][2] * box->half[2]) +\n                  pad;", "abs_r[i][2] * box->half[2]);")
hand(TREE, "node-axis-wrong-entry", "r[i][2] * box->center[2]", "r[2][i] * box->center[2]")
hand(TREE, "cross-wrong-half", "box->half[j1] * abs_r[i][j2]", "box->half[j1] * abs_r[i][j1]")
hand(TREE, "length-too-short", "0.41422f", "0.40f")
hand(TREE, "length-too-short-most", "0.58579f", "0.5f")
hand(TREE, "margin-forgotten", "if (near) out = gz_f8_add(out, gz_f8_mul(length_bound(n, size), gz_f8_all(pads->margin)));", ";")
hand(TREE, "lowest-not-lower", "(ta == pair->triangle_a && tb >= pair->triangle_b)", "ta == pair->triangle_a")
hand(TREE, "last-lane", "((1u << packet->count) - 1);", "((1u << (packet->count - 1)) - 1);", 0)
hand(TREE, "last-lane-of-b", "p->b_lanes = (1u << pb->count) - 1;", "p->b_lanes = (1u << (pb->count - 1)) - 1;")
PAIR = "src/narrow/kernel.c"
hand(PAIR, "pad-of-triangles-none", "pair->triangle_pad = pad(24, size, far);", "pair->triangle_pad = 0;")
hand(PAIR, "pad-of-triangles", "pair->triangle_pad = pad(24, size, far);", "pair->triangle_pad = pad(0.5, size, far);")
hand(PAIR, "pad-of-boxes-none", "pair->box_pad = pad(40, size, far);", "pair->box_pad = 0;")
hand(PAIR, "pad-of-boxes", "pair->box_pad = pad(40, size, far);", "pair->box_pad = pad(0.75, size, far);")
hand(PAIR, "pad-of-boxes-margin", "pair->box_pad = pair->box_pad * GZ_ROUND_UP_FEW + pair->float_margin;",
     "pair->box_pad = pair->box_pad * GZ_ROUND_UP_FEW;")
hand(PAIR, "pad-without-places", "0x1p-50 * far", "0 * far")
hand(PAIR, "pad-without-underflow", " + 1e-29);", ");")
hand(PAIR, "margin-shrunk", "margin * GZ_ROUND_UP_TO_FLOAT", "margin * (1 - 0x1p-20)")
PROXY = "src/narrow/kernel.c"
hand(PROXY, "pad-of-planes-none", "64 * 0x1p-24 * (size + margin)", "0 * size")
hand(PROXY, "margin-halved", "(error + margin +", "(error + 0.5 * margin +")
PLANE = "src/narrow/prefilter/proxy_pair.inl"
hand(PLANE, "proof-without-pad", "prove_plane(p, &at, shift, 0.5f * p->pad)", "prove_plane(p, &at, shift, 0)")
COMPONENT = "src/narrow/prefilter/component_pair.inl"
hand(COMPONENT, "sphere-without-pad", "out->radius = (proxy->radius + p->pad) * GZ_ROUND_UP + 1e-18f;",
     "out->radius = proxy->radius * GZ_ROUND_UP + 1e-18f;")
hand(COMPONENT, "inner-ellipsoid-larger", "(inner->half[k] - 2 * p->error) * GZ_ROUND_DOWN", "(inner->half[k] + 2 * p->error) * 1.01f")
hand(COMPONENT, "sticks-out-inside", "if (off > (proxy->half[k] + 2 * p->error) * GZ_ROUND_UP) return true;",
     "if (off > 0.98f * proxy->half[k]) return true;")
hand(COMPONENT, "ball-without-pad", "query_balls(s->map, &at, gz_f8_add(radius, gz_f8_all(p->pad)))", "query_balls(s->map, &at, radius)")
hand(COMPONENT, "axes-of-components-without-pad", "s->pair->pad, 0, NULL, false, false);", "0, 0, NULL, false, false);")
hand(COMPONENT, "inner-ellipsoid-thinner-than-error", "if (!(half > p->error)) return false;", "half = half > 0 ? half : 1e-15f;")
hand(COMPONENT, "capped-holds-what-fits", "float own = p->cap_a ? -proxy->half[k] : proxy->half[k] * GZ_ROUND_DOWN;",
     "float own = proxy->half[k] * GZ_ROUND_DOWN;")
hand("src/narrow/kernel.h", "capped-holds-what-is-shorter", "return cap || (solid &&", "return ((cap || solid) &&")
hand("src/mesh/bvh/triangle_lanes.h", "normal-without-floor", "gz_f8_max(bottom, gz_f8_all(NORMAL_LEAST))", "gz_f8_max(bottom, tiny)")
hand("src/check/filter_error.c", "box-beside-forgotten", "double across = 6.01 *", "double across = 0 *")
hand("src/check/batch_filter.inl", "link-before-object",
     "boxes_near(block->seen[object], o->half, place_box(m, block, (int32_t)link), l->half,",
     "boxes_near(place_box(m, block, (int32_t)link), l->half, block->seen[object], o->half,")
SCENE = "src/narrow/prefilter/scene_pair.inl"
hand(SCENE, "components-without-pad", "gz_node_overlap(node, &around, p->pad)", "gz_node_overlap(node, &around, 0)")
hand(SCENE, "hint-too-small", "box.half[k] = 0.5f * (s->high[k] - s->low[k]) * GZ_ROUND_UP;",
     "box.half[k] = 0.45f * (s->high[k] - s->low[k]);")
hand(SCENE, "hits-where-nothing-is-closed", "p->question != GZ_PROXY_TEST_APART && p->b->closed_count > 0", "p->question != GZ_PROXY_TEST_APART")
hand("src/narrow/prefilter/cell_lanes.h", "ball-of-its-cell", "gz_f8_greater(rest2, square)", "gz_f8_greater(rest2, gz_f8_all(0))")
hand("src/narrow/prefilter/cell_lanes.h", "value-of-the-neighbour", "_mm256_slli_epi32(_mm256_sub_epi32(cell, from), 3)",
     "_mm256_slli_epi32(_mm256_sub_epi32(from, from), 3)")
POINT = "src/narrow/points/point_pair.c"
hand(POINT, "threshold-without-pad", "fmax((threshold + off) * GZ_ROUND_UP_TO_FLOAT, 1e-18)", "fmax(threshold, 1e-18)")
hand(POINT, "pad-none", "*pad = (float)(off * GZ_ROUND_UP_TO_FLOAT);", "*pad = 0;")
hand("src/narrow/points/point_pair.inl", "boxes-without-extent", "gz_f8_all(p->inside.half[k] + p->pad)", "gz_f8_all(p->pad)")
OBB = "src/broad/bound_test.c"
hand(OBB, "no-error", "out->error = (20 * skew + 0x1p-46) * sum + 0x1p-1000 + pad * (1 + 0x1p-50);", "out->error = pad;")
hand(OBB, "error-without-skew", "20 * skew + 0x1p-46", "0x1p-46")
hand(OBB, "error-of-rounding", "20 * skew + 0x1p-46", "20 * skew + 0x1p-56")
hand(OBB, "error-of-skew", "20 * skew", "0.5 * skew")
hand(OBB, "faces-of-a", "for (int i = 0; i < 3; i++) {\n        const double *r", "for (int i = 0; i < 0; i++) {\n        const double *r")
hand(OBB, "faces-of-b", "for (int j = 0; j < 3; j++) {\n        double left = m.t[0]", "for (int j = 0; j < 0; j++) {\n        double left = m.t[0]")
for axis in range(3):
    hand(OBB, f"face-{axis}-of-a", "if (fabs(m.t[i]) > m.a[i]", f"if (i != {axis} && fabs(m.t[i]) > m.a[i]")
    hand(OBB, f"face-{axis}-of-b", "if (fabs(left) > right + m.error) return true;",
         f"if (j != {axis} && fabs(left) > right + m.error) return true;", 0)
    for other in range(3):
        hand(OBB, f"edges-{axis}-{other}", "if (fabs(left) > right + m.error) return true;",
             f"if ((i != {axis} || j != {other}) && fabs(left) > right + m.error) return true;", 1)
hand("src/broad/bound_test.h", "distance-without-slack", "d2 * (1 - 0x1p-48) > distance * distance * (1 + 0x1p-48) + 0x1p-1000",
     "d2 > distance * distance")
hand("src/broad/world_query.h", "no-pad", "pad[k] = (float)(0x1p-21 * size + 1e-30);", "pad[k] = 0;")
hand("src/broad/world_query.h", "no-slack", "gz_f8_all(0x1p-21f)", "gz_f8_all(0)")
PREDICATE = "src/math/predicate.h"
hand(PREDICATE, "orient3d-half-of-worst", "0x9p-53", "0x2.cp-53")
hand(PREDICATE, "orient2d-half-of-worst", "0x5p-53", "0x1.cp-53")
hand("src/math/predicate.c", "pairs-half-of-worst", "0x1p-101", "0x1p-106")
hand("src/narrow/triangle/triangle.c", "heights-half-of-worst", "0x9p-53", "0x2.8p-53")
CURVED = "src/narrow/curved/curved_internal.h"
hand(CURVED, "closed-forms-half-of-worst", "#define GZ_CURVED_ERROR 0x1p-47", "#define GZ_CURVED_ERROR 0x1p-54")
hand(CURVED, "coordinates-without-slack", "distance * (1 + 0x1p-48)", "distance * (1 - 0x1p-48)")
hand("src/narrow/curved/convex.c", "gap-half-of-worst", "0x1p-47 * span", "0x3p-53 * span")
hand("src/narrow/curved/convex.c", "gap-without-error", " - 0x1p-47 * span", "")
hand("src/narrow/curved/curved_internal.h", "tolerance-wider", "0x1p-42 * span", "0x1p-32 * span")
hand("src/narrow/curved/curved_internal.h", "tolerance-wider-than-promised", "fmax(1e-10,", "fmax(2e-9,")
hand("src/narrow/curved/curved.c", "balls-without-slack", "distance * (1 - 0x1p-50) > limit * (1 + 0x1p-50)",
     "distance * (1 + 0x1p-50) > limit")
hand("src/narrow/triangle/triangle_distance.c", "near-half-of-worst", "#define ERROR 0x1p-47", "#define ERROR 0x1.8p-53")
hand("src/narrow/triangle/triangle_distance.c", "near-without-error", "/ norm - ERROR * p->span", "/ norm")
hand("src/narrow/shape_pair.c", "rounded-box-pad", "0x1p-19 * size", "0x1p-26 * size")
hand("src/narrow/shape_pair.c", "rounded-box-no-pad", "box.pad = 0x1p-19 * size + 0x1p-46 * far + 1e-18;", "box.pad = 0;")
hand("src/narrow/shape_pair.c", "curved-frame-no-pad", "pad = 2 * box->pad", "pad = 0")
hand("src/narrow/shape_pair.c", "curved-frame-cap-no-pad", "(flat ? margin : radius) + pad)", "(flat ? margin : radius))")
hand("src/narrow/shape_pair.c", "curved-frame-inside-too-far", "inner = radius - pad", "inner = radius + pad")
hand("src/narrow/shape_pair.c", "curved-frame-cap-too-far", "(float)(half - pad)", "(float)(half + pad)")
hand("src/narrow/containment.c", "ray-no-pad", "r.pad = 2e-8 * (gz_norm(r.origin) + 2 * b->mesh->max_abs) + 0x1p-48 * far + 1e-29;", "r.pad = 0;")
hand("src/narrow/containment.c", "frame-no-pad", "c.pad = 2e-8 * (gz_norm(t) + 2 * from->max_abs + 2 * to->max_abs) +", "c.pad = 0 *")
hand("src/narrow/containment.c", "query-no-pad", "*pad = (float)(0x1p-20 * size + 1e-30);", "*pad = 0;")
hand("src/math/trigonometry.c", "pi-in-two-pieces", "error - k * HALF_PI_3", "error")
hand("src/math/trigonometry.c", "rounding-not-kept", "*low = error - k", "*low = 0 * error - k")
hand("src/math/trigonometry.c", "sine-term-left-out", "p = p * s - 1.0 / 1307674368000.0;  // 1/15!", ";")
hand("src/math/trigonometry.c", "cosine-term-left-out", "p = p * s - 1.0 / 87178291200.0;   // 1/14!", ";")
hand("src/math/trigonometry.c", "cosine-head", "(((1 - head) - half) + (s * s * p - r * low))", "(s * s * p - r * low)")
hand("src/math/transform.h", "tiny-not-snapped", "if (fabs(out[i]) < GZ_SNAP_MIN) out[i] = 0;", ";")
hand("src/math/transform.h", "sum-in-another-order",
     "((m[4 * i] * p[0] + m[4 * i + 1] * p[1]) + m[4 * i + 2] * p[2]) + m[4 * i + 3]",
     "m[4 * i] * p[0] + (m[4 * i + 1] * p[1] + (m[4 * i + 2] * p[2] + m[4 * i + 3]))")

# Bounds off by 1e-4 either way, pads halved or quartered, loops one short: what the tests named
# "tight" stand at (docs/bounds.md).
BATCH = "src/check/batch_filter.inl"
for part, factor in (("nearer", "0.9999f"), ("farther", "1.0001f")):
    hand(BATCH, f"object-sphere-{part}", "threshold * threshold * GZ_ROUND_UP)", f"threshold * threshold * {factor})")
for part, factor in (("nearer", "1.0001f"), ("farther", "0.9999f")):
    hand(BATCH, f"link-spheres-{part}", "gz_f8_greater(d2, gz_f8_all(first[k].apart2))",
         f"gz_f8_greater(d2, gz_f8_all(first[k].apart2 / {factor}))")
    hand(BATCH, f"ball-and-box-{part}", "gz_f8_greater(d2, gz_f8_all(p->outside2))",
         f"gz_f8_greater(d2, gz_f8_all(p->outside2 / {factor}))")
hand(BATCH, "reach-without-radius", "todo &= ~object_apart(o, view, turned, (l->radius + pad) * GZ_ROUND_UP);",
     "todo &= ~object_apart(o, view, turned, (0.9999f * l->radius + pad) * GZ_ROUND_UP);")
hand(BATCH, "boxes-nearer", "gz_f8_greater(gz_f8_abs(t[i]), h)", "gz_f8_greater(gz_f8_mul(gz_f8_abs(t[i]), gz_f8_all(1.0001f)), h)")
hand(BATCH, "boxes-half-of-b", "gz_f8 h = gz_f8_add(half_b[j], pads);",
     "gz_f8 h = gz_f8_add(gz_f8_mul(half_b[j], gz_f8_all(0.9999f)), pads);")
hand(BATCH, "boxes-half-across", "h = gz_f8_muladd(half_a[i2], abs_r[i1][j], h);",
     "h = gz_f8_muladd(gz_f8_mul(half_a[i2], gz_f8_all(0.9999f)), abs_r[i1][j], h);")
hand(BATCH, "extent-low", "gz_f8_sub(gz_f8_all(block->extent[0][k]), threshold)",
     "gz_f8_sub(gz_f8_all(block->extent[0][k]), gz_f8_mul(threshold, gz_f8_all(0.9999f)))")
QUERY = "src/check/query_filter.inl"
hand(QUERY, "object-sphere-nearer", "threshold = gz_f8_mul(threshold, gz_f8_all(GZ_SQUARE_ROUND_UP));",
     "threshold = gz_f8_mul(threshold, gz_f8_all(0.9999f));")
hand(QUERY, "object-sphere-farther", "threshold = gz_f8_mul(threshold, gz_f8_all(GZ_SQUARE_ROUND_UP));",
     "threshold = gz_f8_mul(threshold, gz_f8_all(1.0016f));")
for part, factor in (("nearer", "1.0001f"), ("farther", "0.9999f")):
    hand(QUERY, f"link-spheres-{part}", "gz_f8_greater(square, gz_f8_load(row->apart2))",
         f"gz_f8_greater(gz_f8_mul(square, gz_f8_all({factor})), gz_f8_load(row->apart2))")
hand(QUERY, "boxes-nearer", "gz_f4_above(gz_f4_abs(t), h) & 7", "gz_f4_above(gz_f4_mul(gz_f4_abs(t), gz_f4_all(1.0001f)), h) & 7")
hand(QUERY, "boxes-half-of-b", "h = gz_f4_add(gz_f4_load(half_b), pads);",
     "h = gz_f4_add(gz_f4_mul(gz_f4_load(half_b), gz_f4_all(0.9999f)), pads);")
hand(QUERY, "boxes-half-across", "h = gz_f4_muladd(ha1, gz_f4_abs(r2), pads);",
     "h = gz_f4_muladd(gz_f4_mul(ha1, gz_f4_all(0.9999f)), gz_f4_abs(r2), pads);")
hand(QUERY, "extent-low", "gz_f8_sub(gz_f8_all(s->extent[0][k]), threshold)",
     "gz_f8_sub(gz_f8_all(s->extent[0][k]), gz_f8_mul(threshold, gz_f8_all(0.9999f)))")
MODEL = "src/check/filter_model.c"
for part, factor in (("nearer", "0.9999f"), ("farther", "1.0001f")):
    hand(MODEL, f"spheres-{part}", ".apart2 = threshold * threshold * GZ_ROUND_UP", f".apart2 = threshold * threshold * {factor}")
    hand(MODEL, f"ball-{part}", "p->outside2 = threshold * threshold * 1.00002f;", f"p->outside2 = threshold * threshold * {factor};")
    hand(MODEL, f"boxes-{part}", "(float)pads.boxes * GZ_ROUND_UP + margin", f"(float)pads.boxes * {factor} + margin")
    hand(MODEL, f"proxies-{part}", "(float)pads.spheres * GZ_ROUND_UP,", f"(float)pads.spheres * {factor},")
    hand(MODEL, f"radius-{part}", "(float)(l->sphere.radius * (1 + 0x1p-22))", f"(float)(l->sphere.radius * (double){factor})")
hand(MODEL, "radius-bound-nearer", "4 * m->links[i].error) * GZ_PAD_ROUND_UP", "4 * m->links[i].error) * 0.9999f")
hand(MODEL, "radius-bound-farther", "4 * m->links[i].error) * GZ_PAD_ROUND_UP", "4 * m->links[i].error) * 1.0011f")
hand(MODEL, "radius-bound-half-of-error", "4 * m->links[i].error", "2 * m->links[i].error")
hand(MODEL, "ball-half-of-error", "4.01f * (a->error + b->error)", "2.005f * (a->error + b->error)")
hand(PAIR, "pad-of-triangles-half", "pair->triangle_pad = pad(24, size, far);", "pair->triangle_pad = pad(12, size, far);")
hand(PAIR, "pad-of-triangles-quarter", "pair->triangle_pad = pad(24, size, far);", "pair->triangle_pad = pad(6, size, far);")
hand(PAIR, "pad-of-boxes-half", "pair->box_pad = pad(40, size, far);", "pair->box_pad = pad(20, size, far);")
hand(PAIR, "pad-of-boxes-quarter", "pair->box_pad = pad(40, size, far);", "pair->box_pad = pad(10, size, far);")
hand(PROXY, "pad-of-planes-half", "64 * 0x1p-24 * (size + margin)", "32 * 0x1p-24 * (size + margin)")
hand(PROXY, "error-of-vertices-half", "error + 24 * 0x1p-24 * size", "error + 12 * 0x1p-24 * size")
CELL = "src/narrow/prefilter/cell_lanes.h"
for part, factor in (("nearer", "0.9999f"), ("farther", "1.0001f")):
    hand(TREE, f"margin-square-{part}", "return margin * margin * GZ_ROUND_UP_FEW;", f"return margin * margin * {factor};")
    hand(COMPONENT, f"inner-factor-{part}", "(inner->half[k] - 2 * p->error) * GZ_ROUND_DOWN", f"(inner->half[k] - 2 * p->error) * {factor}")
    hand(CELL, f"ball-{part}", "gz_f8_all(GZ_ROUND_UP)); // in cells", f"gz_f8_all({factor})); // in cells")
    hand(CELL, f"value-{part}", "gz_f8_all(GZ_ROUND_DOWN / GZ_CLEARANCE_PER_CELL)", f"gz_f8_all({factor} / GZ_CLEARANCE_PER_CELL)")
hand(COMPONENT, "inner-error-halved", "(inner->half[k] - 2 * p->error)", "(inner->half[k] - p->error)")
hand(COMPONENT, "inner-guard-dropped", "if (!(half > p->error)) return false;", ";")
TREES = "src/broad/world_query.h"
hand(TREES, "ball-nearer", "gz_f8_all(radius * radius * GZ_ROUND_UP)", "gz_f8_all(radius * radius * 0.9999f)")
hand(QUERY, "margin-forgotten", "threshold = gz_f8_add(threshold, gz_f8_load(m->margins + (link * m->group_count + group) * GZ_LANES));", ";")
hand(BATCH, "margin-forgotten", "GZ_PAD_ROUND_UP + gz_filter_margin(m, link, object);", "GZ_PAD_ROUND_UP;")
FILTER_ERROR = "src/check/filter_error.c"
for part, factor in (("nearer", "0.9999"), ("farther", "1.0001")):
    hand(FILTER_ERROR, f"margin-{part}", "threshold * (1.00001 + 2 * (double)turn)", f"threshold * ({factor} + 2 * (double)turn)")
hand("src/check/link_check.c", "box-extent", "e = e * (1 + 0x1p-48)", "e = e * (1 - 1e-4)")
hand(OBB, "half-of-a-nearer", "if (fabs(m.t[i]) > m.a[i]", "if (fabs(m.t[i]) > 0.9999 * m.a[i]")
hand(OBB, "half-of-b-nearer", "m.a[2] * m.absolute[2][j] + m.b[j];", "m.a[2] * m.absolute[2][j] + 0.9999 * m.b[j];")
EDGE = "src/plan/edge.c"
hand(EDGE, "last-sample", "if (*point >= order->steps) continue;", "if (*point + 1 >= order->steps) continue;")
hand(EDGE, "last-of-the-order", "while (++order->counter < UINT64_C(1) << order->bits)", "while (++order->counter < (UINT64_C(1) << order->bits) - 1)")
hand(EDGE, "first-of-the-order", "while (++order->counter < UINT64_C(1) << order->bits)", "while (order->counter += order->counter ? 1 : 2, order->counter < UINT64_C(1) << order->bits)")
hand(EDGE, "end-for-start", "*point = to ? order->steps : 0;", "*point = to ? 0 : order->steps;")
SPACE = "src/plan/plan_space.c"
hand(SPACE, "one-step-short", "double steps = ceil(factor * distance / resolution * (1 + 1e-12));", "double steps = floor(factor * distance / resolution * (1 + 1e-12));")
hand(SPACE, "steps-rounded-down", "resolution * (1 + 1e-12)", "resolution * (1 - 1e-12)")
hand(SPACE, "steps-farther", "resolution * (1 + 1e-12)", "resolution * (1 - 1e-4)")
hand(SPACE, "steps-nearer", "resolution * (1 + 1e-12)", "resolution * (1 + 1e-4)")
HULLS = "src/narrow/distance/hull_distance.inl"
hand(HULLS, "pads-of-hulls", "distance * (1 + 0x1p-18f) + 2 * h->pad", "distance * (1 - 0x1p-18f)")
hand(HULLS, "points-without-pads", "sqrtf(square) * GZ_ROUND_UP_FEW + 2 * h->pad", "sqrtf(square) * GZ_ROUND_UP_FEW")
hand(PLANE, "balls-without-radii", "gz_f8 least = gz_f8_sub(along(set->group[0], d), gz_f8_load(proxy->support_radius[0]));",
     "gz_f8 least = along(set->group[0], d);")
hand("src/mesh/prefilter/support_radii.c", "small-weights", "if (sum.weight[k] > 0) *own", "if (sum.weight[k] > 0.3) *own")
hand("src/narrow/distance/shape_distance.h", "threshold-a-tenth-off", "n->any ? n->upper * n->shrink - n->slack : n->upper", "n->upper * n->shrink - n->slack")
hand("src/distance/distance_rough.c", "points-beyond-the-threshold", "|| (double)upper > q->nearest.upper", "")
hand("src/distance/distance_rough.c", "hulls-unproved", "pair->bound > limit ||", "pair->bound >= 0 ||")
hand("src/check/query_filter.inl", "spheres-from-below", "gz_f8_all(1 - 0x1p-20f), up = gz_f8_all(1 + 0x1p-20f)",
     "gz_f8_all(1 + 0x1p-20f), up = gz_f8_all(1 - 0x1p-20f)")


def by_hand(root):
    missing = []
    for file, name, before, after, occurrence in BY_HAND:
        text = (root / file).read_text()
        at = -1
        flat = text
        for _ in range(occurrence + 1):
            at = find_wrapped(flat, before, at + 1)
        if at < 0:
            missing.append(f"{file}: the mutant '{name}' no longer finds: {before.strip()}")
            continue
        end = at + wrapped_length(flat, before, at)
        if not blank(text)[at:end].strip():
            missing.append(f"{file}: the mutant '{name}' changes a comment: {before.strip()}")
            continue
        line = text.count("\n", 0, at) + 1
        yield Mutant(file, "hand", line, text[at:end].strip("\n"), after.strip("\n"), name), at, end, after
    if missing:
        raise SystemExit("\n".join(missing))


def wrapped(before):
    """A pattern for a piece of code, however it was broken into lines."""
    return re.compile(r"\s+".join(re.escape(w) for w in before.split()))


def find_wrapped(text, before, start):
    if before != before.strip():  # white space counts
        return text.find(before, start)
    m = wrapped(before).search(text, start)
    return m.start() if m else -1


def wrapped_length(text, before, at):
    if before != before.strip():
        return len(before)
    return wrapped(before).match(text, at).end() - at


# --------------------------------------------------------------------------------- generation


def candidates(root, file, of=OPERATORS):
    """All mutants that operators make of a file: (mutant, offset, end, replacement)."""
    text = (root / file).read_text()
    lines, code = text.split("\n"), blank(text).split("\n")
    seen, offset, stop = {}, 0, UNCOMPILED.get(file)
    for number, (line, bare) in enumerate(zip(lines, code), 1):
        if stop and line.strip() == stop:
            break
        if not bare.lstrip().startswith(("#", "_Static_assert", "assert(")):
            earlier = seen.get(line.strip(), 0)
            seen[line.strip()] = earlier + 1
            for operator, find in of.items():
                for start, end, instead in find(bare):
                    after = line[:start] + instead + line[end:]
                    identity = f"{line.strip()}|{start - len(line) + len(line.lstrip())}|{instead}|{earlier}"
                    name = hashlib.sha1(identity.encode()).hexdigest()[:8]
                    mutant = Mutant(file, operator, number, line.strip(), after.strip(), name)
                    yield mutant, offset + start, offset + end, instead
        offset += len(line) + 1


def files(root, modules=MODULES):
    out = []
    for module in modules:
        out += sorted(str(p.relative_to(root)) for p in (root / "src" / module).rglob("*") if p.suffix in (".c", ".h", ".inl"))
    return out


def bounds(root):
    """All mutants of bounds."""
    return [c for file in files(root, BOUND_MODULES) for c in candidates(root, file, BOUND_OPERATORS)]


def draw_bounds(root, count, seed):
    """So many mutants of bounds as the seed draws, as many of each operator; fewer are the first of more."""
    drawn = sorted(bounds(root), key=lambda c: hashlib.sha1(f"{seed} {c[0].key}".encode()).digest())
    turns = [[c for c in drawn if c[0].operator == name] for name in BOUND_OPERATORS]
    return [turn[i] for i in range(len(drawn)) for turn in turns if i < len(turn)][:count]


def choose(root, share, seed, only=None):
    """The mutants of a run: those by hand, and of each file the share that the seed draws."""
    chosen = list(by_hand(root))
    for file in files(root):
        drawn = [c for c in candidates(root, file)
                 if int(hashlib.sha1(f"{seed} {c[0].key}".encode()).hexdigest()[:8], 16) < share * 2**32]
        chosen += drawn
    if only is None:
        return chosen
    words = only.split(",")
    fitting = [c for c in chosen if any(w in c[0].key for w in words)]
    return sorted(fitting, key=lambda c: next(i for i, w in enumerate(words) if w in c[0].key))

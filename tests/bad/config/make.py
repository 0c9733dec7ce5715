#!/usr/bin/env python3
"""Makes the must-fail configuration files for tests/cli/data/gantry.urdf (q: travel, lift, turn).

The files are committed; run this only to change them. What each must answer is in
tests/cli/bad_config.txt.
"""
import struct
from pathlib import Path

HERE = Path(__file__).resolve().parent


def npy(name, header, body=b"", version=(1, 0), length=None, magic=b"\x93NUMPY"):
    text = header.encode("latin-1")
    size = len(text) if length is None else length
    prefix = struct.pack("<H", size) if version[0] == 1 else struct.pack("<I", size)
    (HERE / name).write_bytes(magic + bytes(version) + prefix + text + body)


def head(descr="<f8", order="False", shape="(2, 3)", extra=""):
    return f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, {extra}}}\n"


SIX = struct.pack("<6d", *range(6))

npy("truncated_row.npy", head(), SIX[:-8])
npy("truncated_number.npy", head(), SIX[:-3])
npy("no_numbers.npy", head())
npy("bytes_behind.npy", head(), SIX + b"\0")
npy("truncated_header.npy", head()[:20], length=80)
(HERE / "only_magic.npy").write_bytes(b"\x93NUMPY\x01")
(HERE / "empty.npy").write_bytes(b"")
npy("wrong_magic.npy", head(), SIX, magic=b"\x93NUMPX")
npy("version_9.npy", head(), SIX, version=(9, 0))
npy("fortran_order.npy", head(order="True"), SIX)
npy("integers.npy", head("<i8"), SIX)
npy("half_floats.npy", head("<f2"), SIX[:12])
npy("big_endian.npy", head(">f8"), SIX)
npy("objects.npy", head("|O"), SIX)
npy("one_dimension.npy", head(shape="(6,)"), SIX)
npy("three_dimensions.npy", head(shape="(1, 2, 3)"), SIX)
npy("no_dimension.npy", head(shape="()"), SIX[:8])
npy("two_columns.npy", head(shape="(3, 2)"), SIX)
npy("no_columns.npy", head(shape="(1000000000000, 0)"))
npy("overflowing_shape.npy", head(shape="(6148914691236517206, 3)"), SIX)
npy("endless_shape.npy", head(shape="(99999999999999999999999, 3)"), SIX)
npy("negative_shape.npy", head(shape="(-2, 3)"), SIX)
npy("header_not_a_dictionary.npy", "[1, 2, 3]\n", SIX)
npy("header_without_shape.npy", "{'descr': '<f8', 'fortran_order': False, }\n", SIX)
npy("header_with_more.npy", head(extra="'more': 1, "), SIX)
npy("header_twice_shape.npy", head(extra="'shape': (2, 3), "), SIX)
npy("header_unclosed_string.npy", "{'descr': '<f8, }\n", SIX)
npy("header_too_long.npy", head() + " " * 70000, SIX, version=(2, 0))
npy("header_with_nul.npy", head().replace("False", "Fal\0e"), SIX)


def csv(name, text):
    (HERE / name).write_bytes(text if isinstance(text, bytes) else text.encode())


csv("empty.csv", "")
csv("only_blank_lines.csv", "\n\r\n\n")
csv("no_header.csv", "0,0,0\n")
csv("unknown_joint.csv", "travel,lfit\n0,0\n")
csv("fixed_joint.csv", "travel,lamp_joint\n0,0\n")
csv("mimic_joint.csv", "travel,grip\n0,0\n")
csv("joint_twice.csv", "travel,lift,travel\n0,0,0\n")
csv("empty_name.csv", "travel,,lift\n0,0,0\n")
csv("one_field_too_few.csv", "travel,lift\n0,0\n1\n")
csv("one_field_too_many.csv", "travel,lift\n0,0\n1,2,3\n")
csv("not_a_number.csv", "travel,lift\n0,0\n0,zero\n")
csv("empty_field.csv", "travel,lift\n0,\n")
csv("hexadecimal.csv", "travel,lift\n0x1p3,0\n")
csv("decimal_comma.csv", "travel;lift\n0,5;1,5\n")
csv("unit_behind.csv", "travel,lift\n1m,0\n")
csv("unclosed_quote.csv", 'travel,lift\n"0,0\n')
csv("text_behind_quote.csv", 'travel,lift\n"0"1,0\n')
csv("nul_byte.csv", b"travel,lift\n0,0\0\n")
csv("utf16.csv", "travel,lift\n0,0\n".encode("utf-16"))
csv("digits_without_end.csv", "travel,lift\n0," + "1" * 1000 + "\n")
csv("python_comment.csv", "# travel,lift\n0,0\n")

"""Configurations by the names of joints: dicts, and orders that other libraries have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graze import _graze
from graze._graze import ArgumentError


def columns(robot: _graze.Robot, joints: Sequence) -> np.ndarray:
    """Columns of q of joints: names as in robot.joint_names, or column numbers; int32[n], each once."""
    places = {name: i for i, name in enumerate(robot.joint_names)}
    out: list[int] = []
    for joint in joints:
        column = places.get(joint, -1) if isinstance(joint, str) else int(joint)
        if not 0 <= column < len(places):
            raise ArgumentError(f"no joint {joint!r}; allowed: {', '.join(places)}")
        if column in out:
            raise ArgumentError(f"joint {joint!r} is named twice; allowed: once")
        out.append(column)
    return np.array(out, dtype=np.int32)


def _numbers(values: Any) -> np.ndarray:
    """Anything of real numbers as float64; complex numbers and text are no numbers."""
    return np.asarray(values).astype(np.float64, casting="same_kind")


def whole(robot: _graze.Robot, q: Any, joints: Sequence | None = None, what: str = "q") -> np.ndarray:
    """Whole configurations out of some columns, the others at rest: float64[columns] or [N, columns].

    q: [n] or [N, n] numbers of `joints`, such as yourdfpy's actuated_joint_names; or a dict from names of joints, or
    columns, to a number each, or to N.
    """
    if isinstance(q, dict):
        if joints is not None:
            raise ValueError(f"{what} is a dict, and joints are given; allowed: one of them")
        values = [_numbers(value) for value in q.values()]
        if any(value.ndim > 1 for value in values):
            raise ValueError(f"{what} has an array with more than one dimension; allowed: a number, or N, for each joint")
        joints = list(q)
        part = np.stack(np.broadcast_arrays(*values), axis=-1) if values else np.empty(0)
    else:
        part = _numbers(q)
    chosen = columns(robot, joints or ())
    if part.ndim not in (1, 2) or part.shape[-1] != len(chosen):
        raise ValueError(f"{what} has the shape {list(part.shape)}; allowed: [{len(chosen)}] or [N, {len(chosen)}]")
    out = np.array(np.broadcast_to(robot.rest, (*part.shape[:-1], len(robot.joint_names))))
    out[..., chosen] = part
    return out

"""Sweeps under Dask: shards of `graze sweep` as tasks of a client, on as many machines as that has.

    client = dask.distributed.Client(...)
    graze.dask.sweep(client, ["cell.graze", "--count", 10 ** 9, "-o", "/shared/free.zarr"])

A task is a share of the shards, computed by the command in a process of its own. A shard is a function of its number
alone and appears when it is complete, so that a task which Dask runs again, as its worker was lost, computes what is
missing, and nothing is ever merged.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from typing import Any

__all__ = ["sweep"]

# What a task of Slurm or MPI has in its environment would give the command another share.
_OTHERS = ("SLURM_ARRAY_TASK_", "OMPI_COMM_WORLD_", "PMI_")


def _share(command: list[str], share: int, shares: int) -> int:
    """Computes one share; returns how many configurations were missing of it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_OTHERS)}
    done = subprocess.run([*command, "--shard", f"{share}/{shares}"], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"graze sweep ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
    found = re.search(r"(\d+) configurations(?: and edges)? checked", done.stderr)
    return int(found[1]) if found else 0


def sweep(client: Any, arguments: Sequence, *, shares: int | None = None, command: str = "graze", retries: int = 3) -> int:
    """Runs `graze sweep` on the workers of a dask.distributed.Client, and returns how many configurations were computed.

    arguments: what stands behind `graze sweep` (docs/sweep.md): ROBOT, the configurations, and -o DIR, by paths that are
    the same for all workers. Not --shard, --slurm or --quiet. shares: tasks, each every so many-th shard; None: four for each
    thread of the workers. command: the program, on the workers. retries: how often a task that failed is run again; one
    whose worker was lost is Dask's own to run again. What is there already is not computed again. Raises RuntimeError with
    what the command said.
    """
    words = [os.fspath(word) if isinstance(word, os.PathLike) else str(word) for word in arguments]
    for word in words:
        if word.split("=")[0] in ("--shard", "--slurm", "--quiet"):
            raise ValueError(f"{word} is among the arguments; allowed: all but --shard, --slurm and --quiet")
    if shares is None:
        shares = 4 * max(1, sum(client.nthreads().values()))
    if shares < 1:
        raise ValueError(f"shares is {shares}; allowed: 1 or more")
    tasks = client.map(_share, [[command, "sweep", *words]] * shares, range(shares), [shares] * shares, pure=False,
                       retries=retries)
    return sum(client.gather(tasks))

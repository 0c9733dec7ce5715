"""Tests of graze.dask on local workers, with Debian's python3-distributed: tests/engines_check.sh runs them."""

import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

import graze.dask

SOURCE = Path(os.environ["GRAZE_SOURCE"])
COMMAND = os.environ.get("GRAZE_COMMAND")
SWEEP = [SOURCE / "urdf/heron.urdf", "--srdf", SOURCE / "urdf/heron.srdf", "--world", SOURCE / "worlds/shelf.json", "--pairs",
         "--count", 120000, "--chunk", 4096]


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()}


class Arguments(unittest.TestCase):
    def test_what_the_tasks_say_themselves_is_refused(self):
        for word in ("--shard", "--shard=0/2", "--slurm", "--quiet"):
            with self.assertRaisesRegex(ValueError, "allowed: all but"):
                graze.dask.sweep(None, [*SWEEP, word])
        with self.assertRaisesRegex(ValueError, "shares is 0"):
            graze.dask.sweep(None, SWEEP, shares=0)


@unittest.skipUnless("GRAZE_TEST_ENGINES" in os.environ, "GRAZE_TEST_ENGINES is not set")
class Workers(unittest.TestCase):
    def test_a_killed_worker_changes_no_byte(self):
        import distributed

        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([COMMAND, "sweep", *map(str, SWEEP), "-o", f"{folder}/alone.zarr"], check=True, capture_output=True)
            with distributed.LocalCluster(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None,
                                          local_directory=folder) as cluster, distributed.Client(cluster) as client:
                found = graze.dask.sweep(client, [*SWEEP, "-o", f"{folder}/a.zarr"], shares=5, command=COMMAND)
                self.assertEqual(found, 120000)
                self.assertEqual(tree(f"{folder}/a.zarr"), tree(f"{folder}/alone.zarr"))
                self.assertEqual(graze.dask.sweep(client, [*SWEEP, "-o", f"{folder}/a.zarr"], shares=5, command=COMMAND), 0)
                victim = list(client.run(os.getpid).values())[0]
                killer = threading.Thread(target=self.kill, args=(victim, Path(folder) / "b.zarr/collision"))
                killer.start()
                graze.dask.sweep(client, [*SWEEP, "-o", f"{folder}/b.zarr"], shares=9, command=COMMAND)
                killer.join()
                self.assertTrue(self.killed_amid, "the sweep had ended before its worker was killed")
                self.assertEqual(tree(f"{folder}/b.zarr"), tree(f"{folder}/alone.zarr"))
                with self.assertRaisesRegex(RuntimeError, "belongs to another sweep"):
                    graze.dask.sweep(client, [*SWEEP, "--seed", 2, "-o", f"{folder}/b.zarr"], shares=2, command=COMMAND, retries=0)

    def kill(self, process, shards):
        """Kills the worker when some shards are there and others not yet."""
        self.killed_amid = False
        for _ in range(6000):
            there = len(list(shards.glob("[0-9]*"))) if shards.exists() else 0
            if there > 2:
                self.killed_amid = there < 30
                os.kill(process, signal.SIGKILL)
                return
            time.sleep(0.01)


if __name__ == "__main__":
    unittest.main()

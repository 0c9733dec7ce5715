#!/usr/bin/env bash
# Sweeps under engines that exist, run for real: an array of Slurm on this machine, one of its tasks killed and queued again,
# and Dask with a worker that is killed. The bytes are those of one undisturbed process. Not a part of make test: it starts
# daemons, as root, with Debian's slurm-wlm and python3-distributed; what is not installed is left out.
#   tests/engines_check.sh BUILD_FOLDER
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
build="$(cd "$1" && pwd)"
scratch="$(mktemp -d)"
daemons=()
stop() {
  for daemon in "${daemons[@]}"; do [ ! -s "$daemon" ] || kill "$(cat "$daemon")" 2>/dev/null || true; done
  sleep 1
  rm -rf "$scratch"
}
trap stop EXIT
sweep=(sweep "$root/urdf/heron.urdf" --srdf "$root/urdf/heron.srdf" --world "$root/worlds/shelf.json" --pairs
       --count 4000000 --chunk 65536)

start_slurm() {
  local host
  host=$(hostname -s)
  chmod 755 "$scratch"
  mkdir -m 755 "$scratch"/{munge,control,node}
  head -c 1024 /dev/urandom > "$scratch/munge/key"
  chmod 400 "$scratch/munge/key"
  munged --force --key-file="$scratch/munge/key" --socket="$scratch/munge/socket" --pid-file="$scratch/munge/pid" \
    --log-file="$scratch/munge/log" --seed-file="$scratch/munge/seed"
  daemons+=("$scratch/munge/pid")
  cat > "$scratch/slurm.conf" <<CONF
ClusterName=graze
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$scratch/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmctldPidFile=$scratch/control/pid
SlurmctldLogFile=$scratch/control/log
StateSaveLocation=$scratch/control
SlurmdPidFile=$scratch/node/pid
SlurmdLogFile=$scratch/node/log
SlurmdSpoolDir=$scratch/node
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
JobRequeue=1
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF="$scratch/slurm.conf"
  slurmctld
  daemons=("$scratch/control/pid" "${daemons[@]}")
  slurmd
  daemons=("$scratch/node/pid" "${daemons[@]}")
  for _ in $(seq 60); do
    [ "$(sinfo -h -o %T 2>/dev/null)" != idle ] || return 0
    sleep 1
  done
  echo "FAIL: Slurm does not come up"
  tail -n 5 "$scratch"/{control,node}/log
  exit 1
}

if command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null && [ "$(id -u)" = 0 ]; then
  env -u SLURM_ARRAY_TASK_ID "$build/graze" "${sweep[@]}" -o "$scratch/alone.zarr" --quiet
  start_slurm
  cd "$scratch"
  job=$("$build/graze" "${sweep[@]}" -o "$scratch/slurm.zarr" --slurm 6 | sbatch --parsable)
  for _ in $(seq 600); do # a task that has written shards, and has others to write
    [ ! -e "$scratch/slurm.zarr/collision/7" ] || break
    sleep 0.1
  done
  running=$(squeue -h -r -t RUNNING -o %K -j "$job" | sort -n | tail -n 1)
  [ -n "$running" ] || { echo "FAIL: the tasks had ended before one could be killed"; exit 1; }
  scontrol requeue "${job}_$running"
  there=$(find "$scratch/slurm.zarr/collision" -name '[0-9]*' | wc -l)
  for _ in $(seq 300); do
    [ -n "$(squeue -h -j "$job" 2>/dev/null)" ] || break
    sleep 1
  done
  [ -z "$(squeue -h -j "$job" 2>/dev/null)" ] || { echo "FAIL: tasks are still queued"; squeue; exit 1; }
  diff -r "$scratch/alone.zarr" "$scratch/slurm.zarr"
  [ "$there" -lt 62 ] || { echo "FAIL: every shard was there before the task was killed"; exit 1; }
  echo "Slurm: 6 tasks, task $running killed and queued again with $there of 62 shards there; the bytes of one process"
else
  echo "skipped: slurmctld, slurmd and munged are not all installed, or this is not root"
fi

if /usr/bin/python3 -c 'import distributed' 2>/dev/null; then
  "$root/tests/python_check.sh" "$build" --only dask
else
  echo "skipped: python3-distributed is not installed"
fi

#!/usr/bin/env bash
# `graze bench` as its users meet it: it and graze-bench-peers know the same options, a short run
# writes a table that the scripts read, its verdicts agree, and it runs from where it was installed.
#   tests/bench_check.sh BUILD_FOLDER
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
build="$(cd "$1" && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

options() { grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE '\-\-[a-z-]+' | grep -v -e --help | sort; }
"$build/graze" bench --help | options > command
"$build/bench/graze-bench-peers" --help | options > program
diff command program || { echo "FAIL: graze bench and graze-bench-peers know other options"; exit 1; }

# A problem as MotionBenchMaker's files have it: the arm goes from one side of a board to the other.
cat > problems.json <<'JSON'
{"format":"mbm-1","joints":["torso_lift_joint","shoulder_pan_joint","shoulder_lift_joint"],
 "problems":{"board":[{"start":[0.1,-0.6,0],"goals":[[0.1,0.6,0]],"other_joints":{"elbow_flex_joint":0},
  "objects":[{"name":"board","type":"box","size":[0.6,0.04,0.3],"position":[0.7,0,0.75],"quaternion":[0,0,0,1]},
             {"name":"can","type":"cylinder","radius":0.03,"length":0.1,"position":[0.5,0.4,0.3],
              "quaternion":[0,0,0,1]}]}]}}
JSON
few=(--rows 100 --repeat 2 --problems problems.json --only 'self/.*(any pair|batch|FCL OBB,)|edges.*/')
"$build/graze" bench "${few[@]}" --csv table.csv > said
grep -q '^planner edges: 1 problems of problems.json planned, 1 paths found' said
grep -q '"self","graze","solid, any pair, each: 99th percentile",us,100,' table.csv
grep -q '"planner edges","graze","surface, batch, 1 thread",us,' table.csv
grep -q '"planner edges triangulated","FCL","OBB, prefilter, hit-ordered, each: mean",us,' table.csv
[ "$(nproc)" = 1 ] || grep -q '"self","graze","solid, batch, two threads over one",x,' table.csv
python3 "$root/tools/benchmark_plot.py" table.csv -o table.svg >/dev/null
grep -q '</svg>' table.svg
python3 "$root/tools/benchmark_compare.py" table.csv table.csv >/dev/null
# That every time is longer must be noticed.
sed -E 's/(,us,[0-9]+),([0-9.]+),([0-9.]+),([0-9.]+)/\1,9e9,9e9,9e9/' table.csv > slower.csv
if python3 "$root/tools/benchmark_compare.py" table.csv slower.csv > differences; then
  echo "FAIL: benchmark_compare.py does not notice that everything is slower"; exit 1
fi

# What is wrong is said, and is the status.
fails() { # STATUS, WORDS, arguments
  local status=0 wanted="$1" words="$2"
  shift 2
  "$build/graze" bench "$@" > out 2>&1 || status=$?
  [ "$status" = "$wanted" ] && grep -qF -- "$words" out ||
    { echo "FAIL: graze bench $*: status $status, not $wanted and '$words':"; cat out; exit 1; }
}
fails 3 'nowhere.urdf' nowhere.urdf
fails 3 'nowhere.json' --problems nowhere.json
echo '{"format":"mbm-2"}' > other.json
fails 3 'allowed: mbm-1' --problems other.json --only none
fails 2 '--rows' --rows none

cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
mv "$scratch/prefix" "$scratch/moved"
"$scratch/moved/bin/graze" bench --rows 20 --repeat 1 --only 'self/.*any pair' > said
grep -qF 'surface, any pair' said
echo "graze bench: the same options, a short run, its tables, and an installed one"

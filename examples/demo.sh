#!/bin/sh
# A tour in a few seconds: the robot and the shelf that ship, a free and a colliding configuration,
# ten thousand random ones, a motion. `graze demo` runs it; by hand: examples/demo.sh [FOLDER].
#   GRAZE        the program (default: graze)
#   GRAZE_SHARE  the folder with urdf/ and worlds/ (default: the one that this script came with)
set -eu
export LC_ALL=C
graze=${GRAZE:-graze}
share=${GRAZE_SHARE:-$(cd "$(dirname "$0")/.." && pwd)}
out=${1:-.}
group=arm_with_torso
joints=torso_lift_joint,shoulder_pan_joint,shoulder_lift_joint,upperarm_roll_joint,elbow_flex_joint,forearm_roll_joint,wrist_flex_joint,wrist_roll_joint
# A hand between two boards of the shelf, and the same a little lower.
rest=shoulder_lift_joint=0.35,elbow_flex_joint=-0.35,wrist_flex_joint=0.1
reach=torso_lift_joint=0.1,$rest
lower=torso_lift_joint=0,$rest
count=10000

# How the commands shown can be typed: "graze" where the shell finds it, else its path.
name=$graze
if [ "$(readlink -f "$(command -v graze)")" = "$(readlink -f "$(command -v "$graze")")" ]; then
  name=graze
elif [ "${graze#"$PWD/"}" != "$graze" ]; then
  name=./${graze#"$PWD/"}
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

heading() { printf '\n%s\n' "$1"; }
shown() { printf '  $ %s\n' "$1"; }
indented() { sed 's/^/  /' "$1"; }
file() { if [ "$out" = . ]; then echo "$1"; else echo "$out/$1"; fi; }

# Runs a command on heron, with its messages in $scratch/messages. A collision, exit status 1, is an
# answer; anything else that is not 0 ends the tour.
run() {
  command=$1
  shift
  "$graze" "$command" "$share/urdf/heron.urdf" --srdf "$share/urdf/heron.srdf" \
    --package "graze=$share" "$@" 2> "$scratch/messages" || {
    status=$?
    [ $status -eq 1 ] || { cat "$scratch/messages" >&2; exit $status; }
  }
}

# Writes random configurations of the joints, uniform in the limits that `graze info` gives. The
# generator is that of Park and Miller (1988), exact in doubles: the same numbers everywhere.
draw() {
  awk -v joints="$joints" -v count="$count" '
    function value(key) {
      if (!match($0, "\"" key "\":[^,}]*")) return ""
      return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
    }
    /^"q":/ { in_q = 1 }
    /^"joints":/ { in_q = 0 }
    in_q && /"name":/ {
      name = value("name"); from = value("lower"); to = value("upper")
      low[name] = from == "null" ? -3.14159 : from
      high[name] = to == "null" ? 3.14159 : to
    }
    END {
      n = split(joints, name_of, ",")
      print joints
      for (x = 1; count > 0; count--)
        for (i = 1; i <= n; i++) {
          key = "\"" name_of[i] "\""
          x = 16807 * x % 2147483647
          printf "%.6f%s", low[key] + (high[key] - low[key]) * x / 2147483647, i < n ? "," : "\n"
        }
    }'
}

echo "$("$graze" --version): which link touches what, on the real meshes"

heading "1. A robot and its world"
shown "S=$share"
shown "$name info \$S/urdf/heron.urdf --srdf \$S/urdf/heron.srdf --package graze=\$S"
run info --format json -o "$scratch/robot.json"
run info -o "$scratch/robot"
sed 9q "$scratch/robot" > "$scratch/head"
indented "$scratch/head"

heading "2. One configuration: free or not, and why"
shown "H=\"\$S/urdf/heron.urdf --srdf \$S/urdf/heron.srdf --package graze=\$S --world \$S/worlds/shelf.json\""
shown "$name check \$H -q $reach"
run check --world "$share/worlds/shelf.json" -q "$reach" -o "$scratch/verdict"
indented "$scratch/verdict"
picture=$(file graze-demo.png)
shown "$name check \$H -q $lower --picture $picture"
run check --world "$share/worlds/shelf.json" -q "$lower" --picture "$picture" -o "$scratch/verdict"
indented "$scratch/verdict"
echo "  drawn: $picture"

heading "3. Ten thousand configurations"
configs=$(file graze-demo-configs.csv)
draw < "$scratch/robot.json" > "$configs"
shown "$name check \$H --configs $configs --stats"
run check --world "$share/worlds/shelf.json" --configs "$configs" --format csv -o "$scratch/verdicts" \
  --stats
sed -n '1p; s/^mean \(.*\)\/config$/\1 each, on one thread/p' "$scratch/messages" > "$scratch/head"
indented "$scratch/head"
awk -F, '$2 == "collision" { n = ++times[$4 " with " $5]; if (n > most) { most = n; pair = $4 " with " $5 } }
  END { print "  most often first: " pair ", " most " times" }' "$scratch/verdicts"

heading "4. A motion: out of the tuck, into the shelf"
picture=$(file graze-demo-path.png)
shown "$name plan \$H --start-state $group/tuck --goal $reach -o path.csv --picture $picture"
run plan --world "$share/worlds/shelf.json" --start-state "$group/tuck" --goal "$reach" \
  -o "$scratch/path.csv" --picture "$picture"
indented "$scratch/messages"
echo "  drawn: $picture"

heading "Your own robot"
shown "$name info your.urdf"
shown "$name check your.urdf -q \"joint=0.5,other=1\" --all"

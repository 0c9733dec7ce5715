#!/usr/bin/env bash
# What the completion offers where names of the robot are wanted; for fish, too, where it is there.
set -euo pipefail
cd "$(dirname "$0")/.."

completion="$PWD/src/cli/completion.bash"
offered() {
  bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _graze; echo "${COMPREPLY[*]}"' \
    bash "$completion" "$@"
}
expect() {
  local wanted="$1" found
  shift
  found=$(offered "$@")
  [ "$found" = "$wanted" ] || { echo "${*@Q} is offered '$found', not '$wanted'"; exit 1; }
}

expect "info" graze inf
expect "elbow_joint= shoulder_joint= tip_joint=" graze check urdf/two_link.urdf -q ""
expect "shoulder_joint,elbow_joint" graze cspace urdf/two_link.urdf --joints shoulder_joint,e
expect "base_link" graze plan urdf/two_link.urdf --allow b
expect "closed open ready tuck zero" graze check urdf/heron.urdf --srdf urdf/heron.srdf --state ""
expect "ros spec moveit auto" graze info urdf/heron.urdf --collada ""
# A world is no robot, and a robot that is not there has no names.
expect "" graze check nowhere.urdf --world urdf/two_link.urdf --joints x
if command -v fish > /dev/null; then
  found=$(GRAZE_COMPLETION="$completion" fish -c \
    'source src/cli/completion.fish; complete -C "graze check urdf/two_link.urdf --allow b"')
  [ "$found" = base_link ] || { echo "fish is offered '$found'"; exit 1; }
else
  echo "fish is not there: its completion is not tried"
fi
echo "the completion offers commands, options, and names of robots"

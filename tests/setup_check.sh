#!/usr/bin/env bash
# tools/setup.sh asks for the right packages on machines that lack them. The machines are made up:
# dpkg-query, apt-get, sudo and id are stand-ins, found first in PATH, that answer as each case says
# and write down what they were asked. Nothing is installed.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"

stand_in() { # NAME, its script on standard input
  { echo '#!/usr/bin/env bash'; cat; } > "$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}
# HAVE: packages that are installed ("all": every one). HALF: removed, configuration left behind.
stand_in dpkg-query <<'EOF'
package="${@: -1}"
case " $HAVE " in
  " all ") echo installed; exit 0 ;;
  *" $package "*) echo installed; exit 0 ;;
esac
case " ${HALF:-} " in *" $package "*) echo config-files; exit 0 ;; esac
exit 1
EOF
stand_in apt-get <<'EOF'
echo "${AS:-caller}: apt-get $*" >> "$RECORD"
[ "$1" = "${APT_FAILS:-}" ] && exit 100
[ "$1" != install ] || [ "${DEBIAN_FRONTEND:-}" = noninteractive ] || { echo "would ask" >&2; exit 99; }
EOF
stand_in sudo <<'EOF'
[ "${SUDO:-no}" = yes ] || exit 1
while [ "${1#-}" != "$1" ]; do shift; done
[ "$1" = true ] && exit 0
# As the real one, it clears the environment.
exec env -i PATH="$PATH" RECORD="$RECORD" APT_FAILS="${APT_FAILS:-}" AS=sudo "$@"
EOF
stand_in id <<'EOF'
[ "$*" = -u ] && echo "${USER_ID:-1000}"
EOF

fail() { echo "FAIL: $case: $1"; echo "--- output:"; cat "$scratch/out"; echo "--- asked:"; cat "$RECORD"; exit 1; }
run() { # STATUS ARGUMENTS...: runs setup.sh in the case's surroundings
  local expected="$1" status=0
  shift
  : > "$RECORD"
  PATH="$scratch/bin:$PATH" "$root/tools/setup.sh" "$@" > "$scratch/out" 2>&1 < /dev/null || status=$?
  [ "$status" = "$expected" ] || fail "exit status $status, expected $expected"
}
asked() { grep -qxF -- "$1" "$RECORD" || fail "not asked: $1"; }
says() { grep -qF -- "$1" "$scratch/out" || fail "does not say: $1"; }
quiet() { [ ! -s "$scratch/out" ] || fail "not silent"; }
nothing_asked() { [ ! -s "$RECORD" ] || fail "asked for something"; }

export RECORD="$scratch/record" HAVE HALF="" SUDO USER_ID
libraries="libassimp-dev libexpat1-dev libjansson-dev libyaml-dev libpng-dev zlib1g-dev libmicrohttpd-dev libgmp-dev libxxhash-dev libcglm-dev"
tools="gcc libc6-dev cmake make pkg-config"

case="everything is there"; HAVE=all SUDO=no USER_ID=1000
for target in build test bench; do run 0 $target; quiet; nothing_asked; done

case="libraries missing, root"; HAVE="$tools" USER_ID=0
run 0 build
asked "caller: apt-get update -q"
asked "caller: apt-get install -y --no-install-recommends $libraries -q"

case="libraries missing, sudo"; USER_ID=1000 SUDO=yes
run 0 build
asked "sudo: apt-get update -q"
asked "sudo: apt-get install -y --no-install-recommends $libraries -q"

case="libraries missing, neither root nor sudo"; SUDO=no
run 1 build
nothing_asked
says "sudo apt-get install -y --no-install-recommends $libraries"

case="one library missing"; HAVE="$tools ${libraries/libyaml-dev/}" USER_ID=0
run 0 build
asked "caller: apt-get install -y --no-install-recommends libyaml-dev -q"

case="a package was removed, its configuration is left"; HAVE="$tools ${libraries/libpng-dev/}" HALF=libpng-dev
run 0 build
asked "caller: apt-get install -y --no-install-recommends libpng-dev -q"
HALF=""

case="a bare machine"; HAVE="" USER_ID=0
run 0 build
grep -qE 'fcl|cmocka|clang|bullet|cgal' "$RECORD" && fail "the demo asks for what only tests need"
run 0 bench
grep -qE 'cmocka|clang|cgal' "$RECORD" && fail "the benchmark asks for what only tests need"
for peer in libfcl-dev libbullet-dev libode-dev g++; do
  grep -qF " $peer" "$RECORD" || fail "bench does not ask for $peer"
done
run 0 test
for package in $tools $libraries libcmocka-dev clang libfcl-dev libcgal-dev gappa ninja-build; do
  grep -qE " $package( |$)" "$RECORD" || fail "test does not ask for $package"
done

case="the lists cannot be fetched"; HAVE="$tools"
APT_FAILS=update run 0 build
says "lists at hand"
asked "caller: apt-get install -y --no-install-recommends $libraries -q"

case="the packages cannot be installed"
APT_FAILS=install run 100 build

case="a wrong word"; run 2 rubbish; says "usage:"; nothing_asked

case="no dpkg"; mkdir "$scratch/other"
for program in bash env; do ln -s "$(command -v $program)" "$scratch/other/$program"; done
: > "$RECORD"
PATH="$scratch/other" "$root/tools/setup.sh" build > "$scratch/out" 2>&1 || fail "fails"
says "libassimp-dev"
nothing_asked

# Every package that is asked for is explained, and the other way round.
case="docs/dependencies.md"; HAVE="" run 0 test
: > "$scratch/out"
for package in $(sed -n 's/.*--no-install-recommends \(.*\) -q/\1/p' "$RECORD"); do
  grep -qE "(^|[^a-z0-9-])${package//+/\\+}([^a-z0-9+-]|$)" "$root/docs/dependencies.md" ||
    fail "does not name $package"
done
echo "setup.sh: root, sudo, neither; present, missing, half removed; each target its own packages"

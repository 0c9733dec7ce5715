#!/usr/bin/env bash
# What a user of the installed library does: find it through CMake and through pkg-config, build the
# README's program (examples/first_check.c), run it. And what a user of the command does: run it from
# where it was installed.
#   tests/install_check.sh BUILD_FOLDER
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
build="$1"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
prefix="$scratch/prefix"
cmake --install "$build" --prefix "$prefix" >/dev/null
library=$(dirname "$(find "$prefix" -name libgraze.so)")
# Programs of one minor version do not run with the next.
[ "$(objdump -p "$library/libgraze.so" | awk '/SONAME/ { print $2 }')" = libgraze.so.0.1 ]
[ -s "$prefix/share/doc/graze/LICENSE" ]
# Who links the library need not have assimp.
if ldd "$library/libgraze.so" | grep assimp; then exit 1; fi

# Every file that is installed is in a package of debian/, and the packages have this version (tests/package_check.sh builds them).
grep -q "^graze ($(sed -n 's/^project(graze VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")-" "$root/debian/changelog"
grep -qx "Package: libgraze0.1" "$root/debian/control"
(cd "$prefix" && find . -not -type d | sed -E 's#^\./#usr/#; s#^usr/lib/(libgraze|cmake|pkgconfig)#usr/lib/ARCH/\1#') |
  while read -r file; do
    packaged=""
    while read -r pattern; do
      # shellcheck disable=SC2053
      if [[ $file = $pattern || $file = $pattern/* ]]; then packaged=1; fi
    done < <(cat "$root"/debian/*.install "$root/debian/not-installed")
    [ -n "$packaged" ] || { echo "FAIL: $file is in no package of debian/"; exit 1; }
  done

mkdir "$scratch/cmake"
cat > "$scratch/cmake/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(graze 0.1 REQUIRED)
add_executable(shared $root/examples/first_check.c)
target_link_libraries(shared PRIVATE graze::graze)
add_executable(static $root/examples/first_check.c)
target_link_libraries(static PRIVATE graze::STATIC)
CMAKE
cmake -S "$scratch/cmake" -B "$scratch/cmake/build" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$scratch/cmake/build" >/dev/null
# A free robot, one that collides, and a file that is not there: first_check's three answers.
share="$prefix/share/graze"
answers() { # PROGRAM
  local said status
  while read -r robot said status; do
    local got=0 out
    out=$("$1" "$robot" 2>/dev/null) || got=$?
    [ "$got" = "$status" ] && [ "$out" = "${said/-/}" ] ||
      { echo "FAIL: $1 $robot: '$out', exit status $got; expected '$said', $status"; exit 1; }
  done <<ROBOTS
$share/urdf/two_link.urdf free 0
$share/urdf/heron.urdf base_link 1
$share/urdf/nowhere.urdf - 3
ROBOTS
}
for program in shared static; do answers "$scratch/cmake/build/$program"; done

# The bindings for OMPL, where that is: a target of their own.
if [ -e /usr/include/ompl-1.5/ompl/base/State.h ]; then
  mkdir "$scratch/ompl"
  cat > "$scratch/ompl/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(user C CXX)
find_package(graze 0.1 REQUIRED COMPONENTS ompl)
add_executable(plan $root/examples/ompl.cpp)
target_link_libraries(plan PRIVATE graze::ompl)
CMAKE
  cmake -S "$scratch/ompl" -B "$scratch/ompl/build" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
  cmake --build "$scratch/ompl/build" >/dev/null
  "$scratch/ompl/build/plan" "$share/urdf/heron.urdf" "$share/urdf/heron.srdf" "$share/worlds/shelf.json" \
    arm_with_torso tuck torso_lift_joint=0.1 | grep -q "every motion proved free"
else
  echo "skipped: OMPL is not installed"
fi

export PKG_CONFIG_PATH="$library/pkgconfig"
[ "$(pkg-config --modversion graze)" = 0.1.0 ]
# shellcheck disable=SC2046
gcc -std=c17 "$root/examples/first_check.c" $(pkg-config --cflags --libs graze) -o "$scratch/by_pc"
export LD_LIBRARY_PATH="$library"
answers "$scratch/by_pc"
unset LD_LIBRARY_PATH

"$prefix/bin/graze" --version
# The command runs from anywhere, moved too, and finds its own robots.
mv "$prefix" "$scratch/moved"
cd "$scratch"
unset GRAZE_SHARE
"$scratch/moved/bin/graze" info "$scratch/moved/share/graze/urdf/heron.urdf" >/dev/null
# ... and the program in which assimp reads: 0 or 1 is a verdict.
"$scratch/moved/bin/graze" check "$scratch/moved/share/graze/urdf/two_link.urdf" -q 0,0 \
  --world "$root/tests/cli/data/cube.off" >/dev/null 2> assimp.err || [ $? -eq 1 ]
grep -q read-by-assimp assimp.err
"$scratch/moved/bin/graze" demo --output "$scratch" > demo.out
grep -qF "S=$scratch/moved/share/graze" demo.out
[ -s "$scratch/graze-demo.png" ]
[ -x "$scratch/moved/share/graze/examples/demo.sh" ]
echo "installed, found by CMake and pkg-config, built and run"

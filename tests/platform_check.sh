#!/usr/bin/env bash
# A library without its loader (GRAZE_LOADER=OFF), of another C library: it installs, a program finds it, and opens the
# robot that the command of another build has compiled. What GRAZE_IMPORTER=OFF compiles, and what a program for
# Windows sees.
#   tests/platform_check.sh BUILD_FOLDER MUSL_BUILD_FOLDER
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
build="$1" musl="$2"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

"$build/graze" compile "$root/urdf/heron.urdf" -o "$scratch/heron.graze" --quiet
cmake --install "$musl" --prefix "$scratch/prefix" >/dev/null
cat > "$scratch/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(graze 0.1 REQUIRED)
add_executable(shared user.c)
target_link_libraries(shared PRIVATE graze::graze)
add_executable(static user.c)
target_link_libraries(static PRIVATE graze::STATIC)
CMAKE
cat > "$scratch/user.c" <<'C'
#include <graze/graze.h>
#include <graze/compiled.h>
#include <stdio.h>

int main(int argc, char **argv) {
    graze_robot *robot;
    graze_error error;
    if (argc != 2 || graze_robot_open_compiled(&robot, argv[1], &error)) return 3;
    printf("%s %d\n", graze_robot_name(robot), (int)graze_robot_link_count(robot));
    graze_robot_free(robot);
    return 0;
}
C
cmake -S "$scratch" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_C_COMPILER=musl-gcc >/dev/null
cmake --build "$scratch/build" >/dev/null
expected="heron $(grep -c '<link ' "$root/urdf/heron.urdf")"
for program in shared static; do
  found=$("$scratch/build/$program" "$scratch/heron.graze")
  [ "$found" = "$expected" ] || { echo "FAIL: $program says '$found', expected '$expected'"; exit 1; }
  if "$scratch/build/$program" "$root/urdf/heron.urdf"; then echo "FAIL: $program opens a URDF file"; exit 1; fi
done

# The files that differ without the importer, and that none of them starts a process.
cmake -S "$root" -B "$scratch/importer" -G Ninja -DGRAZE_IMPORTER=OFF >/dev/null
ninja -C "$scratch/importer" CMakeFiles/graze_objects.dir/src/{base/platform,load/importer/importer}.c.o \
  CMakeFiles/graze_command.dir/src/cli/input/robot_input.c.o >/dev/null
if nm "$scratch"/importer/CMakeFiles/graze_objects.dir/src/{base/platform,load/importer/importer}.c.o |
  grep -E 'spawn|fork|waitpid'; then echo "FAIL: starts a process"; exit 1; fi

declared() { gcc -E -P -D_WIN32 "$@" "$root/include/graze/base.h" | grep -c "$said" || true; }
said='__declspec(dllimport)'; [ "$(declared)" -gt 0 ]; [ "$(declared -DGRAZE_STATIC)" = 0 ]
said='__declspec(dllexport)'; [ "$(declared -DGRAZE_BUILDING)" -gt 0 ]
echo "without a loader: installed, found, a compiled robot opened; without an importer: starts no process"

#!/usr/bin/env bash
# What a user of the installed library does: find it through CMake and through pkg-config, build the
# README's program (examples/first_check.c), run it. And what a user of the command does: run it from where it was installed.
#   tests/install_check.sh BUILD_FOLDER
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
build="$1"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
prefix="$scratch/prefix"
cmake --install "$build" --prefix "$prefix" >/dev/null
library=$(dirname "$(find "$prefix" -name libgraze.so)")

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
robot="$prefix/share/graze/urdf/heron.urdf"
for program in shared static; do
  "$scratch/cmake/build/$program" "$robot" | tee "$scratch/$program.out"
  grep -qE 'free|collision' "$scratch/$program.out"
done

export PKG_CONFIG_PATH="$library/pkgconfig"
[ "$(pkg-config --modversion graze)" = 0.1.0 ]
# shellcheck disable=SC2046
gcc -std=c17 "$root/examples/first_check.c" $(pkg-config --cflags --libs graze) -o "$scratch/by_pc"
LD_LIBRARY_PATH="$library" "$scratch/by_pc" "$robot"

"$prefix/bin/graze" --version
(cd "$scratch" && env -u GRAZE_SHARE "$prefix/bin/graze" info "$robot" >/dev/null)
echo "installed, found by CMake and pkg-config, built and run"

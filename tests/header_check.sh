#!/usr/bin/env bash
# Every public header compiles alone, as C17 and as C++17, without a warning.
set -euo pipefail
cd "$(dirname "$0")/.."
flags="-Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only"
for header in include/graze/*.h; do
  for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    $compiler -x c -std=c17 -Wstrict-prototypes $flags "$header"
  done
  for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    $compiler -x c++ -std=c++17 $flags "$header"
  done
  echo "ok: $header"
done

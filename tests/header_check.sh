#!/usr/bin/env bash
# Every public header compiles alone, as C17 and as C++17, without a warning.
set -euo pipefail
cd "$(dirname "$0")/.."
flags="-Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only"
compilers=""
for compiler in gcc clang g++ clang++; do
  if command -v "$compiler" >/dev/null; then
    compilers="$compilers $compiler"
  else
    echo "skipped: $compiler is not installed"
  fi
done
for header in include/graze/*.h; do
  for compiler in $compilers; do
    case "$compiler" in
      *++) language="-x c++ -std=c++17" ;;
      *) language="-x c -std=c17 -Wstrict-prototypes" ;;
    esac
    # shellcheck disable=SC2086
    echo "#include \"graze/${header##*/}\"" | $compiler $language $flags -
  done
  echo "ok: $header"
done
for compiler in $compilers; do
  case "$compiler" in *++) echo '#include "graze/graze.hpp"' | $compiler -x c++ -std=c++17 $flags - ;; esac
done
echo "ok: include/graze/graze.hpp"

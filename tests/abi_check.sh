#!/usr/bin/env bash
# The binary interface that the public headers declare, types and functions, is the recorded one.
#   tests/abi_check.sh            compares with tests/abi/libgraze.abi
#   tests/abi_check.sh --update   renews the record
# A library of empty functions, made from the headers alone, stands for libgraze.so: symbol_check.sh holds that this one
# exports the same names, and the compiler that its functions have the declared types.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
record="$root/tests/abi/libgraze.abi"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
{
  echo '#include "graze/graze.h"'
  cat "$root"/include/graze/*.h | sed 's,//.*,,' | tr '\n' ' ' | grep -oE '^ *GRAZE_API [^;{]*;| GRAZE_API [^;{]*;' |
    sed 's/;$/ { __builtin_trap(); }/'
} > "$scratch/graze.c"
(cd "$scratch" && gcc -std=c17 -w -g -O0 -fPIC -shared -fvisibility=hidden -I "$root/include" graze.c \
  -Wl,-soname,libgraze.so -Wl,--version-script="$root/cmake/libgraze.map" -o libgraze.so)
abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-architecture --no-parameter-names \
  --no-write-default-sizes --type-id-style hash --exported-interfaces-only \
  --out-file "$scratch/libgraze.abi" "$scratch/libgraze.so"
if [ "${1:-}" = --update ]; then
  cp "$scratch/libgraze.abi" "$record"
  exit 0
fi
if ! abidiff --no-architecture "$record" "$scratch/libgraze.abi"; then
  echo "FAIL: the binary interface is not the recorded one. docs/stability.md says what may change; if it may, renew"
  echo "the record: tests/abi_check.sh --update"
  exit 1
fi
echo "the binary interface is the recorded one: $(grep -c '<elf-symbol ' "$record") symbols"

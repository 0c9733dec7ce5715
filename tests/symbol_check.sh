#!/usr/bin/env bash
# The shared library exports what the public headers declare, and nothing else.
#   tests/symbol_check.sh BUILD_FOLDER
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
build="$1"
exported=$(nm -D --defined-only "$build/libgraze.so" | awk '{print $3}' | sort)
declared=$(cat "$root"/include/graze/*.h | tr '\n' ' ' |
  grep -oE 'GRAZE_API [^;]*;' | grep -oE '\bgraze_[a-z0-9_]+\(' | tr -d '(' | sort -u)
foreign=$(echo "$exported" | grep -v '^graze_' || true)
missing=$(comm -13 <(echo "$exported") <(echo "$declared"))
extra=$(comm -23 <(echo "$exported") <(echo "$declared"))
status=0
[ -z "$foreign" ] || { echo "exported, but not graze's:"; echo "$foreign"; status=1; }
[ -z "$missing" ] || { echo "declared, but not exported:"; echo "$missing"; status=1; }
[ -z "$extra" ] || { echo "exported, but not declared:"; echo "$extra"; status=1; }
[ $status -ne 0 ] || echo "$(echo "$exported" | wc -l) symbols, each declared in a public header"
exit $status

#!/usr/bin/env bash
# The shared library, and the static one as it is installed, export what the public headers declare, and nothing else; in
# the shared one each name has a version. No name is defined twice.
#   tests/symbol_check.sh BUILD_FOLDER
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
build="$1"
# NAME@@VERSION; of type A are the versions themselves.
versioned=$(nm -D --defined-only "$build/libgraze.so" | awk '$2 != "A" {print $3}' | sort)
bare=$(echo "$versioned" | grep -vE '@@GRAZE_[0-9]+\.[0-9]+$' || true)
exported=$(echo "$versioned" | sed 's/@.*//' | sort)
declared=$(cat "$root"/include/graze/*.h | tr '\n' ' ' |
  grep -oE 'GRAZE_API [^;]*;' | grep -oE '\bgraze_[a-z0-9_]+\(' | tr -d '(' | sort -u)
foreign=$(echo "$exported" | grep -v '^graze_' || true)
missing=$(comm -13 <(echo "$exported") <(echo "$declared"))
extra=$(comm -23 <(echo "$exported") <(echo "$declared"))
# Of two functions with one name in a static library the linker takes the first, and says nothing.
twice=$(nm --defined-only "$build/libgraze.a" | awk '$2 ~ /^[TDBR]$/ {print $3}' | sort | uniq -d)
# What programs link statically brings no other name that could be theirs, too.
archive=$(nm --defined-only "$build/localized/libgraze.a" | awk '$2 ~ /^[A-Z]$/ {print $3}' | sort)
global=$(diff <(echo "$archive") <(echo "$exported") || true)
status=0
[ -z "$global" ] || { echo "global in the installed archive (<), or exported by the library alone (>):"; echo "$global"; status=1; }
[ -z "$twice" ] || { echo "defined twice:"; echo "$twice"; status=1; }
[ -z "$bare" ] || { echo "exported without a version:"; echo "$bare"; status=1; }
[ -z "$foreign" ] || { echo "exported, but not graze's:"; echo "$foreign"; status=1; }
[ -z "$missing" ] || { echo "declared, but not exported:"; echo "$missing"; status=1; }
[ -z "$extra" ] || { echo "exported, but not declared:"; echo "$extra"; status=1; }
[ $status -ne 0 ] || echo "$(echo "$exported" | wc -l) symbols, each declared in a public header, with a version"
exit $status

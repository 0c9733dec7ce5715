#!/usr/bin/env bash
# The checks themselves can fail: each is run on a copy of the sources in which one thing is broken,
# and must say so.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
copy="$scratch/copy"

fresh() {
  rm -rf "$copy"
  mkdir -p "$copy/tests" "$copy/docs" "$copy/bench"
  cp "$root/docs/architecture.md" "$copy/docs"
  cp -r "$root"/{.clang-format,examples,include,proofs,src} "$copy"
  cp "$root"/tests/{*.sh,*.py} "$copy/tests"
}
must_fail() { # WHAT IS BROKEN, WHAT MUST BE SAID, the check
  local broken="$1" said="$2"
  shift 2
  if "$@" > "$scratch/out" 2>&1; then
    echo "FAIL: passes although $broken"
    exit 1
  fi
  grep -qF -- "$said" "$scratch/out" || { echo "FAIL: $broken: does not say '$said':"; cat "$scratch/out"; exit 1; }
  echo "ok: noticed that $broken"
}

fresh
for line in '#include "check/checker.h"|allowed: base, math' '#include <png.h>|only picture may include' \
    '#include "../check/checker.h"|does not begin with a module' 'void *p = fopen("x", "r");|must not open files' \
    'void *p = malloc(1);|only base/memory.h allocates' '#include <sys/mman.h>|only base/platform.c uses extensions'; do
  cp "$root/src/mesh/component.c" "$copy/src/mesh/component.c"
  echo "${line%|*}" >> "$copy/src/mesh/component.c"
  must_fail "src/mesh says ${line%|*}" "${line#*|}" python3 "$copy/tests/include_check.py"
done
fresh
cp "$copy/src/mesh/component.c" "$copy/src/robot/component.c"
must_fail "two files share a name" "the name is taken" python3 "$copy/tests/include_check.py"
fresh
touch "$copy/src/mesh/new_idea.c"
must_fail "a file is not on the map" "src/mesh/new_idea: not on the map" python3 "$copy/tests/include_check.py"
fresh
touch "$copy/src/mesh/bvh/new_idea.inl"
must_fail "a template is not on the map" "src/mesh/bvh/new_idea: not on the map" python3 "$copy/tests/include_check.py"
fresh
cp "$copy/src/mesh/kernels_base.c" "$copy/src/robot/kernels_base.c"
must_fail "a file is on the map of another module" "src/robot/kernels_base: not on the map" \
  python3 "$copy/tests/include_check.py"
fresh
sed -i 's/^| `component` |.*/&\n&/' "$copy/docs/architecture.md"
must_fail "a file has two rows" "src/mesh/component has two rows" python3 "$copy/tests/include_check.py"
fresh
rm "$copy/src/mesh/component.c" "$copy/src/mesh/component.h"
must_fail "the map shows a file that is gone" "src/mesh/component is not in src" python3 "$copy/tests/include_check.py"
fresh
mkdir "$copy/src/attic" && touch "$copy/src/attic/old.c"
must_fail "src has a folder that is no module" "is not a module" python3 "$copy/tests/include_check.py"
fresh
sed -i 's/#include "types.h"/#include <assimp\/scene.h>/' "$copy/include/graze/geometry.h"
must_fail "a public header includes assimp" "a public header may include" \
  python3 "$copy/tests/include_check.py"
must_fail "a public header does not compile alone" "error" "$copy/tests/header_check.sh"
fresh
sed -i 's/^#include "types.h"$//' "$copy/include/graze/geometry.h"
must_fail "a public header leans on another" "error" "$copy/tests/header_check.sh"
fresh
echo 'GRAZE_API int graze_bare(int a);' >> "$copy/include/graze/geometry.h"
must_fail "an exported function has no comment" "graze_bare: a comment of its own" python3 "$copy/tests/doc_check.py"
fresh
sed -i 's/^\/\/\/ @param info .out.$/\/\/\/ @param information [out]/' "$copy/include/graze/geometry.h"
must_fail "a comment names a parameter that there is not" "information is no parameter" python3 "$copy/tests/doc_check.py"
if command -v clang-format-14 >/dev/null; then
  fresh
  echo 'int  f( int a ) ;' >> "$copy/src/mesh/component.c"
  must_fail "a line is out of format" "clang-formatted" "$copy/tests/format.sh"
fi

# The code moves on from what a mutant changes.
fresh
cp "$root/tests/mutation_survivors.txt" "$copy/tests"
python3 "$copy/tests/mutation.py" --check
sed -i 's/error - k \* HALF_PI_3/error - HALF_PI_3 * k/' "$copy/src/math/trigonometry.c"
must_fail "a mutant's line is written in another way" "no longer finds" python3 "$copy/tests/mutation.py" --check
fresh
{ cat "$root/tests/mutation_survivors.txt"; printf '\nsrc/math/trigonometry.c bound 00000000\n    slack: none\n'; } \
  > "$copy/tests/mutation_survivors.txt"
must_fail "a survivor is explained that is no mutant" "not generated any more" \
  python3 "$copy/tests/mutation.py" --check

# Bounds: the source computes something else, or uses a smaller bound, than what is proved.
if command -v gappa > /dev/null; then
  fresh
  cp "$root/docs/bounds.md" "$copy/docs"
  prove=(python3 "$copy/proofs/check.py")
  "${prove[@]}" tree_pads tree_face object_sphere > "$scratch/out" || { cat "$scratch/out"; exit 1; }
  sed -i 's/abs_r\[i\]\[2\] \* box->half\[2\])/abs_r[i][2] * box->half[1])/' "$copy/src/narrow/tree_pair.inl"
  must_fail "a filter computes something else" "tree_pair.inl, axes_mask() does not have" "${prove[@]}" tree_face
  sed -i 's/pad(24, size, far)/pad(12, size, far)/' "$copy/src/narrow/kernel.c"
  must_fail "a pad's size is not the one of the proof" "kernel.c, set_pads() does not have" "${prove[@]}" tree_pads
  sed -i 's/->> 24/->> 12/; s/pad(24,/pad(12,/' "$copy/proofs/tree_pads.g"
  must_fail "a pad is smaller than needed" "Gappa does not prove it" "${prove[@]}" tree_pads
  sed -i 's/define GZ_ROUND_UP .*/define GZ_ROUND_UP 0.9999f/' "$copy/src/math/rounding.h"
  must_fail "a factor is below 1" "Gappa does not prove it" "${prove[@]}" object_sphere
  echo '{ x in [1,2] -> x <= 2 }' > "$copy/proofs/unnamed.g"
  must_fail "a proof has no row" "docs/bounds.md does not name it" "${prove[@]}" unnamed
  fresh
  cp "$root/docs/bounds.md" "$copy/docs"
  "${prove[@]}" > "$scratch/out" || { cat "$scratch/out"; exit 1; }
  sed -i 's/2 \* p->pad/2 * p->pad + 0x1p-30f/' "$copy/src/narrow/prefilter/proxy_pair.inl"
  must_fail "a constant is in no table" "docs/bounds.md has no row for 0x1p-30f" "${prove[@]}"
  sed -i 's/ + 0x1p-30f//; s/2 \* p->pad/3 * p->pad/' "$copy/src/narrow/prefilter/proxy_pair.inl"
  must_fail "a pad is not the one of the table" "docs/bounds.md has 2 * p->pad, which is not there" "${prove[@]}"
fi

# The symbols of a small library that stands for libgraze.so.
fresh
mkdir "$copy/build"
echo 'GRAZE_0.1 { global: *; };' > "$copy/build/all.map"
library() { # SOURCE, its symbol versions
  echo "$1" | gcc -shared -fPIC -x c - ${2--Wl,--version-script="$copy/build/all.map"} -o "$copy/build/libgraze.so"
}
archive() { # one object for each argument
  rm -f "$copy"/build/*.[oa]
  local number=0 text
  for text in "$@"; do
    number=$((number + 1))
    echo "$text" | gcc -c -x c - -o "$copy/build/$number.o"
  done
  ar rcs "$copy/build/libgraze.a" "$copy"/build/*.o
}
archive "void gz_one(void) {}"
names=$(cat "$copy"/include/graze/*.h | tr '\n' ' ' | grep -oE 'GRAZE_API [^;]*;' |
  grep -oE '\bgraze_[a-z0-9_]+\(' | tr -d '(' | sort -u)
all=$(for name in $names; do echo "void $name(void) {}"; done)
mkdir "$copy/build/localized"
localized() { # SOURCE of the archive as it is installed
  echo "$1" | gcc -c -x c - -o "$copy/build/localized/graze.o"
  rm -f "$copy/build/localized/libgraze.a"
  ar rcs "$copy/build/localized/libgraze.a" "$copy/build/localized/graze.o"
}
localized "$all"
library "$all"
"$copy/tests/symbol_check.sh" "$copy/build" > "$scratch/out" || { cat "$scratch/out"; exit 1; }
localized "$all void gz_inner(void) {}"
must_fail "the installed archive has a name that is not graze's" "gz_inner" "$copy/tests/symbol_check.sh" "$copy/build"
localized "$all"
library "$all" ""
must_fail "symbols have no version" "graze_check" "$copy/tests/symbol_check.sh" "$copy/build"
library "$all void gz_inner(void) {}"
must_fail "an internal function is exported" "gz_inner" "$copy/tests/symbol_check.sh" "$copy/build"
library "$all void graze_secret(void) {}"
must_fail "an undeclared function is exported" "graze_secret" "$copy/tests/symbol_check.sh" "$copy/build"
library "$(echo "$all" | grep -v 'graze_check_sized(')"
must_fail "a declared function is not exported" "graze_check_sized" "$copy/tests/symbol_check.sh" "$copy/build"
library "$all"
archive "void gz_one(void) {}" "int gz_one(int a) { return a; }"
must_fail "two functions have one name" "gz_one" "$copy/tests/symbol_check.sh" "$copy/build"

# The binary interface, with one counter more in a structure that stands in others.
if command -v abidiff > /dev/null; then
  fresh
  mkdir -p "$copy/cmake" "$copy/tests/abi"
  cp "$root/cmake/libgraze.map" "$copy/cmake"
  cp "$root/tests/abi/libgraze.abi" "$copy/tests/abi"
  sed -i 's/^    uint64_t containment_tests;.*/&\n    uint64_t new_tests;/' "$copy/include/graze/check.h"
  must_fail "a public structure is longer" "new_tests" "$copy/tests/abi_check.sh"
fi

# The pages, against a program that stands for graze.
fresh
printf '#!/bin/sh\necho free; exit 0\n' > "$copy/build-graze" && chmod +x "$copy/build-graze"
# The map of the modules links to other pages; here they are empty.
(cd "$root/docs" && printf '%s\n' *.md) | while read -r name; do
  [ -e "$copy/docs/$name" ] || touch "$copy/docs/$name"
done
mkdir -p "$copy/build" && mv "$copy/build-graze" "$copy/build/graze"
page() {
  { echo '```c'; cat "$copy/examples/first_check.c"; echo '```'; printf '%s\n' "$@"; } > "$copy/README.md"
}
page '```console' '$ build/graze check' 'free' '$ echo $?' '0' '```' '[program](examples/first_check.c)'
"$copy/tests/readme_check.py" "$copy/build" > "$scratch/out" || { cat "$scratch/out"; exit 1; }
page '```console' '$ build/graze check' 'collision' '```'
must_fail "the README shows other output" "and not" "$copy/tests/readme_check.py" "$copy/build"
page '```console' '$ build/graze check' 'free' '$ echo $?' '1' '```'
must_fail "the README shows another status" "and not" "$copy/tests/readme_check.py" "$copy/build"
page '| graze, batch | 0.01 |'
must_fail "the README shows a time that nobody measured" "not a row" "$copy/tests/readme_check.py" "$copy/build"
page '[docs](docs/nowhere.md)'
must_fail "the README links to nothing" "not there" "$copy/tests/readme_check.py" "$copy/build"
page 'See `src/mesh/attic.c`.'
must_fail "the README names a file that is gone" "names src/mesh/attic.c" "$copy/tests/readme_check.py" "$copy/build"
page ''
echo '// new' >> "$copy/examples/first_check.c"
must_fail "the README shows another program" "word for word" "$copy/tests/readme_check.py" "$copy/build"

# Instruction counts, by a stand-in for callgrind that says what it is told to say.
fresh
mkdir -p "$copy/build/CMakeFiles/1" "$copy/bin"
echo 'CMAKE_BUILD_TYPE:STRING=Release' > "$copy/build/CMakeCache.txt"
printf 'set(CMAKE_C_COMPILER_%s "some")\n' ID VERSION > "$copy/build/CMakeFiles/1/CMakeCCompiler.cmake"
cat > "$copy/bin/valgrind" <<'VALGRIND'
#!/usr/bin/env bash
for word in "$@"; do [ "${word%%=*}" != --callgrind-out-file ] || out="${word#*=}"; done
printf 'desc: Trigger: Client Request: heron/self/batch\ntotals: %s\n' "$COST" > "$out.1"
printf 'lanes vector\nheron/self/batch 1000 %s\n' "${HITS:-7}"
VALGRIND
chmod +x "$copy/bin/valgrind"
count() { # COST, further variables and arguments
  env -u GRAZE_TEST_DATA PATH="$copy/bin:$PATH" COST="$@"
}
script=(python3 "$copy/tests/instruction_count.py" --build "$copy/build" --record "$copy/counts.json")
must_fail "counts are not recorded" "not recorded" count 1000000 "${script[@]}"
count 1000000 "${script[@]}" --update > /dev/null
count 1029000 "${script[@]}" > /dev/null
count 900000 "${script[@]}" > "$scratch/out"
grep -qF "update the baseline" "$scratch/out" || { echo "FAIL: fewer instructions are not noticed"; exit 1; }
must_fail "a check costs 4 % more" "+4.0 %; allowed: +3 %" count 1040000 "${script[@]}"
must_fail "a count is of other verdicts" "8 collisions, recorded 7" count 1000000 HITS=8 "${script[@]}"
must_fail "nothing was counted" "counted nothing" count 0 "${script[@]}"
sed -i 's/heron/egret/' "$copy/counts.json"
must_fail "recorded work is gone" "recorded, and not measured" count 1000000 "${script[@]}"
sed -i 's/some/another/' "$copy/build/CMakeFiles/1/CMakeCCompiler.cmake"
count 9000000 "${script[@]}" | grep -q '^skipped: .*another' || { echo "FAIL: compares compilers"; exit 1; }

#!/usr/bin/env bash
# The Python package: built as a wheel, installed where nothing but numpy is, its tests, its types.
#   tests/python_check.sh BUILD_FOLDER [--only dask|hostile|source]
# Too dear for every run: with --only dask, graze.dask on workers of Debian's python3-distributed; with --only hostile, the
# extension under the address and the undefined-behaviour sanitizer, and more of what is passed where it does not belong;
# with --only source, `pip install .` of the sources, the library among them, without network (as root: without any).
# Debian's Python, whatever "python3" is: what is installed for it is what is there.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
build="$(cd "$1" && pwd)"
python=/usr/bin/python3
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

if [ "${3:-}" = source ]; then
  mkdir "$scratch/source"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T -) | tar -x -C "$scratch/source"
  $python -m venv --system-site-packages "$scratch/venv"
  alone=""
  if unshare -n true 2>/dev/null; then alone="unshare -n"; fi
  (cd "$scratch/source/bindings/python" && $alone "$scratch/venv/bin/python" -m pip install -q --no-build-isolation --no-index --no-deps .)
  cd "$scratch"
  GRAZE_SOURCE="$scratch/source" GRAZE_COMMAND="$build/graze" "$scratch/venv/bin/python" "$scratch/source/bindings/python/tests/test_graze.py"
  echo "pip install . of the sources${alone:+, without network}: built, installed, tested"
  exit
fi

# setuptools writes beside what it builds.
mkdir "$scratch/bindings"
cp -r "$root/bindings/python" "$scratch/bindings/python"
rm -rf "$scratch/bindings/python"/{build,graze/*.so,*.egg-info}
ln -s "$root/include" "$root/src" "$scratch"
only="${3:-}"
if [ "$only" = hostile ]; then
  export CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=undefined -g1" LDFLAGS="-fsanitize=address,undefined"
fi
GRAZE_BUILD="$build" $python -m pip wheel -q --no-build-isolation --no-index --no-deps \
  -w "$scratch/wheel" "$scratch/bindings/python"
wheel="$(ls "$scratch"/wheel/graze-*-cp311-abi3-*.whl)"
$python -m venv --system-site-packages "$scratch/venv"
"$scratch/venv/bin/pip" install -q --no-index --no-deps "$wheel"

cd "$scratch"
export GRAZE_SOURCE="$root" GRAZE_COMMAND="$build/graze"
case "$only" in
  dask) GRAZE_TEST_ENGINES=1 "$scratch/venv/bin/python" "$root/bindings/python/tests/test_dask.py"; exit ;;
  hostile)
    preload="$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)"
    # numpy and the interpreter are not compiled for it: leaks are not looked for.
    LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 GRAZE_TEST_ROUNDS=20000 \
      "$scratch/venv/bin/python" -W ignore "$root/bindings/python/tests/test_hostile.py"
    exit ;;
esac
for test in "$root"/bindings/python/tests/test_*.py; do
  "$scratch/venv/bin/python" "$test" 2>&1 | tail -n 40
done
MYPYPATH="$root/bindings/python" $python -m mypy --no-error-summary --cache-dir "$scratch/mypy" \
  --check-untyped-defs -p graze
echo "$(basename "$wheel"): built, installed, tested, types checked"

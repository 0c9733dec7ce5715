#!/usr/bin/env bash
# The Python package: built as a wheel, installed where nothing but numpy is, its tests, its types.
#   tests/python_check.sh BUILD_FOLDER [--only dask]
# With --only dask: graze.dask on workers of Debian's python3-distributed, which is too dear for every run.
# Debian's Python, whatever "python3" is: what is installed for it is what is there.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
build="$(cd "$1" && pwd)"
python=/usr/bin/python3
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# setuptools writes beside what it builds.
mkdir "$scratch/bindings"
cp -r "$root/bindings/python" "$scratch/bindings/python"
rm -rf "$scratch/bindings/python"/{build,graze/*.so,*.egg-info}
ln -s "$root/include" "$root/src" "$scratch"
GRAZE_BUILD="$build" $python -m pip wheel -q --no-build-isolation --no-index --no-deps \
  -w "$scratch/wheel" "$scratch/bindings/python"
wheel="$(ls "$scratch"/wheel/graze-*-cp311-abi3-*.whl)"
$python -m venv --system-site-packages "$scratch/venv"
"$scratch/venv/bin/pip" install -q --no-index --no-deps "$wheel"

cd "$scratch"
export GRAZE_SOURCE="$root" GRAZE_COMMAND="$build/graze"
if [ "${2:-}" = --only ]; then
  GRAZE_TEST_ENGINES=1 "$scratch/venv/bin/python" "$root/bindings/python/tests/test_$3.py"
  exit
fi
for test in "$root"/bindings/python/tests/test_*.py; do
  "$scratch/venv/bin/python" "$test" 2>&1 | tail -n 40
done
MYPYPATH="$root/bindings/python" $python -m mypy --no-error-summary --cache-dir "$scratch/mypy" \
  --check-untyped-defs -p graze
echo "$(basename "$wheel"): built, installed, tested, types checked"

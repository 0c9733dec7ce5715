#!/usr/bin/env bash
# The Debian packages: built twice in two folders, equal byte for byte, without a finding of lintian; installed in a clean root, where
# the command's tour, a program of the library, and the Python module run. Not a part of make test: it compiles everything twice.
#   tests/package_check.sh [FOLDER]      FOLDER keeps the packages; default: a temporary one
# Needs debhelper, dh-python, lintian, and for the clean root mmdebstrap and root; without these two the root is left out.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
keep="${1:-$scratch/packages}"
mkdir -p "$keep"
keep="$(cd "$keep" && pwd)"
version=$(sed -n 's/^project(graze VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
export SOURCE_DATE_EPOCH DEB_BUILD_OPTIONS="parallel=$(nproc)"
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -l "$root/debian/changelog" -S Timestamp)

build() { # FOLDER: builds the packages there, from what git has
  mkdir -p "$1/graze-$version"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard ':!debian' | tar -c --null -T -) | tar -x -C "$1/graze-$version"
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$1" -c "graze-$version" |
    gzip -9n > "$1/graze_$version.orig.tar.gz"
  cp -r "$root/debian" "$1/graze-$version"
  (cd "$1/graze-$version" && dpkg-buildpackage -us -uc) > "$1/log" 2>&1 || { tail -n 30 "$1/log"; exit 1; }
}

build "$keep"
found=$(lintian --allow-root --fail-on error,warning "$keep"/graze_*.changes 2>&1) || { echo "$found"; exit 1; }
build "$scratch/elsewhere"
for package in "$keep"/*.deb; do cmp "$package" "$scratch/elsewhere/$(basename "$package")"; done
echo "$(ls "$keep"/*.deb | wc -l) packages, twice the same bytes, lintian finds nothing"

if ! command -v mmdebstrap >/dev/null || [ "$(id -u)" != 0 ]; then
  echo "skipped: no mmdebstrap, or not root: the packages were not installed"
  exit
fi
clean="$scratch/clean"
mmdebstrap --quiet --variant=minbase --include=gcc,libc6-dev,pkg-config,python3-numpy bookworm "$clean"
cp "$keep"/*.deb "$root/examples/first_check.c" "$clean/tmp"
cat > "$clean/tmp/try.sh" <<'TRY'
set -e
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -qq -y --no-install-recommends $(ls /tmp/*.deb | grep -v dbgsym) > /dev/null 2>&1
cd /tmp
graze demo --output /tmp > /dev/null
[ -s /tmp/graze-demo.png ]
gcc -std=c17 first_check.c $(pkg-config --cflags --libs graze) -o first_check
[ "$(./first_check /usr/share/graze/urdf/two_link.urdf)" = free ]
python3 - <<'PYTHON'
import graze, graze.trimesh, graze.joints, graze.dask, graze.sweep
robot = graze.load("/usr/share/graze/urdf/heron.urdf", srdf="/usr/share/graze/urdf/heron.srdf")
checker = graze.Checker(robot)
assert checker.check(robot.sample(1000, seed=1)).sum() > 0 and not checker.check({})
graze.sweep.run(["/usr/share/graze/urdf/two_link.urdf", "--count", 1000, "--with-q", "-o", "/tmp/two.zarr"])
assert (next(graze.sweep.shards("/tmp/two.zarr"))["q"] == graze.load("/usr/share/graze/urdf/two_link.urdf").sample(1000, seed=1)).all()
PYTHON
apt-get remove -qq -y libgraze0.1 graze python3-graze graze-doc > /dev/null 2>&1
[ -z "$(find /usr -path '*graze*' -type f)" ]
TRY
chroot "$clean" bash /tmp/try.sh
echo "installed in a clean root: the tour, a program, Python; and removed without a trace"

#!/usr/bin/env bash
# Installs the Debian packages that a target of the GNUmakefile needs and the machine lacks.
#
#   tools/setup.sh build|test|bench|python|web|reference
#
# Silent when nothing is missing. Installs as root or through sudo; without either it prints the one
# command to run and fails. Where there is no dpkg it names the packages and leaves it to CMake to say
# what is missing. Why each package: docs/dependencies.md; tests/setup_check.sh tests this script.
set -euo pipefail

build="gcc libc6-dev cmake make pkg-config libassimp-dev libexpat1-dev libjansson-dev libyaml-dev
       libpng-dev zlib1g-dev libmicrohttpd-dev libgmp-dev libxxhash-dev libcglm-dev"
peers="g++ libfcl-dev libccd-dev libeigen3-dev libbullet-dev libode-dev libbox2d-dev
       liboctomap-dev"
python="python3-dev python3-numpy python3-pip python3-setuptools python3-venv python3-wheel"
test="$peers $python python3-zarr python3-xarray mypy clang llvm clang-format-14 libclang-rt-14-dev libcmocka-dev libzip-dev libcgal-dev
      libmpfr-dev ninja-build python3 doxygen gappa valgrind binutils bash-completion man-db locales
      libnlopt-dev libompl-dev librsvg2-bin abigail-tools musl-tools
      gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user emscripten chromium"

case "${1:-build}" in
  build) wanted="$build" ;;
  test) wanted="$build $test" ;;
  bench) wanted="$build $peers" ;;
  python) wanted="$build $python" ;;
  web) wanted="$build emscripten" ;; # and npm, of Debian or of Node.js
  reference) wanted=doxygen ;;
  *) echo "usage: tools/setup.sh build|test|bench|python|web|reference" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null; then
  echo "no dpkg here, so nothing is installed; graze needs what Debian calls:" $wanted >&2
  exit 0
fi

missing=""
for package in $wanted; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
  as_root=""
elif sudo -n true 2>/dev/null; then
  as_root="sudo"
else
  echo "graze needs these Debian packages; install them with:" >&2
  echo "  sudo $install" >&2
  exit 1
fi
echo "installing:$missing" >&2
# sudo clears the environment, so env sets it on the other side. Lists that cannot be fetched anew
# (one dead source is enough) may still serve.
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >/dev/null ||
  echo "apt-get update failed; trying with the lists at hand" >&2
$as_root env DEBIAN_FRONTEND=noninteractive $install -q >/dev/null

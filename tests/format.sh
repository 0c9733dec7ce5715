#!/usr/bin/env bash
# Fails when a source file is not in the house's format (.clang-format, version 14).
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$tool" ]; then
  echo "skipped: clang-format is not installed"
  exit 0
fi
git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp' | xargs "$tool" --dry-run -Werror

#!/usr/bin/env bash
# Fails when a source file is not formatted as .clang-format says (version 14: other versions
# format differently).
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$(command -v clang-format-14 || true)
if [ -z "$tool" ]; then
  echo "skipped: clang-format-14 is not installed"
  exit 0
fi
sources() {
  if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard '*.c' '*.h' '*.inl' '*.hpp' '*.cpp' |
      while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done
  else
    find bench bindings examples include src tests \( -name '*.c' -o -name '*.h' -o -name '*.inl' -o -name '*.hpp' -o -name '*.cpp' \) -print0
  fi
}
sources | xargs -0 "$tool" --dry-run -Werror
echo "$(sources | tr -cd '\0' | wc -c) files in the format of .clang-format"

#!/usr/bin/env bash
# All packages, into FOLDER, and once more beside it: the same bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."
scripts/package/all.sh "$1"
scripts/package/all.sh "$1.again"
diff -r "$1" "$1.again"
rm -r "$1.again"

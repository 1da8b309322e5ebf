#!/usr/bin/env bash
# Installs the readers that npm has, as package-lock.json names them, into the folder $1.
set -euo pipefail
cd "$(dirname "$0")"
command -v npm >/dev/null || exit 77
mkdir -p "$1"
if cmp -s package-lock.json "$1/package-lock.json" && [ -e "$1/complete" ]; then
	exit 0
fi
rm -f "$1/complete"
cp package.json package-lock.json "$1"
npm ci --prefix "$1" --no-audit --no-fund --loglevel=error
touch "$1/complete"

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
fetch() { npm ci --prefix "$1" --no-audit --no-fund --ignore-scripts --loglevel=error; }
fetch "$1" || fetch "$1" || { echo "npm cannot fetch the readers: its registry is not to be had"; exit 77; }

# hotspot's parser alone, out of its package: the whole of it would bring a desktop along.
rm -rf "$1/hotspot"
mkdir "$1/hotspot"
cd "$1/hotspot"
download() { apt-get download -qq hotspot 2>/dev/null; }
if download || { apt-get update -qq && download; }; then
	dpkg -x hotspot_*.deb .
	rm hotspot_*.deb
else
	echo "apt-get cannot fetch hotspot: it is not compared with"
fi
cd - >/dev/null
touch "$1/complete"

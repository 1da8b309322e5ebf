#!/usr/bin/env bash
# Fetches the AArch64 program of the showcase, a CPython built with its own checks, into
# build/showcase/root, with all that it needs to run and the names of libc's functions.
# Does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/debian_packages.sh

packages="python3.11-dbg libc6-dbg"

download() {
	local archives=$1/../apt/cache/archives
	# shellcheck disable=SC2086 # a list of words
	apt-get install -qq -y --download-only $packages >/dev/null
	extract_packages "$1/root" "$archives"/*.deb
}

keep_complete "$PWD/build/showcase" "$packages" download

#!/usr/bin/env bash
# Fetches Wine for Arm64 with all that it needs into build/wine-arm64/root, a folder to chroot to.
# Does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/debian_packages.sh

packages="wine64 libwine libc6 bash coreutils libgcc-s1 libc-bin fontconfig-config"

download() {
	local archives=$1/../apt/cache/archives
	# shellcheck disable=SC2086 # a list of words
	apt-get install -qq -y --download-only $packages >/dev/null
	extract_packages "$1/root" "$archives"/*.deb
}

keep_complete "$PWD/build/wine-arm64" "$packages" download

#!/usr/bin/env bash
# Fetches what wperf for AArch64 is built with and tested in, into build/arm64:
#   root/    headers and libraries to link with, and a busybox
#   python/  what it takes to run CPython
#   kernel   to boot
# Does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/debian_packages.sh

packages="libc6 libc6-dev libgcc-12-dev libgcc-s1 gcc-12-base linux-libc-dev busybox-static
	libdw-dev libelf-dev libiberty-dev zlib1g-dev liblzma-dev libzstd-dev libbpf-dev libsqlite3-dev libmicrohttpd-dev"
python_packages="python3.11-minimal libpython3.11-minimal libc6 libexpat1 zlib1g"
kernel_package=linux-image-cloud-arm64 # the smallest; the serial console and the PMU are built in

# The package of this version's kernel; the one that is asked for only depends on it.
resolve_kernel() {
	apt-cache depends "$kernel_package" | awk '$1 == "Depends:" { print $2; exit }'
}

# fetch FOLDER PACKAGE...: what they are made of, into FOLDER.
fetch() {
	local folder=$1
	shift
	mkdir "$folder.debs"
	(cd "$folder.debs" && apt-get download -qq "$@")
	extract_packages "$folder" "$folder".debs/*.deb
	rm -r "$folder.debs"
}

download() {
	local new=$1
	# shellcheck disable=SC2086 # a list of words
	fetch "$new/root" $packages
	# shellcheck disable=SC2086
	fetch "$new/python" $python_packages
	fetch "$new/boot" "$(resolve_kernel)"
	mv "$new"/boot/boot/vmlinuz-* "$new/kernel"
	rm -r "$new/boot"
}

keep_complete "$PWD/build/arm64" "$packages $python_packages $kernel_package" download

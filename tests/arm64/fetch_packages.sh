#!/usr/bin/env bash
# Fetches what wperf for AArch64 is built with and tested in, into build/arm64:
#   root/    headers and static libraries to link with, and a busybox
#   kernel   to boot
# Does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/debian_packages.sh

packages="libc6 libc6-dev libgcc-12-dev linux-libc-dev libjansson-dev busybox-static
	libdw-dev libelf-dev libiberty-dev zlib1g-dev liblzma-dev libzstd-dev"
kernel_package=linux-image-cloud-arm64 # the smallest; the serial console and the PMU are built in

# The package of this version's kernel; the one that is asked for only depends on it.
resolve_kernel() {
	apt-cache depends "$kernel_package" | awk '$1 == "Depends:" { print $2; exit }'
}

download() {
	local kernel new=$1
	kernel=$(resolve_kernel)
	mkdir "$new/debs"
	# shellcheck disable=SC2086 # a list of words
	(cd "$new/debs" && apt-get download -qq $packages "$kernel")
	dpkg-deb --fsys-tarfile "$new/debs/$kernel"_*.deb |
		tar --extract --to-stdout --wildcards './boot/vmlinuz-*' >"$new/kernel"
	rm "$new/debs/$kernel"_*.deb
	extract_packages "$new/root" "$new"/debs/*.deb
	rm -r "$new/debs"
}

keep_complete "$PWD/build/arm64" "$packages $kernel_package" download

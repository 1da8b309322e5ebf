#!/usr/bin/env bash
# Fetches what wperf for AArch64 is built with and tested in, into build/arm64:
#   root/    headers and static libraries to link with, and a busybox
#   kernel   to boot
# From the Debian mirror that this machine uses, with an apt state of its own: needs no root and
# leaves the packages of this machine alone. Does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/../.."

packages="libc6 libc6-dev libgcc-12-dev linux-libc-dev libjansson-dev busybox-static
	libdw-dev libelf-dev libiberty-dev zlib1g-dev liblzma-dev libzstd-dev"
kernel_package=linux-image-cloud-arm64 # the smallest; the serial console and the PMU are built in

folder=$PWD/build/arm64
state=$folder/apt
wanted="$packages $kernel_package"

# The Debian mirrors of this machine, as lines of a sources.list.
debian_sources() {
	local codename options="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
	# shellcheck disable=SC1091 # not ours
	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	apt-get update --print-uris |
		sed -n "s|^'\(.*\)/dists/\(${codename}[a-z-]*\)/InRelease'.*|deb $options \1 \2 main|p"
}

prepare_apt() {
	rm -rf "$state"
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
	: >"$state/status"
	debian_sources >"$state/sources.list"
	[ -s "$state/sources.list" ] || {
		echo "the apt configuration of this machine names no mirror of its Debian" >&2
		exit 1
	}
	cat >"$state/apt.conf" <<-CONF
		APT::Architecture "arm64";
		APT::Architectures {"arm64";};
		APT::Sandbox::User "";
		Dir::State "$state";
		Dir::State::lists "$state/lists";
		Dir::State::status "$state/status";
		Dir::Cache "$state/cache";
		Dir::Etc::sourcelist "$state/sources.list";
		Dir::Etc::sourceparts "/nonexistent";
		Acquire::Languages "none";
		Acquire::Retries "3";
	CONF
	export APT_CONFIG=$state/apt.conf
	apt-get update -qq
}

# The package of this version's kernel; the one that is asked for only depends on it.
resolve_kernel() {
	apt-cache depends "$kernel_package" | awk '$1 == "Depends:" { print $2; exit }'
}

# Everything goes to folders that get their names when they are complete.
download() {
	local kernel new=$folder/new
	kernel=$(resolve_kernel)
	rm -rf "$new"
	mkdir -p "$new/debs" "$new/root"
	# shellcheck disable=SC2086 # a list of words
	(cd "$new/debs" && apt-get download -qq $packages "$kernel")
	dpkg-deb --fsys-tarfile "$new/debs/$kernel"_*.deb |
		tar --extract --to-stdout --wildcards './boot/vmlinuz-*' >"$new/kernel"
	rm "$new/debs/$kernel"_*.deb
	for deb in "$new"/debs/*.deb; do dpkg-deb --extract "$deb" "$new/root"; done
	rm -rf "$folder/root"
	mv "$new/root" "$new/kernel" "$folder"
	rm -rf "$new" "$state"
}

mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
[ "$(cat "$folder/complete" 2>/dev/null)" != "$wanted" ] || exit 0
echo "fetching for arm64: $wanted"
rm -f "$folder/complete"
prepare_apt
download
echo "$wanted" >"$folder/complete"

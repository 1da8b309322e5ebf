#!/usr/bin/env bash
# Makes the systems in which packages are installed and run, below FOLDER, from the mirror of this machine:
#   bookworm/   a small Debian 12 with apt and Python, as its users have it
#   devel/      a small Debian 12 with gcc and pkg-config
#   bullseye/   of Debian 11 the C library and Python, without running any installer
#   bullseye-python/, bookworm-python/
#                of these two all of Python, as that has ctypes
#   sid/        of Debian's newest the same
#   musl/       a busybox and the C library musl; nothing of glibc
# Those that are there already are kept. Exit code 77: there is no mirror, or no right to make them.
set -euo pipefail
folder=$(realpath -m "$1")

as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# make_root NAME SUITE VARIANT PACKAGES
make_root() {
	local root=$folder/$1
	[ ! -e "$root.complete" ] || return 0
	as_root rm -rf "$root"
	# The mirror may be a snapshot, which nobody signs anew.
	as_root mmdebstrap --quiet --variant="$3" --include="$4" --aptopt='Acquire::Check-Valid-Until "false"' \
		"$2" "$root" || {
		echo "cannot make the system $1"
		exit 77
	}
	touch "$root.complete"
}

as_root true || exit 77
mkdir -p "$folder"
make_root bookworm bookworm apt python3-minimal
make_root devel bookworm apt gcc,libc6-dev,pkg-config
make_root bullseye bullseye extract base-files,libc6,dash,python3.9-minimal,libpython3.9-minimal,libexpat1,zlib1g
make_root bullseye-python bullseye extract base-files,libc6,dash,python3.9-minimal,libpython3.9-stdlib
make_root bookworm-python bookworm extract base-files,libc6,dash,python3.11-minimal,libpython3.11-stdlib
make_root sid sid extract base-files,libc6,dash,python3-minimal,python3.14-minimal,libpython3.14-minimal,libexpat1,zlib1g
make_root musl bookworm extract musl,busybox-static
[ -e "$folder/musl/bin/sh" ] || as_root ln -s busybox "$folder/musl/bin/sh"

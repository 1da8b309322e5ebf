#!/usr/bin/env bash
# Fetches the newest interpreters of Python that Debian has, from its release "sid", into
# build/pythons: root/, with all that they need to run, and for each a program that runs it there
# (python3.14, pypy3, ...). Tests run with them, too. Does nothing when all is there.
# What sid does not have (any more, or yet) is named and left out. Exit status 77: no way to fetch.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/debian_packages.sh

# Builds without the GIL had packages of their own at times.
wanted="python3.14 python3.15 python3.14-nogil python3.15-nogil pypy3"

packages_of() {
	case $1 in
	*-nogil | pypy3) echo "$1" ;;
	*) echo "$1-minimal lib$1-stdlib" ;;
	esac
}

# It is run by its own loader of programs, as this machine's libc is too old for it.
write_program() {
	local new=$1 name=$2
	cat >"$new/$name" <<-'PROGRAM'
		#!/bin/sh
		here=$(dirname "$(readlink -f "$0")")
		libraries=$here/root/usr/lib/x86_64-linux-gnu
		exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" \
			"$here/root/usr/bin/${0##*/}" "$@"
	PROGRAM
	chmod +x "$new/$name"
}

download() {
	local new=$1 name packages found=""
	local archives=$new/../apt/cache/archives
	for name in $wanted; do
		packages=$(packages_of "$name")
		# shellcheck disable=SC2086 # a list of words
		if apt-get install -qq -y --download-only $packages >/dev/null 2>"$new/../apt/why"; then
			found="$found $name"
		else
			echo "not fetched: $name ($(grep -m 1 '^E:' "$new/../apt/why"))"
		fi
	done
	extract_packages "$new/root" "$archives"/*.deb
	for name in $found; do write_program "$new" "$name"; done
}

[ "$(uname -m)" = x86_64 ] || exit 77
trap '[ $? = 0 ] || exit 77' EXIT
keep_complete "$PWD/build/pythons" "$wanted" download amd64 sid

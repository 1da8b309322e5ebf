#!/usr/bin/env bash
# Do docs/man and the program agree, and does groff take the pages? "ninja docs" writes them anew.
set -u
wperf=$1 status=0
compare() {
	local page=docs/man/$1
	shift
	if ! diff -u "$page" <("$wperf" help --format man "$@"); then
		echo "$page is not what wperf prints: run ninja -C build/dev docs"
		status=1
	fi
	local complaints
	complaints=$(groff -man -ww -z "$page" 2>&1)
	[ -z "$complaints" ] || { echo "$page: $complaints"; status=1; }
}
compare wperf.1
for command in stat sample record list symbols test detect man version help; do
	compare "wperf-$command.1" "$command"
done
exit $status

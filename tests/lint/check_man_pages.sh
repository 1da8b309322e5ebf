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
# What there is to be compared is asked of the program, so that no page is forgotten.
source <("$wperf" help --format bash)
COMP_WORDS=(wperf "") COMP_CWORD=1
_wperf
compare wperf.1
for command in "${COMPREPLY[@]}"; do
	[ "$command" = --help ] || compare "wperf-${command#--}.1" "${command#--}"
done
for page in docs/man/*.1; do
	[[ $page == docs/man/wperf.1 || " ${COMPREPLY[*]#--} " == *" $(basename "${page#*-}" .1) "* ]] ||
		{ echo "$page is of no command"; status=1; }
done
exit $status

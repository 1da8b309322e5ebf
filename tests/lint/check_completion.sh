#!/usr/bin/env bash
# Does bash take the completion, and does it complete? $1 is the program.
set -eu
PATH=$(dirname "$1"):$PATH
source <("$1" help --format bash)
expect() {
	local wanted=$1
	shift
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_wperf
	[[ " ${COMPREPLY[*]} " == *" $wanted "* ]] ||
		{ echo "'$*' does not complete to '$wanted' but to '${COMPREPLY[*]}'"; exit 1; }
}
expect list wperf li
expect --disassemble wperf record --dis
expect stat wperf help st
expect bash wperf help --format b
expect sim wperf list --source s
export WPERF_SOURCE=sim
expect ld_spec wperf stat -e ld_sp
expect '{inst_spec,ld_spec' wperf stat -e '{inst_spec,ld_sp'
expect imix wperf stat -m im

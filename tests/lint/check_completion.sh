#!/usr/bin/env bash
# Does bash take the completion, and does it complete? $1 is the program.
set -eu
PATH=$(dirname "$1"):$PATH
source <("$1" help --format bash)
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
touch "$folder/x.data"
# Does what follows complete to $1?
completes() {
	local wanted=$1
	shift
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_wperf
	[[ " ${COMPREPLY[*]} " == *" $wanted "* ]]
}
expect() {
	completes "$@" || { echo "'${*:2}' completes not to '$1' but to '${COMPREPLY[*]}'"; exit 1; }
}
expect_not() {
	! completes "$@" || { echo "'${*:2}' completes to '$1'"; exit 1; }
}
expect list wperf li
expect --disassemble wperf record --dis
expect stat wperf help st
expect bash wperf help --format b
expect pprof wperf export --format p
expect callees wperf report --tree call
expect fp wperf record --call-graph f
expect fp wperf record --call-graph = f
expect "$folder/x.data" wperf report "$folder/x"
expect "$folder/x.data" wperf report -i "$folder/x"
expect "$folder/x.data" wperf record --save "$folder/x"
expect "$folder" wperf annotate --sysroot "${folder%?}"
expect_not "$folder/x.data" wperf stat -i "$folder/x"
expect_not man wperf export --format m
expect sim wperf list --source s
export WPERF_SOURCE=sim
expect ld_spec wperf stat -e ld_sp
expect '{inst_spec,ld_spec' wperf stat -e '{inst_spec,ld_sp'
expect imix wperf stat -m im
expect_not ld_spec wperf stat -m ld_sp
expect ld_spec wperf man ld_sp
expect ipc wperf man ip

# Probes, as bash cuts such a word: at its colons, of which it completes what is behind the last.
unset WPERF_SOURCE
cp "$1" "$folder/probed"
expect "$folder/probed:" wperf record -e u : "$folder/pro"
expect /etc/ wperf stat -e ur : /et
expect /etc/ wperf stat -e usdt : /et
expect command_stat wperf record -e u : "$folder/probed" : command_st
expect command_stat wperf record -e cycles,ur : "$folder/probed" : command_st
expect_not command_stat wperf record -e u : "$folder/probed" : command_re
# Behind the colon itself, and inside of quotes, where the word is whole.
expect command_stat wperf record -e u : "$folder/probed" :
expect "u:$folder/probed:command_stat" wperf record -e "'u:$folder/probed:command_st"
[[ -r /proc/kallsyms ]] && grep -q ' [tT] vfs_read$' /proc/kallsyms && expect vfs_read wperf stat -e k : vfs_re
if wperf list probes /usr/bin/python3 usdt 2>/dev/null | grep -q gc__start; then
	expect gc__start wperf record -e usdt : python : gc__
	expect python:gc__start wperf record -e usdt : /usr/bin/python3 : py
fi
# Other words with colons are as before.
expect --disassemble wperf record -e sched:sched_switch --dis
# Names of files and symbols are nobody's commands, neither while they are completed nor in the
# line that is then run.
cd "$folder"
mkdir foreign
touch 'foreign/$(touch${IFS}ran)' 'foreign/a b;touch ran'
mkfifo foreign/pipe
expect 'foreign/\$\(touch\$\{IFS\}ran\):' wperf record -e u : foreign/
expect 'foreign/a\ b\;touch\ ran' wperf report -i foreign/a
expect_not 'u:foreign/$(touch${IFS}ran):' wperf record -e '"u:foreign/'
timeout 10 wperf list probes foreign/pipe 2>&1 | grep -q "not a regular file" || { echo "a pipe is waited for"; exit 1; }
if command -v objcopy > /dev/null; then
	objcopy --add-symbol 'evil`id>ran`=.text:1,function,global' probed foreign/symbols
	expect 'evil\`id\>ran\`' wperf record -e u : foreign/symbols : ev
fi
[[ ! -e ran ]] || { echo "a name was run"; exit 1; }

#!/usr/bin/env bash
# Usage: with_arm64.sh ROOT FOLDERS COMMAND...: runs a command for which programs for AArch64 are like
# any others, and in whose eyes ROOT has our FOLDERS (with ":" between them), /tmp, /proc and /dev.
# All of that is in a name space of its own, gone with the command: no root is needed for it, and the
# machine stays as it was. Status 77: this kernel has no such name spaces, or not for us.
set -euo pipefail

if [ "${1:-}" != --inside ]; then
	unshare -U -r -m mount -t binfmt_misc none /proc/sys/fs/binfmt_misc 2>/dev/null || {
		echo "skipped: this kernel has no binfmt_misc of one's own (Linux 6.7 and later have)"
		exit 77
	}
	exec unshare -U -r -m "$0" --inside "$@"
fi
root=$2 folders=$3
shift 3
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
# The header of an ELF file for AArch64; F: the interpreter is opened here and now.
printf '%s' ':wperf-arm64:M::\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:OCF' \
	>/proc/sys/fs/binfmt_misc/register
IFS=: read -r -a places <<<"/proc:/dev:/tmp:$folders"
for place in "${places[@]}"; do
	mkdir -p "$root$place"
	mount --rbind "$place" "$root$place"
done
exec "$@"

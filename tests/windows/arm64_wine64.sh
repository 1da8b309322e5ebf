#!/usr/bin/env bash
# Usage: arm64_wine64.sh ROOT WORD...: Wine for Arm64 in the current folder; see with_arm64.sh.
root=$1 folder=$PWD
shift
exec chroot "$root" /bin/bash -c 'cd "$0" && exec /usr/lib/wine/wine64 "$@"' "$folder" "$@"

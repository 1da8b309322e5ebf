#!/usr/bin/env bash
# Usage: arm64_program.sh ROOT PROGRAM WORD...: a program of ROOT in the current folder; see with_arm64.sh.
root=$1 folder=$PWD
shift
exec chroot "$root" /bin/bash -c 'cd "$0" && exec "$@"' "$folder" "$@"

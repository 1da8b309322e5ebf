#!/usr/bin/env bash
# All packages of wperf from the build folders release, aarch64, windows-x64 and windows-arm64, into FOLDER, and
# their SHA256SUMS. The same commit gives the same bytes. `./wperf-dev package` builds first.
set -euo pipefail
folder=$(realpath -m "$1")
cd "$(dirname "$0")/../.."
root=build/arm64/root # where packages of arm64 are unpacked
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

make_package() {
	/usr/bin/python3 -B "scripts/package/$1.py" "${@:2}"
}

rm -rf "$folder"
mkdir -p "$folder"
cmake --install build/release --prefix "$stage" >/dev/null
make_package debian "$folder" amd64 build/release "$stage"
make_package debian "$folder" arm64 build/aarch64 "$stage" $root
make_package archive "$folder" x86_64 build/release "$stage"
make_package archive "$folder" aarch64 build/aarch64 "$stage" $root
make_package wheel "$folder" x86_64 build/release
make_package wheel "$folder" aarch64 build/aarch64 $root
# The driver is for Arm: there is nothing for it to count with on x64.
make_package windows "$folder" x64 build/windows-x64/src/cli
make_package windows "$folder" arm64 build/windows-arm64/src/cli build/release/driver/windows/arm64
(cd "$folder" && sha256sum -- * >SHA256SUMS)

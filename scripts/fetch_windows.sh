#!/usr/bin/env bash
# Makes what wperf.exe is linked with, and Debian has no package of, from Debian's sources, into
# build/windows:
#   arm64/      the C runtime of mingw-w64 for Arm64: start-up files and libraries
#   iberty/     the sources of the demanglers (libiberty)
#   zlib/       the sources of zlib
#   zstd/       the sources of libzstd that decompress
# Takes about half a minute; does nothing when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/debian_packages.sh

sources="mingw-w64 libiberty zlib libzstd"
startup="crt2.o dllcrt2.o crtbegin.o crtend.o"
libraries="m mingw32 mingwex moldname ucrt kernel32 advapi32 cfgmgr32 ntdll psapi setupapi shell32
	user32 winhttp ws2_32"
iberty_files="libiberty/cp-demangle.c libiberty/cp-demangle.h libiberty/cp-demint.c
	libiberty/rust-demangle.c libiberty/safe-ctype.c include/ansidecl.h include/demangle.h include/libiberty.h
	include/safe-ctype.h"
zlib_files="adler32.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c crc32.h
	deflate.h gzguts.h inffast.h inffixed.h inflate.h inftrees.h trees.h zconf.h zlib.h zutil.h"
zstd_files="lib/zstd.h lib/zstd_errors.h lib/common lib/decompress"

fetch_sources() {
	sed 's/^deb /deb-src /' "$APT_CONFIG_FOLDER/sources.list" >"$APT_CONFIG_FOLDER/all.list"
	cat "$APT_CONFIG_FOLDER/all.list" >>"$APT_CONFIG_FOLDER/sources.list"
	apt-get update -qq
	# shellcheck disable=SC2086 # a list of words
	apt-get source -qq --download-only $sources
}

# The tools by the names that configure looks for.
write_tools() {
	local tool
	mkdir -p tools
	cat >tools/aarch64-w64-mingw32-clang <<-'TOOL'
		#!/bin/sh
		exec clang-19 --target=aarch64-w64-windows-gnu -isystem /usr/share/mingw-w64/include \
			-rtlib=compiler-rt -fuse-ld=lld-19 -Wno-unused-command-line-argument "$@"
	TOOL
	for tool in ar ranlib nm strip dlltool; do
		printf '#!/bin/sh\nexec llvm-%s-19 "$@"\n' "$tool" >"tools/aarch64-w64-mingw32-$tool"
	done
	chmod +x tools/*
}

# build_runtime SOURCE RESULT
build_runtime() {
	local tool=aarch64-w64-mingw32 targets=$startup library
	for library in $libraries; do targets="$targets lib$library.a"; done
	mkdir -p runtime/libarm64 "$2"
	(
		cd runtime
		PATH=$PWD/../tools:$PATH
		"$1/mingw-w64-crt/configure" --host=$tool --disable-lib32 --disable-lib64 \
			--disable-libarm32 --enable-libarm64 --with-default-msvcrt=ucrt CC=$tool-clang \
			AR=$tool-ar RANLIB=$tool-ranlib DLLTOOL=$tool-dlltool CPP="$tool-clang -E" >log 2>&1
		# shellcheck disable=SC2086 # a list of words
		(cd libarm64 && printf 'libarm64/%s ' $targets) | xargs make -j"$(nproc)" >>log 2>&1
	) || {
		tail -n 20 runtime/log >&2
		return 1
	}
	(cd runtime/libarm64 && mv $targets "$2")
}

# take_sources ARCHIVE FOLDER FILE...: these files of a source package, as they lie there.
take_sources() {
	local archive=$1 folder=$2
	shift 2
	mkdir unpacked "$folder"
	tar -xf "$archive" -C unpacked --strip-components=1
	(cd unpacked && cp -r --parents "$@" "$folder")
	rm -r unpacked
}

# The suffixes are exact: some packages have a signature beside the archive.
make_all() {
	local new=$1
	mkdir "$new/work"
	cd "$new/work"
	fetch_sources
	tar -xf mingw-w64_*.orig.tar.bz2
	write_tools
	build_runtime "$(echo "$PWD"/mingw-w64-v*)" "$new/arm64"
	# shellcheck disable=SC2086 # lists of words
	{
		take_sources libiberty_*.orig.tar.xz "$new/iberty" $iberty_files
		take_sources zlib_*.orig.tar.bz2 "$new/zlib" $zlib_files
		take_sources libzstd_*.orig.tar.xz "$new/zstd" $zstd_files
	}
	cd - >/dev/null
	rm -r "$new/work"
}

APT_CONFIG_FOLDER=$PWD/build/windows/apt
keep_complete "$PWD/build/windows" "$sources: $(echo $startup $libraries $iberty_files $zlib_files $zstd_files)" make_all "$(dpkg --print-architecture)"

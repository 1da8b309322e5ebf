#!/usr/bin/env bash
# build_windows_python.sh [VERSION]: builds CPython (3.11, or the version named) for Windows on x64 out
# of Debian's source, with mingw's gcc, into build/windows-python-VERSION: python.exe, python311.dll
# (exports and structs as those of python.org, and no other symbols) and Lib. There is no such
# program by a Debian package. It is for tests under Wine: no SSL, no zlib, and whatever else lies
# outside of the interpreter's own library. 3.11 and 3.13 were built, in a minute or two; the source of
# 3.14, of sid, was not to be had. Does nothing when it is there. Exit status 77: no way to build.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/debian_packages.sh

version=${1:-3.11}
number=${version/./}
compiler=x86_64-w64-mingw32-gcc

# Which release of Debian has it; nothing: that of this machine.
case $version in
3.11) release="" ;;
3.13) release=trixie ;;
*) release=sid ;;
esac

# What is not built, as it takes other libraries, or tables of megabytes: modules, and patterns of files.
left_out="_sha3 _blake2 _multibytecodec _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr
	_codecs_tw zlib"
left_out_files='cjkcodecs/|_blake2/|_sha3/|sha3module|Hash_SHA3|zlib|PC/config.c'

# Macros that Microsoft's project files set. With -std=gnu99 an older gcc takes assertions in constants.
flags=(-w -O1 -std=gnu99 -include missing.h -D_WIN32_WINNT=0x0A00 -DPy_BUILD_CORE
	-DPy_BUILD_CORE_BUILTIN -DNDEBUG -DDONT_USE_SEH "-DMS_DLL_ID=\"$version\"" "-DVERSION=L\"$version\""
	'-DPY3_DLLNAME=L"python3.dll"' '-DVPATH=L""' '-DPREFIX=L""' '-DEXEC_PREFIX=L""'
	'-DPLATLIBDIR=L"DLLs"' '-DPYTHONPATH=L""' -I. -IInclude -IInclude/internal
	-IInclude/internal/mimalloc -IModules/_hacl/include -IModules/_hacl/internal -IPC -IPython)

# What Microsoft's headers have, and Debian's are too old for.
write_missing() {
	cat >missing.h <<-'HEADER'
		#define LCMAP_SORTHANDLE 0x20000000
		#define LCMAP_HASH 0x00040000
		#define ERROR_CONTROL_C_EXIT 572
		#define static_assert _Static_assert
		struct timeval;
	HEADER
}

# The mirror may have lost Debian's own part of a source package: apt complains, but CPython's part is all
# that is wanted, and tar says so if it is not there.
fetch_source() {
	(cd "$1" && (apt-get source -qq --download-only "python$version" 2>/dev/null || true) &&
		tar xf "python${version}_"*.orig.tar.?z)
}

# Modules are frozen by an interpreter of the version: its bytecode must be that of the source. One that
# is not this machine's needs its own loader of programs and its own libc.
find_interpreter() {
	local libraries=$1/host/usr/lib/x86_64-linux-gnu
	interpreter=("/usr/bin/python$version")
	[ ! -x "${interpreter[0]}" ] || return 0
	apt-get install -qq -y --download-only "python$version-minimal" "libpython$version-stdlib"
	extract_packages "$1/host" "$1"/apt/cache/archives/*.deb
	interpreter=("$libraries/ld-linux-x86-64.so.2" --library-path "$libraries"
		"$1/host/usr/bin/python$version")
}

# Names and paths of the modules that are frozen, as Microsoft's project file has them.
frozen_modules() {
	sed -n '/Include="\.\.\\.*\.py"/{s/.*Include="..\\\(.*\)".*/\1/;h}
		/<ModName>/{s/.*<ModName>\(.*\)<.*/\1/;G;s/\n/ /;s|\\|/|g;p}' PCbuild/_freeze_module.vcxproj
}

freeze() {
	local name path words=()
	while read -r name path; do
		"${interpreter[@]}" Programs/_freeze_module.py "$name" "$path" \
			"Python/frozen_modules/$name.h"
		[ "$name" = getpath ] || words+=("Python/frozen_modules/$name.h:$name")
	done < <(frozen_modules)
	# Since 3.13 there is no such file.
	! grep -q deepfreeze.c PCbuild/pythoncore.vcxproj ||
		"${interpreter[@]}" Tools/*/deepfreeze.py "${words[@]}" -o Python/deepfreeze/deepfreeze.c
}

# The list of modules without those that are not built.
write_config() {
	local name
	cp PC/config.c config.c
	for name in $left_out; do sed -i "/PyInit_$name\b/d" config.c; done
	[ -f PC/pyconfig.h ] || cp PC/pyconfig.h.in PC/pyconfig.h
}

sources() {
	sed -n 's|.*<ClCompile Include="\.\.\\\([^"]*\)".*|\1|p' PCbuild/pythoncore.vcxproj | tr '\\' / |
		grep -vE "$left_out_files"
	echo config.c
}

compile() {
	# One function is declared for all and defined for its file alone, which only Microsoft's
	# compiler lets pass.
	sed -i '/^static int$/{N;s/^static int\n_Py_CheckPython3(void)$/int\n_Py_CheckPython3(void)/}' \
		Python/dynload_win.c
	mkdir -p objects
	sources | xargs -P "$(nproc)" -I{} sh -c \
		'out=objects/$(echo "$1" | tr / _).o; shift; exec "$@" -o "$out"' sh {} \
		"$compiler" "${flags[@]}" -c {}
}

link() {
	"$compiler" -s -shared -o "python$number.dll" objects/*.o "-Wl,--out-implib,libpython.a" \
		-Wl,--file-alignment=4096 -static -lversion -lws2_32 -lshlwapi -lpathcch -lbcrypt \
		-lole32 -loleaut32
	"$compiler" -s -w -O1 -municode -IInclude -IPC Programs/python.c -o python.exe libpython.a
}

build() {
	prepare_apt "$1/apt" amd64 $release
	sed -i 's/^deb \(.*\)/&\ndeb-src \1/' "$1/apt/sources.list"
	apt-get update -qq
	fetch_source "$1"
	find_interpreter "$1"
	(cd "$1"/Python-"$version".* && freeze && write_config && write_missing && compile && link)
	mkdir "$1/made"
	mv "$1"/Python-"$version".*/{"python$number.dll",python.exe,Lib} "$1/made"
	rm -rf "$1/made/Lib/test" "$1/apt" "$1/host" "$1"/Python-"$version".* "$1/python${version}_"*
	mv "$1"/made/* "$1"
	rmdir "$1/made"
}

[ "$(uname -m)" = x86_64 ] && command -v $compiler >/dev/null || exit 77
folder=$PWD/build/windows-python-$version
[ -f "$folder/complete" ] && exit 0
rm -rf "$folder"
mkdir -p "$folder"
trap '[ $? = 0 ] || exit 77' EXIT
build "$folder"
touch "$folder/complete"

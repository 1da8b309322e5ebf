#!/usr/bin/env bash
# Builds CPython 3.11 for Windows on x64 out of Debian's source, with mingw's gcc, into
# build/windows-python: python.exe, python311.dll (exports and structs as those of python.org) and
# Lib. There is no such program by a Debian package. It is for tests under Wine: no SSL, no zlib, and
# whatever else lies outside of the interpreter's own library. Takes two minutes; does nothing when
# it is there. Exit status 77: no way to build.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/debian_packages.sh

compiler=x86_64-w64-mingw32-gcc
host_python=/usr/bin/python3.11 # freezes modules: its bytecode must be that of the source

# Core modules that are not built: they need other libraries, or tables of megabytes.
left_out="_sha3 _blake2 _multibytecodec _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw zlib"
modules="getpath _abc _bisectmodule _codecsmodule _collectionsmodule _contextvarsmodule _csv
	_functoolsmodule _heapqmodule _json _localemodule _lsprof _pickle _randommodule _sre/sre _stat
	_struct _weakref arraymodule atexitmodule audioop binascii cmathmodule _datetimemodule
	errnomodule faulthandler gcmodule getbuildinfo itertoolsmodule main mathmodule md5module
	mmapmodule _opcode _operator posixmodule rotatingtree sha1module sha256module sha512module
	signalmodule _statisticsmodule symtablemodule _threadmodule _tracemalloc _typingmodule
	timemodule xxsubtype _xxsubinterpretersmodule _io/fileio _io/bytesio _io/stringio
	_io/bufferedio _io/iobase _io/textio _io/winconsoleio _io/_iomodule _winapi"
frozen="importlib._bootstrap importlib._bootstrap_external zipimport abc codecs io _collections_abc
	_sitebuiltins genericpath ntpath posixpath os site stat importlib.util importlib.machinery runpy
	__hello__ __phello__ __phello__.ham __phello__.ham.eggs __phello__.spam frozen_only"

# Macros that Microsoft's project files set, and two numbers that Debian's headers are too old for.
flags=(-w -O2 -g -D_WIN32_WINNT=0x0601 -DPy_BUILD_CORE -DPy_BUILD_CORE_BUILTIN -DNDEBUG '-DMS_DLL_ID="3.11"'
	'-DPY3_DLLNAME=L"python3.dll"' '-DVPATH=L""' '-DPREFIX=L""' '-DEXEC_PREFIX=L""'
	'-DVERSION=L"3.11"' '-DPLATLIBDIR=L"DLLs"' '-DPYTHONPATH=L""' -DLCMAP_SORTHANDLE=0x20000000
	-DLCMAP_HASH=0x00040000 -IInclude -IInclude/internal -IPC -IPython)

# The mirror may have lost Debian's own part of a source package; CPython's is all that is wanted.
fetch_source() {
	prepare_apt "$1/apt" amd64
	sed -i 's/^deb /deb-src /' "$1/apt/sources.list"
	apt-get update -qq
	(cd "$1" && (apt-get source -qq --download-only python3.11 || true) &&
		tar xf python3.11_*.orig.tar.?z)
}

path_of_module() {
	local path=Lib/${1//.//}
	case $1 in
	frozen_only) echo Tools/freeze/flag.py ;;
	*) [ -f "$path.py" ] && echo "$path.py" || echo "$path/__init__.py" ;;
	esac
}

freeze() {
	local name words=()
	for name in $frozen; do
		$host_python Programs/_freeze_module.py "$name" "$(path_of_module "$name")" \
			"Python/frozen_modules/$name.h"
		words+=("Python/frozen_modules/$name.h:$name")
	done
	$host_python Programs/_freeze_module.py getpath Modules/getpath.py \
		Python/frozen_modules/getpath.h
	$host_python Tools/scripts/deepfreeze.py "${words[@]}" -o Python/deepfreeze/deepfreeze.c
}

# The list of modules without those that are not built.
write_config() {
	local name
	cp PC/config.c config.c
	for name in $left_out; do sed -i "/PyInit_$name\b/d" config.c; done
}

sources() {
	local name
	printf '%s\n' Objects/*.c Parser/*.c Python/*.c | grep -vE 'dynload_|emscripten|frozenmain|asm_trampoline'
	for name in $modules; do echo "Modules/$name.c"; done
	echo Python/dynload_win.c PC/dl_nt.c PC/invalid_parameter_handler.c PC/winreg.c \
		PC/msvcrtmodule.c Python/deepfreeze/deepfreeze.c config.c | tr ' ' '\n'
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
	"$compiler" -shared -o python311.dll objects/*.o -Wl,--out-implib,libpython311.a \
		-Wl,--file-alignment=4096 -static-libgcc -lversion -lws2_32 -lshlwapi -lpathcch -lbcrypt \
		-lole32 -loleaut32
	"$compiler" -w -O2 -municode -IInclude -IPC Programs/python.c -o python.exe libpython311.a
}

build() {
	fetch_source "$1"
	(cd "$1"/Python-3.11.* && freeze && write_config && compile && link)
	mkdir "$1/made"
	mv "$1"/Python-3.11.*/{python311.dll,python.exe,Lib} "$1/made"
	rm -rf "$1/made/Lib/test" "$1/apt" "$1"/Python-3.11.* "$1"/python3.11_*
	mv "$1"/made/* "$1"
	rmdir "$1/made"
}

[ "$(uname -m)" = x86_64 ] && [ -x $host_python ] && command -v $compiler >/dev/null || exit 77
export -f path_of_module
folder=$PWD/build/windows-python
[ -f "$folder/complete" ] && exit 0
rm -rf "$folder"
mkdir -p "$folder"
trap '[ $? = 0 ] || exit 77' EXIT
build "$folder"
touch "$folder/complete"

# There is nothing but the C runtime and the system's own libraries on Windows. What wperf needs
# besides is built from Debian's sources, as targets of the same names as on Linux.

# The numbers of ELF and DWARF, out of headers that need nothing of Linux but two macros.
set(number_headers ${CMAKE_BINARY_DIR}/number_headers)
foreach(header elf.h dwarf.h)
	configure_file(/usr/include/${header} ${number_headers}/${header} COPYONLY)
endforeach()
file(WRITE ${number_headers}/features.h "#define __BEGIN_DECLS\n#define __END_DECLS\n")
file(WRITE ${number_headers}/bits/auxv.h "")
include_directories(SYSTEM ${number_headers})

# fetched_library(NAME INCLUDE SOURCE...): of the files in build/windows/NAME, which
# scripts/fetch_windows.sh took from a source package. INCLUDE: the folder of its headers.
function(fetched_library name include)
	set(folder ${CMAKE_SOURCE_DIR}/build/windows/${name})
	list(TRANSFORM ARGN PREPEND ${folder}/ OUTPUT_VARIABLE sources)
	add_library(${name} STATIC ${sources})
	target_include_directories(${name} SYSTEM PUBLIC ${folder}/${include})
	target_compile_options(${name} PRIVATE -w) # its warnings are not ours
endfunction()

# The demanglers. <libiberty/demangle.h> is where Debian's package installs that header.
fetched_library(iberty include libiberty/cp-demangle.c libiberty/cp-demint.c libiberty/rust-demangle.c
	libiberty/safe-ctype.c)
foreach(header demangle.h libiberty.h ansidecl.h)
	configure_file(${CMAKE_SOURCE_DIR}/build/windows/iberty/include/${header}
		${number_headers}/libiberty/${header} COPYONLY)
endforeach()
file(WRITE ${CMAKE_BINARY_DIR}/libiberty/config.h "#define HAVE_STDLIB_H 1\n#define HAVE_STRING_H 1\n")
target_include_directories(iberty PRIVATE ${CMAKE_BINARY_DIR}/libiberty)
target_compile_definitions(iberty PRIVATE HAVE_CONFIG_H)

# Without zlib's own file access (gz*.c).
fetched_library(zlib . adler32.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c
	zutil.c)

# The part that decompresses. Its assembler is for the calling convention of Linux.
fetched_library(zstd lib lib/common/debug.c lib/common/entropy_common.c lib/common/error_private.c
	lib/common/fse_decompress.c lib/common/xxhash.c lib/common/zstd_common.c
	lib/decompress/huf_decompress.c lib/decompress/zstd_ddict.c lib/decompress/zstd_decompress.c
	lib/decompress/zstd_decompress_block.c)
target_compile_definitions(zstd PRIVATE ZSTD_DISABLE_ASM ZSTD_LEGACY_SUPPORT=0)

add_compile_options("SHELL:-include ${CMAKE_SOURCE_DIR}/src/base/os/gnu_functions_win.h")
# A DLL of ours needs none of the compiler; a program takes the static libgcc by itself.
add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:-static-libgcc>)

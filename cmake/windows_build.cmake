# There is nothing but the C runtime and the system's own libraries on Windows.

# The numbers of ELF and DWARF, out of headers that need nothing of Linux but two macros.
set(number_headers ${CMAKE_BINARY_DIR}/number_headers)
foreach(header elf.h dwarf.h)
	configure_file(/usr/include/${header} ${number_headers}/${header} COPYONLY)
endforeach()
file(WRITE ${number_headers}/features.h "#define __BEGIN_DECLS\n#define __END_DECLS\n")
file(WRITE ${number_headers}/bits/auxv.h "")
include_directories(SYSTEM ${number_headers})

# The demanglers of libiberty, whose package has them for Linux only.
set(demanglers ${CMAKE_SOURCE_DIR}/build/windows/libiberty)
configure_file(${demanglers}/demangle.h ${number_headers}/libiberty/demangle.h COPYONLY)
configure_file(${demanglers}/libiberty.h ${number_headers}/libiberty/libiberty.h COPYONLY)
configure_file(${demanglers}/ansidecl.h ${number_headers}/libiberty/ansidecl.h COPYONLY)
file(WRITE ${CMAKE_BINARY_DIR}/libiberty/config.h "#define HAVE_STDLIB_H 1\n#define HAVE_STRING_H 1\n")
add_library(iberty STATIC ${demanglers}/cp-demangle.c ${demanglers}/cp-demint.c
	${demanglers}/rust-demangle.c ${demanglers}/safe-ctype.c)
target_include_directories(iberty PRIVATE ${demanglers} ${CMAKE_BINARY_DIR}/libiberty)
target_compile_definitions(iberty PRIVATE HAVE_CONFIG_H)
target_compile_options(iberty PRIVATE -w)
set(IBERTY_LIBRARY iberty)

add_compile_options("SHELL:-include ${CMAKE_SOURCE_DIR}/src/base/gnu_functions_win.h")

# There is nothing but the C runtime and the system's own libraries on Windows.

# The numbers of ELF and DWARF, out of headers that need nothing of Linux but two macros.
set(number_headers ${CMAKE_BINARY_DIR}/number_headers)
foreach(header elf.h dwarf.h)
	configure_file(/usr/include/${header} ${number_headers}/${header} COPYONLY)
endforeach()
file(WRITE ${number_headers}/features.h "#define __BEGIN_DECLS\n#define __END_DECLS\n")
file(WRITE ${number_headers}/bits/auxv.h "")
include_directories(SYSTEM ${number_headers})

add_compile_options("SHELL:-include ${CMAKE_SOURCE_DIR}/src/base/gnu_functions_win.h")

# The program that runs in the kernel, as the bytes of an object file: clang compiles it, and of
# libbpf only the headers are needed. Without them, and for other CPUs, there is none.
find_program(CLANG NAMES clang clang-19 clang-16 clang-15 clang-14)
find_program(LLVM_STRIP NAMES llvm-strip llvm-strip-19 llvm-strip-16 llvm-strip-15 llvm-strip-14)
find_path(BPF_INCLUDE bpf/libbpf.h)
if(NOT (CLANG AND BPF_INCLUDE AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|aarch64"))
	message(STATUS "Without frames of Python in samples: they take clang and libbpf-dev, on x86-64 "
		"or AArch64")
	target_sources(source PRIVATE bpf/bpf_walker_none.c)
	return()
endif()

set(object ${CMAKE_CURRENT_BINARY_DIR}/python_walker.bpf.o)
set(strip true)
if(LLVM_STRIP)
	set(strip ${LLVM_STRIP} --strip-debug ${object}) # what the loader needs is not stripped
endif()
add_custom_command(OUTPUT ${object}.inc
	COMMAND ${CLANG} -O2 -g -target bpf -mcpu=v3 -ffreestanding -Wall -Wextra
		-Wno-unused-parameter -I${CMAKE_SOURCE_DIR}/src -I${BPF_INCLUDE}
		-I${CMAKE_SYSROOT}/usr/include/${CMAKE_LIBRARY_ARCHITECTURE}
		-MD -MF ${object}.d -MT ${object}.inc
		-c ${CMAKE_SOURCE_DIR}/src/interpreter/python/kernel/python_walker.bpf.c -o ${object}
	COMMAND ${strip}
	COMMAND ${CMAKE_COMMAND} -DFILE=${object}
		-P ${CMAKE_CURRENT_SOURCE_DIR}/embed_object.cmake
	DEPENDS ${CMAKE_SOURCE_DIR}/src/interpreter/python/kernel/python_walker.bpf.c embed_object.cmake
	DEPFILE ${object}.d
	VERBATIM)
target_sources(source PRIVATE bpf/bpf_library.c bpf/bpf_walker.c ${object}.inc)
target_include_directories(source PRIVATE ${CMAKE_CURRENT_BINARY_DIR})


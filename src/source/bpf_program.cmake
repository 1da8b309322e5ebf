# Programs that run in the kernel, as the bytes of an object file: clang compiles them, and of
# libbpf only the headers are needed. Without them, and for other CPUs, there are none.
find_program(CLANG NAMES clang clang-19 clang-16 clang-15 clang-14)
find_program(LLVM_STRIP NAMES llvm-strip llvm-strip-19 llvm-strip-16 llvm-strip-15 llvm-strip-14)
find_path(BPF_INCLUDE bpf/libbpf.h)
set(has_bpf OFF)
if(CLANG AND BPF_INCLUDE AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|aarch64")
	set(has_bpf ON)
endif()
set(WPERF_HAS_BPF ${has_bpf} CACHE INTERNAL "programs for the kernel are built")

# Adds ${program}.bpf.o.inc, the bytes of ${program}.bpf.c, to what the target can include.
function(embed_bpf_program target program)
	set(source ${CMAKE_CURRENT_SOURCE_DIR}/${program}.bpf.c)
	set(object ${CMAKE_CURRENT_BINARY_DIR}/${program}.bpf.o)
	set(strip true)
	if(LLVM_STRIP)
		set(strip ${LLVM_STRIP} --strip-debug ${object}) # what the loader needs is not stripped
	endif()
	set(embed ${CMAKE_SOURCE_DIR}/src/source/embed_object.cmake)
	add_custom_command(OUTPUT ${object}.inc
		COMMAND ${CLANG} -O2 -g -target bpf -mcpu=v3 -ffreestanding -ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -Wall -Wextra
			-Wno-unused-parameter -I${CMAKE_SOURCE_DIR}/src -I${CMAKE_SOURCE_DIR}
			-I${BPF_INCLUDE} -I${CMAKE_SYSROOT}/usr/include/${CMAKE_LIBRARY_ARCHITECTURE}
			-MD -MF ${object}.d -MT ${object}.inc -c ${source} -o ${object}
		COMMAND ${strip}
		COMMAND ${CMAKE_COMMAND} -DFILE=${object} -P ${embed}
		DEPENDS ${source} ${embed}
		DEPFILE ${object}.d
		VERBATIM)
	target_sources(${target} PRIVATE ${object}.inc)
	target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

if(NOT WPERF_HAS_BPF)
	message(STATUS "Without frames of Python in samples: they take clang and libbpf-dev, on x86-64 "
		"or AArch64")
	target_sources(source PRIVATE bpf/bpf_allocations_none.c bpf/bpf_calls_none.c bpf/bpf_latency_none.c
		bpf/bpf_sched_none.c bpf/bpf_values_none.c bpf/bpf_wakes_none.c
		bpf/bpf_walker_none.c)
	return()
endif()

target_sources(source PRIVATE bpf/bpf_allocations.c bpf/bpf_calls.c bpf/bpf_latency.c
	bpf/bpf_library.c bpf/bpf_namespace.c bpf/bpf_sched.c bpf/bpf_values.c bpf/bpf_wakes.c
	bpf/bpf_walker.c)
embed_bpf_program(source bpf/kernel/allocations)
embed_bpf_program(source bpf/kernel/latency)
target_include_directories(source PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/bpf/kernel)

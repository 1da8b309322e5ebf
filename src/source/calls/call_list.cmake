# call_names.inc: the system calls of the machine that wperf is compiled for.
set(call_compiler ${CMAKE_C_COMPILER})
if(CMAKE_C_COMPILER_TARGET)
	string(APPEND call_compiler " --target=${CMAKE_C_COMPILER_TARGET}")
endif()
if(CMAKE_SYSROOT)
	string(APPEND call_compiler " --sysroot=${CMAKE_SYSROOT}")
endif()
set(call_names ${CMAKE_CURRENT_BINARY_DIR}/calls/call_names.inc)
set(call_script ${CMAKE_CURRENT_SOURCE_DIR}/calls/call_names.cmake)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/calls)
add_custom_command(OUTPUT ${call_names}
	COMMAND ${CMAKE_COMMAND} "-DCOMPILER=${call_compiler}" -DINC=${call_names} -P ${call_script}
	DEPENDS ${call_script}
	VERBATIM)
target_sources(source PRIVATE ${call_names})
target_include_directories(source PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/calls)

unit_test(a64_class LINK driver_emulator)
unit_test(a64_class_beside_llvm LINK driver_emulator object)
set_source_files_properties(emulator/test_a64_class_beside_llvm.c PROPERTIES
	COMPILE_DEFINITIONS "WPERF_ARM64_ROOT=\"${CMAKE_SOURCE_DIR}/build/arm64/root\"")
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
	unit_test(measure LINK driver_emulator_region)
	unit_test(program_file LINK driver_emulator_region)
	unit_test(region LINK driver_emulator_region)
endif()

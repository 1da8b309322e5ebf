unit_test(telemetry_json LINK catalog)
if(DEFINED WPERF_SHARED_DIR)
	target_compile_definitions(test_telemetry_json PRIVATE
		WPERF_SHARED_DIR="${WPERF_SHARED_DIR}")
endif()
if(NOT WIN32)
	unit_test(sysfs_pmu LINK catalog)
	unit_test(system_events LINK catalog)
endif()

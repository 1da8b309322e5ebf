unit_test(process_table LINK process)
if(NOT WIN32)
	unit_test(running LINK process)
endif()

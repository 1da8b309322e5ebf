# What programs need that use libwperf. libwperf.pc finds the rest from its own folder, so that all of it
# can be moved together.
include(GNUInstallDirs)
install(FILES wperf.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS libwperf)
if(WIN32)
	return()
endif()

set(pc_folder /${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH to_prefix ${pc_folder} /)
string(REGEX REPLACE "/$" "" to_prefix ${to_prefix})
set(pc_prefix "\${pcfiledir}/${to_prefix}")
configure_file(libwperf.pc.in libwperf.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libwperf.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(archive)
	install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

# libwperf.a: one object with all rooms inside, and what they are linked with where that is an archive.
# Its only global names are those of libwperf.map.
set(rooms report session stack interpreter source symbols object process profile record catalog view
	driver_sim driver_core driver_emulator driver_emulator_region base iberty zlib zstd)
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE room_files)

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS libwperf.map)
file(STRINGS libwperf.map keep_names REGEX "wperf_[a-z_]+;")
list(TRANSFORM keep_names REPLACE "[ \t]*(wperf_[a-z_]+);" "--keep-global-symbol=\\1")

set(archive ${CMAKE_CURRENT_BINARY_DIR}/libwperf.a)
set(object ${CMAKE_CURRENT_BINARY_DIR}/libwperf.o)
add_custom_command(OUTPUT ${archive}
	COMMAND ${CMAKE_LINKER} -r -o ${object} $<TARGET_OBJECTS:libwperf> --start-group ${room_files} --end-group
	COMMAND ${CMAKE_OBJCOPY} ${keep_names} ${object}
	COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
	COMMAND ${CMAKE_AR} crsD ${archive} ${object}
	COMMAND ${CMAKE_COMMAND} -E rm ${object}
	DEPENDS libwperf ${rooms}
	COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(libwperf_static ALL DEPENDS ${archive})

# embed_text(TARGET FILE): #include "NAME.inc" inside the braces of a byte array of TARGET, where
# NAME is that of the file without its folder.
function(embed_text target file)
	set(source ${CMAKE_CURRENT_SOURCE_DIR}/${file})
	get_filename_component(name ${file} NAME)
	file(READ ${source} bytes HEX)
	string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
	file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.inc CONTENT "${bytes}\n")
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
	target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

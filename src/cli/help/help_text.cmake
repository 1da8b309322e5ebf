# The texts of help/text become C initializers, so that they are edited as text and wperf opens no
# file to print them.
#
# A line that begins with "# " is a heading. The lines below it are paragraphs with an empty line
# between them; how they are wrapped does not matter. In lists of pairs (examples, files, ...), a
# line is a name and the lines below it, indented by four spaces, are its text.

# To #include FILE.inc in a source file of TARGET.
function(help_text_write target file content)
	get_filename_component(name ${file} NAME)
	file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.inc CONTENT "@content@" @ONLY)
	target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

# For what stands inside the quotes of C.
function(help_text_read file ret)
	file(READ ${file} text)
	set_property(DIRECTORY APPEND PROPERTY
		CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
	string(REPLACE "\\" "\\\\" text "${text}")
	string(REPLACE "\"" "\\\"" text "${text}")
	set(${ret} "${text}" PARENT_SCOPE)
endfunction()

# The lines below a heading; nothing if the text has no such heading.
function(help_text_section text heading ret)
	string(FIND "\n${text}" "\n# ${heading}\n" start)
	set(${ret} "" PARENT_SCOPE)
	if(start LESS 0)
		return()
	endif()
	string(SUBSTRING "${text}" ${start} -1 text)
	string(REGEX REPLACE "^# [^\n]*" "" text "${text}")
	string(FIND "${text}" "\n# " length)
	string(SUBSTRING "${text}" 0 ${length} text)
	set(${ret} "${text}" PARENT_SCOPE)
endfunction()

# Each paragraph is one line of the string.
function(help_text_paragraphs text ret)
	string(STRIP "${text}" text)
	string(REPLACE "\n\n" "\\n" text "${text}")
	string(REPLACE "\n" " " text "${text}")
	set(${ret} "\"${text}\"" PARENT_SCOPE)
endfunction()

# {"name", "text"},
function(help_text_pairs text ret)
	string(STRIP "${text}" text)
	string(REGEX REPLACE "\n([^ \n][^\n]*)\n    " "\"},\n{\"\\1\", \"" text "\n${text}")
	string(REGEX REPLACE "^\"},\n" "" text "${text}")
	string(REPLACE "\n    " " " text "${text}")
	set(${ret} "${text}\"},\n" PARENT_SCOPE)
endfunction()

# FILE is one text: "..."
function(embed_paragraphs target file)
	help_text_read(${file} text)
	help_text_paragraphs("${text}" content)
	help_text_write(${target} ${file} "${content}\n")
endfunction()

# FILE is pairs: {"name", "text"},
function(embed_pairs target file)
	help_text_read(${file} text)
	help_text_pairs("${text}" content)
	help_text_write(${target} ${file} "${content}")
endfunction()

# Each section of FILE is a variable, which a row in USER names:
# static const char details_HEADING[] = "...";
function(embed_details target file user)
	help_text_read(${file} text)
	file(READ ${user} rows)
	string(REGEX MATCHALL "\n# [^\n]*" headings "\n${text}")
	set(content "")
	foreach(heading IN LISTS headings)
		string(SUBSTRING "${heading}" 3 -1 name)
		if(NOT rows MATCHES "= details_${name},")
			message(FATAL_ERROR "${file}: no option in ${user} has details_${name}")
		endif()
		help_text_section("${text}" ${name} section)
		help_text_paragraphs("${section}" details)
		string(APPEND content "static const char details_${name}[] =\n\t${details};\n")
	endforeach()
	help_text_write(${target} ${file} "${content}")
endfunction()

# One row of command_texts (command_text.h), of commands/NAME.txt.
function(help_text_command file ret)
	help_text_read(${file} text)
	set(known Summary Usage Description Details Examples)
	string(REGEX MATCHALL "\n# [^\n]*" headings "\n${text}")
	foreach(heading IN LISTS headings)
		string(SUBSTRING "${heading}" 3 -1 heading)
		if(NOT heading IN_LIST known)
			message(FATAL_ERROR "${file}: '# ${heading}' is none of: ${known}")
		endif()
	endforeach()
	foreach(heading IN LISTS known)
		help_text_section("${text}" ${heading} ${heading})
		if("${${heading}}" STREQUAL "" AND NOT heading STREQUAL "Details")
			message(FATAL_ERROR "${file} has no section '# ${heading}'")
		endif()
	endforeach()
	help_text_paragraphs("${Summary}" summary)
	help_text_paragraphs("${Description}" description)
	set(details NULL)
	if(Details)
		help_text_paragraphs("${Details}" details)
	endif()
	# The tables have what is behind "wperf ".
	string(REGEX REPLACE "\nwperf ([^\n]*)" "\"\\1\"," usage "${Usage}")
	string(REPLACE "\nwperf " "\n" examples "${Examples}")
	help_text_pairs("${examples}" examples)
	set(${ret} "{\n.summary = ${summary},\n.usage = {${usage}},\n.description = ${description},
.details = ${details},\n.examples = {\n${examples}},\n},\n" PARENT_SCOPE)
endfunction()

# All commands/NAME.txt: [COMMAND_NAME] = {...}, in command_texts.inc. Of a text without a command,
# the compiler does not know the id; how many texts there are is NUM_COMMAND_TEXTS.
function(embed_commands target folder ret_names)
	file(GLOB files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${folder}/*.txt)
	set(content "")
	set(names "")
	foreach(file IN LISTS files)
		get_filename_component(name ${file} NAME_WE)
		string(TOUPPER ${name} id)
		string(REPLACE "-" "_" id ${id}) # of two words
		help_text_command(${file} row)
		string(APPEND content "[COMMAND_${id}] = ${row}")
		list(APPEND names ${name})
	endforeach()
	help_text_write(${target} command_texts "${content}")
	list(LENGTH names num_texts)
	set_source_files_properties(help/command_text.c PROPERTIES
		COMPILE_DEFINITIONS NUM_COMMAND_TEXTS=${num_texts})
	set(${ret_names} ${names} PARENT_SCOPE)
endfunction()

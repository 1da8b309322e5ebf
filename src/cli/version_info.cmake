# Writes version_info.h whenever the commit or the state of the tree has changed, and only then.
execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --abbrev=8 --dirty --exclude=*
	OUTPUT_VARIABLE WPERF_GIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT WPERF_GIT)
	set(WPERF_GIT "00000000") # no git, or no commit
endif()
configure_file(${SOURCE_DIR}/src/cli/version_info.h.in ${OUTPUT} @ONLY)

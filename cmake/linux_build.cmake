# The libraries that are part of the program: targets of the same names as on Windows.
find_package(PkgConfig REQUIRED)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# packaged_library(NAME FILE HEADER): linked statically where the package has an archive, because each
# shared library adds about 0.2 ms to every start.
function(packaged_library name file header)
	find_library(WPERF_${file}_LIBRARY NAMES lib${file}.a ${file} REQUIRED)
	find_path(WPERF_${file}_INCLUDE ${header} REQUIRED)
	add_library(${name} UNKNOWN IMPORTED GLOBAL)
	set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${WPERF_${file}_LIBRARY}
		INTERFACE_INCLUDE_DIRECTORIES ${WPERF_${file}_INCLUDE})
endfunction()

packaged_library(iberty iberty libiberty/demangle.h)
packaged_library(zlib z zlib.h)
packaged_library(zstd zstd zstd.h)

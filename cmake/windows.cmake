# What windows-x64.cmake and windows-arm64.cmake share.
set(CMAKE_SYSTEM_NAME Windows)
if(NOT EXISTS ${CMAKE_CURRENT_LIST_DIR}/../build/windows/zstd/lib/zstd.h)
	message(FATAL_ERROR "no libraries for Windows yet: run scripts/fetch_windows.sh")
endif()
if(NOT CMAKE_C_COMPILER)
	set(CMAKE_C_COMPILER clang-19)
endif()
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_RC_COMPILER llvm-windres-19)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)

# Windows 10 and later, its own C runtime (ucrt), and C99's words of printf() from mingw-w64.
set(CMAKE_C_FLAGS_INIT "-D_WIN32_WINNT=0x0A00 -D_UCRT -D__USE_MINGW_ANSI_STDIO=1")
set(CMAKE_C_STANDARD_LIBRARIES "${windows_libraries}" CACHE STRING "The C runtime and the system")
if(CMAKE_C_COMPILER MATCHES clang)
	set(CMAKE_C_COMPILER_TARGET ${windows_triple})
	# Figures are the same on every machine if none fuses multiplications with additions.
	string(APPEND CMAKE_C_FLAGS_INIT " -gcodeview -ffp-contract=off")
	# An empty name: the PDB is named as the program and lies beside it, where it is looked for, too.
	# The same sources give the same file. The stack is as large as on Linux.
	set(windows_linker_flags "-fuse-ld=lld-19 -Wno-unused-command-line-argument -Wl,--pdb= \
-Wl,-Xlink=-pdbaltpath:%_PDB% -Wl,-Xlink=-Brepro")
	set(CMAKE_EXE_LINKER_FLAGS_INIT "${windows_linker_flags} -Wl,--stack,8388608")
	# Nobody has the DLL of a compiler.
	set(CMAKE_SHARED_LINKER_FLAGS_INIT "${windows_linker_flags} -static-libgcc")
else()
	# gcc takes printf's words to be those of msvcrt, whatever mingw-w64 makes of them.
	string(APPEND CMAKE_C_FLAGS_INIT " -Wno-format")
endif()

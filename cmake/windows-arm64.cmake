# Windows on Arm64, built on Debian with clang and lld. scripts/fetch_windows.sh makes the C runtime,
# which Debian has for x64 only.
set(CMAKE_SYSTEM_PROCESSOR ARM64)
set(windows_triple aarch64-w64-windows-gnu)
cmake_path(SET runtime NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../build/windows/arm64)
set(windows_libraries "-lmingw32 -lmingwex -lmoldname -lucrt -ladvapi32 -lshell32 -luser32 -lkernel32 \
${runtime}/crtend.o")
include(${CMAKE_CURRENT_LIST_DIR}/windows.cmake)

string(APPEND CMAKE_C_FLAGS_INIT " -isystem /usr/share/mingw-w64/include")
set(startup_flags " -nostdlib -L${runtime}")
string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT "${startup_flags} ${runtime}/crt2.o ${runtime}/crtbegin.o")
string(APPEND CMAKE_SHARED_LINKER_FLAGS_INIT "${startup_flags} ${runtime}/dllcrt2.o ${runtime}/crtbegin.o")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # a program needs what base/ has for the compiler

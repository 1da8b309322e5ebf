# Windows on x64, built on Debian with clang, lld and the C runtime of Debian's mingw-w64.
# mingw's gcc builds it, too, but without PDBs: cmake --preset windows-x64 -B build/mingw \
#   -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(windows_triple x86_64-w64-windows-gnu)
set(windows_libraries "-lucrt -ladvapi32") # the compiler adds the others
include(${CMAKE_CURRENT_LIST_DIR}/windows.cmake)

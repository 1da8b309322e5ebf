#!/usr/bin/env bash
# Do the files for Windows still compile? They are not linked or run yet.
set -u
status=0
while read -r file; do
	clang -target x86_64-w64-mingw32 -std=gnu11 -fsyntax-only -Wall -Wextra -Werror \
		-Wno-unused-parameter -isystem /usr/share/mingw-w64/include -I. -Isrc "$file" || status=1
done < <(git ls-files -co --exclude-standard 'src/*_win.c')
exit $status

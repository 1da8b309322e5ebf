#!/usr/bin/env bash
# clang-tidy over src/ and driver/, but for what only Windows compiles; $1 is the build folder with compile_commands.json.
# The analyzer follows a function's paths for a tenth of the steps that it would, which takes a fifth of the time:
# of the blocks of our functions it then reaches 99.0 instead of 99.2 percent (clang's debug.Stats).
fewer_paths=(--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=20000)
git ls-files -co --exclude-standard 'src/*.c' 'driver/*.c' | grep -v -e '_win\.c$' -e '_none\.c$' -e '\.bpf\.c$' \
	-e '^driver/windows/' |
	xargs -n 8 clang-tidy --quiet -p "$1" "${fewer_paths[@]}" 2>&1 |
	grep -v -E 'warnings? generated|^Suppressed|^Use -header-filter'
exit "${PIPESTATUS[2]}" # of xargs

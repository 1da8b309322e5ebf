#!/usr/bin/env bash
# The showcase: two lines of Python on an Arm CPU, counted and sampled by the emulated PMU. Leaves
# recordings and pages in build/showcase. Needs build/wperf and scripts/fetch_showcase.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build/showcase
python=(python3.11d -S -c)
googolplex='10**1000000'
fibonacci='fib = lambda n: n if n < 2 else fib(n-1) + fib(n-2); fib(28)'

# Nothing of this user's settings reaches the program: each run counts the same. What Python
# compiles of its library at its first start is kept for the others.
in_clean_environment() {
	env -i PATH="$PATH" PYTHONHASHSEED=0 PYTHONPYCACHEPREFIX=$folder/pycache "$@"
}

show() {
	local word
	printf '\n$ wperf'
	for word in "$@"; do
		case $word in
		*[!a-zA-Z0-9_.,:/=-]*) printf " '%s'" "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	printf '\n'
	in_clean_environment build/wperf "$@"
}

emulated=(--source emulate --sysroot "$folder/root")

in_clean_environment build/wperf stat -q "${emulated[@]}" -- "${python[@]}" pass

printf '\n== A googolplex: %s, in a CPython for AArch64 with all its checks\n' "$googolplex"
show stat "${emulated[@]}" -m imix -- "${python[@]}" "$googolplex"
show record "${emulated[@]}" --python native -e ld_spec:100000 -g --stack-size 32768 --sample-display-row 12 \
	--save $folder/googolplex.data --html $folder/googolplex.html -- \
	"${python[@]}" "$googolplex"
show annotate -i $folder/googolplex.data --symbol x_mul --disassemble --sample-display-row 1

printf '\n== Fibonacci numbers: %s\n' "$fibonacci"
show record "${emulated[@]}" --python native -e ld_spec:10000 -g --stack-size 32768 --sample-display-row 12 \
	--save $folder/fibonacci.data --html $folder/fibonacci.html -- \
	"${python[@]}" "$fibonacci"

printf '\n== Loads by line of Python: %s\n' scripts/hot_lines.py
show record "${emulated[@]}" --python only -e ld_spec:20000 --sample-display-row 5 \
	--save "$folder/lines.data" -- \
	python3.11d -S scripts/hot_lines.py 1000

printf '\nPages for a browser: %s and %s\n' "$PWD/$folder/googolplex.html" \
	"$PWD/$folder/fibonacci.html"
printf 'What was published for the same on Windows on Arm, and what differs: docs/showcase.md\n'

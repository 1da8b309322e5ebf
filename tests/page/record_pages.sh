#!/usr/bin/env bash
# record_pages.sh WPERF SPE_PROGRAM FOLDER: pages of real recordings, which wperf makes now.
#
#   python.html  a program of Python with threads: cpu-clock and off-cpu
#   cpp.html     a program of C++ with containers of its library
#   events.html  three hardware events of a simulated Arm core
#   spe.html     SPE samples of spe_program; no machine here has SPE, so the recording is made up
#
# 77: this system does not let wperf sample.
set -euo pipefail
PATH=$(dirname "$(realpath "$1")"):$PATH # pages show the command line
spe_program=$(realpath "$2") folder=$3
here=$(cd "$(dirname "$0")" && pwd)
cd "$folder"
wperf record -q -g -e cpu-clock --save probe.data -- true >/dev/null 2>probe.txt || { cat probe.txt; exit 77; }

cp "$here/programs/threads.py" "$here/programs/containers.cc" .
wperf record -q -g --off-cpu -e cpu-clock --save python.data --html python.html -- \
	/usr/bin/python3 threads.py >/dev/null

g++ -O2 -g -pthread containers.cc -o containers
wperf record -q -g --save cpp.data --html cpp.html -- ./containers >/dev/null

wperf sample -q --source sim -e ld_spec:100000,inst_spec:100000,l1d_cache_refill:10000 -c 0 --timeout 2 \
	--image_name python_d.exe --save events.data --html events.html

/usr/bin/python3 "$here/../spe/spe_recording.py" "$spe_program" spe.data
wperf report -q -i spe.data --spe latency --html spe.html

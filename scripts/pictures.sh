#!/usr/bin/env bash
# Makes the pictures of README.md and docs/ (docs/pictures/) with the current build: records the
# programs, opens their pages in Chromium and takes screenshots. Needs ./wperf-dev demo and
# ./wperf-dev test (for puppeteer) once before.
set -euo pipefail
cd "$(dirname "$0")/.."
modules=$PWD/build/dev/tests/page/node_modules
work=/tmp/shop # as the pages show it
mkdir "$work"
trap 'rm -rf "$work"' EXIT
export PATH=$PWD/build:/usr/bin:$PATH # pages show the command line: wperf, Debian's python3

picture() {
	NODE_PATH=$modules node scripts/take_picture.js "$@"
}

cp docs/examples/shop.py "$work"
(cd "$work" && wperf record -q -g --html python.html -- python3 shop.py >/dev/null)
picture "$work/python.html" docs/pictures/python.png price

# A program in C with debug information: wperf itself, reading a simulated recording.
wperf sample -q --source sim -e ld_spec:10000 -c 0 --timeout 600 --image_name python_d.exe \
	--save "$work/sim.data"
(cd "$work" && wperf record -q -g --html report.html -- wperf report -i sim.data -q)
picture "$work/report.html" docs/pictures/report.png hash_table_find

picture build/showcase/googolplex.html docs/pictures/showcase.png x_mul

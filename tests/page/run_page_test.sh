#!/usr/bin/env bash
# run_page_test.sh MAKE_PAGES FOLDER: fetches puppeteer-core into FOLDER if it is not there, writes
# the pages and drives the browser over them. 77: no browser, node or npm here.
# run_page_test.sh WPERF FOLDER TEST.js: the same with a test that makes its pages with wperf.
set -euo pipefail
maker=$1 folder=$2 test=${3:-test_page.js}
here=$(cd "$(dirname "$0")" && pwd)
for program in chromium node npm; do
	command -v $program >/dev/null || { echo "no $program"; exit 77; }
done
cd "$folder"
exec 9>fetching
flock 9 # two tests share what is fetched
if ! cmp -s "$here/package-lock.json" node_modules/fetched-lock.json; then
	cp "$here/package.json" "$here/package-lock.json" .
	fetch() { npm ci --no-audit --no-fund --ignore-scripts --loglevel=error; }
	fetch || fetch || { echo "npm cannot fetch puppeteer-core: its registry is not to be had"; exit 77; }
	cp package-lock.json node_modules/fetched-lock.json
fi
exec 9>&-
mkdir -p pages
[ "$test" != test_page.js ] || "$maker" pages
NODE_PATH=$folder/node_modules node "$here/$test" "$folder/pages" "$maker"

#!/usr/bin/env bash
# run_page_test.sh BROWSER MAKER FOLDER TEST [WORD...]: fetches puppeteer-core into FOLDER if it is
# not there, and runs TEST.js in chromium or firefox, with a folder for its pages, MAKER and the words.
# MAKER is make_pages, which writes the pages before, or wperf. 77: no browser, node or npm here.
set -euo pipefail
browser=$1 maker=$2 folder=$3 test=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
program=$browser
[ "$browser" != firefox ] || program=firefox-esr
for program in $program node npm; do
	command -v $program >/dev/null || { echo "no $program"; exit 77; }
done
cd "$folder"

fetch() { npm ci --no-audit --no-fund --ignore-scripts --loglevel=error; }
# One test at a time, as others that need the same begin together.
exec 9>fetching
flock 9
if ! cmp -s "$here/package-lock.json" node_modules/fetched-lock.json; then
	cp "$here/package.json" "$here/package-lock.json" .
	fetch || fetch || { echo "npm cannot fetch puppeteer-core: its registry is not to be had"; exit 77; }
	cp package-lock.json node_modules/fetched-lock.json
fi
exec 9>&-

pages=$folder/$test.$browser
mkdir -p "$pages"
[ "$(basename "$maker")" != make_pages ] || "$maker" "$pages"
NODE_PATH=$folder/node_modules PAGE_BROWSER=$browser node "$here/$test.js" "$pages" "$maker" "$@"

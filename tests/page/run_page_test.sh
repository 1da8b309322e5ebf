#!/usr/bin/env bash
# run_page_test.sh BROWSER MAKE_PAGES FOLDER TEST [WORD...]: fetches puppeteer-core into FOLDER if it
# is not there, writes the pages and runs TEST.js over them, with their folder and the words, in
# chromium or firefox. 77: no browser, node or npm here.
set -euo pipefail
browser=$1 make_pages=$2 folder=$3 test=$4
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
"$make_pages" "$pages"
NODE_PATH=$folder/node_modules PAGE_BROWSER=$browser node "$here/$test.js" "$pages" "$@"

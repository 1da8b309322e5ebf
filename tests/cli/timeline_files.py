# SPDX-License-Identifier: Apache-2.0
"""Which files `stat -t` and `stat -I` leave behind: those that were asked for."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

COUNTS = ["--source", "sim", "-e", "ld_spec", "-c", "1", "--timeout", "1"]
TIMELINE = [*COUNTS, "-t", "-i", "0", "-n", "2"]
OWN_NAME = r"wperf_core_1_\d{4}(_\d\d){5}\.core\.csv"


def run(wperf, words):
    """The files that it left: {name: text}; and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([wperf, "stat", *words], cwd=folder, capture_output=True, text=True,
                              timeout=60, check=False)
        assert done.returncode == 0, (words, done)
        return {path.name: path.read_text(encoding="utf-8")
                for path in pathlib.Path(folder).iterdir()}, done.stdout


def check(wperf, words, *names):
    files, shown = run(wperf, words)
    assert len(files) == len(names), (words, sorted(files))
    for name in names:
        assert any(re.fullmatch(name, each) for each in files), (words, sorted(files))
    return files, shown


def check_page(text, number):
    """The page has so many counts, and is complete."""
    assert len(re.findall('class="wperf-count"', text)) == number, number
    assert 'class="wperf-end"' in text and text.endswith("</html>\n")


def main():
    wperf = sys.argv[1]
    # WindowsPerf's way: CSV, whatever else there is.
    check(wperf, TIMELINE, OWN_NAME)
    check(wperf, [*TIMELINE, "-q"], OWN_NAME)
    check(wperf, [*TIMELINE, "--compat", "--json"], OWN_NAME)
    check(wperf, [*TIMELINE, "--compat", "--html", "x.html"], OWN_NAME, "x.html")
    # Something else in its place.
    files, _ = check(wperf, [*TIMELINE, "--html", "x.html"], "x.html")
    check_page(files["x.html"], 2)
    _, shown = check(wperf, [*TIMELINE, "--json"])
    assert len(json.loads(shown)["timeline"]) == 2
    check(wperf, [*TIMELINE, "--json", "--html", "x.html"], "x.html")
    files, _ = check(wperf, [*TIMELINE, "--json", "-o", "x.json"], "x.json")
    assert len(json.loads(files["x.json"])["timeline"]) == 2
    files, _ = check(wperf, [*TIMELINE, "-o", "x.json"], "x.json")
    assert len(json.loads(files["x.json"])["timeline"]) == 2
    # CSV beside it, for who asks.
    for extra, names in ((["--output-csv", "x.csv"], ["x.csv"]), (["-o", "x.csv"], ["x.csv"]),
                         (["--timestamps"], [OWN_NAME])):
        files, _ = check(wperf, [*TIMELINE, "--html", "x.html", *extra], "x.html", *names)
        csv = next(text for name, text in files.items() if name.endswith(".csv"))
        assert csv.startswith("Multiplexing,"), csv
    files, _ = check(wperf, [*TIMELINE, "-o", "x.json", "--output-csv", "y.csv"], "x.json", "y.csv")
    assert "timeline" in json.loads(files["x.json"])
    files, _ = check(wperf, [*TIMELINE, "-o", "x.csv"], "x.csv")
    # With --compat, -o alone is the name of the CSV.
    files, _ = check(wperf, [*TIMELINE, "--compat", "-o", "x.json"], "x.json")
    assert files["x.json"].startswith("Multiplexing,")
    # Periods: the last one is shorter.
    files, shown = check(wperf, [*COUNTS, "-I", "400", "--html", "x.html"], "x.html")
    check_page(files["x.html"], 3)
    assert re.findall(r'"length_us":(\d+)', files["x.html"]) == ["400000", "400000", "200000"]
    assert shown.count("ld_spec") == 3
    files, _ = check(wperf, [*COUNTS, "-I", "400", "--html", "x.html", "-o", "x.csv"], "x.html", "x.csv")
    check_page(files["x.html"], 3)
    return 0


if __name__ == "__main__":
    sys.exit(main())

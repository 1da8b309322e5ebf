# SPDX-License-Identifier: Apache-2.0
"""`annotate` finds the line and the instruction of which it is known that the time goes there."""
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import chance
from recorder import clock_event

HOT = 0.95

PROGRAM = """\
static char bytes[1 << 20];

static inline __attribute__((always_inline)) void fill_some(unsigned long count)
{
	void *to = bytes;
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(0) : "memory"); // the hot line
}

__attribute__((noinline)) void fill(void)
{
	void *to = bytes;
	unsigned long count = sizeof(bytes);
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(1) : "memory"); // and another
}

__attribute__((noinline)) void fill_inlined(void)
{
	fill_some(sizeof(bytes)); // the call
}

__attribute__((noinline)) unsigned long spread(unsigned long n)
{
	unsigned long x = n;
	for (unsigned long i = 1; i < n; i++) {
		x ^= x << 13;
		x /= i;
		x ^= x >> 7;
		bytes[x % sizeof(bytes)]++;
	}
	return x;
}

int main(void)
{
	for (int i = 0; i < 15000; i++) {
		fill();
		fill_inlined();
	}
	spread(40000000);
	return 0;
}
"""


def line_of(words):
    return next(i for i, line in enumerate(PROGRAM.splitlines(), 1) if words in line)


def run(wperf, *words, folder, code=0):
    done = subprocess.run([wperf, *words], cwd=folder, capture_output=True, text=True, timeout=120,
                          check=False)
    assert done.returncode == code, (words, done)
    return done


def annotate(wperf, folder, *words):
    return json.loads(run(wperf, "annotate", "--json", *words, folder=folder).stdout)["events"][0]


def hottest(part, least=HOT):
    """The hottest one of a list, which has at least that share of all."""
    best = max(part, key=lambda each: each["samples"])
    chance.check_at_least(best["samples"], sum(each["samples"] for each in part), least, best)
    return best


def check_function(wperf, folder):
    event = annotate(wperf, folder, "--symbol", "fill", "--disassemble")
    function, = event["functions"]
    assert function["name"] == "fill" and function["file"].endswith("/fill.c")
    line = hottest(function["lines"])
    print(f"fill: {line['samples']} of {function['samples']} samples in line {line['line']}")
    assert line["line"] == line_of("and another"), function["lines"]
    assert "and another" in line["text"]
    code, = function["code"]
    instruction = hottest(code["instructions"])
    assert instruction["text"].startswith("rep"), instruction
    assert instruction["line"] == line["line"]
    for part in (function["lines"], code["instructions"]):
        assert sum(each["samples"] for each in part) == function["samples"]
        assert sum(each["weight"] for each in part) == function["weight"]


def check_inlined(wperf, folder):
    event = annotate(wperf, folder, "--symbol", "fill_inlined", "--disassemble")
    function, = event["functions"]
    calls = [line for line in function["lines"] if line["line"] == line_of("// the call")]
    chance.check_at_most(calls[0]["samples"], calls[0]["samples_with_inlined"], 1 - HOT, function)
    chance.check_at_least(calls[0]["samples_with_inlined"], function["samples_with_inlined"], HOT, function)
    instruction = hottest(function["code"][0]["instructions"])
    assert instruction["text"].startswith("rep"), instruction
    assert instruction["line"] == line_of("the hot line")
    inner, = annotate(wperf, folder, "--symbol", "fill_some")["functions"]
    assert hottest(inner["lines"], 0)["line"] == line_of("the hot line")


def check_text(wperf, folder):
    text = run(wperf, "annotate", "--disassemble", folder=folder).stdout
    assert re.search(r"^ +(9\d\.\d\d|100\.00) +[\d,]+ +13 .*and another", text, re.M), text
    assert re.search(r"(9\d\.\d\d|100\.00) +[\d,]+ .*rep", text), text
    assert "..." in text and "\x1b" not in text
    whole = run(wperf, "annotate", "--file", "fill.c", "-v", folder=folder).stdout
    for line in PROGRAM.splitlines():
        assert line.strip() in whole, (line, whole)


def check_page(wperf, folder):
    run(wperf, "report", "-q", "--html", "page.html", folder=folder)
    page = open(os.path.join(folder, "page.html"), encoding="utf-8").read()
    listings = json.loads(re.search(r'id="wperf-listings">(.*?)</script>', page, re.S).group(1))
    texts = [text for each in listings for _, text, *_ in each["instructions"]]
    assert any(text.startswith("rep") for text in texts), texts


def check_beside_perf(wperf, folder):
    """The same share at the same addresses as perf annotate says."""
    if not shutil.which("perf"):
        print("no perf to compare with")
        return
    done = subprocess.run(["perf", "annotate", "--stdio", "-i", "wperf.data", "-s", "spread"],
                          cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    theirs = {int(address, 16): float(percent) for percent, address in
              re.findall(r"^ +(\d+\.\d+) +: +([0-9a-f]+):", done.stdout, re.M)}
    function, = annotate(wperf, folder, "--symbol", "spread", "--disassemble")["functions"]
    ours = {int(row["address"], 16): 100 * row["weight"] / function["weight"]
            for row in function["code"][0]["instructions"]}
    print(f"spread: {function['samples']} samples at "
          f"{sum(percent > 0 for percent in ours.values())} of {len(ours)} instructions")
    assert len(theirs) == len(ours), (done, ours)
    for address, percent in ours.items():
        assert abs(theirs[address] - percent) < 0.011, (hex(address), percent, theirs)


def check_missing(wperf, folder):
    os.rename(os.path.join(folder, "fill.c"), os.path.join(folder, "gone.c"))
    text = run(wperf, "annotate", "--symbol", "fill", folder=folder).stdout
    assert "source not shown: cannot open" in text, text
    assert re.search(rf"^ +[\d.]+ +[\d,]+ +{line_of('and another')}$", text, re.M), text
    os.mkdir(os.path.join(folder, "root"))
    below = os.path.join(folder, "root") + folder
    os.makedirs(below)
    os.rename(os.path.join(folder, "gone.c"), os.path.join(below, "fill.c"))
    text = run(wperf, "annotate", "--symbol", "fill", "--sysroot", "root", folder=folder).stdout
    assert "and another" in text, text
    for words in (["--symbol", "nobody"], ["--file", "nothing.c"]):
        done = run(wperf, "annotate", *words, folder=folder, code=1)
        assert words[1] in done.stderr and "hint:" in done.stderr and not done.stdout, done


def check_stripped(wperf, folder):
    """A function without a symbol has instructions and samples, also where nobody asked for them:
    it has no lines."""
    start = next(line.split()[0] for line in subprocess.run(
        ["nm", "fill"], cwd=folder, check=True, capture_output=True,
        text=True).stdout.splitlines() if line.endswith(" fill"))
    subprocess.run(["strip", "-s", "-o", "bare", "fill"], cwd=folder, check=True)
    run(wperf, "record", "-q", *clock_event(1999), "-o", "bare.data", "./bare", folder=folder)
    name = f"[bare+0x{int(start, 16):x}]"
    for words in ([], ["--disassemble"]):
        function, = annotate(wperf, folder, "--symbol", name, "bare.data", *words)["functions"]
        code, = function["code"]
        instruction = hottest(code["instructions"])
        assert code["symbol"] == name and int(code["address"], 16) == int(start, 16), code
        assert instruction["text"].startswith("rep"), instruction
        assert sum(row["samples"] for row in code["instructions"]) == function["samples"]
        assert code["instructions"][-1]["text"].startswith("ret"), code["instructions"][-1]
        text = run(wperf, "annotate", "--symbol", name, "bare.data", *words, folder=folder).stdout
        assert f"instructions of {name}\n" in text and "not shown" not in text, text
    # Of those that nobody named, only who asks sees the instructions.
    text = run(wperf, "annotate", "bare.data", folder=folder).stdout
    assert name in text and "instructions of" not in text, text
    print(f"{name}: {function['samples']} samples, {instruction['samples']} at {instruction['text']!r}")


def main():
    wperf = os.path.abspath(sys.argv[1])
    if platform.machine() != "x86_64" or not shutil.which("gcc"):
        print("skipped: no x86-64 machine with a compiler")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "fill.c"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        subprocess.run(["gcc", "-g", "-O1", os.path.join(folder, "fill.c"), "-o", "fill"],
                       cwd=folder, check=True)
        done = subprocess.run([wperf, "record", *clock_event(1999), "--save",
                               "wperf.data", "--", "./fill"], cwd=folder, capture_output=True,
                              text=True, timeout=120, check=False)
        if done.returncode:
            print("skipped: no sampling here:", done.stderr)
            return 77
        check_function(wperf, folder)
        check_inlined(wperf, folder)
        check_text(wperf, folder)
        check_page(wperf, folder)
        check_beside_perf(wperf, folder)
        check_stripped(wperf, folder)
        check_missing(wperf, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())

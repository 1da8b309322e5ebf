# SPDX-License-Identifier: Apache-2.0
"""ETW recordings, and the perf.data files that `wperf export --format perf` makes of them: every
command prints the same of both, byte for byte.

usage: round_trip.py WPERF MAKE_ETL WALK_PROFILE SHARED_DIR

The made recording has samples of all kinds; a real one takes part where it is. perf itself reads the
copies. With --anonymous, no name of a computer or user is in what any command writes.
"""
import gzip
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# FILE is the recording, OUT a file that is written.
COMMANDS = """
    report -i FILE
    report -i FILE --tree down
    report -i FILE --tree up
    report -i FILE --children
    report -i FILE --idle
    report -i FILE --json
    report -i FILE --html OUT -q
    report -i FILE --sort line
    report -i FILE --sort module
    report -i FILE --sort process
    report -i FILE --sort thread
    report -i FILE --sort cpu
    report -i FILE --thread worker
    report -i FILE --time 1.01,1.05
    report -i FILE --event off-cpu
    report -i FILE --diff FILE
    annotate -i FILE
    flamegraph -i FILE -o OUT
    evlist -i FILE -v
    script -i FILE
    export -i FILE --format collapsed
    export -i FILE --format firefox -o OUT
    export -i FILE --format perf-script
    export -i FILE --format pprof -o OUT
    export -i FILE --format speedscope -o OUT
"""
ANONYMOUS = """
    report -i FILE --tree down
    report -i FILE --json
    report -i FILE --html OUT -q
    annotate -i FILE
    script -i FILE
    export -i FILE --format collapsed
    export -i FILE --format firefox -o OUT
    export -i FILE --format pprof -o OUT
"""
# Words that only names of computers and users have, in each recording.
NAMES = {"made.etl": rb"gwen", "net.4.5.2.x64.etl.zip": rb"brianrob"}
GZIP = b"\x1f\x8b"
READING_NOTE = re.compile(rb"note: '[^']*': (samples of idle CPUs, left out: \d+|stacks? .*)\n")
READING_NOTE_OF_PAGE = re.compile(
    rb"\"note: '[^'\"]*': (samples of idle CPUs, left out: \d+|stacks? [^\"]*)\",?")

wperf, make_etl, walk_profile = sys.argv[1:4]
shared = pathlib.Path(sys.argv[4]) / "data/etl"
failures = []


def run(command, name, folder):
    """Exit code, standard output, errors and the file that was written; FILE and OUT for names."""
    out = folder / "out"
    out.unlink(missing_ok=True)
    words = [word.replace("FILE", name).replace("OUT", "out") for word in command.split()]
    done = subprocess.run([wperf, *words], cwd=folder, capture_output=True, check=False, timeout=60,
                          stdin=subprocess.DEVNULL)
    written = out.read_bytes() if out.exists() else b""
    if written.startswith(GZIP):
        written = gzip.decompress(written)
    parts = (done.stdout, READING_NOTE.sub(b"", done.stderr),
             READING_NOTE_OF_PAGE.sub(b"", written))
    return [str(done.returncode).encode(), *(part.replace(name.encode(), b"FILE") for part in parts)]


def copy(etl, folder, *words):
    name = etl + "".join(words) + ".data"
    done = subprocess.run([wperf, "export", "-i", etl, "--format", "perf", "-o", name, *words],
                          cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return name


def lines_of(text):
    return [line.strip() for line in text.split("\n") if line.strip()]


def compare(etl, folder):
    data = copy(etl, folder)
    num_bytes = 0
    for command in lines_of(COMMANDS):
        ours, theirs = run(command, etl, folder), run(command, data, folder)
        num_bytes += sum(map(len, ours))
        if etl == "made.etl" and ours[0] != b"0":
            failures.append(f"{etl}: {command}: exit code {ours[0]}: {ours[2]}")
        for what, left, right in zip(("exit code", "output", "errors", "file"), ours, theirs):
            if left != right:
                at = next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), 0)
                place = slice(max(at - 40, 0), at + 80)
                failures.append(f"{etl}: {command}: other {what}: {left[place]!r}, {right[place]!r}")
    print(f"{etl}: {num_bytes} bytes compared")
    return data


def check_anonymous(etl, data, folder):
    hidden = copy(etl, folder, "--anonymous")
    names = re.compile(NAMES[etl], re.IGNORECASE)
    assert names.search((folder / data).read_bytes()), "the recording has no names to hide"
    if names.search((folder / hidden).read_bytes()):
        failures.append(f"{etl}: a name is in {hidden}")
    for recording, option in ((etl, " --anonymous"), (data, " --anonymous"), (hidden, "")):
        for command in lines_of(ANONYMOUS):
            if any(names.search(part) for part in run(command + option, recording, folder)):
                failures.append(f"{recording}: a name is in what {command}{option} writes")


def check_perf(data, folder):
    """perf finds as many samples of each event, with the names of threads."""
    if not shutil.which("perf"):
        return
    ours = subprocess.run([wperf, "script", "-i", data], cwd=folder, capture_output=True,
                          check=True, timeout=60)
    theirs = subprocess.run(["perf", "script", "-f", "-i", data, "-F", "comm,pid,tid,event"],
                            cwd=folder, capture_output=True, check=False, timeout=60)
    assert theirs.returncode == 0, theirs.stderr
    wanted = len(re.findall(rb"^.* \d+/\d+ \[\d+\] .*: $", ours.stdout, re.MULTILINE))
    found = len(re.findall(rb"^ *\S+ +\d+/\d+ .*: *$", theirs.stdout, re.MULTILINE))
    if wanted != found or not found:
        failures.append(f"{data}: {found} samples for perf, {wanted} for wperf")
    print(f"{data}: {found} samples for perf as well")


def check_refusals(folder):
    """What cannot be read is refused with words that help."""
    with open(folder / "made.etl", "rb") as file:
        piped = subprocess.run([wperf, "report", "-i", "-"], stdin=file, capture_output=True,
                               text=True, check=False, timeout=60)
    assert piped.returncode and "ETW recordings (.etl) are read from files only" in piped.stderr
    (folder / "text.etl").write_text("no recording at all, but long enough to be looked at\n" * 9)
    code, _, errors, _ = run("report -i FILE", "text.etl", folder)
    assert code != b"0" and b"is not an ETW recording" in errors, errors


def check_library(recordings, folder):
    """libwperf walks through them: wperf_profile_open()."""
    done = subprocess.run([walk_profile, *recordings], cwd=folder, capture_output=True, text=True,
                          check=True, timeout=100)
    assert "made.etl: 145 samples\n" in done.stdout, done.stdout


def check_made(folder):
    """What the made recording has to say, in the words of a report."""
    _, text, _, _ = run("report -i FILE", "made.etl", folder)
    for words in (b"event cpu-clock (every 1 ms), 105 samples", b"Made.Program.Compute(int32)",
                  b"event TotalIssues (every 65,536), 5 samples",
                  b"event off-cpu, 8 samples, 56,000,000 nanoseconds", b"event wakeups",
                  b"event dpc, 9 samples, 270,000 nanoseconds",
                  b"event isr, 9 samples, 90,000 nanoseconds"):
        if words not in text:
            failures.append(f"made.etl: no {words!r} in {text.decode()}")
    assert text.startswith(b"event cpu-clock"), "CPU time comes first"
    _, text, _, _ = run("report -i FILE --sort thread", "made.etl", folder)
    for thread in (rb"96  1004  made.exe", rb"9  1008  worker"):
        if not re.search(thread, text):
            failures.append(f"made.etl: no thread {thread!r} in {text.decode()}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([make_etl, folder / "made.etl"], check=True, timeout=60)
        recordings = ["made.etl"]
        real = shared / "net.4.5.2.x64.etl.zip"
        if real.exists():
            shutil.copy(real, folder)
            recordings.append(real.name)
        check_made(folder)
        check_refusals(folder)
        check_library(recordings, folder)
        for etl in recordings:
            data = compare(etl, folder)
            check_anonymous(etl, data, folder)
            check_perf(data, folder)
    print(*failures, sep="\n")
    return bool(failures)


sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Lines of Python in the file of a recording: perf, hotspot and the readers of our exports name
them, and so do we.

python_data.py WPERF FOLDER NODE_MODULES [SYSROOT]
"""
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "exports"))
import check_reader  # noqa: E402 (of tests/exports)
import perfparser  # noqa: E402
import pythons  # noqa: E402
import waiting  # noqa: E402
from recorder import Recorder, run, run_tests, sampling_rate  # noqa: E402

RATE = sampling_rate(2000)
PROGRAM = '''import os
import sys


def busy_in_python(n):
    total = 0
    for i in range(n):
        total += i * i % 7; total ^= i; total += i * 3; total -= i * 5 % 11  # hot line
    return total


class Käse:
    def reifen(self, n):
        def innen():
            return busy_in_python(n)  # only caller
        return innen()


def busy_in_native():
    data = [-i for i in range(50000)]
    for _ in range(20):
        sorted(data)  # native line


def at_work():
    for _ in range(int(sys.argv[1])):
        Käse().reifen(100000)
        (lambda: busy_in_native())()


at_work()
'''
FUNCTIONS = ("busy_in_python", "Käse.reifen", "Käse.reifen.<locals>.innen", "busy_in_native",
             "at_work")
BARE_FUNCTIONS = tuple(name.rsplit(".", 1)[-1] for name in FUNCTIONS)  # up to 3.10


class Case:
    """A program of Python, how it is run, and what the store of build ids is for this test."""

    def __init__(self, recorder, files, interpreter, sysroot):
        self.recorder, self.files, self.interpreter = recorder, files, interpreter
        self.sysroot = pathlib.Path(sysroot) if sysroot else None
        self.program = recorder.path("heiß gelaufen.py")
        self.program.write_text(PROGRAM)
        self.home = recorder.path("home")
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir()
        self.env = {**os.environ, "HOME": str(self.home)}
        self.recording = None
        version = run([interpreter, "-c", "import sys; print(sys.version_info >= (3, 11))"]).stdout
        self.functions = FUNCTIONS if version.strip() == "True" else BARE_FUNCTIONS

    def line_of(self, words):
        return next(number for number, line in enumerate(PROGRAM.splitlines(), 1) if words in line)

    def place(self, words):
        return f"{self.program.name}:{self.line_of(words)}"

    def record(self, *options, rounds=12):
        return self.recorder.record([self.interpreter, self.program, rounds], "--python=mixed",
                                    *options, rate=RATE, env=self.env)

    def perf(self, *words):
        """Without the comments and empty lines."""
        if not shutil.which("perf"):
            return None
        # It asks a program for the line of each frame, and stacks have many.
        output = run(["perf", *words], env=self.env, stdin=subprocess.DEVNULL, timeout=300).stdout
        return [line for line in output.splitlines() if line.strip() and line[0] != "#"]

    def perf_lines(self, path):
        """{'function file:line': percent} of samples' own places; None: there is no perf."""
        rows = self.perf("report", "-i", path, "--stdio", "--no-children", "-g", "none", "-s",
                         "sym,srcline")
        if rows is None:
            return None
        found = (re.match(r"\s*([\d.]+)%\s+\[.\] (.*?)\s+(\S.*):(\d+)\s*$", row) for row in rows)
        return {f"{row[2]} {row[3]}:{row[4]}": float(row[1]) for row in found if row}

    def report(self, path, sort):
        text = run([self.recorder.wperf, "report", "--json", "--sort", sort,
                    "--sample-display-row", 0, path], env=self.env).stdout
        return json.loads(text)["report"]["events"][0]["rows"]

    def is_named_by_perf(self, path, least):
        lines = self.perf_lines(path)
        if lines is None:
            return False
        hot = f"busy_in_python {self.place('hot line')}"
        assert lines.get(hot, 0) >= least, (hot, lines)
        own = {row: share for row, share in lines.items() if row.startswith("busy_in_python ")}
        assert max(own, key=own.get) == hot, own
        assert not any("Eval_EvalFrameDefault" in row and share > 5
                       for row, share in lines.items()), lines
        return True

    def export(self, form, name):
        run([self.recorder.wperf, "export", "--format", form, "-o", self.files.path(name),
             self.recording], env=self.env)

    def truth(self):
        """{function: [self, total]} of the program, in samples."""
        rows = self.report(self.recording, "function")
        num_samples = sum(row["samples"] for row in rows)
        truth = {row["function"]: [row["samples"],
                                   round(row["total_percent"] * num_samples / 100)]
                 for row in rows if row["function"] in self.functions}
        assert set(truth) == set(self.functions), truth
        return truth

    def check(self, got, is_whole=True):
        truth = self.truth()
        if not is_whole:
            truth = {name: value for name, value in truth.items() if name in got}
        ours = {name: [round(value) for value in got[name]] for name in self.functions if name in got}
        assert ours == truth, (ours, truth)
        self.recorder.num_samples += sum(value[0] for value in truth.values())


def perf_names_lines(case):
    path = case.record("-g")
    if not case.is_named_by_perf(path, 5):
        return "skipped: there is no perf"
    text = "\n".join(case.perf("annotate", "-i", path, "--stdio", "-s", "busy_in_python"))
    assert "total += i * i % 7" in text, text
    return None


def perf_names_lines_without_callers(case):
    case.is_named_by_perf(case.record(), 5)


def perf_names_lines_behind_frame_pointers(case):
    case.is_named_by_perf(case.record("--call-graph", "fp"), 5)


def only_python(case):
    """What native code does is the line that calls it."""
    lines = case.perf_lines(case.record("-g", "--python=only"))
    if lines is not None:
        assert lines[f"busy_in_native {case.place('native line')}"] > 5, lines


def stacks_are_those_of_perf(case):
    """The frames of Python of each sample, with their lines."""
    path = case.record("-g", rounds=3)  # perf takes long for each line
    text = case.perf("script", "-i", path, "-F", "ip,sym,srcline")
    if text is None:
        return "skipped: there is no perf"
    theirs = collections.Counter()
    for row, place in zip(text, text[1:]):
        if row.startswith("\t") and row.split(None, 1)[1:] and row.split(None, 1)[1] in case.functions:
            theirs[row.split(None, 1)[1], place.strip()] += 1
    assert theirs[case.functions[2], case.place("only caller")] > 20, theirs
    ours = collections.Counter(name for sample in case.recorder.samples(path)
                               for name in sample.names() if name in case.functions)
    for name in case.functions:
        assert ours[name] == sum(count for place, count in theirs.items() if place[0] == name), name
    return None


def report_is_that_of_the_run(case):
    """What was seen live is in the file: the same functions with as many samples."""
    path = case.recorder.path("twice.data")
    text = run([case.recorder.wperf, "record", "-g", "-e", "cpu-clock", "-F", RATE, "--json",
                "--python=mixed", "--sample-display-row", 0, "--save", path, "--",
                case.interpreter, case.program, 12], env=case.env).stdout
    live = json.loads(text)["sampling"]["events"][0]["samples"]
    read = case.report(path, "function")
    live, read = (sorted(row[key] for row in rows if row[key])
                  for rows, key in ((live, "count"), (read, "samples")))
    assert live == read, (live, read)
    lines = {row["name"]: row for row in case.report(path, "line")}
    hot = [name for name in lines if name.endswith(case.place("hot line"))]
    assert len(hot) == 1 and lines[hot[0]]["module"] == str(case.program), hot
    page = case.recorder.path("page.html")
    run([case.recorder.wperf, "report", "-q", "--html", page, path], env=case.env)
    names = (case.functions[1], case.functions[1].replace("ä", "\\u00e4"))
    assert any(name in page.read_text() for name in names)


def stays_named_where_it_goes(case):
    path = case.record("-g")
    before = case.report(path, "line")
    moved = case.recorder.path("moved")
    moved.mkdir(exist_ok=True)
    path = path.rename(moved / "somewhere else.data")
    case.is_named_by_perf(path, 5)
    # The file has all that we need.
    shutil.rmtree(case.home / ".debug")
    assert case.report(path, "line") == before


def is_beside_the_recording_without_a_home(case):
    env, case.env = case.env, {**case.env, "HOME": "/proc/nowhere"}
    try:
        path = case.record("-g")
        assert path.with_name(path.name + ".python.so").exists()
        case.is_named_by_perf(path, 5)
    finally:
        case.env = env
        path.with_name(path.name + ".python.so").unlink(missing_ok=True)


def ends_well_when_interrupted(case):
    path = case.recorder.path("interrupted.data")
    command = [str(word) for word in (case.recorder.wperf, "record", "-q", "-g", "-e", "cpu-clock",
                                      "-F", RATE, "--python=mixed", "--save", path, "--",
                                      case.interpreter, case.program, 100000)]
    for signal_number, of_program in ((signal.SIGINT, False), (signal.SIGKILL, True)):
        recorder = subprocess.Popen(command, env=case.env, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL)
        child = waiting.wait_for_child(recorder.pid)
        waiting.wait_for_cpu(child, 1)
        os.kill(child if of_program else recorder.pid, signal_number)
        recorder.wait(30)
        lines = {row["name"] for row in case.report(path, "line")}
        assert any(name.endswith(case.place("hot line")) for name in lines), lines
        case.is_named_by_perf(path, 5)


def is_named_when_wperf_was_killed(case):
    """What was known a second before is beside perf's own."""
    path = case.recorder.path("killed.data")
    command = [str(word) for word in (case.recorder.wperf, "record", "-q", "-g", "-e", "cpu-clock",
                                      "-F", RATE, "--python=mixed", "--save", path, "--",
                                      case.interpreter, case.program, 100000)]
    recorder = subprocess.Popen(command, env=case.env, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
    child = waiting.wait_for_child(recorder.pid)
    waiting.wait_for_cpu(child, 2.2)
    recorder.kill()
    recorder.wait(30)
    os.kill(child, signal.SIGKILL)
    lines = {row["name"] for row in case.report(path, "line")}
    assert any(name.endswith(case.place("hot line")) for name in lines), lines


def emulated(case):
    """A program of AArch64: which line makes the loads."""
    python = case.sysroot and case.sysroot / "usr/bin/python3.11"
    if not python or not python.exists() or not shutil.which("qemu-aarch64"):
        return "skipped: there is no CPython of AArch64"
    path = case.recorder.path("emulated.data")
    run([case.recorder.wperf, "record", "-q", "--source", "emulate", "-e", "ld_spec:2000", "-g",
         "--sysroot", case.sysroot, "--save", path, "--", python, "-S", "-E", case.program, 1],
        env=case.env)
    lines = collections.Counter()
    for row in case.report(path, "line"):
        lines[row["name"]] += row["samples"]
    hot = [name for name in lines if name.endswith(case.place("hot line"))]
    assert len(hot) == 1 and lines[hot[0]] == max(lines.values()), lines.most_common(5)
    case.is_named_by_perf(path, 5)
    return None


def pprof(case):
    case.export("pprof", "profile.pb.gz")
    options = ("-sample_index=samples", "-nodefraction=0")
    rows = check_reader.pprof_top(case.files, *options)
    case.check({row[5]: [int(row[0]), int(row[3])] for row in rows})
    places = {row[5] for row in check_reader.pprof_top(case.files, "-lines", *options)}
    for function, words in (("busy_in_python", "hot line"), ("busy_in_native", "native line")):
        assert f"{function} {case.program}:{case.line_of(words)}" in places, places
    assert f"<module> {case.program}:{len(PROGRAM.splitlines())}" in places, places


def summed(threads):
    functions = collections.defaultdict(lambda: [0, 0])
    for thread in threads.values():
        for name, value in thread.items():
            functions[name] = [a + b for a, b in zip(functions[name], value)]
    return functions


def firefox(case):
    case.export("firefox", "profile.firefox.json")
    case.check(summed(check_reader.profiler_cli(case.files, "profile.firefox.json")))
    profile = json.loads(case.files.path("profile.firefox.json").read_text())
    shared, names = profile["shared"], profile["shared"]["stringArray"]
    categories = [category["name"] for category in profile["meta"]["categories"]]
    frames = {(names[shared["funcTable"]["name"][function]], line, categories[category])
              for function, line, category in zip(*(shared["frameTable"][column] for column in
                                                    ("func", "line", "category")))}
    assert ("busy_in_python", case.line_of("hot line"), "Python") in frames, frames


def perf_script(case):
    case.export("perf-script", "profile.perf.txt")
    case.check(summed(check_reader.profiler_cli(case.files, "profile.perf.txt")))


def speedscope(case):
    case.export("speedscope", "profile.speedscope.json")
    got = check_reader.speedscope(case.files, "profile.speedscope.json")
    assert "busy_in_python" in got, got
    case.check(got, is_whole=False)  # the page has only the rows that are in sight
    frames = json.loads(case.files.path("profile.speedscope.json").read_text())["shared"]["frames"]
    assert {"name": "busy_in_python", "file": str(case.program),
            "line": case.line_of("def busy_in_python")} in frames, frames


def collapsed(case):
    case.export("collapsed", "profile.folded")
    case.check(check_reader.collapsed(case.files))


def hotspot(case):
    """Not an export: it opens the recording itself."""
    parser = case.files.npm_file(
        "../hotspot/usr/lib/x86_64-linux-gnu/libexec/hotspot-perfparser")
    stream = case.files.path("hotspot.stream")
    run([parser, "--input", case.recording, "--output", stream], env=case.env)
    profile = perfparser.Profile(stream.read_bytes())
    case.check(profile.functions)
    place = ("busy_in_python", str(case.program), case.line_of("hot line"))
    assert place in profile.places(), place


FILE_TESTS = (perf_names_lines, perf_names_lines_without_callers,
              perf_names_lines_behind_frame_pointers, only_python, stacks_are_those_of_perf,
              report_is_that_of_the_run)
ONCE_TESTS = (stays_named_where_it_goes, is_beside_the_recording_without_a_home,
              ends_well_when_interrupted, is_named_when_wperf_was_killed, emulated)
READER_TESTS = (pprof, firefox, perf_script, speedscope, collapsed, hotspot)


def or_skipped(test):
    def tried(case):
        try:
            return test(case)
        except check_reader.Missing as missing:
            return f"skipped: {missing}"
    tried.__name__ = test.__name__
    return tried


def interpreters():
    """The system's, and the oldest and the newest of those that we read in full."""
    found = [path for path, minor in pythons.find_all() if minor >= 8]
    return list(dict.fromkeys(["/usr/bin/python3", found[0], found[-1]]))


def main():
    recorder = Recorder(*sys.argv[1:3])
    files = check_reader.Files(sys.argv[2], sys.argv[3])
    files.sample_ns = 1e9 / RATE
    sysroot = sys.argv[4] if len(sys.argv) > 4 else None
    first = Case(recorder, files, interpreters()[0], sysroot)
    tried = subprocess.run([recorder.wperf, "record", "-q", "--python=mixed", "--", "/bin/true"],
                           capture_output=True, text=True, check=False)
    if tried.returncode:
        print("no frames of Python here:", tried.stderr)
        return 77
    for interpreter in interpreters():
        run_tests(FILE_TESTS, Case(recorder, files, interpreter, sysroot))
    run_tests(ONCE_TESTS, first)
    first.recording = first.record("-g")
    run_tests([or_skipped(test) for test in READER_TESTS], first)
    print(f"{recorder.num_samples} samples compared")
    return 0


if __name__ == "__main__":
    sys.exit(main())

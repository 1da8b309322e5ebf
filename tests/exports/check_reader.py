# SPDX-License-Identifier: Apache-2.0
"""Reads an export with a program of others and compares its functions with wperf's hot list.

    check_reader.py READER WRITE_EXPORTS FOLDER NODE_MODULES

Exit code 77: the program that reads is not there.
"""
import base64
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

import otlp_request

TOP = 10
NS_PER_UNIT = {"ns": 1, "µs": 1e3, "us": 1e3, "ms": 1e6, "s": 1e9}


class Missing(Exception):
    pass


class Files:
    """A folder of exports, and the programs that read them."""

    def __init__(self, folder, node_modules):
        self.folder = pathlib.Path(folder)
        self.node_modules = pathlib.Path(node_modules)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.sample_ns = 1

    def path(self, name):
        return self.folder / name

    def run(self, command, **options):
        if not shutil.which(command[0]):
            raise Missing(f"there is no {command[0]}")
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=100,
                              **options).stdout

    def npm_file(self, name):
        path = self.node_modules / name
        if not path.exists():
            raise Missing(f"there is no {path}")
        return path


class Exports(Files):
    """Those of a profile whose numbers are known."""

    def __init__(self, write_exports, folder, node_modules):
        super().__init__(folder, node_modules)
        subprocess.run([write_exports, self.folder], check=True)
        truth = json.loads((self.folder / "truth.json").read_text())
        self.all, self.threads = truth["all"], truth["threads"]
        self.sample_ns = truth["sample_ns"]


def compare(reader, got, truth):
    """Both: {function: [self, total]}. The same numbers, and the same ten on top."""
    def top(functions):
        return sorted(functions, key=lambda name: (-functions[name][0], name))[:TOP]
    for name in truth:
        if name not in got or [round(n, 2) for n in got[name]] != truth[name]:
            sys.exit(f"{reader}: {name!r} is {got.get(name)}, expected {truth[name]}")
    if set(got) - set(truth):
        sys.exit(f"{reader}: unexpected functions {set(got) - set(truth)}")
    if top(got) != top(truth):
        sys.exit(f"{reader}: top {TOP} are {top(got)}, expected {top(truth)}")
    print(f"{reader}: {len(got)} functions agree, on top {top(got)[0]!r}")


def in_samples(value, unit, exports):
    """Time as readers round it, in samples."""
    samples = float(value) * NS_PER_UNIT[unit] / exports.sample_ns
    return round(samples) if abs(samples - round(samples)) < 0.02 else samples


def pprof_top(exports, *options):
    output = exports.run(["go", "tool", "pprof", "-symbolize=none", "-top", "-nodecount=1000",
                          *options, str(exports.path("profile.pb.gz"))],
                         env={**os.environ, "PPROF_TMPDIR": str(exports.folder)})
    rows = output.split("cum%\n", 1)[1].splitlines()
    return [row.split(None, 5) for row in rows]


def check_pprof(exports):
    counts = {row[5]: [int(row[0]), int(row[3])]
              for row in pprof_top(exports, "-sample_index=samples")}
    compare("pprof", counts, exports.all)
    times = {}
    for row in pprof_top(exports, "-sample_index=task-clock", "-unit=ns"):
        value = [in_samples(re.sub("ns$", "", row[i]), "ns", exports) for i in (0, 3)]
        times[row[5]] = value
    compare("pprof, by weight", times, exports.all)
    kworker = {row[5]: [int(row[0]), int(row[3])]
               for row in pprof_top(exports, "-sample_index=samples",
                                    "-tagfocus=thread=kworker/0:1")}
    compare("pprof, one thread", kworker, exports.threads["kworker/0:1"])
    traces = exports.run(["go", "tool", "pprof", "-symbolize=none", "-traces", "-lines",
                          str(exports.path("profile.pb.gz"))])
    for label in (r"/src/größe\.py:30", r"tid: +4243", r'thread: +wörker "2"', r"pid: +77"):
        if not re.search(label, traces):
            sys.exit(f"pprof -traces: no {label!r} in\n{traces}")


class ProfilerCli:
    """A session of the Firefox Profiler's command line. Its daemon is our own child: that which
    `load` starts must be ready within half a second, and stays if it is not."""

    def __init__(self, exports, file):
        program = exports.npm_file("@firefox-devtools/profiler-cli/dist/profiler-cli.js")
        self.exports = exports
        self.command = ["node", str(program)]
        # The name of a socket in it must be short.
        self.folder = tempfile.TemporaryDirectory(prefix="wperf-")
        self.environment = {**os.environ, "PROFILER_CLI_SESSION_DIR": self.folder.name,
                            "PROFILER_CLI_NO_SYMBOLICATE": "1", "HOME": self.folder.name}
        if not shutil.which("node"):
            raise Missing("there is no node")
        self.file = exports.path(file)
        self.start()

    def start(self):
        self.daemon = subprocess.Popen(
            [*self.command, "--daemon", self.file, "--session", "wperf"],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.daemon.kill()
        self.daemon.wait()
        self.folder.cleanup()

    def ask(self, *words):
        output = self.exports.run([*self.command, *words, "--session", "wperf", "--json"],
                                  env=self.environment)
        return json.loads(output)

    def is_loaded(self):
        log = pathlib.Path(self.folder.name, "wperf.log")
        return log.exists() and "Profile loaded" in log.read_text()

    def wait_until_ready(self):
        """Whoever asks too early takes the session for a dead one and removes it."""
        for _ in range(300):
            if self.is_loaded():
                return self.ask("thread", "list")["threads"]
            if self.daemon.poll() is not None:  # it gives up on a machine that is busy
                self.start()
            time.sleep(0.2)
        raise TimeoutError("the Firefox Profiler's daemon does not load the profile")

    def functions(self, thread):
        rows = self.ask("thread", "functions", "--limit", "0", "--thread",
                        thread["threadHandle"])["functions"]
        return {row["name"]: [row["selfSamples"], row["totalSamples"]] for row in rows}


def profiler_cli(exports, file):
    """{thread: {function: [self, total]}} as the Firefox Profiler loads the file."""
    with ProfilerCli(exports, file) as session:
        return {thread["name"]: session.functions(thread)
                for thread in session.wait_until_ready()}


def without_unseen(functions):
    return {name: value for name, value in functions.items() if value[1]}


def check_firefox(exports):
    threads = profiler_cli(exports, "profile.firefox.json")
    for name, truth in exports.threads.items():
        compare(f"Firefox Profiler, {name}", without_unseen(threads[name]), truth)
    profile = json.loads(exports.path("profile.firefox.json").read_text())
    shared, names = profile["shared"], profile["shared"]["stringArray"]
    categories = [category["name"] for category in profile["meta"]["categories"]]
    kinds = {names[shared["funcTable"]["name"][function]]: categories[category]
             for function, category in zip(shared["frameTable"]["func"],
                                           shared["frameTable"]["category"])}
    for name, kind in (("<module>", "Python"), ("memcpy", "Native"), ("copy_page", "Kernel"),
                       ("jitted", "JIT"), ("[truncated stack]", "Other")):
        if kinds[name] != kind:
            sys.exit(f"Firefox: {name} is {kinds[name]}")
    if profile["libs"][0]["breakpadId"] != "33221100554477668899AABBCCDDEEFF0".lower():
        sys.exit(f"Firefox: breakpadId {profile['libs'][0]['breakpadId']}")


def check_perf_script(exports):
    threads = profiler_cli(exports, "profile.perf.txt")
    for name, truth in exports.threads.items():
        compare(f"perf script in the Firefox Profiler, {name}", without_unseen(threads[name]),
                truth)
    # speedscope weighs these samples by the time up to the next one: only the names are the same.
    names = set(speedscope(exports, "profile.perf.txt"))
    if names != set(exports.threads["python3"]):
        sys.exit(f"perf script in speedscope: {names}")


def speedscope(exports, file):
    """The page does not say when it is done; on a busy machine the dump may come before."""
    for _ in range(4):
        functions = speedscope_once(exports, file)
        if functions:
            break
    return functions


def speedscope_once(exports, file):
    """The functions of the first thread, as the page's table has them."""
    page = exports.npm_file("speedscope/dist/release/index.html").resolve()
    content = base64.b64encode(exports.path(file).read_bytes()).decode()
    loader = exports.path(f"{file}.js").resolve()
    loader.write_text(f'window.speedscope.loadFileFromBase64("{file}", "{content}");')
    dom = exports.run(["chromium", "--headless", "--no-sandbox", "--use-angle=swiftshader",
                       "--enable-unsafe-swiftshader", "--allow-file-access-from-files",
                       "--window-size=1600,1600", "--virtual-time-budget=10000",
                       f"--user-data-dir={exports.folder.resolve() / 'chromium'}", "--dump-dom",
                       f"file://{page}#view=sandwich&localProfilePath={loader}"])
    functions = {}
    for row in re.findall(r"<tr\b.*?</tr>", dom, re.S):
        cells = [html.unescape(re.sub(r"<[^>]+>", "", cell))
                 for cell in re.findall(r"<td\b.*?</td>", row, re.S)]
        values = [re.match(r"([\d.,]+)(ns|µs|ms|s|) \(", cell) for cell in cells[:2]]
        if len(cells) == 3 and all(values):
            functions[cells[2]] = [in_value(value, exports) for value in reversed(values)]
    return functions


def in_value(match, exports):
    number = match[1].replace(",", "")
    return in_samples(number, match[2] or "ns", exports)


def check_speedscope(exports):
    compare("speedscope", speedscope(exports, "profile.speedscope.json"),
            exports.threads["python3"])
    compare("pprof in speedscope", speedscope(exports, "profile.pb.gz"), exports.all)


def collapsed(exports):
    got = {}
    for line in exports.path("profile.folded").read_text(encoding="utf-8").splitlines():
        match = re.fullmatch(r"([^;]+);(.+) (\d+)", line)
        if not match:
            sys.exit(f"collapsed: {line!r}")
        functions = match[2].split(";")
        samples = in_samples(match[3], "ns", exports)
        if functions == ["[no stack]"]:
            continue
        for name in set(functions):
            got.setdefault(name, [0, 0])[1] += samples
        got[functions[-1]][0] += samples
    return got


def check_collapsed(exports):
    compare("collapsed", collapsed(exports), exports.all)


SVG = "{http://www.w3.org/2000/svg}"


class Box:
    """Of a flame graph: its place in percent, and in rows from the top."""

    def __init__(self, element):
        self.left = float(element.get("x").rstrip("%"))
        self.width = float(element.get("width").rstrip("%"))
        self.top = int(element.get("y"))
        self.name = element.find(f"{SVG}title").text.split("\n")[0]
        self.classes = element.get("class").split()

    def is_above(self, other):
        """Is it a caller of the other?"""
        near = 1e-5
        return (self.top < other.top and self.left <= other.left + near and
                other.left + other.width <= self.left + self.width + near)


def svg(path):
    """{function: [self, total]} in percent, by the places of boxes alone."""
    graph = ElementTree.parse(path).find(f"{SVG}svg[@id='graph']")
    boxes = [Box(element) for element in graph]
    assert all(round(box.left + box.width, 4) <= 100 for box in boxes)
    assert (boxes[0].name, boxes[0].width, boxes[0].top) == ("all", 100, 0)
    got = {}
    for box in boxes[1:]:
        callers = [each for each in boxes if each.is_above(box)]
        (parent,) = [each for each in callers if each.top == box.top - 18]
        got.setdefault(box.name, [0, 0])[0] += box.width
        got.setdefault(parent.name, [0, 0])[0] -= box.width
        if box.name not in [each.name for each in callers]:
            got[box.name][1] += box.width
    got.pop("all")
    return got


def check_svg(exports):
    samples = sum(self for self, total in exports.all.values()) + 2  # without a stack
    got = {name: [round(value * samples / 100, 2) for value in sums]
           for name, sums in svg(exports.path("profile.svg")).items()}
    compare("SVG", got, exports.all)
    if shutil.which("xmllint"):
        exports.run(["xmllint", "--noout", "--nonet", str(exports.path("profile.svg"))])


def check_otlp(exports):
    if not otlp_request.is_there():
        raise Missing("there is no protoc")
    request = otlp_request.Request(exports.path("profile.otlp").read_bytes())
    (profile,) = request.profiles
    assert request.type(profile, "sample_type") == ("task-clock", "nanoseconds")
    assert request.type(profile, "period_type") == ("task-clock", "nanoseconds")
    assert otlp_request.one(profile, "period") == exports.sample_ns
    assert request.attributes(profile)["wperf.batch.id"] == "agent-1-7"
    assert request.labels() == {"service.name": "my job"}
    compare("OTLP in protoc", request.hot(profile, exports.sample_ns), exports.all)
    for name, truth in exports.threads.items():
        compare(f"OTLP in protoc, {name}", request.hot(profile, exports.sample_ns, name), truth)
    # Each inlined function is a line of a place with the function that it is inlined into.
    lines = [len(location.get("lines", [])) for location in request.tables["location"]]
    if max(lines) != 2:
        sys.exit(f"OTLP: places have {lines} lines")


READERS = {
    "collapsed": check_collapsed,
    "firefox": check_firefox,
    "otlp": check_otlp,
    "perf_script": check_perf_script,
    "pprof": check_pprof,
    "speedscope": check_speedscope,
    "svg": check_svg,
}

if __name__ == "__main__":
    try:
        READERS[sys.argv[1]](Exports(*sys.argv[2:]))
    except Missing as missing:
        print(missing)
        sys.exit(77)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error}\n{error.stdout}\n{error.stderr}")

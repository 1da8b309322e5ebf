# SPDX-License-Identifier: Apache-2.0
"""What the live tests of sampling share: programs whose truth is known, and wperf's words on them."""
import collections
import pathlib
import re
import subprocess
import sys
import time
import traceback

# As many cycles a round wherever the linker puts it: a chain of multiplications, no memory.
# Parts vary, so that no rate of sampling keeps step with them. UNTIL: by the CPU time of the process.
SPIN = """
#define KEEP __attribute__((noinline, noclone))
#define SPIN(rounds) do { unsigned long x_ = 1; for (long i_ = 0; i_ < (rounds); i_++) { x_ = x_ * 6364136223846793005 + 1; __asm__ volatile("" : "+r"(x_)); } } while (0)
#define PART(seed) ((seed) = (seed) * 1664525 + 1013904223, 500 + (seed) / 65536 % 1000)
#define STRETCH %d
#define UNTIL(ms) while (clock() < STRETCH * (ms) * (CLOCKS_PER_SEC / 1000))
"""

RATE = 8000
MAX_RATE = pathlib.Path("/proc/sys/kernel/perf_event_max_sample_rate")


def sampling_rate(wanted=RATE):
    """Samples a second, as many as wanted or as the kernel allows: it lowers its limit for good where
    interrupts once took long."""
    return min(wanted, int(MAX_RATE.read_text()))


def stretch():
    """How many times longer programs run where the kernel allows few samples a second."""
    return max(1, min(4, 2000 // sampling_rate()))

def clock_event(rate=RATE):
    return "-e", "cpu-clock", "-F", str(sampling_rate(rate))


Frame = collections.namedtuple("Frame", "address name module is_inlined")


class Sample:
    def __init__(self, head):
        self.thread, self.pid, self.tid, self.cpu = head[1], int(head[2]), int(head[3]), head[4]
        self.cpu = None if self.cpu is None else int(self.cpu)
        self.time, self.weight, self.event = float(head[5]), int(head[6]), head[7]
        self.frames = []

    def names(self):
        return [frame.name for frame in self.frames]


HEAD = re.compile(r"^\s*(.*?)\s+(-?\d+)/(-?\d+)\s+(?:\[(\d+)\] +)?(\d+\.\d+): +(\d+) +(\S+):(?: +(.*))?$")
FRAME = re.compile(r"^\s*([0-9a-f]+) (.*) \((.*)\)$")


def parse_frame(line):
    found = FRAME.match(line)
    assert found, f"what is {line!r}?"
    return Frame(int(found[1], 16), found[2], found[3], found[3] == "inlined")


def parse_script(text):
    """Of `wperf script` and of perf's, which has a stack of one in the first line."""
    samples = []
    for line in text.splitlines():
        if line.startswith("\t"):
            samples[-1].frames.append(parse_frame(line))
        elif line.strip():
            head = HEAD.match(line)
            assert head, f"what is {line!r}?"
            samples.append(Sample(head))
            if head[8]:
                samples[-1].frames.append(parse_frame(head[8]))
    return samples


def find_rows(node):
    """Each row of counts in JSON of `wperf stat`."""
    if isinstance(node, dict):
        if "event_name" in node and "counter_value" in node:
            yield node
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            yield from find_rows(child)


def run(words, code=0, timeout=120, **keywords):
    """Fails if the exit code is another; None: any."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=timeout, errors="replace", **keywords)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{words}: exit code {done.returncode}, expected {code}\n"
                             f"{done.stdout}\n{done.stderr}")
    return done


class Recorder:
    """Compiles into a folder of its own, records there, and reads back."""

    def __init__(self, wperf, folder):
        self.wperf = wperf
        self.folder = pathlib.Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.num_samples = 0

    def path(self, name):
        return self.folder / name

    def compile(self, name, source, *flags, compiler="gcc"):
        """A program or, with -shared, a library. Returns its path."""
        text = self.path(name + (".cpp" if compiler == "g++" else ".c"))
        text.write_text(SPIN.replace("%d", str(stretch())) + source)
        program = self.path(name)
        program.unlink(missing_ok=True)
        run([compiler, "-Wall", "-o", program, text, *flags])
        return program

    def line_of(self, name, needle, suffix=".c"):
        """Number of the only line with these words."""
        lines = self.path(name + suffix).read_text().splitlines()
        found = [number for number, line in enumerate(lines, 1) if needle in line]
        assert len(found) == 1, (needle, found)
        return found[0]

    def record(self, command, *options, rate=RATE, code=0, **keywords):
        """Into the file that is returned."""
        path = self.path("live.data")
        path.unlink(missing_ok=True)
        run([self.wperf, "record", "-q", *clock_event(rate), "--save", path, *options, "--", *command],
            code, **keywords)
        return path

    def samples(self, path):
        samples = parse_script(run([self.wperf, "script", path]).stdout)
        self.num_samples += len(samples)
        return samples

    def report(self, path, *options):
        """Rows of the hot table: a dictionary by column each."""
        return parse_table(run([self.wperf, "report", "--sample-display-row", 0, path,
                                *options]).stdout)


def parse_table(text):
    """The rows below the line of '=': first columns of numbers, on the right, then of words."""
    lines = text.splitlines()
    rule = next((i for i, line in enumerate(lines) if re.fullmatch(r"\s*==[= ]*", line)), None)
    if rule is None:
        return []
    spans = [match.span() for match in re.finditer("=+", lines[rule])]
    names = [lines[rule - 1][begin:end].strip() for begin, end in spans]
    is_number = [name.endswith("%") or name in ("samples", "count", "overhead") for name in names]
    starts = [0] + [spans[i - 1][1] if is_number[i] else spans[i][0]
                    for i in range(1, len(spans))]
    rows = []
    for line in lines[rule + 1:]:
        if not line.strip():
            break
        cells = zip(names, starts, starts[1:] + [len(line)])
        rows.append({name: line[begin:end].strip() for name, begin, end in cells})
    return rows


def number(text):
    return int(text.replace(",", ""))


def try_test(test, arguments):
    """What is wrong, or None."""
    begin = time.monotonic()
    try:
        words = test(*arguments)
    except (AssertionError, subprocess.SubprocessError) as error:
        line = traceback.extract_tb(error.__traceback__)[-1]
        return f"{test.__name__}: {line.name}, line {line.lineno}: {error}"
    print(f"ok {test.__name__} ({time.monotonic() - begin:.1f} s){': ' + words if words else ''}",
          flush=True)
    return None


def run_tests(tests, *arguments):
    """All of them, also behind one that fails."""
    failed = []
    for test in tests:
        wrong = try_test(test, arguments)
        if wrong:
            print("FAILED", wrong, flush=True)
            failed.append(test.__name__)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")

# SPDX-License-Identifier: Apache-2.0
"""A recording and its OTLP profiles: the same report, row by row, also after protoc wrote them anew.

otlp.py WPERF FOLDER
"""
import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "exports"))
import otlp_request  # noqa: E402 (of tests/exports)
from recorder import Recorder, run, run_tests, sampling_rate  # noqa: E402

RATE = sampling_rate(2000)

PYTHON = """
import threading, time

def spin(until):
    total = 0
    while time.thread_time() < until:
        total += sum(i * i % 7 for i in range(500))
    return total

def wait():
    for _ in range(20):
        time.sleep(0.005)

def work(until):
    pages = [bytearray(1 << 20) for _ in range(20)]
    spin(until)
    wait()
    return pages

threads = [threading.Thread(target=work, args=(0.2,), name=f"worker {i}") for i in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""

CPP = """
#include <algorithm>
#include <ctime>
#include <string>
#include <map>
#include <vector>
static inline int mix(int a) { int sum = 0; for (int i = 0; i < 50; i++) sum += (a ^ i) % 7; return sum; }
int main() {
	std::map<std::string, int> words;
	std::vector<int> numbers;
	UNTIL(400) {
		for (int i = 0; i < 1000; i++) { numbers.push_back(mix(i)); words[std::to_string(i)]++; }
		std::sort(numbers.begin(), numbers.end());
		numbers.resize(1000);
	}
	return numbers[5] + (int)words.size() < 0;
}
"""


class Recordings:
    def __init__(self, recorder):
        self.recorder = recorder
        script = recorder.path("threads.py")
        script.write_text(PYTHON)
        self.paths = {
            "python": self.record("python", ["/usr/bin/python3", script], "-e", "cpu-clock,page-faults:1",
                                  "-F", str(RATE), "--off-cpu"),
            "cpp": self.record("cpp", [recorder.compile("sort", CPP, "-O2", "-g", compiler="g++")],
                               "-e", "cpu-clock", "-F", str(RATE)),
        }

    def record(self, name, command, *options):
        path = self.recorder.path(f"{name}.data")
        path.unlink(missing_ok=True)
        run([self.recorder.wperf, "record", "-q", "-g", *options, "--save", path, "--", *command])
        return path

    def export(self, name, end, *options):
        path = self.recorder.path(name + end)
        run([self.recorder.wperf, "export", "-o", path, *options, self.paths[name]])
        return path

    def report(self, path, *options):
        words = [self.recorder.wperf, "report", "-i", path, "--sample-display-row", "0", *options]
        return run(words).stdout

    def check_same(self, name, path, *options):
        for form in ([], ["--json"]):
            ours, theirs = (self.report(one, *form, *options) for one in (self.paths[name], path))
            assert ours == theirs, (name, path, options)
        events = json.loads(ours)["report"]["events"]
        assert events and all(event["samples"] for event in events), (name, events)
        self.recorder.num_samples += sum(event["samples"] for event in events)


VIEWS = {
    "python": ([], ["--sort", "python-line"], ["--sort", "line"], ["--sort", "thread"], ["--sort", "module"],
               ["--python", "only"], ["--thread", "worker 1"], ["--event", "page-faults"]),
    "cpp": ([], ["--sort", "line"], ["--sort", "address"]),
}


def same_rows(recordings):
    for name, views in VIEWS.items():
        path = recordings.export(name, ".otlp")
        for options in views:
            recordings.check_same(name, path, *options)
        recordings.check_same(name, recordings.export(name, ".otlp.gz"))


def same_trees(recordings):
    path = recordings.export("cpp", ".otlp")
    for way in ("down", "up"):
        options = ["--tree", way]
        assert recordings.report(path, *options) == recordings.report(recordings.paths["cpp"], *options)


def one_event(recordings):
    path = recordings.export("python", ".one.otlp", "--event", "page-faults")
    assert "cpu-clock" not in recordings.report(path)
    # Rows of equal sums are in another order where frames of other events are not in the file: so all
    # rows, or a table would end with others of them.
    ours, theirs = (sorted(recordings.report(one, "--event", "page-faults", "--sample-display-row", "0").splitlines())
                    for one in (recordings.paths["python"], path))
    assert ours == theirs, [(a, b) for a, b in zip(ours, theirs) if a != b][:4]


def protoc_agrees(recordings):
    if not otlp_request.is_there():
        return "skipped: there is no protoc"
    for name in VIEWS:
        data = recordings.export(name, ".otlp").read_bytes()
        request = otlp_request.Request(data)
        events = json.loads(recordings.report(recordings.paths[name], "--json"))["report"]["events"]
        weights = {request.type(profile, "sample_type")[0]:
                   sum(otlp_request.one(sample, "values") for sample in profile.get("samples", []))
                   for profile in request.profiles}
        assert weights == {event["event"]: event["weight"] for event in events}, (weights, events)
        assert all(otlp_request.one(profile, "period") > 0 for profile in request.profiles)
        # Written by protoc, the fields are in the order of their numbers: wperf reads the same.
        again = recordings.recorder.path(f"{name}.again.otlp")
        again.write_bytes(otlp_request.bytes_of(otlp_request.text_of(data)))
        recordings.check_same(name, again)
    return None


def main():
    recorder = Recorder(*sys.argv[1:3])
    run_tests([same_rows, same_trees, one_event, protoc_agrees], Recordings(recorder))
    print(f"{recorder.num_samples} samples in the same rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())

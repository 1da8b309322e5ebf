# SPDX-License-Identifier: Apache-2.0
"""`detect` tells an ordinary user the truth about perf, and the rest needs no rights."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
NOBODY = 65534
PARANOID = "/proc/sys/kernel/perf_event_paranoid"
# ability: it is refused to those without CAP_PERFMON from this level of perf_event_paranoid on
REFUSED_FROM = {"kernel code": 2, "whole cores": 1}


def run(wperf, *words):
    done = subprocess.run([wperf, *words], capture_output=True, timeout=60, check=False,
                          user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", env={})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def check_detect(wperf, level):
    code, out, err = run(wperf, "detect", "-v", "--json")
    assert code == 0 and not err, err
    document = json.loads(out)
    found = {row["Ability"]: row for row in document["Abilities"] if row["Source"] == "perf"}
    hints = {row["Ability"]: row["What_to_do"] for row in document["Hints"]
             if row["Source"] == "perf"}
    for ability, from_level in REFUSED_FROM.items():
        row = found[ability]
        if level < from_level:
            assert row["Here"] == "yes", row
            continue
        assert row["Here"] == "no", row
        assert row["Detail"] == f"no permission: kernel.perf_event_paranoid is {level}", row
        assert "perf_event_paranoid" in hints[ability] and "CAP_PERFMON" in hints[ability], hints
    for ability, row in found.items():
        assert row["Here"] == "yes" or hints.get(ability), f"no way out of {row}"


def check_the_rest(wperf):
    for words in (["list"], ["list", "-v", "--cpu", "neoverse-v2"], ["list", "--source", "sim"],
                  ["man", "cpu-clock"], ["man", "neoverse-n1/ipc"], ["test"], ["--version"],
                  ["test", "--source", "sim", "-e", "ld_spec"], ["help"], ["detect"]):
        code, out, err = run(wperf, *words)
        assert code == 0 and out and "ermi" not in err, (words, code, err)


def check_what_is_not_counted(wperf, level):
    """Whatever the form of the count: no number, and the reason."""
    if level != 2:
        return  # at 3 nothing is counted (tests/arm64), below it this event is
    event = ["-e", "context-switches"]
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        csv = os.path.join(folder, "timeline.csv")
        for words in ([], ["-r", "2"], ["-t", "-n", "1", "--timeout", "0.1", "--output-csv", csv]):
            code, out, err = run(wperf, "stat", *event, *words, "--", "sleep", "0.2")
            assert code == 0 and "note: context-switches: not counted" in err, (words, err)
            assert "+-" not in out and "counting ..." not in out, out


def main():
    if os.name != "posix" or os.geteuid() != 0:
        print("skipped: only root can become an ordinary user")
        return SKIPPED
    if not os.path.exists(PARANOID):
        print("skipped: this kernel has no perf events")
        return SKIPPED
    with open(PARANOID, encoding="ascii") as file:
        level = int(file.read())
    # The build tree may be closed to others.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        wperf = shutil.copy(sys.argv[1], folder)
        check_detect(wperf, level)
        check_the_rest(wperf)
        check_what_is_not_counted(wperf, level)
    return 0


if __name__ == "__main__":
    sys.exit(main())

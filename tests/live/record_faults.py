# SPDX-License-Identifier: Apache-2.0
"""Whatever ends a recording, the end is clear, and what was saved can be read.

record_faults.py WPERF FOLDER
"""
import collections
import os
import pwd
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

import chance
import waiting
from recorder import MAX_RATE, Recorder, clock_event, parse_script, run, run_tests, sampling_rate

BURN = """
#include <stdlib.h>
#include <time.h>
KEEP void burn(void) { SPIN(100000); }
int main(int argc, char **argv) { UNTIL(atoi(argv[1])) burn(); return 0; }
"""
RATE = 2000
CLOCK = clock_event(RATE)
NOBODY = ("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups")


def start(words, **keywords):
    return subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **keywords)


def finish(process, timeout=30):
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err


def burner(recorder):
    program = recorder.path("burn")
    return program if program.exists() else recorder.compile("burn", BURN, "-O2", "-g")


def is_at(sample, name):
    return any(frame.name == name for frame in sample.frames)


def check_readable(recorder, path, seconds):
    """wperf and perf read as many samples from a file. @seconds: of CPU that must be in it."""
    samples = recorder.samples(path)
    assert len(samples) >= seconds * sampling_rate(RATE) / 2, f"only {len(samples)} samples"
    chance.check_at_least(
        sum(is_at(sample, "burn") for sample in samples), len(samples), 0.8,
        collections.Counter(tuple(frame.name for frame in sample.frames) for sample in samples).most_common(8))
    run([recorder.wperf, "report", path])
    if shutil.which("perf"):
        theirs = run(["perf", "script", "-F", "time", "-i", path]).stdout.splitlines()
        assert len(theirs) == len(samples), (len(theirs), len(samples))
        report = run(["perf", "report", "--stdio", "-i", path])
        assert "burn" in report.stdout, (report.stdout, report.stderr)
    return samples


def exit_codes_are_the_commands(recorder):
    record = [recorder.wperf, "record", "-q", *CLOCK, "--"]
    run([*record, "sh", "-c", "exit 3"], code=3)
    run([*record, "sh", "-c", "kill -TERM $$"], code=128 + signal.SIGTERM)
    for missing in ("/no/such/program", "/etc/passwd"):
        done = run([*record, missing], code=1)
        assert missing in done.stderr and "hint" in done.stderr, done.stderr


def output_of_the_command_is_untouched(recorder):
    done = run([recorder.wperf, "record", "-q", *CLOCK, "--", "sh", "-c", "printf 'a\\0b'; cat"],
               input="c")
    assert done.stdout == "a\0bc", repr(done.stdout)


def folder_of(recorder, name):
    folder = recorder.path(name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def recordings_are_kept(recorder):
    """In wperf.data; a start that fails leaves it, and the folder, as they were."""
    folder = folder_of(recorder, "kept")
    for _ in range(2):
        done = run([recorder.wperf, "record", *CLOCK, "--", burner(recorder), 200], cwd=folder)
        said = re.search(r"^recorded ([\d,]+) samples in wperf.data \(\d+\.\d (MB|kB)\); see 'wperf report'$",
                         done.stderr, re.M)
        assert said, done.stderr
        samples = parse_script(run([recorder.wperf, "script"], cwd=folder).stdout)
        assert len(samples) == int(said[1].replace(",", "")), (len(samples), said[0])
    assert sorted(os.listdir(folder)) == ["wperf.data", "wperf.data.old"], os.listdir(folder)
    before = (folder / "wperf.data").read_bytes()
    for named in ((), ("-o", "wperf.data")):
        run([recorder.wperf, "record", *CLOCK, *named, "--", "/no/such/program"], 1, cwd=folder)
        run([recorder.wperf, "record", "-e", "no_such_event", *named, "--", "true"], None, cwd=folder)
    assert sorted(os.listdir(folder)) == ["wperf.data", "wperf.data.old"], os.listdir(folder)
    assert (folder / "wperf.data").read_bytes() == before


def nowhere_to_keep(recorder):
    """What nobody named is not worth a run; what was named is, before the program starts."""
    folder = folder_of(recorder, "closed")
    folder.chmod(0o555)
    started = recorder.path("started")
    started.unlink(missing_ok=True)
    user = NOBODY if os.getuid() == 0 else ()
    words = [*user, recorder.wperf, "record", "--source", "sim", "-c", "1", "-e", "ld_spec", "--timeout", "0.1"]
    done = run(words, cwd=folder)
    assert "note: no recording is kept: cannot write 'wperf.data'" in done.stderr, done.stderr
    assert "seconds time elapsed" in done.stdout, done.stdout
    done = run([*words, "-o", "mine.data", "--", "touch", started], 1, cwd=folder)
    assert "cannot write 'mine.data'" in done.stderr and not started.exists(), done.stderr


def killed_target(recorder):
    path = recorder.path("killed.data")
    process = start([recorder.wperf, "record", *CLOCK, "--save", path, "--", burner(recorder),
                     20000])
    child = waiting.wait_for_child(process.pid)
    waiting.wait_for_cpu(child, 0.4)
    os.kill(child, signal.SIGKILL)
    code, out, err = finish(process)
    assert code == 128 + signal.SIGKILL and "burn" in out, (code, out, err)
    check_readable(recorder, path, 0.3)


def killed_recorder(recorder):
    """What was flushed, about once a second, is a file; the program does not hang around."""
    path = recorder.path("cut.data")
    process = start([recorder.wperf, "record", *CLOCK, "-g", "--save", path, "--",
                     burner(recorder), 4000])
    waiting.wait_for_cpu(waiting.wait_for_child(process.pid), 2.5)
    process.kill()
    process.wait()
    samples = check_readable(recorder, path, 0.6)
    report = run([recorder.wperf, "report", path])
    assert "burn" in report.stdout, report.stdout
    return f"{len(samples)} samples of a recording that was killed"


def interrupted(recorder):
    """Ctrl-C goes to both, as from a terminal."""
    path = recorder.path("interrupted.data")
    process = start([recorder.wperf, "record", *CLOCK, "--save", path, "--", burner(recorder),
                     20000], start_new_session=True)
    waiting.wait_for_cpu(waiting.wait_for_child(process.pid), 0.4)
    os.killpg(process.pid, signal.SIGINT)
    code, out, err = finish(process)
    assert code in (0, 128 + signal.SIGINT) and "burn" in out, (code, out, err)
    check_readable(recorder, path, 0.3)


def interrupted_sampling(recorder):
    """The program that is only watched goes on."""
    target = start([burner(recorder), 20000])
    process = start([recorder.wperf, "sample", *CLOCK, "-p", target.pid])
    waiting.wait_for_counters(process.pid)
    waiting.wait_for_handler(process.pid, signal.SIGINT)
    waiting.wait_for_cpu(target.pid, 0.4)
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process)
    assert target.poll() is None
    target.kill()
    target.communicate()
    assert code == 0 and "burn" in out and "seconds time elapsed" in out, (code, out, err)


def short_target(recorder):
    path = recorder.path("short.data")
    done = run([recorder.wperf, "record", *CLOCK, "--save", path, "--", "true"])
    assert "seconds time elapsed" in done.stdout, done.stdout
    run([recorder.wperf, "report", path])


def dying_target(recorder):
    target = start([burner(recorder), 400])
    code, out, err = finish(start([recorder.wperf, "sample", *CLOCK, "-p", target.pid]))
    target.communicate()
    assert code == 0 and "burn" in out, (code, out, err)


def gone_target(recorder):
    target = start(["true"])
    target.communicate()
    done = run([recorder.wperf, "sample", *CLOCK, "-p", target.pid, "--timeout", 1], code=1)
    assert str(target.pid) in done.stderr, done.stderr
    done = run([recorder.wperf, "sample", *CLOCK, "--image_name", "no_such_image",
                "--timeout", 1], code=1)
    assert "no_such_image" in done.stderr and "hint" in done.stderr, done.stderr


def unwritable_file(recorder):
    """Said before the program runs: its work would be lost."""
    ran = recorder.path("ran")
    ran.unlink(missing_ok=True)
    for path in ("/no/such/folder/x.data", "/dev/full"):
        done = run([recorder.wperf, "record", *CLOCK, "--save", path, "--", "touch", ran], code=1)
        assert path in done.stderr, done.stderr
        assert path == "/dev/full" or not ran.exists(), "the program ran"


def check_cut_recording(recorder, path, done, reason):
    """One warning; the program has run to its end; the tables come from memory."""
    said = re.findall("^warning: .*", done.stderr, re.M)
    assert said == [f"warning: the recording ends early: cannot write '{path}': {reason}"], done.stderr
    assert "ran to its end" in done.stdout and " burn" in done.stdout, (done.stdout, done.stderr)
    run([recorder.wperf, "report", path], code=None)


def to_the_end(recorder):
    """The program says so at its end."""
    return "sh", "-c", f"{burner(recorder)} 500 && echo ran to its end"


def full_disk(recorder):
    """The program runs on, whether the recording was named or not."""
    folder = recorder.path("small")
    folder.mkdir(exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", folder],
                      capture_output=True, check=False).returncode:
        return "skipped: no file system of one's own here"
    try:
        path = folder / "x.data"
        record = [recorder.wperf, "record", *CLOCK, "-g"]
        done = run([*record, "--save", path, "--", *to_the_end(recorder)], code=1)
        check_cut_recording(recorder, path, done, "No space left on device")
        path.unlink()
        done = run([*record, "--", *to_the_end(recorder)], code=1, cwd=folder)
        assert "warning: the recording ends early: cannot write 'wperf.data': No space left" in done.stderr, done.stderr
        done = run([*record, "--", "sh", "-c", f"{burner(recorder)} 500; exit 7"], code=7, cwd=folder)
    finally:
        run(["umount", folder])
    return None


def limited_files(recorder):
    """RLIMIT_FSIZE is as a full disk for wperf; the program gets SIGXFSZ as without wperf."""
    path = recorder.path("limited_size.data")
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))}
    done = run([recorder.wperf, "record", *CLOCK, "-g", "--save", path, "--", *to_the_end(recorder)], code=1, **limit)
    check_cut_recording(recorder, path, done, "File too large")
    large = recorder.path("large")
    run([recorder.wperf, "record", "-q", *CLOCK, "--", "dd", "if=/dev/zero", f"of={large}", "bs=32768", "count=2"],
        code=128 + signal.SIGXFSZ, **limit, cwd=recorder.folder)


def hung_up(recorder):
    """A terminal that goes away, and a service that is ended, lose nothing."""
    for number in (signal.SIGHUP, signal.SIGTERM):
        path = recorder.path("hung_up.data")
        path.unlink(missing_ok=True)
        process = start([recorder.wperf, "record", *CLOCK, "--save", path, "--", burner(recorder), 20000])
        waiting.wait_for_recording(path)
        waiting.wait_for_cpu(waiting.wait_for_child(process.pid), 0.4)
        process.send_signal(number)
        code, out, err = finish(process)
        assert code in (0, 128 + number) and "burn" in out, (number, code, out, err)
        check_readable(recorder, path, 0.3)


def limited_by_the_kernel(recorder):
    """The default is lowered to what the kernel allows, with a note; what was asked for is refused."""
    limit = recorder.path("limit")
    limit.write_text("97\n")
    script = f'mount --bind {limit} {MAX_RATE} && exec "$@"'
    record = ["unshare", "-m", "sh", "-c", script, "sh", recorder.wperf, "record", *CLOCK[:2]]
    if subprocess.run([*record[:5], "sh", "true"], capture_output=True, check=False).returncode:
        return "skipped: no mounts of one's own here"
    path = recorder.path("limited.data")
    done = run([*record, "--save", path, "--", burner(recorder), 1000])
    assert "note: 97 samples a second, not 999" in done.stderr, done.stderr
    assert "event cpu-clock (97 Hz)" in run([recorder.wperf, "report", path]).stdout
    done = run([*record, "-F", 98, "--", "true"], code=2)
    assert "it is at most 97 now" in done.stderr, done.stderr
    return None


def impossible_wishes(recorder):
    limit = int(open("/proc/sys/kernel/perf_event_max_sample_rate", encoding="ascii").read())
    record = [recorder.wperf, "record", "-q"]
    done = run([*record, "-e", "cpu-clock", "-F", limit + 1, "--", "true"], code=2)
    assert str(limit) in done.stderr and "perf_event_max_sample_rate" in done.stderr, done.stderr
    done = run([*record, "-e", "no_such_event", "--", "true"], code=None)
    assert done.returncode and "no_such_event" in done.stderr, done.stderr
    has_cycles = os.path.exists("/sys/bus/event_source/devices/cpu") or any(
        name.startswith("armv8") for name in os.listdir("/sys/bus/event_source/devices"))
    if not has_cycles:
        done = run([*record, "-e", "cycles", "--", "true"], code=1)
        assert "cycles" in done.stderr and "hint" in done.stderr, done.stderr


THREADS = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void *run(void *argument) { (void)argument; SPIN(400000); pause(); return 0; }
int main(int argc, char **argv) {
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	int count = 0;
	for (pthread_t thread; count < atoi(argv[1]); count++)
		if (pthread_create(&thread, &attributes, run, 0)) break;
	printf("%d\\n", count);
	fflush(stdout);
	if (argc > 2) pause();
	return count != atoi(argv[1]);
}
"""


def many_threads(recorder):
    """Those that are there already need files each, those that start meanwhile do not."""
    program = recorder.compile("threads", THREADS, "-O2", "-pthread")
    path = recorder.path("threads.data")
    begin = time.monotonic()
    run([recorder.wperf, "record", "-q", "-e", "cpu-clock", "-F", sampling_rate(5000), "--save", path,
         "--", program, 5000], timeout=60)
    started = time.monotonic() - begin
    tids = {sample.tid for sample in recorder.samples(path)}
    assert len(tids) > sampling_rate(5000) / 10, len(tids)
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    count = min(2000, files // (2 * os.cpu_count()))
    target = start([program, count, "stay"])
    target.stdout.readline()
    begin = time.monotonic()
    run([recorder.wperf, "sample", "-q", *CLOCK, "-p", target.pid, "--timeout", 0.2], timeout=60)
    target.kill()
    target.communicate()
    return (f"{len(tids)} of 5,000 threads seen in {started:.1f} s, {count} opened in "
            f"{time.monotonic() - begin:.1f} s")


def too_many_threads(recorder):
    program = recorder.path("threads")
    target = start([program, 300, "stay"])
    target.stdout.readline()
    done = run([recorder.wperf, "sample", "-q", *CLOCK, "-p", target.pid, "--timeout", 1], code=1,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200)))
    target.kill()
    target.communicate()
    assert "too many open files" in done.stderr and "ulimit -n" in done.stderr, done.stderr


def ordinary_user(_recorder):
    """Their own program, in user code; and not what is another's."""
    if os.geteuid() or not shutil.which("setpriv"):
        return "skipped: only root can become another"
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        mine = Recorder(shutil.copy(sys.argv[1], name), os.path.join(name, "own"))
        os.chown(mine.folder, pwd.getpwnam("nobody").pw_uid, -1)
        program = mine.compile("burn", BURN, "-O2", "-g")
        path = mine.path("x.data")
        done = run([*NOBODY, mine.wperf, "record", *CLOCK, "-g", "--save", path, "--", program,
                    300], cwd=mine.folder, timeout=30)
        samples = parse_script(run([*NOBODY, mine.wperf, "script", path]).stdout)
        lost = [sample.frames for sample in samples[10:]
                if not is_at(sample, "main") and not is_at(sample, "exit")]
        assert len(samples) > 0.3 * sampling_rate(RATE) / 2 and not lost, (len(samples), lost[:3], done.stderr)
        level = int(open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii").read())
        in_kernel = [sample for sample in samples if sample.frames[0].module == "[kernel]"]
        assert level < 2 or not in_kernel, in_kernel[0].frames
        done = run([*NOBODY, mine.wperf, "sample", *CLOCK, "-p", os.getpid(), "--timeout", 0.2],
                   code=1)
        assert "hint" in done.stderr, done.stderr
        if level >= 1:
            done = run([*NOBODY, mine.wperf, "sample", *CLOCK, "-a", "--timeout", 0.2], code=1)
            assert "perf_event_paranoid" in done.stderr, done.stderr
        return f"{len(samples)} samples"


def check_tight_record(wperf, program, path, options, *before):
    """A recording of an ordinary user with few locked pages: all cores, callers, and what it costs."""
    done = run([*before, wperf, "record", *CLOCK, *options, "--save", path, "--", program, 300])
    samples = parse_script(run([wperf, "script", "-f", path]).stdout)
    lost = re.search(r"lost samples, because the buffer was full: (\d+)", done.stderr)
    expected = 0.3 * sampling_rate(RATE) / 2 - (int(lost[1]) if lost else 0)
    assert len(samples) > expected and len(samples) > 10, (options, len(samples), done.stderr)
    if "-g" in options:
        called = sum(is_at(sample, "main") for sample in samples)
        assert called > 0.8 * len(samples), (called, len(samples), done.stderr)
    return done.stderr


def tight_memory(_recorder):
    """Limits that wperf can read, and those that only the kernel knows: of a container, and where the
    user records twice. No core takes what another one lacks."""
    if os.geteuid() or not shutil.which("setpriv"):
        return "skipped: only root can become another"
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        mine = Recorder(shutil.copy(sys.argv[1], name), os.path.join(name, "own"))
        os.chown(mine.folder, pwd.getpwnam("nobody").pw_uid, -1)
        program = mine.compile("burn", BURN, "-O2", "-g")
        told = mine.path("told")
        told.write_text("100000\n")
        believe = ["unshare", "-m", "sh", "-c",
                   f'mount --bind {told} /proc/sys/kernel/perf_event_mlock_kb && exec "$@"', "sh"]
        has_mounts = not subprocess.run([*believe, "true"], capture_output=True, check=False).returncode
        for options in ((), ("-g",)):
            for kb in (0, 256, 3072):
                limit = ["prlimit", f"--memlock={kb * 1024}:{kb * 1024}", *NOBODY]
                check_tight_record(mine.wperf, program, mine.path("x.data"), options, *limit)
            if has_mounts:
                words = check_tight_record(mine.wperf, program, mine.path("x.data"), options, *believe,
                                           "prlimit", "--memlock=0:0", *NOBODY)
                assert "note: small buffers, " in words and words.count("small buffers") == 1, words
    return None if has_mounts else "without limits that wperf does not know: no mounts of one's own here"


def saved_files(recorder):
    """As any file: the umask's permissions, and what was there before is replaced."""
    path = recorder.path("saved.data")
    path.write_bytes(b"PERFILE2" + b"x" * 10_000_000)
    run([recorder.wperf, "record", "-q", *CLOCK, "--save", path, "--", "true"])
    assert path.stat().st_size < 10_000_000
    path.unlink()
    run([recorder.wperf, "record", "-q", *CLOCK, "--save", path, "--", "true"],
        preexec_fn=lambda: os.umask(0o027))
    assert stat.S_IMODE(path.stat().st_mode) & 0o027 == 0, oct(path.stat().st_mode)


def main():
    recorder = Recorder(*sys.argv[1:])
    run_tests((exit_codes_are_the_commands, output_of_the_command_is_untouched,
               recordings_are_kept, nowhere_to_keep, killed_target,
               killed_recorder, interrupted, interrupted_sampling, short_target, dying_target,
               gone_target, unwritable_file, full_disk, limited_files, hung_up, limited_by_the_kernel, impossible_wishes, many_threads,
               too_many_threads, ordinary_user, tight_memory, saved_files), recorder)
    print(f"{recorder.num_samples} samples read back after ends of all kinds")
    return 0


if __name__ == "__main__":
    sys.exit(main())

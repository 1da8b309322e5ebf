# SPDX-License-Identifier: Apache-2.0
"""Whatever ends a count, the end is clear and nothing that was printed is lost."""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

import waiting

WPERF = sys.argv[1]


def start(*words, **more):
    return subprocess.Popen([WPERF, "stat", *words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **more)


def finish(process, timeout=20):
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err


def read_until(process, words):
    """What it prints up to these words, behind which it waits."""
    text = ""
    while not text.endswith(words):
        char = process.stdout.read(1)
        assert char, text
        text += char
    return text


def run(*words):
    return finish(start(*words))


def exit_codes_are_the_commands():
    assert run("-e", "task-clock", "--", "sh", "-c", "exit 3")[0] == 3
    assert run("-e", "task-clock", "--", "sh", "-c", "kill -TERM $$")[0] == 128 + signal.SIGTERM
    code, out, err = run("-e", "task-clock", "--", "/no/such/program")
    assert code == 1 and "/no/such/program" in err and "task-clock" not in out, (code, out, err)


def output_of_the_command_is_untouched():
    code, out, _ = run("-q", "-e", "task-clock", "--", "sh", "-c", "printf 'a\\0b'; cat <&0")
    assert code == 0 and out == "a\0b", repr(out)


def interrupt_shows_what_was_counted():
    """Ctrl-C: the command gets it, too, as from a terminal; results, and no failure."""
    process = start("-e", "task-clock", "--", "sleep", "30", start_new_session=True)
    waiting.wait_for_program(waiting.wait_for_child(process.pid), "sleep")
    os.killpg(process.pid, signal.SIGINT)
    code, out, err = finish(process)
    assert "task-clock" in out and "seconds time elapsed" in out, (out, err)
    assert code in (0, 128 + signal.SIGINT), code


def interrupt_is_said():
    """As the peer does, which programs look for; but not in JSON."""
    for words, last in ((["-c", "0"], "counting ... "),
                        (["-c", "0", "-t", "-i", "30", "--timeout", "0.1"], "sleeping ... ")):
        with tempfile.TemporaryDirectory() as folder:
            process = start("-e", "cpu-clock", *words, cwd=folder)
            read_until(process, last)
            process.send_signal(signal.SIGINT)
            code, out, err = finish(process)
        assert out.startswith("Ctrl-C received, quit counting...done\n"), (out, err)
        assert code == 0, (code, err)
    process = start("-e", "cpu-clock", "-c", "0", "--json")
    waiting.wait_for_counters(process.pid)
    waiting.wait_for_handler(process.pid, signal.SIGINT)
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process)
    assert code == 0 and json.loads(out)["core"], (code, out, err)


def dying_target_ends_the_count():
    target = subprocess.Popen(["sleep", "0.7"])
    code, out, err = run("-e", "task-clock", "-p", str(target.pid))
    target.wait()
    assert code == 0 and "task-clock" in out, (code, out, err)


def gone_target_is_said():
    target = subprocess.Popen(["true"])
    target.wait()
    code, _, err = run("-e", "task-clock", "-p", str(target.pid))
    assert code == 1 and str(target.pid) in err, (code, err)


def timeout_ends_the_command():
    begin = time.monotonic()
    code, out, _ = run("-e", "task-clock", "--timeout", "0.3", "--", "sleep", "30")
    assert code == 0 and time.monotonic() - begin < 5 and "task-clock" in out


def killed_timeline_keeps_its_lines():
    with tempfile.TemporaryDirectory() as folder:
        csv, page = pathlib.Path(folder, "t.csv"), pathlib.Path(folder, "t.html")
        process = start("-e", "task-clock", "-t", "-i", "0", "--timeout", "0.1", "--output-csv",
                        str(csv), "--html", str(page), "--", "sleep", "30",
                        start_new_session=True)
        waiting.wait_until(lambda: csv.exists() and csv.read_text().count("\n") > 20, "lines in t.csv")
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        lines = csv.read_text(encoding="utf-8").splitlines()
        names = next(i for i, line in enumerate(lines) if line.startswith("task-clock"))
        assert len(lines) - names - 1 >= 5, lines
        assert all(line.endswith(",") for line in lines[names:]), lines
        text = page.read_text(encoding="utf-8")
        assert "<html" in text and text.count('class="wperf-count">') >= 5, text[-1000:]
        assert 'class="wperf-end">' not in text


def children_and_threads_are_counted():
    program = ("import threading, subprocess\n"
               "def burn():\n"
               "    sum(range(6000000))\n"
               "threads = [threading.Thread(target=burn) for _ in range(3)]\n"
               "[t.start() for t in threads]; [t.join() for t in threads]\n"
               "subprocess.run(['/usr/bin/python3', '-S', '-c', 'sum(range(4000000))'])")
    code, out, err = run("--json", "-e", "task-clock", "--", "/usr/bin/python3", "-S", "-c", program)
    assert code == 0, err
    msec = json.loads(out)["processes"][0]["Performance_counter"][0]["counter_value"]
    assert msec > 60, msec  # the main thread alone has next to nothing


def start_threads(count, seconds):
    """They sleep one after the other, so that they do not all wake up at the same moment."""
    program = ("import threading, time\n"
               "threading.stack_size(65536)\n"
               f"threads = [threading.Thread(target=time.sleep, args=({seconds},), daemon=True)\n"
               f"           for _ in range({count})]\n"
               "[t.start() for t in threads]; print(flush=True); [t.join() for t in threads]")
    target = subprocess.Popen(["/usr/bin/python3", "-S", "-c", program], stdout=subprocess.PIPE)
    target.stdout.readline()
    return target


def many_threads_are_counted():
    count = min(10000, resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 100)
    target = start_threads(count, 5)
    process = start("--json", "-e", "context-switches", "-p", str(target.pid))
    code, out, err = finish(process, timeout=90)
    target.wait()
    assert code == 0, err
    switches = json.loads(out)["processes"][0]["Performance_counter"][0]["counter_value"]
    assert switches >= count / 2, (switches, count)  # where starting takes long, some are over


def too_many_threads_are_said():
    """More files than may be open: an error that says which limit, at once, and no half a count."""
    target = start_threads(300, 2)
    code, out, err = finish(start("-e", "task-clock,page-faults", "-p", str(target.pid),
                                  preexec_fn=lambda: resource.setrlimit(
                                      resource.RLIMIT_NOFILE, (200, 200))))
    target.wait()
    assert code == 1 and not out and "too many open files" in err and "ulimit -n" in err, (out, err)


def main():
    for test in (exit_codes_are_the_commands, output_of_the_command_is_untouched,
                 interrupt_shows_what_was_counted, interrupt_is_said, dying_target_ends_the_count,
                 gone_target_is_said, timeout_ends_the_command, killed_timeline_keeps_its_lines,
                 children_and_threads_are_counted, many_threads_are_counted,
                 too_many_threads_are_said):
        begin = time.monotonic()
        test()
        print(f"ok {test.__name__} ({time.monotonic() - begin:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())

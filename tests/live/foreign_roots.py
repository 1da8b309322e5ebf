# SPDX-License-Identifier: Apache-2.0
"""Programs that see other files than wperf: in containers, after chroot(), of users with less rights.

Source text, symbols and debug files must be those that the program sees, and its user may read; a
file of ours at the same path must not be shown in their stead. Usage: foreign_roots.py WPERF
(as root, where namespaces can be made; else it is skipped)
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

WPERF = os.path.abspath(sys.argv[1])
SKIPPED = 77
LIMIT_S = 120

APP = """total = 0  # {mark}
print("ready", flush=True)
while True:
    total += sum(range(1000))  # {mark}
"""
OURS, THEIRS = "text-of-ours", "text-of-theirs"

LOOP = """
#include <stdio.h>
int main(void)
{
	volatile unsigned sum = 0;
	puts("ready");
	fflush(stdout);
	for (;;)
		sum += 3;
}
"""


def run(*words, cwd, status=0):
    done = subprocess.run([str(word) for word in words], cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=LIMIT_S, check=False)
    assert status is None or done.returncode == status, (words, done)
    return done


@contextlib.contextmanager
def started(*words):
    """A program that has said that it runs; its number."""
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, cwd="/") as program:
        try:
            assert program.stdout.readline() == b"ready\n", words
            yield program.pid
        finally:
            program.kill()


def can_run(*words):
    return subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0


def as_nobody(*words):
    return ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", *words]


def write_apps(folder):
    """The same name with other text: one is mounted over the other in the container."""
    for name, mark in (("app", OURS), ("inner", THEIRS)):
        (folder / name).mkdir()
        (folder / name / "app.py").write_text(APP.format(mark=mark), encoding="utf-8")
    return folder / "app" / "app.py"


def record(folder, pid, *words):
    """All texts that a recording of a process gives, at once and from the file."""
    begin = time.time()
    live = run(WPERF, "record", "--source", "timer", "-o", "x.data", "--html", "x.html", "--timeout",
               "1", *words, "-p", pid, cwd=folder)
    assert "app.py" in live.stdout, live
    page = (folder / "x.html").read_text(encoding="utf-8")
    start = int(re.search(r'"startMs":(\d+)', page)[1]) / 1000
    assert begin - 1 < start < time.time() + 1, (begin, start)
    return live.stdout + page


def read_again(folder):
    found = [run(WPERF, "report", "-i", "x.data", cwd=folder).stdout]
    found.append(run(WPERF, "annotate", "-i", "x.data", "app.py", cwd=folder, status=None).stdout)
    run(WPERF, "flamegraph", "-i", "x.data", "-o", "again.html", cwd=folder)
    found.append((folder / "again.html").read_text(encoding="utf-8"))
    return "".join(found)


def in_mount_namespace(app, before=()):
    folder = app.parent
    return [*before, "unshare", "-m", "sh", "-c",
            f"mount --bind {folder.parent}/inner {folder} && exec {sys.executable} {app}"]


def check_theirs(text, what):
    assert THEIRS in text and OURS not in text, (what, text[:3000])


def check_none(text, what):
    assert THEIRS not in text and OURS not in text, (what, text[:3000])


def check_mount_namespace(folder):
    app = write_apps(folder)
    with started(*in_mount_namespace(app)) as pid:
        check_theirs(record(folder, pid), "live")
        check_theirs(read_again(folder), "while it runs")
    again = read_again(folder)
    check_none(again, "after its end")
    assert "its processes have ended" in again, again[:3000]


def check_end_while_recording(folder):
    """The text is shown after the end of the program."""
    app = write_apps(folder)
    text = app.parent.with_name("inner") / "app.py"
    text.write_text(APP.format(mark=THEIRS).replace(
        "while True", "import time\nend = time.time() + 1.5\nwhile time.time() < end"),
        encoding="utf-8")
    done = run(WPERF, "record", "--python=only", "-o", "x.data", "--html", "x.html", "--",
               *in_mount_namespace(app), cwd=folder)
    check_theirs(done.stdout, "after the end")


def check_ours_beside_theirs(folder):
    """Two programs, two texts, one path: neither is right for both."""
    app = write_apps(folder)
    with started(*in_mount_namespace(app)) as theirs, started(sys.executable, app) as ours:
        check_none(record(folder, f"{theirs},{ours}"), "both")
        (folder / "inner" / "app.py").write_text(APP.format(mark=OURS), encoding="utf-8")
        assert OURS in record(folder, f"{theirs},{ours}")


def check_links(folder):
    """After chroot(), a link from the root on stays below it."""
    app = write_apps(folder)
    new_root = folder / "root"
    place = new_root / app.parent.relative_to("/")
    place.mkdir(parents=True)
    (new_root / "etc").mkdir()
    (new_root / "etc" / "text").write_text(APP.format(mark=THEIRS), encoding="utf-8")
    outside = folder / "text"
    outside.write_text(APP.format(mark=OURS), encoding="utf-8")
    (place / "app.py").symlink_to("/etc/text")
    loop = APP.format(mark=THEIRS)
    script = (f"import os\ncode = compile({loop!r}, {str(app)!r}, 'exec')\n"
              f"os.chroot({str(new_root)!r})\nexec(code)")
    with started(sys.executable, "-c", script) as pid:
        check_theirs(record(folder, pid), "link in its root")
        (place / "app.py").unlink()
        (place / "app.py").symlink_to(f"/../../../../{outside}")
        check_none(record(folder, pid), "link above its root")
        (place / "app.py").unlink()
        (place / "app.py").symlink_to(f"/proc/1/root/{outside}")
        check_none(record(folder, pid), "link by way of /proc")


def check_container_of_a_user(folder):
    """An ordinary user, wperf as the same."""
    os.chmod(folder, 0o777)
    own = ["unshare", "-Urm"]
    if not can_run(*as_nobody(*own)):
        print("no namespaces of ordinary users here")
        return
    app = write_apps(folder)
    command = in_mount_namespace(app, as_nobody("unshare", "-Ur"))
    with started(*command) as pid:
        done = run(*as_nobody(WPERF, "record", "--source", "timer", "-o", "x.data", "--timeout", "1",
                              "-p", pid), cwd=folder)
        check_theirs(done.stdout, "own container")


def function_names(folder, command):
    with started(*command) as pid:
        done = run(WPERF, "record", "-e", "cpu-clock", "-o", "x.data", "--timeout", "1", "-p", pid,
                   cwd=folder)
    again = run(WPERF, "report", "-i", "x.data", cwd=folder)
    return done.stdout, again.stdout


def check_debug_file(folder):
    """A debug file that only root may read names nothing of a program of somebody else."""
    (folder / "loop.c").write_text(LOOP, encoding="utf-8")
    private = folder / "private"
    private.mkdir(mode=0o700)
    name = "name_that_only_root_may_know"
    for words in (["gcc", "-g", "-O1", f"-Dmain={name}", "-c", "loop.c"],
                  ["gcc", "-Wl,--build-id=none", f"-Wl,--defsym,main={name}", "-o", "prog", "loop.o"],
                  ["objcopy", "--only-keep-debug", "prog", "private/prog.debug"],
                  ["objcopy", "--strip-all", "--add-gnu-debuglink=private/prog.debug", "prog"]):
        run(*words, cwd=folder)
    (folder / "prog.debug").symlink_to(private / "prog.debug")
    for text in function_names(folder, [folder / "prog"]):
        assert name in text, text
    for text in function_names(folder, as_nobody(str(folder / "prog"))):
        assert name not in text and "prog" in text, text


def check_private_program(folder):
    """What a user may execute and not read has names while it runs: the kernel has mapped it."""
    (folder / "loop.c").write_text(LOOP.replace("main(void)", "main(void)"), encoding="utf-8")
    run("gcc", "-O1", "-o", "prog", "loop.c", cwd=folder)
    (folder / "prog").chmod(0o711)
    live, _ = function_names(folder, as_nobody(str(folder / "prog")))
    assert "main" in live, live


def main():
    needed = ("unshare", "setpriv", "mount", "gcc", "objcopy")
    if os.geteuid() != 0 or not all(map(shutil.which, needed)) or not can_run("unshare", "-m"):
        print("not root, or without namespaces")
        return SKIPPED
    for check in (check_mount_namespace, check_end_while_recording, check_ours_beside_theirs,
                  check_links, check_container_of_a_user, check_debug_file, check_private_program):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            check(pathlib.Path(folder))
            print(check.__name__, "done", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Files that hostile programs name: pipes, devices, links and files that shrink.

Each case hung, killed or fooled wperf before base/file/foreign_file.h and base/file/mapping_guard.h. Usage:
hostile_files.py WPERF
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

WPERF = os.path.abspath(sys.argv[1])
LIMIT_S = 60

LOOP = """
#include <time.h>
int helper(int n);
int main(int argc, char **argv)
{
	volatile int sum = 0;
	time_t end = time(NULL) + 2;
	while (time(NULL) < end)
		for (int i = 0; i < 100000; i++)
			sum += helper(i);
	return 0;
}
"""
HELPER = "int helper(int n)\n{\n\treturn n * 7 % 3;\n}\n"


def run(*words, cwd=None, **more):
    """A command of wperf, or a compiler, that must not hang."""
    return subprocess.run(words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=LIMIT_S, **more)


def build(folder, *flags):
    (folder / "loop.c").write_text(LOOP, encoding="utf-8")
    (folder / "helper.c").write_text(HELPER, encoding="utf-8")
    subprocess.run(["gcc", "-g", "-O1", *flags, "-o", "prog", "loop.c", "helper.c"], cwd=folder,
                   check=True)
    return folder / "prog"


def place_hostile(path, kind):
    """Something that is no file where wperf expects one."""
    if path.exists() or path.is_symlink():
        path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(kind)


KINDS = ("pipe", "/dev/zero", "/dev/tty", "/proc/kmsg")


def check_symbols(prog, what):
    """The names are there, from the program itself, and at once."""
    before = time.monotonic()
    done = run(WPERF, "symbols", str(prog), "--lines")
    assert done.returncode == 0, (what, done.stderr)
    took = time.monotonic() - before
    assert took < 20, (what, took)


def check_debug_link(folder):
    prog = build(folder)
    run("objcopy", "--only-keep-debug", "prog", "prog.debug", cwd=folder)
    run("objcopy", "--strip-debug", "--remove-section=.note.gnu.build-id",
        "--add-gnu-debuglink=prog.debug", "prog", cwd=folder)
    for kind in KINDS:
        place_hostile(folder / "prog.debug", kind)
        check_symbols(prog, f"debuglink to {kind}")


def check_split(folder):
    prog = build(folder, "-gsplit-dwarf")
    parts = list(folder.glob("*.dwo"))
    assert parts
    for kind in KINDS:
        for part in parts:
            place_hostile(part, kind)
        check_symbols(prog, f"dwo is {kind}")


def check_common(folder):
    """.gnu_debugaltlink: a name and an id."""
    prog = build(folder)
    for kind in KINDS:
        place_hostile(folder / "common", kind)
        (folder / "link").write_bytes(b"common\0" + bytes(range(20)))
        run("objcopy", "--remove-section=.gnu_debugaltlink",
            "--add-section=.gnu_debugaltlink=link", "prog", cwd=folder)
        check_symbols(prog, f"altlink to {kind}")


def check_sources(folder):
    prog = build(folder)
    done = run(WPERF, "record", "-q", "-o", "x.data", "--", str(prog), cwd=folder)
    assert done.returncode == 0, done.stderr
    for kind in KINDS:
        for name in ("loop.c", "helper.c"):
            place_hostile(folder / name, kind)
        done = run(WPERF, "annotate", "-i", "x.data", "main", cwd=folder)
        assert done.returncode == 0 and "is not a regular file" in done.stdout, (kind, done)
        done = run(WPERF, "flamegraph", "-i", "x.data", "-o", "x.html", cwd=folder)
        assert done.returncode == 0, (kind, done.stderr)


def check_arguments(folder):
    """`record` must not read what the program is to read."""
    lines = 100000
    done = run("bash", "-c", f"'{WPERF}' record -q -o x.data -- wc -l <(seq {lines})", cwd=folder)
    assert done.stdout.split()[:1] == [str(lines)], done
    os.mkfifo(folder / "fifo")
    done = run("bash", "-c", f"seq {lines} > ./fifo & '{WPERF}' record -q -o x.data -- wc -l ./fifo",
               cwd=folder)
    assert done.stdout.split()[:1] == [str(lines)], done


def check_truncation(folder):
    """A library that is cut, again and again, while wperf reads it."""
    prog = build(folder)
    done = run(WPERF, "record", "-g", "-q", "-o", "x.data", "--", str(prog), cwd=folder)
    assert done.returncode == 0, done.stderr
    shutil.copy(prog, folder / "whole")
    cut = subprocess.Popen([sys.executable, "-c", """
import os
whole = open("whole", "rb").read()
fd = os.open("prog", os.O_WRONLY)
while True:
    os.pwrite(fd, whole, 0)
    for i in range(300):
        pass
    os.truncate("prog", 64)
"""], cwd=folder)
    try:
        for command in ("report", "annotate", "report", "export") * 5:
            words = ["-o", "x.folded"] if command == "export" else []
            done = run(WPERF, command, "-i", "x.data", *words, cwd=folder)
            assert done.returncode >= 0, (command, done)
        for _ in range(20):
            done = run(WPERF, "symbols", "prog", "--lines", cwd=folder)
            assert done.returncode in (0, 1), done
    finally:
        cut.kill()
        cut.wait()


def main():
    for check in (check_debug_link, check_split, check_common, check_sources, check_arguments,
                  check_truncation):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            check(pathlib.Path(folder))
            print(check.__name__, "done", flush=True)


if __name__ == "__main__":
    main()

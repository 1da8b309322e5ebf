# SPDX-License-Identifier: Apache-2.0
"""What a page of docs/howto says to type works as written, and prints what the page shows.

howto.py WPERF PAGE FOLDER [--python FILE] [MODULE...]

FILE is the python3 of the page. Exit code 77, skipped: a MODULE of Python that the page needs is not installed.

A paragraph that is only a file's name in backquotes and a colon is followed by the file's text. Lines that begin
with "$ " are commands of one shell; what follows them up to the next one is their output, whose lines have to come
in this order, or print nothing where the page shows nothing. Numbers and the width of columns may differ, and "..."
stands for anything. A command that ends with "&" has begun when it runs Python in as many processes as it has been told
to start. Port 8000 becomes a free one.
"""
import contextlib
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys

CONTAINER = ["unshare", "--map-root-user", "--mount-proc", "--pid", "--fork", "true"]
MARK = "==== command"
UPROBES = pathlib.Path("/sys/bus/event_source/devices/uprobe")
WPERF, PAGE, FOLDER = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
PYTHON, MODULES = (sys.argv[5], sys.argv[6:]) if sys.argv[4:5] == ["--python"] else ("/usr/bin/python3", sys.argv[4:])
WORKERS = re.compile(r"--(?:workers|concurrency)[ =](\d+)")
NUMBER = re.compile(r"[-+]?\d[\d,.]*")


def code_blocks(text):
    """(the line before, its lines) of each indented block."""
    before, block = "", []
    for line in text.splitlines() + ["end"]:
        if line.startswith("    ") or (block and not line):
            block.append(line[4:])
            continue
        if block:
            yield before, "\n".join(block).rstrip("\n").split("\n")
        before, block = line or before, []


def shape(line):
    """A row of a table is like another one if its words are; its numbers depend on the computer, and of a tree,
    whether a branch is the last one and how much is below it."""
    line = re.sub(r" +\([\d.]+% below not shown\)$", "", re.sub("[│├└]", " ", line).replace("─", " "))
    line = re.sub(r"/\S*/(?=\w)", "", line).replace("addresses", "address")
    line = re.sub(r"0x[0-9a-f]+", "0", line)
    line = re.sub(r"\), (sleeps|runs|runs without the GIL|holds the GIL|waits for the GIL)$", "), busy or not", line)
    return " ".join(NUMBER.sub("0", re.sub(r"=+", "=", line)).split())


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def read_page():
    files, commands = {}, []
    text = re.sub(r"\b8000\b", str(free_port()), PAGE.read_text(encoding="utf-8"))
    for before, lines in code_blocks(text):
        name = re.fullmatch(r"`([\w.]+)`:", before)
        if name:
            files[name[1]] = "\n".join(lines) + "\n"
            continue
        output = []  # of no command yet: an example that is not tried
        for line in lines:
            if line.startswith("$ "):
                output = []
                commands.append((line[2:], output))
            elif line:
                output.append(line)
    return files, commands


def check_output(command, wanted, output):
    assert wanted or not output.strip(), f"{PAGE.name}: $ {command} prints more than the page shows:\n{output}"
    seen = iter([shape(line) for line in output.splitlines()])
    for line in wanted:
        if line == "...":
            continue
        expected = shape(line)
        # What is cut to the page's width has an end of its own.
        start = expected.removesuffix("...").rstrip()
        assert any(each == expected or (expected.endswith("...") and each.startswith(start)) for each in seen), \
            f"{PAGE.name}: $ {command}: nothing like '{line}' in\n{output}"


def begun(command):
    """Waits in the shell until a program in the background runs Python, and has its workers; ten seconds at most. For
    wperf's server, the next command waits."""
    if command.startswith("wperf serve"):
        return ":"
    wanted = WORKERS.search(command)
    dumps = "for p in $! $(pgrep -P $!); do wperf dump $p; done 2>/dev/null"
    runs = f'{dumps} | grep -q "<module>" && [ "$(pgrep -c -P $!)" -ge {wanted[1] if wanted else 0} ]'
    return f"for _ in $(seq 200); do {{ {runs}; }} && break; sleep 0.05; done"


def run_shell(script, path):
    """The output of a shell, whose programs in the background end with it."""
    with open(FOLDER / "output", "w+b") as file:
        shell = subprocess.Popen(["bash", "-c", script], cwd=FOLDER, stdout=file, start_new_session=True,
                                 env={**os.environ, "PATH": path, "DEBUGINFOD_URLS": ""})
        try:
            shell.wait(timeout=120)
        finally:
            with contextlib.suppress(ProcessLookupError):  # nothing was left
                os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
        file.seek(0)
        return file.read().decode()


def main():
    if not all(importlib.util.find_spec(module) for module in MODULES):
        print("skipped: not all installed:", *MODULES)
        sys.exit(77)
    files, commands = read_page()
    assert commands, "no commands"
    if any("unshare" in command for command, _ in commands) and subprocess.run(CONTAINER, check=False).returncode:
        print("skipped: no containers without an engine here")
        sys.exit(77)
    if any("usdt:" in command for command, _ in commands) and (os.geteuid() or not UPROBES.exists()):
        print("skipped: probes need root and a kernel with uprobes")
        sys.exit(77)
    shutil.rmtree(FOLDER, ignore_errors=True)  # what an earlier try kept, a server would find
    FOLDER.mkdir(parents=True)
    for name, text in files.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    path = FOLDER / "programs"
    path.mkdir(exist_ok=True)
    (path / "wperf").unlink(missing_ok=True)
    (path / "wperf").symlink_to(WPERF)
    # Notes are part of what a page shows, as on a terminal.
    script = "exec 2>&1\n" + "".join(
        f"{command}\n" + (f"{begun(command)}\n" if command.endswith("&") else "") + f"echo '{MARK}' $?\n"
        for command, _ in commands)
    output = run_shell(script, f"{path}:{pathlib.Path(PYTHON).parent}:/usr/bin:/bin")
    parts = re.split(rf"{MARK} (\d+)\n", output)
    assert len(parts) == 2 * len(commands) + 1, output
    for (command, wanted), output, code in zip(commands, parts[0::2], parts[1::2]):
        assert code == "0", (command, code, output)
        check_output(command, wanted, output)
    print(f"{PAGE.name}: {len(commands)} commands work as written")


main()

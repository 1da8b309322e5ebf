# SPDX-License-Identifier: Apache-2.0
"""What a page of docs/howto says to type works as written, and prints what the page shows.

howto.py WPERF PAGE FOLDER

A paragraph that is only a file's name in backquotes and a colon is followed by the file's text. Lines that begin
with "$ " are commands of one shell; what follows them up to the next one is their output, whose lines have to come
in this order, or print nothing where the page shows nothing. Numbers and the width of columns may differ, and "..."
stands for anything.
"""
import os
import pathlib
import re
import subprocess
import sys

MARK = "==== command"
WPERF, PAGE, FOLDER = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
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
    """A row of a table is like another one if its words are; its numbers depend on the computer."""
    line = re.sub(r"/\S*/(?=\w+\.py)", "", line)
    return " ".join(NUMBER.sub("0", re.sub(r"=+", "=", line)).split())


def read_page():
    files, commands = {}, []
    for before, lines in code_blocks(PAGE.read_text(encoding="utf-8")):
        name = re.fullmatch(r"`([\w.]+)`:", before)
        if name:
            files[name[1]] = "\n".join(lines) + "\n"
            continue
        for line in lines:
            if line.startswith("$ "):
                commands.append((line[2:], []))
            elif commands and line:
                commands[-1][1].append(line)
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


def main():
    files, commands = read_page()
    assert commands, "no commands"
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    path = FOLDER / "programs"
    path.mkdir(exist_ok=True)
    for name, target in (("wperf", WPERF), ("python3", "/usr/bin/python3")):
        (path / name).unlink(missing_ok=True)
        (path / name).symlink_to(target)
    # Programs in the background need a moment until they run Python; all of them end with the shell.
    runs = 'until wperf dump $! 2>/dev/null | grep -q "<module>"; do sleep 0.05; done'
    # Notes are part of what a page shows, as on a terminal.
    script = "exec 2>&1\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n" + "".join(
        f"{command}\n" + (f"{runs}\n" if command.endswith("&") else "") + f"echo '{MARK}' $?\n"
        for command, _ in commands)
    done = subprocess.run(["bash", "-c", script], cwd=FOLDER, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PATH": f"{path}:/usr/bin:/bin", "DEBUGINFOD_URLS": ""})
    parts = re.split(rf"{MARK} (\d+)\n", done.stdout)
    assert len(parts) == 2 * len(commands) + 1, (done.stdout, done.stderr)
    for (command, wanted), output, code in zip(commands, parts[0::2], parts[1::2]):
        assert code == "0", (command, code, output, done.stderr)
        check_output(command, wanted, output)
    print(f"{PAGE.name}: {len(commands)} commands work as written")


main()

# SPDX-License-Identifier: Apache-2.0
"""Each command of other tools that `wperf help perf` lists has a case in known_words.case, and our
words for it are commands that wperf has.

Usage: foreign_commands.py WPERF
"""
import os
import re
import shlex
import subprocess
import sys


def listed(wperf):
    """The left column of the table: words of commands."""
    text = subprocess.run([wperf, "help", "perf"], capture_output=True, text=True,
                          check=True).stdout
    return [line[2:].split("  ")[0] for line in text.split("\n") if re.match("  [a-z]", line)]


def typed():
    """The words behind `wperf` of each case."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known_words.case")
    with open(path, encoding="utf-8") as file:
        lines = [shlex.split(line[2:]) for line in file if line.startswith("$ ")]
    return [words[words.index("wperf") + 1:] for words in lines]


def has_case(command, cases):
    """A row with two words needs both; a row with one word is another case."""
    words = command.split()
    return any(case[:len(words)] == words for case in cases)


def main():
    commands, cases = listed(sys.argv[1]), typed()
    missing = [command for command in commands if not has_case(command, cases)]
    for command in missing:
        print(f"known_words.case has no 'wperf {command}'")
    if len(commands) < 20:
        print(f"'wperf help perf' lists {len(commands)} commands only")
    return 1 if missing or len(commands) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())

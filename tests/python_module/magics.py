# SPDX-License-Identifier: Apache-2.0
"""%wperf and %%wperf in Debian's IPython: what a notebook gets to show. Runs in the venv's Python.
Usage: magics.py"""
import contextlib
import io
import os
import re
import tempfile

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

CELL = """\
def hot(rounds):
    total = 0
    for i in range(rounds):
        total += i * i % 7
    return total
answer = hot(4_000_000)
"""


def run(magic, line, cell=None):
    """What a magic gives and prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        shown = magic("wperf", line) if cell is None else magic("wperf", line, cell)
    return shown, printed.getvalue()


def check_cell(ip):
    shown, _ = run(ip.run_cell_magic, "--height=321", CELL)
    assert ip.user_ns["answer"] > 0
    page = shown._repr_html_()
    assert 'srcdoc="&lt;!' in page and 'height="321"' in page and "hot" in page, page[:500]
    assert re.search(r"^ *\d\d\.\d\d +[\d,]+ +\S+:4 +hot$", repr(shown).splitlines()[2]), repr(shown)


def check_line(ip, folder):
    path = os.path.join(folder, "x.folded")
    shown, printed = run(ip.run_line_magic, f"-t -F 500 -o {path} print(f'{{hot(rounds = 3_000_000)}} !')")
    assert shown is None and " !" in printed and re.search(r":4 +hot", printed), printed
    with open(path, encoding="utf-8") as file:
        assert "hot" in file.read()


def check_errors(ip):
    shown, printed = run(ip.run_line_magic, "-e cpu-clokc pass")
    assert shown is None and "cpu-clokc" in printed, printed
    shown, printed = run(ip.run_cell_magic, "", "raise ZeroDivisionError")  # of the cell
    assert shown is not None and "ZeroDivisionError" in printed, printed


with tempfile.TemporaryDirectory() as temporary:
    os.environ["IPYTHONDIR"] = temporary
    main = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    assert main.run_cell("%load_ext wperf").success
    check_cell(main)
    check_line(main, temporary)
    check_errors(main)
print("all checks")

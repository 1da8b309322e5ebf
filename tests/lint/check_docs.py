# SPDX-License-Identifier: Apache-2.0
"""Checks the pages for people: the *.md files of the root folder and of docs/.

The README has at most 120 lines. Prose has at most 100 columns (tables, links alone on a line and
output of programs may be wider). Links to files and to headings of this tree lead somewhere.
Usage: check_docs.py ROOT
"""
import pathlib
import re
import sys

MAX_README_LINES = 120
MAX_COLUMNS = 100


def prose(text):
    """(number, line) of lines that are neither code, output nor table."""
    is_fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            is_fenced = not is_fenced
        elif not is_fenced and not line.startswith(("    ", "|")):
            yield number, line


def anchor(heading):
    """As hosting sites make them: lower case, blanks to hyphens, punctuation dropped."""
    words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return words.replace(" ", "-")


def anchors(path):
    return {anchor(line.lstrip("#")) for _, line in prose(path.read_text(encoding="utf-8"))
            if line.startswith("#")}


def check_link(page, number, target):
    if re.match(r"[a-z]+:", target):
        return
    name, _, heading = target.partition("#")
    path = (page.parent / name) if name else page
    if not path.exists():
        yield f"{page}:{number}: no file {name}"
    elif heading and heading not in anchors(path):
        yield f"{page}:{number}: {path.name} has no heading '{heading}'"


def check_page(page):
    text = page.read_text(encoding="utf-8")
    for number, line in prose(text):
        if len(line) > MAX_COLUMNS and " " in line.strip() and "](http" not in line:
            yield f"{page}:{number}: {len(line)} columns; at most {MAX_COLUMNS}"
    joined = re.sub(r"```.*?```", lambda block: "\n" * block[0].count("\n"), text, flags=re.S)
    for link in re.finditer(r"\]\(([^)\s]+)\)", joined):
        yield from check_link(page, joined.count("\n", 0, link.start()) + 1, link[1])


def main(root):
    readme = root / "README.md"
    pages = [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]
    faults = [fault for page in pages for fault in check_page(page)]
    lines = readme.read_text(encoding="utf-8").count("\n")
    if lines > MAX_README_LINES:
        faults.append(f"{readme}: {lines} lines; at most {MAX_README_LINES}")
    print("\n".join(faults) or f"{len(pages)} pages")
    return bool(faults)


sys.exit(main(pathlib.Path(sys.argv[1])))

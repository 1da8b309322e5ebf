# SPDX-License-Identifier: Apache-2.0
"""Checks that a room includes only the rooms that docs/architecture.md allows it to.

The table there is the rule: | `src/room/` | what lives here | may include |
"""
import pathlib
import re
import sys


def read_rules(page):
    rules = {}
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        room = re.fullmatch(r"`((?:src|driver)/\w+)/`", cells[0])
        if room and len(cells) == 3:
            names = re.findall(r"`([\w/]+)`", cells[2])
            rules[room.group(1)] = {room.group(1)} | {
                name if name.startswith("driver/") else "src/" + name for name in names}
    return rules


def room_of(include, rules):
    """The room of an #include "..."; None for a file beside the includer or a generated one."""
    parts = include.split("/")
    if parts[0] == "driver":
        return "/".join(parts[:2])
    return "src/" + parts[0] if len(parts) > 1 else None


def main():
    root = pathlib.Path(sys.argv[1])
    rules = read_rules(root / "docs/architecture.md")
    faults = []
    for path in sorted([*root.glob("src/*/**/*.[ch]"), *root.glob("driver/*/**/*.[ch]")]):
        room = "/".join(path.relative_to(root).parts[:2])
        if room not in rules:
            faults.append(f"{path.relative_to(root)}: docs/architecture.md has no room {room}/")
            continue
        for include in re.findall(r'^#\s*include "([^"]+)"', path.read_text(encoding="utf-8"), re.M):
            target = room_of(include, rules)
            if target and target not in rules[room]:
                faults.append(f"{path.relative_to(root)}: {room}/ may not include {include}")
    for room in rules:
        if not (root / room).is_dir():
            faults.append(f"docs/architecture.md: there is no room {room}/")
    print("\n".join(faults))
    return bool(faults) or len(rules) < 8


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""The static program has each function of libbpf that somebody looks for: a missing one makes the whole library missing.

    check_linked.py ROOT
"""
import pathlib
import re
import sys

LOOKED_FOR, LINKED = "src/source/bpf/bpf_library.h", "src/base/os/shared_library_linked.c"


def main():
    root = pathlib.Path(sys.argv[1])
    wanted = re.findall(r"^\tX\((\w+)\)", (root / LOOKED_FOR).read_text(encoding="utf-8"), re.M)
    linked = re.findall(r'X\("libbpf\.so\.1", (\w+)\)', (root / LINKED).read_text(encoding="utf-8"))
    missing = sorted(set(wanted) ^ set(linked))
    if missing or not wanted:
        sys.exit(f"{LOOKED_FOR} and {LINKED} differ: {', '.join(missing) or 'no functions'}")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Measures how well a newcomer finds the way in the code, and checks what must stay so.

Usage: measure_house.py ROOT [--table | --names | --cycles | --once]
Without an option: prints what breaks a limit, and fails if anything does. --table prints all
figures, --names the functions that share their name, --cycles the headers that include each other,
--once the helpers with one caller, those with the most parameters first. Of src/ and driver/. Universal Ctags finds the functions.
"""
import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys

SHARED_NAMES_MAX = 2.0  # percent of the functions
FILES_MAX = 40          # in a folder
CYCLE_MAX = 2           # modules that include each other
# Who knows the words of the user: their parser, the commands (whose table is command.h), and main().
KNOW_OPTIONS = re.compile(r"src/cli/(command/cmd_\w+\.[ch]|option/((foreign|recorder|stored)/)?\w+\.[ch]|command\.h|main\.c)$")

# What may say Python in code: its folder, and
MAY_SAY_PYTHON = (
    "src/interpreter/python/",
    "src/interpreter/interpreters.c",  # its row
    "src/interpreter/kernel_walks",    # its row in the kernel's program
    "src/source/memory/preload/",      # works in the interpreter's process: its allocator's hooks
    "src/cli/",                        # options and commands of that name
    "src/library/",                    # likewise: the interface and what it hands on
)


def module_of(path):
    """The twins of the systems and of builds without BPF, and the header, are one module."""
    return re.sub(r"(_linux|_win|_none)?\.(bpf\.)?[ch]$", "", str(path))


def sources(root):
    return sorted(path for folder in ("src", "driver") for path in (root / folder).rglob("*")
                  if path.suffix in (".c", ".h"))


class Function:
    def __init__(self, root, tag):
        self.name = tag["name"]
        self.path = pathlib.Path(tag["path"]).relative_to(root)
        self.line = tag["line"]
        self.lines = tag.get("end", tag["line"]) - tag["line"] + 1
        self.is_static = tag.get("file", False)
        self.parameters = tag.get("signature", "").count(",") + 1


def functions(root, paths):
    out = subprocess.run(["ctags", "--output-format=json", "--kinds-C=f", "--fields=+neFS", "--languages=C",
                          "--langmap=C:.c", "-f", "-", *map(str, paths)], capture_output=True, text=True, check=True)
    tags = [json.loads(line) for line in out.stdout.splitlines()]
    return [Function(root, tag) for tag in tags if tag["name"] != "DriverEntry"]


def shared(found):
    """Functions whose name another module has as well."""
    modules = collections.defaultdict(set)
    for function in found:
        modules[function.name].add(module_of(function.path))
    return [function for function in found if len(modules[function.name]) > 1]


def without_comments(text):
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.S)


def comment_lines(text):
    """Lines that are comments, or end in one; without those of the licence."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    found = re.findall(r"/\*.*?\*/|//[^\n]*", text, re.S)
    return sum(comment.count("\n") + 1 for comment in found if "SPDX" not in comment)


def called_once(root, found):
    """Static functions that their file names once beside the definition."""
    texts = {}
    once = []
    for function in found:
        if not function.is_static:
            continue
        if function.path not in texts:
            texts[function.path] = collections.Counter(
                re.findall(r"\b[A-Za-z_]\w*\b", without_comments((root / function.path).read_text(encoding="utf-8"))))
        if texts[function.path][function.name] == 2:
            once.append(function)
    return once


def include_graph(root, paths, other_system):
    """Of one system: without the files of the other one."""
    paths = [path for path in paths if not re.search(rf"_{other_system}\.[ch]$", path.name)]
    graph = collections.defaultdict(set)
    modules = {module_of(path.relative_to(root)) for path in paths}
    for path in paths:
        module = module_of(path.relative_to(root))
        for include in re.findall(r'^#\s*include "([^"]+)"', path.read_text(encoding="utf-8"), re.M):
            for target in (module_of("src/" + include), module_of(include)):
                if target in modules and target != module:
                    graph[module].add(target)
    return graph


def cycles(root, paths):
    found = {tuple(ring) for system in ("linux", "win") for ring in rings_of(include_graph(root, paths, system))}
    return sorted(found, key=lambda ring: (-len(ring), ring))


def rings_of(graph):
    """Sets of modules that reach each other: Tarjan's algorithm, with a stack of its own."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for start in sorted(graph):
        if start in index:
            continue
        work = [(start, iter(sorted(graph[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(graph[target]))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    members = []
                    while not members or members[-1] != node:
                        members.append(stack.pop())
                        on_stack.discard(members[-1])
                    if len(members) > 1:
                        found.append(sorted(members))
    return found


def files_per_folder(root, paths):
    return collections.Counter(str(path.parent.relative_to(root)) for path in paths)


def files_with_python(root, paths):
    return [str(path.relative_to(root)) for path in paths
            if re.search(r"python", without_comments(path.read_text(encoding="utf-8")), re.I)]


def know_options(root, paths):
    """Files that say struct options, by their path in the tree."""
    return [path.relative_to(root).as_posix() for path in paths if
            re.search(r"\bstruct options\b", without_comments(path.read_text(encoding="utf-8")))]


def table(root):
    paths = sources(root)
    found = functions(root, [path for path in paths if path.suffix == ".c"])
    texts = [path.read_text(encoding="utf-8") for path in paths if path.suffix == ".c"]
    lines = sum(text.count("\n") for text in texts)
    rings = cycles(root, paths)
    once = called_once(root, found)
    options = know_options(root, paths)
    outside = [path for path in options if not KNOW_OPTIONS.match(path)]
    in_cli = sum(path.read_text(encoding="utf-8").count("\n") for path in paths
                 if path.suffix == ".c" and "cli" in path.parts)
    crowded = [f"{folder.removeprefix('src/')} {num}" for folder, num in files_per_folder(root, paths).most_common(5)]
    rows = [
        ("functions", f"{len(found)}"),
        ("that share their name with one in another module",
         f"{100 * len(shared(found)) / len(found):.1f} % ({len(shared(found))})"),
        ("names of one word", f"{sum('_' not in function.name for function in found)}"),
        ("functions per 1,000 lines of .c", f"{1000 * len(found) / lines:.1f}"),
        ("their median length", f"{statistics.median(function.lines for function in found):.0f} lines"),
        ("static functions that are called once", f"{100 * len(once) / sum(function.is_static for function in found):.1f} %"),
        ("of these, with four or more parameters", f"{sum(function.parameters >= 4 for function in once)}"),
        ("comments in .c", f"{100 * sum(map(comment_lines, texts)) / lines:.1f} % of the lines"),
        ("fullest folders", ", ".join(crowded)),
        ("files that know struct options, and those that should not", f"{len(options)}, {len(outside)}"),
        ("lines of .c in cli/", f"{in_cli}"),
        ("rooms with the word Python", ", ".join(sorted({path.split("/")[1] for path in files_with_python(root, paths)}))),
        ("include cycles, modules in them, largest",
         f"{len(rings)}, {sum(map(len, rings))}, {len(rings[0]) if rings else 0}"),
    ]
    for what, figure in rows:
        print(f"| {what} | {figure} |")


def check(root):
    paths = sources(root)
    found = functions(root, [path for path in paths if path.suffix == ".c"])
    same = shared(found)
    faults = []
    if 100 * len(same) > SHARED_NAMES_MAX * len(found):
        faults.append(f"{len(same)} of {len(found)} functions share their name with one in another module: "
                      f"at most {SHARED_NAMES_MAX:.0f} % (measure_house.py --names lists them)")
    faults += [f"{folder}/: {num} files, at most {FILES_MAX}: what is a folder in it?"
               for folder, num in sorted(files_per_folder(root, paths).items())
               if num > FILES_MAX]
    faults += [f"{path} knows struct options: give it a plain request, which cli/option/option_requests.c fills"
               for path in know_options(root, paths) if not KNOW_OPTIONS.match(path)]
    faults += ["these include each other: " + ", ".join(ring)
               for ring in cycles(root, paths) if len(ring) > CYCLE_MAX]
    faults += [f"{path} says Python: what differs between interpreters comes through "
               "interpreter/interpreter_ops.h and profile/interpreted/language.h"
               for path in files_with_python(root, paths) if not path.startswith(MAY_SAY_PYTHON)]
    print("\n".join(faults))
    return bool(faults)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    option = sys.argv[2] if len(sys.argv) > 2 else None
    if option == "--table":
        table(root)
    elif option == "--names":
        for function in sorted(shared(functions(root, [path for path in sources(root) if path.suffix == ".c"])),
                               key=lambda one: (one.name, one.path)):
            print(f"{function.name}: {function.path}:{function.line}")
    elif option == "--once":
        once = called_once(root, functions(root, [path for path in sources(root) if path.suffix == ".c"]))
        for function in sorted(once, key=lambda one: (-one.parameters, one.path, one.line)):
            print(f"{function.parameters} parameters, {function.lines} lines: "
                  f"{function.name}: {function.path}:{function.line}")
    elif option == "--cycles":
        for ring in cycles(root, sources(root)):
            print(len(ring), " ".join(ring))
    else:
        return check(root)
    return 0


if __name__ == "__main__":
    sys.exit(main())

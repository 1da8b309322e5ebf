# SPDX-License-Identifier: Apache-2.0
"""At which IRQL does the Windows driver call what? `check_irql.py TABLE DRIVER.sys SOURCE... --
COMPILER OPTION...`

The sources are compiled to LLVM IR without optimization, which names each call in the order of the
source. From each root of the table the level is carried along all calls, and changed by those that
raise or lower it; a call of an import above its highest level is a fault, with the way to it. What
the table does not know, an import, a call through a pointer or a function whose address is taken,
is a fault as well, and so is what it knows too much.
"""
import collections
import concurrent.futures
import fnmatch
import pathlib
import re
import subprocess
import sys

NAME = r"@([\w.$]+|\"[^\"]+\")"
DEFINE = re.compile(rf"^define .*?{NAME}\(")
CALL = re.compile(rf"\bcall\b[^@%\"]*?(?:\([^()]*\) )?(?:{NAME}|(%[\w.]+))\(")
ASSEMBLY = re.compile(r"\bcall\b.*\basm\b")
INTRINSICS = {"llvm.memcpy": "memcpy", "llvm.memmove": "memmove", "llvm.memset": "memset"}
HIGHEST = 15


class Table:
    def __init__(self, path):
        self.imports, self.raises, self.lowers, self.roots = {}, {}, set(), {}
        self.targets, self.unused = collections.defaultdict(list), set()
        for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
            kind, *words = line.split("#")[0].split() or [""]
            if kind == "import":
                self.imports[words[0]] = HIGHEST if words[1] == "any" else int(words[1])
            elif kind == "raises":
                self.raises[words[0]] = int(words[1])
            elif kind == "lowers":
                self.lowers.add(words[0])
            elif kind == "root":
                self.roots[words[0]] = (int(words[1]), int(words[2]) if words[2:] else None)
            elif kind == "pointer":
                self.targets[words[0]] += words[1:]
            elif kind:
                sys.exit(f"{path}:{number}: {kind}: no such kind of line")


class Program:
    """Functions by name: the names that each calls, in order; "*" for a pointer."""

    def __init__(self):
        self.calls, self.taken, self.declared, self.faults = {}, set(), set(), []

    def add(self, module):
        name, body = None, []
        for line in module.splitlines():
            start = DEFINE.match(line)
            if start:
                name, body = start.group(1), []
                continue
            if name and line.startswith("}"):
                if self.calls.setdefault(name, body) != body:
                    self.faults.append(f"two functions are called {name}")
                name = None
                continue
            if line.startswith("declare"):
                self.declared.update(re.findall(NAME, line)[:1])
                continue
            self.read_line(line, body if name else [])

    def read_line(self, line, body):
        if line.startswith("!"):
            return
        rest = line
        call = None if ASSEMBLY.search(line) else CALL.search(line)
        if call:
            body.append(clean(call.group(1)) if call.group(1) else "*")
            rest = line[call.end():]
        # A function that is an operand, or in a table: somebody may call it.
        if " = external " not in line:
            self.taken.update(clean(name) for name in re.findall(NAME, rest.split(", !dbg")[0]))


def clean(name):
    for prefix, plain in INTRINSICS.items():
        if name.startswith(prefix):
            return plain
    return name.strip('"')


class Walk:
    def __init__(self, table, program, paged):
        self.table, self.program, self.paged = table, program, paged
        self.seen, self.faults, self.used = set(), set(), set()

    def from_root(self, name, level, base):
        self.visit(name, level, level if base is None else base, [name])

    def visit(self, name, level, base, path):
        if (name, level, base) in self.seen:
            return
        self.seen.add((name, level, base))
        if name in self.paged and level > 1:
            self.faults.add(f"{' > '.join(path)}: PAGED_CODE() at IRQL {level}")
        for callee in self.program.calls[name]:
            for target in self.targets_of(name) if callee == "*" else [callee]:
                self.call(target, level, base, path)
            if callee in self.table.raises:
                level = max(level, self.table.raises[callee])
            elif callee in self.table.lowers:
                level = base

    def targets_of(self, name):
        patterns = self.table.targets.get(name, [])
        if not patterns:
            self.faults.add(f"{name}: it calls through a pointer, and no line says whom")
        self.used.add(name)
        return sorted({known for pattern in patterns
                       for known in fnmatch.filter(self.program.calls.keys()
                                                   | self.table.imports.keys(), pattern)})

    def call(self, target, level, base, path):
        if target in self.program.calls:
            self.visit(target, level, base, path + [target])
        elif target in self.table.imports:
            self.used.add(target)
            if level > self.table.imports[target]:
                self.faults.add(f"{' > '.join(path)}: {target} at IRQL {level}, allowed up to "
                                f"{self.table.imports[target]}")
        elif not target.startswith("llvm."):
            self.faults.add(f"{path[-1]}: {target}: no line says at which IRQL it may be called")


def paged_functions(sources):
    """Those that say so, in their first line."""
    names = set()
    for source in sources:
        text = pathlib.Path(source).read_text()
        names.update(re.findall(r"(\w+)\([^;{}]*\)\n\{\n\tPAGED_CODE\(\);", text))
    return names


def compile_all(sources, compiler):
    command = [word for word in compiler if not word.startswith(("-O", "-g"))]
    command += ["-O0", "-S", "-emit-llvm", "-o", "-"]

    def compile_one(source):
        return subprocess.run(command + [source], check=True, capture_output=True,
                              text=True).stdout

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(compile_one, sources))


def imports_of(driver):
    text = subprocess.run(["llvm-readobj-19", "--coff-imports", driver], check=True,
                          capture_output=True, text=True).stdout
    return set(re.findall(r"Symbol: (\w+)", text)) - {"HalDispatchTable"}


def compare_with_driver(table, walk, driver):
    faults = [f"{name}: the driver imports it, and the table does not have it"
              for name in sorted(imports_of(driver) - table.imports.keys())]
    faults += [f"{name}: the table has it, and nothing calls it"
               for name in sorted(table.imports.keys() - imports_of(driver) - walk.used)]
    faults += [f"pointer {name}: the table has it, and it calls through none"
               for name in sorted(table.targets.keys() - walk.used)]
    return faults


def unreached(table, program):
    """Whose address is taken, and nobody is said to call."""
    known = set(table.roots)
    for patterns in table.targets.values():
        for pattern in patterns:
            known.update(fnmatch.filter(program.calls, pattern))
    return [f"{name}: its address is taken, and no line says who calls it"
            for name in sorted(program.taken & program.calls.keys() - known)]


def check(table, program, paged, driver):
    walk = Walk(table, program, paged)
    faults = list(program.faults)
    for name, (level, base) in table.roots.items():
        if name in program.calls:
            walk.from_root(name, level, base)
        else:
            faults.append(f"root {name}: there is no such function")
    faults += sorted(walk.faults) + unreached(table, program)
    return faults + compare_with_driver(table, walk, driver), walk


def main():
    table_path, driver, *rest = sys.argv[1:]
    split = rest.index("--")
    sources, compiler = rest[:split], rest[split + 1:]
    program = Program()
    for module in compile_all(sources, compiler):
        program.add(module)
    faults, walk = check(Table(table_path), program, paged_functions(sources), driver)
    for fault in faults:
        print(fault)
    print(f"{len({name for name, *_ in walk.seen})} functions of {len(sources)} files, "
          f"{len(walk.seen)} with their levels, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

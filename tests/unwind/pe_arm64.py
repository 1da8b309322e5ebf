# SPDX-License-Identifier: Apache-2.0
"""The rows of Arm64 Windows images, at every instruction, beside what llvm-readobj says of their
unwind data, and beside what their instructions do. Images are built here, and made by Microsoft's
compiler in the folder.

pe_arm64.py DUMP_PE_ROWS FOLDER
"""
import bisect
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import a64_steps

SKIPPED = 77
HERE = pathlib.Path(__file__).parent
TOOLS = {name: shutil.which(f"{name}-19")
         for name in ("clang", "lld-link", "llvm-readobj", "llvm-objdump")}
FLAGS = ["--target=aarch64-pc-windows-msvc", "-ffreestanding", "-fms-extensions", "-w",
         "-fasynchronous-unwind-tables"]
VARIANTS = [["-O0"], ["-O1"], ["-O2"], ["-Os", "-fno-omit-frame-pointer"],
            ["-O2", "-mbranch-protection=pac-ret"], ["-O0", "-mbranch-protection=pac-ret+leaf"]]
LINK_STUBS = ".globl __chkstk\n.def __chkstk; .scl 2; .type 32; .endef\n__chkstk: ret\n"
INSTRUCTION = 4
# The frames of these are of others: what is interrupted is not called.
INTERRUPTING = re.compile("context|machine frame|trap frame|EC context")


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False,
                          timeout=120)
    if done.returncode:
        raise SystemExit(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout


def build(folder, number, options):
    """An image with all functions, as one compiler makes them."""
    (folder / "stubs.s").write_text(LINK_STUBS)
    for source, name in ((HERE / "pe_arm64.c", "c"), (HERE / "pe_arm64.S", "s"),
                         (folder / "stubs.s", "stubs")):
        run(TOOLS["clang"], *FLAGS, *options, "-c", source, "-o", folder / f"{name}.obj")
    image = folder / f"image{number}.dll"
    run(TOOLS["lld-link"], "/nologo", "/dll", "/machine:arm64", "/entry:entry", "/nodefaultlib",
        f"/out:{image}", *(folder / f"{name}.obj" for name in ("c", "s", "stubs")))
    return image


class Function:
    """What llvm-readobj says of one entry of the table."""

    def __init__(self, text, base):
        self.text = text
        self.start = int(re.search(r"Function: .*?(0x[0-9A-F]+)\)?\n", text)[1], 16) - base
        self.length = int(re.search(r"FunctionLength: (\d+)", text)[1])
        self.is_packed = "CR: " in text
        self.is_fragment = "Fragment: Yes" in text
        self.is_interrupting = bool(INTERRUPTING.search(text))
        self.beginning = self.codes("Prologue")
        self.is_part = self.is_fragment or "end_c" in text
        self.ends = list(self.find_ends())

    def codes(self, title, text=None):
        found = re.search(title + r" \[\n(.*?)\n *\]", text or self.text, re.S)
        lines = found[1].splitlines() if found else []
        return [line.split(";")[-1].strip() for line in lines]

    def packed_end(self):
        """Arguments are not loaded again, but their room is given back."""
        def is_argument(text):
            return re.match(r"stp x[0246], ", text)
        return ["sub sp, " + text[text.index("#"):].strip("]!").replace("-", "")
                if is_argument(text) and "!" in text else text
                for text in self.beginning if not is_argument(text) or "!" in text]

    def find_ends(self):
        """(first instruction, codes) of each."""
        own = self.codes("Epilogue")
        if self.is_packed and not self.is_fragment:
            own = self.packed_end()
        shared = re.search(r"EpiloguePacked: Yes\n *EpilogueOffset: 0\n", self.text)
        if shared:
            own = self.beginning
        if own:
            yield self.length - INSTRUCTION * len(own), own
        for scope in re.findall(r"EpilogueScope \{.*?\n +\}", self.text, re.S):
            place = int(re.search(r"StartOffset: (\d+)", scope)[1]) * INSTRUCTION
            codes = self.codes("Opcodes", scope)
            index = int(re.search(r"EpilogueStartIndex: (\d+)", scope)[1])
            yield place, codes if codes or index else self.beginning

    def state_after(self, codes):
        """What is true where the codes are what is left to take back."""
        state, last = a64_steps.State(), None
        for text in reversed(codes):
            if text in ("end", "end_c", "nop", "clear unwound to call"):
                continue
            text = re.sub(r"^(restore|save) next", "next", text).replace("lr", "x30")
            if text == "next":
                last = next_pair(last)
                text = last
            if text.startswith(("stp", "str", "ldp", "ldr")):
                last = text
            name, operands = a64_steps.split(as_beginning(text))
            if name in ("sub", "add") and len(operands) == 2:
                operands = [operands[0], operands[0], operands[1]]
            a64_steps.step(state, name, operands)
        return state

    def expected(self):
        """By the instruction: the state that the codes tell."""
        body = self.state_after(self.beginning)
        found = {place: body for place in range(0, self.length, INSTRUCTION)}
        own = self.beginning
        if "end_c" in own:
            own = own[:own.index("end_c") + 1]
        num = len(own) - 1
        if not self.is_fragment:
            for done in range(num + 1):
                found[done * INSTRUCTION] = self.state_after(self.beginning[num - done:])
        for place, codes in self.ends:
            for done in range(len(codes)):
                found[place + done * INSTRUCTION] = self.state_after(codes[done:])
        return {place: state for place, state in found.items() if 0 <= place < self.length}


def as_beginning(text):
    """Ends are told by the instructions that take back; what had been done is the reverse."""
    text = re.sub(r"^ld", "st", text)
    text = re.sub(r"\[sp\], #(\d+)", r"[sp, #-\1]!", text)
    text = re.sub(r"^add (sp, #)", r"sub \1", text)
    text = re.sub(r"^mov sp, (fp|x29)", r"mov x29, sp", text)
    text = re.sub(r"^sub sp, (?:fp|x29), ", r"add x29, sp, ", text)
    return text.replace("autibsp", "pacibsp")


def next_pair(text):
    registers, offset = re.match(r"(stp|ldp) (x\d+), x\d+, \[sp(?:, #(\d+))?", text), 0
    if not registers:
        registers = re.match(r"(stp|ldp) (x\d+), x\d+, \[sp\]", text)
    else:
        offset = int(registers[3] or 0)
    first = int(registers[2][1:]) + 2
    return f"{registers[1]} x{first}, x{first + 1}, [sp, #{offset + 16}]"


def functions_of(image):
    header = run(TOOLS["llvm-readobj"], "--file-headers", image)
    base = int(re.search(r"ImageBase: (0x[0-9A-F]+)", header)[1], 16)
    text = run(TOOLS["llvm-readobj"], "--unwind", image)
    parts = re.split(r"\n  RuntimeFunction \{\n", text)[1:]
    return [Function(part, base) for part in parts], base


def rows_of(dump, image):
    lines = run(dump, image).splitlines()
    rows = [(int(line.split()[0], 16), *map(int, line.split()[1:])) for line in lines[1:]]
    return int(lines[0]), rows


class Rows:
    def __init__(self, rows):
        self.rows = rows
        self.addresses = [row[0] for row in rows]

    def at(self, address):
        return self.rows[bisect.bisect_right(self.addresses, address) - 1]


class Report:
    """Counts, and the first few differences."""

    def __init__(self, title):
        self.title, self.num, self.bad = title, 0, 0

    def add(self, where, problem):
        self.num += 1
        if problem is None:
            return
        self.bad += 1
        if self.bad <= 10:
            print(f"{self.title}: {where}: {problem}")


def compare_codes(functions, rows, report):
    for function in functions:
        if function.is_interrupting:
            continue
        for place, state in function.expected().items():
            address = function.start + place
            row = rows.at(address)
            problem = a64_steps.mismatch(row, state)
            report.add(hex(address), problem and f"{problem}, row {row}")


def instructions_of(image, base):
    found = {}
    text = run(TOOLS["llvm-objdump"], "-d", "--no-show-raw-insn", image)
    for line in text.splitlines():
        match = re.match(r"\s*([0-9a-f]+):\s+(\S.*)", line)
        if match:
            found[int(match[1], 16) - base] = match[2]
    return found


def successors(address, name, operands, base):
    """Where it goes on within the function, if its target is one."""
    if name in ("ret", "br", "udf", "brk") or name.startswith(("ret", "bra")):
        return []
    target = next((int(word, 16) - base for word in reversed(operands)
                   if re.fullmatch("0x[0-9a-f]+", word)), None)
    if name == "b":
        return [target]
    is_branch = name.startswith(("b.", "cb", "tb"))
    return [address + INSTRUCTION] + ([target] if is_branch else [])


def stack_movers(image):
    """Functions of Microsoft's runtime that leave something on the stack, or take it away."""
    table = image.with_suffix(".procs.tsv")
    if not table.exists():
        return {}
    bytes_of = {"__security_push_cookie": -16, "__security_pop_cookie": 16}
    rows = [line.split("\t") for line in table.read_text().splitlines()]
    return {int(row[0], 16): bytes_of[row[2]] for row in rows if row[-1] in bytes_of}


def simulate(functions, instructions, base, movers):
    """The state at each instruction that can be reached, by what instructions do."""
    starts = {function.start for function in functions if not function.is_part
              and not function.is_interrupting}
    parts = {function.start for function in functions} - starts
    states = {}
    waiting = [(start, a64_steps.State()) for start in sorted(starts)]
    while waiting:
        address, state = waiting.pop()
        old = states.get(address)
        if old:
            state = old.joined(state)
            if state.key() == old.key():
                continue
        states[address] = state
        name, operands = a64_steps.split(instructions[address])
        after = state.copy()
        called = next((int(word, 16) - base for word in operands if word.startswith("0x")), None)
        a64_steps.step(after, name, operands, movers.get(called, 0))
        for target in successors(address, name, operands, base):
            # Behind a call that does not return other functions begin.
            goes_on = target in instructions and target not in starts
            if goes_on and (target not in parts or name.startswith(("b", "cb"))):
                waiting.append((target, after))
    return states


def compare_steps(functions, rows, image, base, report):
    instructions = instructions_of(image, base)
    movers = stack_movers(image)
    states = simulate(functions, instructions, base, movers)
    in_functions = [function for function in functions
                    if not function.is_interrupting and function.start not in movers]
    for function in in_functions:
        for address in range(function.start, function.start + function.length, INSTRUCTION):
            if address in states:
                row = rows.at(address)
                problem = a64_steps.mismatch(row, states[address])
                report.add(f"{address + base:x} {instructions[address]}",
                           problem and f"{problem}, row {row}")
    return len(states)


def compare(dump, image, max_unknown):
    functions, base = functions_of(image)
    num_bad, listed = rows_of(dump, image)
    rows = Rows(listed)
    codes, steps = Report(f"{image.name} codes"), Report(f"{image.name} steps")
    compare_codes(functions, rows, codes)
    compare_steps(functions, rows, image, base, steps)
    print(f"{image.name}: {len(functions)} functions, {codes.num} instructions beside llvm-readobj, "
          f"{codes.bad} differ; {steps.num} gone through, {steps.bad} differ; {num_bad} damaged")
    return codes.num > 10 and steps.num > 10 and not codes.bad and steps.bad <= max_unknown


def main():
    if not all(TOOLS.values()):
        print("skipped: clang-19, lld-19 or llvm-19 is not there")
        return SKIPPED
    dump, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    good = True
    with tempfile.TemporaryDirectory() as made:
        for number, options in enumerate(VARIANTS):
            image = build(pathlib.Path(made), number, options)
            good = compare(dump, image, 0) and good
    for image in sorted([*folder.glob("*.exe"), *folder.glob("*.dll")]):
        good = compare(dump, image, 0) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

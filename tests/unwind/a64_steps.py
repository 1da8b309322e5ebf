# SPDX-License-Identifier: Apache-2.0
"""What instructions of A64 do to what a walk of the stack follows: an interpreter of its own, which
knows nothing of unwind data. Values are symbols: ("cfa", N) is N bytes above where the stack pointer
was at the call, "fp" and "lr" are the caller's, "signed" is the return address with its signature,
an int is a constant, None is not known."""
import re

SLOT = 8
# Rows, as row_text.h prints them.
UNKNOWN, BY_SP, BY_FP = 1, 2, 3
SAME, FROM_CFA = 0, 1
ALIASES = {"fp": "x29", "lr": "x30"}


class State:
    """The registers, and what was stored on the stack by its distance from the CFA."""

    def __init__(self, registers=None, slots=None):
        self.registers = registers or {"sp": ("cfa", 0), "x29": "fp", "x30": "lr"}
        self.slots = slots or {}

    def copy(self):
        return State(dict(self.registers), dict(self.slots))

    def key(self):
        return ({name: value for name, value in self.registers.items() if value is not None},
                {place: value for place, value in self.slots.items() if value is not None})

    def joined(self, other):
        """What is the same on two ways to a place."""
        def same(one, two):
            return {key: value for key, value in one.items() if two.get(key) == value}
        return State(same(self.registers, other.registers), same(self.slots, other.slots))

    def get(self, register):
        return self.registers.get(register)

    def place(self, register, offset):
        """The distance of an address from the CFA, or None."""
        base = self.get(register)
        return base[1] + offset if isinstance(base, tuple) else None

    def drop_dead_slots(self):
        stack = self.get("sp")
        if isinstance(stack, tuple):
            self.slots = {place: value for place, value in self.slots.items() if place >= stack[1]}


def added(value, number):
    if number is None or value is None or isinstance(value, str):
        return None
    return ("cfa", value[1] + number) if isinstance(value, tuple) else value + number


def number_of(state, words):
    """An immediate or a register, and how far it is shifted."""
    value = int(words[0][1:], 0) if words[0].startswith("#") else state.get(words[0])
    shift = re.fullmatch(r"(?:lsl|uxtx) #(\w+)", words[1]) if len(words) > 1 else None
    if not isinstance(value, int):
        return None
    return value << int(shift[1], 0) if shift else value


def wide(name):
    return "x" + name[1:] if re.fullmatch(r"w\d+", name) else name


def move_memory(state, name, operands):
    """ldr, str, ldp, stp and their kin."""
    text = ", ".join(operands)
    memory = re.search(r"\[(\w+)(?:, #(-?\w+))?\](!)?(?:, #(-?\w+))?", text)
    registers = [wide(word.strip()) for word in text[:text.index("[")].split(",") if word.strip()]
    if not memory:
        base, offset, before, after = None, 0, None, None
    else:
        base, offset, before, after = memory.groups()
        offset = int(offset or "0", 0)
    if before:
        state.registers[base] = added(state.get(base), offset)
        offset = 0
    size = 16 if registers[0][0] == "q" else 4 if operands[0][0] in "ws" else SLOT
    for i, register in enumerate(registers):
        place = state.place(base, offset + i * size) if base else None
        if name.startswith("st"):
            if place is not None and place % SLOT == 0:
                state.slots[place] = state.get(register) if register[0] == "x" else None
        elif register[0] == "x":
            state.registers[register] = state.slots.get(place)
    if after:
        state.registers[base] = added(state.get(base), int(after, 0))


def step(state, name, operands, moved_by_call=0):
    """Changes the state as the instruction does. A few functions that are called move the stack."""
    operands = [ALIASES.get(word, word) for word in operands]
    if name in ("pacibsp", "paciasp"):
        state.registers["x30"] = "signed" if state.get("x30") == "lr" else None
    elif name in ("autibsp", "autiasp"):
        state.registers["x30"] = "lr" if state.get("x30") == "signed" else None
    elif name in ("bl", "blr"):
        state.registers["sp"] = added(state.get("sp"), moved_by_call)
        state.registers = {register: value for register, value in state.registers.items()
                           if register in ("sp", "x15") or int(register[1:]) in range(19, 30)}
    elif name in ("sub", "add"):
        number = number_of(state, operands[2:])
        sign = -1 if name == "sub" else 1
        state.registers[wide(operands[0])] = \
            None if number is None else added(state.get(wide(operands[1])), sign * number)
    elif name == "mov":
        value = number_of(state, operands[1:]) if operands[1].startswith("#") \
            else state.get(wide(operands[1]))
        state.registers[wide(operands[0])] = value
    elif name == "movk":
        old, shift = state.get(wide(operands[0])), number_of(state, ["#1", *operands[2:]])
        state.registers[wide(operands[0])] = \
            old & ~(0xffff * shift) | int(operands[1][1:], 0) * shift \
            if isinstance(old, int) else None
    elif name.startswith(("ldr", "ldp", "ldur", "str", "stp", "stur")) and "[" in "".join(operands):
        move_memory(state, name, operands)
    elif operands and not name.startswith(("b", "cb", "tb", "cmp", "cmn", "tst", "ccmp", "st", "nop",
                                           "prfm", "hint", "fcmp")):
        state.registers[wide(operands[0])] = None
    state.drop_dead_slots()


def split(text):
    """("stp", ["x29", "x30", "[sp, #-16]!"]), whole brackets being one operand."""
    name, _, rest = text.strip().partition(" ")
    name, _, more = name.partition("\t")
    rest = (more + " " + rest).strip() if more else rest.strip()
    operands = [word.strip() for word in re.split(r",(?![^\[]*\])", rest)] if rest else []
    return name, [re.sub(r"\s*(//|<).*", "", word).strip() for word in operands]


def mismatch(row, state):
    """How a row of the table differs from what is known; None: not at all."""
    _, cfa, cfa_offset, _, ra, ra_offset, fp, fp_offset, _, is_signed = row
    if cfa == UNKNOWN:
        return "unknown"
    if cfa not in (BY_SP, BY_FP):
        return f"another form of CFA, {cfa}"
    place = state.place("sp" if cfa == BY_SP else "x29", cfa_offset)
    if place != 0:
        return f"CFA is at {place}"
    link = state.get("x30") if ra == SAME else state.slots.get(ra_offset) if ra == FROM_CFA else "?"
    if link != ("signed" if is_signed else "lr"):
        return f"return address is {link}"
    frame = state.get("x29") if fp == SAME else state.slots.get(fp_offset) if fp == FROM_CFA else "?"
    return None if frame == "fp" else f"frame pointer is {frame}"

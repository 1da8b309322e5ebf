# SPDX-License-Identifier: Apache-2.0
"""symbols: functions, lines and inlined calls of a program that is compiled here, as text and JSON."""
import json
import os
import re
import subprocess
import sys
import tempfile

import jsonschema

SOURCE = """int sink;
static inline __attribute__((always_inline)) void inner(int x)
{
	sink += x / 7;
}
__attribute__((noinline)) void outer(int x)
{
	inner(x);
}
int main(int argc, char **argv)
{
	outer(argc);
}
"""
NAME = {"name": {"type": "string"}, "readable": {"type": "string"}}
NUMBER = {"type": "integer", "minimum": 0}
ADDRESS = {"type": "string", "pattern": "^0x[0-9a-f]+$"}


def objects(required, **properties):
    return {"type": "array", "items": {"type": "object", "required": required,
                                       "additionalProperties": False, "properties": properties}}


def document(key, items):
    return {"type": "object", "required": [key, "origin"], "additionalProperties": False,
            "properties": {key: items, "origin": {"type": "string"}}}


FUNCTIONS = document("functions", objects(
    ["address", "size", "name"], address=ADDRESS, size={"type": "integer", "minimum": 1}, **NAME,
    file={"type": "string"}, line=NUMBER))
LINES = objects(["line", "column"], **NAME, file={"type": "string"}, line=NUMBER, column=NUMBER)
ADDRESSES = document("addresses", objects(["address"], address=ADDRESS, **NAME, offset=NUMBER,
                                          lines=LINES))


def run(wperf, *words):
    return subprocess.run([wperf, "symbols", *words], check=True, capture_output=True,
                          text=True).stdout


def check_functions(wperf, program):
    listed = json.loads(run(wperf, program, "--json"))
    jsonschema.validate(listed, FUNCTIONS)
    by_name = {function["name"]: function for function in listed["functions"]}
    for line in subprocess.run(["nm", "-S", program], check=True, capture_output=True,
                               text=True).stdout.splitlines():
        parts = line.split()
        if len(parts) == 4 and parts[2] in "tT" and parts[3] in by_name:
            assert int(by_name[parts[3]]["address"], 16) == int(parts[0], 16), line
            assert by_name[parts[3]]["size"] == int(parts[1], 16), line
    assert {"main", "outer"} <= by_name.keys() and "inner" not in by_name
    text = run(wperf, program)
    for name in ("main", "outer"):
        function = by_name[name]
        assert re.search(rf"^ *{function['address']} +{function['size']}  {name}$", text, re.M)

    assert text.splitlines()[-1] == "from: symtab"
    only = json.loads(run(wperf, program, "--json", "-s", "^oute"))
    assert [function["name"] for function in only["functions"]] == ["outer"]
    with_lines = json.loads(run(wperf, program, "--json", "--lines"))
    jsonschema.validate(with_lines, FUNCTIONS)
    outer = next(f for f in with_lines["functions"] if f["name"] == "outer")
    assert outer["line"] == 6 and outer["file"].endswith("/a.c"), outer
    return int(outer["address"], 16), outer["size"]


def check_addresses(wperf, program, start, size):
    addresses = [hex(address) for address in range(start, start + size)]
    listed = json.loads(run(wperf, program, *addresses, "--lines", "--json"))
    jsonschema.validate(listed, ADDRESSES)
    inlined = [item for item in listed["addresses"] if len(item["lines"]) == 2]
    assert inlined
    assert [line["name"] for line in inlined[0]["lines"]] == ["inner", "outer"]
    assert inlined[0]["lines"][1]["line"] == 8
    assert inlined[0]["offset"] == int(inlined[0]["address"], 16) - start
    text = run(wperf, program, inlined[0]["address"], "--lines").splitlines()
    assert re.search(r"inner \(inlined\)  /.*/a\.c:[234]:", text[0]), text
    assert re.search(r"outer\+0x[0-9a-f]+  /.*/a\.c:8:", text[1]), text
    assert run(wperf, program, "0").split() == ["0x0", "?"]
    # Without a word for it, the address may be written without 0x as well.
    assert run(wperf, program, f"{start:x}").split() == [hex(start), "outer+0x0"]


def check_hostile_name(wperf, folder):
    """What a file calls a function must not steer the terminal."""
    source = os.path.join(folder, "b.s")
    with open(source, "w", encoding="utf-8") as file:
        file.write('.text\n.globl "x\033[31my"\n.type "x\033[31my", @function\n"x\033[31my": ret\n')
    program = os.path.join(folder, "b.so")
    subprocess.run(["gcc", "-shared", "-nostdlib", source, "-o", program], check=True)
    assert "x\\x1b[31my" in run(wperf, program)


def check_stripped(wperf, program, folder):
    """Functions keep their place and length, and are named by where they begin."""
    bare = os.path.join(folder, "bare")
    subprocess.run(["strip", "-s", program, "-o", bare], check=True)
    before = {function["name"]: function
              for function in json.loads(run(wperf, program, "--json"))["functions"]}
    listed = json.loads(run(wperf, bare, "--json"))
    jsonschema.validate(listed, FUNCTIONS)
    assert listed["origin"] == "none", listed
    addresses = [int(function["address"], 16) for function in listed["functions"]]
    assert addresses == sorted(set(addresses)), listed
    found = {function["address"]: function for function in listed["functions"]}
    for name in ("main", "outer"):
        function = found[before[name]["address"]]
        assert function["size"] == before[name]["size"], (function, before[name])
        assert function["name"] == f"[bare+{function['address']}]", function
    # Each once: stubs of the linker have names of their own.
    assert sum(function["name"].startswith("[") for function in listed["functions"]) < len(before)
    name = f"[bare+{before['outer']['address']}]"
    inside = hex(int(before["outer"]["address"], 16) + 2)
    assert run(wperf, bare, inside).split() == [inside, name + "+0x2"]
    assert run(wperf, bare, "-s", name).splitlines()[1].split()[-1] == name
    # In a file with all its symbols only the linker's entry to lazy binding may have none.
    assert sum(name.startswith("[") for name in before) <= 1, before


def main():
    wperf = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.c"), "w", encoding="utf-8") as file:
            file.write(SOURCE)
        program = os.path.join(folder, "a")
        subprocess.run(["gcc", "-g", "-O2", "a.c", "-o", program], check=True, cwd=folder)
        check_addresses(wperf, program, *check_functions(wperf, program))
        check_hostile_name(wperf, folder)
        check_stripped(wperf, program, folder)


if __name__ == "__main__":
    main()

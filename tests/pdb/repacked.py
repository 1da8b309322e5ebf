# SPDX-License-Identifier: Apache-2.0
"""A PDB says the same whatever the blocks are that it is kept in, and says what was left out of it;
it is found where it may be, and only if it is of the same build. Usage: repacked.py WPERF
"""
import os
import pathlib
import re
import shutil
import struct
import sys
import tempfile

import container
import images

wperf = sys.argv[1]
for tool in ("clang", "lld-link"):
    if not shutil.which(tool):
        print(f"no {tool}")
        sys.exit(77)
folder = pathlib.Path(tempfile.mkdtemp())
image = images.build(folder, "x64")
streams = container.unpack(image.with_suffix(".pdb").read_bytes())
listed = images.functions(wperf, image)
assert len(listed) > 10


def check_blocks():
    pdb = folder / "other.pdb"
    for block in (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536):
        for shuffled in (False, True):
            pdb.write_bytes(container.pack(streams, block, shuffled))
            assert images.functions(wperf, pdb) == listed, (block, shuffled)


def check_stripped():
    pdb, whole = folder / "stripped.pdb", folder / "whole.pdb"
    image.with_suffix(".pdb").rename(whole)
    pdb.write_bytes(container.pack(container.stripped(streams), 4096))
    names = {f["name"]: f for f in images.functions(wperf, image, "--symbol-path", pdb)}
    whole.rename(image.with_suffix(".pdb"))
    assert "?never_called@@YA_K_KPEBDN@Z" in names and "shapes::pick" not in names, names
    size = next(f["size"] for f in listed if f["name"] == "whole")
    assert names["whole"]["size"] == size, (names["whole"], size)
    text = images.run([wperf, "symbols", pdb])
    assert "stripped PDB" in text.splitlines()[-1], text


def check_fastlink():
    pdb = folder / "fastlink.pdb"
    other = list(streams)
    other[container.INFO] += struct.pack("<I", 0x494E494D)
    pdb.write_bytes(container.pack(other, 4096))
    assert "fastlink" in images.run([wperf, "symbols", pdb]).splitlines()[-1]


def check_moved():
    """A tool moved the second half of the code a page further, and removed one function."""
    middle = listed[len(listed) // 2]
    start, gone = int(middle["address"], 16), int(listed[2]["address"], 16)
    behind = int(listed[3]["address"], 16)
    from_linked = struct.pack("<10I", 0, 0x10000, 0x1000, 0x1000, gone, 0, behind, behind, start,
                              start + 0x1000)
    to_linked = struct.pack("<8I", 0x1000, 0x1000, start, 0, start + 0x1000, start, 0x10000, 0)
    sections = container.more_stream(streams, 5)
    pdb = folder / "moved.pdb"
    pdb.write_bytes(container.pack(container.with_streams(
        streams, {3: to_linked, 4: from_linked, 10: sections}), 4096))
    moved = {f["name"]: f for f in images.functions(wperf, pdb)}
    for function in listed:
        address = int(function["address"], 16)
        if address == gone:
            assert function["name"] not in moved
            continue
        new = address + (0x1000 if address >= start else 0)
        assert moved[function["name"]] == {**function, "address": hex(new)}, function
        answer = images.addresses(wperf, pdb, [new + 1])[0]
        old = images.addresses(wperf, image, [address + 1])[0]
        assert answer == {**old, "address": hex(new + 1)}, (answer, old)


def check_no_sections():
    """As PDBs that NGEN makes: the image says where sections are, else their lengths do, as far as
    these are sure. Else it is said why nothing is listed."""
    ngen = container.with_streams(streams, {5: b""})
    pdb, whole = folder / "ngen.pdb", folder / "whole.pdb"

    def write(changed):
        pdb.write_bytes(container.pack(changed, 4096))
        return images.run([wperf, "symbols", pdb]).splitlines()[-1]

    # The code is in the first section.
    assert "only the first section" in write(ngen)
    assert images.functions(wperf, pdb) == listed
    # Its own image has the headers, whatever the lengths.
    image.with_suffix(".pdb").rename(whole)
    for changed in (ngen, container.with_section_map(ngen, lambda rows: rows[::-1]),
                    container.with_section_map(ngen, lambda rows: [])):
        write(changed)
        assert images.functions(wperf, image, "--symbol-path", pdb) == listed
        places = [int(f["address"], 16) + 1 for f in listed]
        answers = images.addresses(wperf, image, places, "--symbol-path", pdb)
        assert images.addresses(wperf, image, places, "--symbol-path", whole) == answers
    whole.rename(image.with_suffix(".pdb"))
    # Lengths that say nothing.
    for change in (lambda rows: [], lambda rows: rows[1:], lambda rows: [rows[0], *rows],
                   lambda rows: [(*rows[0][:-1], 0), *rows[1:]],
                   lambda rows: [(*rows[0][:-2], 16, rows[0][-1]), *rows[1:]]):
        assert "its PDB has no section headers" in write(container.with_section_map(ngen, change))
        assert images.functions(wperf, pdb) == []
    cut = list(ngen)
    at = container.substreams(cut[container.DEBUG_INFO])[2][0]
    cut[container.DEBUG_INFO] = cut[container.DEBUG_INFO][:at] + b"\xff\xff" + cut[container.DEBUG_INFO][at + 2:]
    assert "its PDB has no section headers" in write(cut)


def check_native_names():
    """Names of methods as crossgen2 writes them, and cold parts, whose places are not sure."""
    (folder / "net.c").write_text(
        '__attribute__((used)) int one(int a) __asm__("Lib.One(int32)$#Other#6000001");\n'
        'int one(int a) { return a * 3; }\n'
        '__attribute__((used)) int two(int a) __asm__("Lib.Two$#Inner$##6000002");\n'
        'int two(int a) { return a * 5; }\n'
        '__attribute__((used)) int three(int a) __asm__("[COLD] Lib.One(int32)$#Other#6000001");\n'
        'int three(int a) { return a * 7; }\n')
    images.run(["clang", "--target=x86_64-pc-windows-msvc", "-O1", "-g", "-gcodeview", *images.FLAGS,
                "-c", folder / "net.c", "-o", folder / "net.obj"])
    images.run(["lld-link", "/nologo", "/dll", "/machine:x64", "/nodefaultlib", "/noentry", "/opt:noref",
                "/debug:full", "/out:net.dll", "/pdb:net.pdb", "net.obj"], cwd=folder)
    pdb, names = folder / "net.pdb", []
    parts = container.stripped(container.unpack(pdb.read_bytes()))
    for changed in (parts, container.with_streams(parts, {5: b""})):
        pdb.write_bytes(container.pack(changed, 4096))
        names.append({f["name"] for f in images.functions(wperf, pdb)})
    assert names == [{"Lib.One(int32)$#Other#6000001", "Lib.Two$#Inner$##6000002",
                      "[COLD] Lib.One(int32)$#Other#6000001"}, {"Lib.One(int32)", "Lib.Two$#Inner"}], names


def check_x86():
    """32 bits: names of C are decorated by how they are called, in public names."""
    source = folder / "x86.c"
    source.write_text("int __stdcall two(int a, int b) { return a + b; }\n"
                      "int __fastcall fast(int a) { return a; }\n"
                      "int plain(void) { return 1; }\n"
                      "int __stdcall entry(void *a, int b, void *c) { return two(b, fast(b)) + plain(); }\n")
    images.run(["clang", "--target=i686-pc-windows-msvc", "-O0", "-g", "-gcodeview", "-c", source,
                "-o", folder / "x86.obj"])
    images.run(["lld-link", "/nologo", "/dll", "/machine:x86", "/safeseh:no", "/nodefaultlib",
                "/entry:entry", "/debug:full", "/out:x86.dll", "/pdb:x86.pdb", "x86.obj"], cwd=folder)
    dll, pdb = folder / "x86.dll", folder / "x86.pdb"
    expected = {"two", "fast", "plain", "entry"}
    assert {f["name"] for f in images.functions(wperf, dll)} == expected
    lines = [line for f in images.addresses(
        wperf, dll, [int(f["address"], 16) for f in images.functions(wperf, dll)]) for line in f["lines"]]
    assert {line["line"] for line in lines} == {1, 2, 3, 4}, lines
    parts = container.unpack(pdb.read_bytes())
    pdb.write_bytes(container.pack(container.stripped(parts), 4096))
    listed = images.run([wperf, "symbols", dll])
    for name in expected:
        assert re.search(rf"\s{name}\s*$", listed, re.MULTILINE), listed


def check_thunks():
    """What the linker makes of a call into another library is a function by that one's name."""
    (folder / "user.c").write_text("int whole(void); int user(void) { return whole() + 1; }\n")
    images.run(["clang", "--target=x86_64-pc-windows-msvc", "-O1", "-g", "-gcodeview", *images.FLAGS,
                "-c", folder / "user.c", "-o", folder / "user.obj"])
    images.run(["lld-link", "/nologo", "/dll", "/machine:x64", "/nodefaultlib", "/entry:user",
                "/debug:full", "/out:user.dll", "user.obj", "lib.lib"], cwd=folder)
    found = {f["name"]: f for f in images.functions(wperf, folder / "user.dll")}
    assert set(found) == {"user", "whole"} and found["whole"]["size"] == 6, found
    inside = hex(int(found["whole"]["address"], 16) + 2)
    answer = images.addresses(wperf, folder / "user.dll", [int(inside, 16)])
    assert answer[0]["name"] == "whole" and answer[0]["offset"] == 2, answer


def named_alone(path):
    """Names without a PDB. Where the other functions are, .pdata says."""
    places = {function["address"]: function["size"] for function in listed}
    names = set()
    for function in images.functions(wperf, path):
        if function["name"].startswith(f"[{path.name}+0x"):
            assert places[function["address"]] == function["size"], function
        else:
            names.add(function["name"])
    return names


def check_search():
    """The places, and what is not taken."""
    place = folder / "elsewhere"
    shutil.copytree(folder, place, ignore=shutil.ignore_patterns("*.pdb", "*.obj", "elsewhere"))
    alone = place / "lib.dll"
    recorded = image.with_suffix(".pdb")
    assert images.functions(wperf, alone) == listed  # at the path that the linker wrote
    kept = folder / "kept" / "lib.pdb"
    kept.parent.mkdir()
    recorded.rename(kept)
    exports = named_alone(alone)
    assert images.run([wperf, "symbols", alone]).endswith("from: exports, because its PDB was not found\n")
    assert exports == {"whole", "?never_called@@YA_K_KPEBDN@Z"}, exports
    assert images.functions(wperf, alone, "--symbol-path", kept.parent) == listed
    os.environ["_NT_SYMBOL_PATH"] = f"/no;srv*{kept.parent}*https://localhost/none"
    assert images.functions(wperf, alone) == listed
    (kept.parent / "lib.pdb").rename(kept.parent / "all")
    server = kept.parent / "lib.pdb" / guid_of(alone)
    server.mkdir(parents=True)
    (kept.parent / "all").rename(server / "lib.pdb")
    assert images.functions(wperf, alone) == listed
    del os.environ["_NT_SYMBOL_PATH"]
    other = list(streams)
    other[container.INFO] = other[container.INFO][:12] + bytes(16) + other[container.INFO][28:]
    (place / "lib.pdb").write_bytes(container.pack(other, 4096))
    assert named_alone(alone) == exports
    assert "a different build" in images.run([wperf, "symbols", alone]).splitlines()[-1]


def guid_of(path):
    data = path.read_bytes()
    at = data.index(b"RSDS") + 4
    first, second, third = struct.unpack_from("<IHH", data, at)
    age, = struct.unpack_from("<I", data, at + 16)
    return f"{first:08X}{second:04X}{third:04X}{data[at + 8:at + 16].hex().upper()}{age:X}"


check_blocks()
check_stripped()
check_fastlink()
check_moved()
check_no_sections()
check_native_names()
check_x86()
check_thunks()
check_search()
shutil.rmtree(folder)

# SPDX-License-Identifier: Apache-2.0
"""Recordings of Windows with PDB identities, read where the images are not: names and lines come from
the PDB, by GUID and age, from a folder or a server; each is asked for once, and what is missing is said.
A store of a fleet gets them from PDBs and images that are uploaded to its server.
Images are mapped as a whole, as ETW tells of them, or by section, as wperf.exe does.
Usage: by_identity.py WPERF
"""
import http.server
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import uuid

import container
import images

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "unwind"))
sys.path.insert(2, str(pathlib.Path(__file__).resolve().parents[1] / "fleet"))
from fleet_server import Server
from perf_data_arm64 import MMAP2, SAMPLE, attribute, perf_data, record, string, text

wperf = sys.argv[1]
if not all(shutil.which(tool) for tool in ("clang", "lld-link", "llvm-readobj")):
    print("skipped: no clang, lld-link or llvm-readobj")
    sys.exit(77)

PID, BASE = 1000, 0x7FF600000000
PATH = r"C:\Tools\lib.dll"
IP, TID, TIME, PERIOD = 1, 2, 4, 1 << 8
IN_USER, HAS_BUILD_ID, PDBS = 2, 1 << 14, 206


def identity(image):
    """(GUID in the order of its digits, age, TimeDateStamp, SizeOfImage, [(RVA, size, offset)])"""
    shown = images.run(["llvm-readobj", "--coff-debug-directory", "--file-headers", "--sections", image])
    # LLVM 14 prints the bytes as they are in memory, later ones the GUID as it is written.
    in_memory, written = re.search(r"PDBGUID: (?:\(([0-9A-F ]+)\)|(\{[0-9A-F-]+\}))", shown).groups()
    guid = (uuid.UUID(bytes_le=bytes.fromhex(in_memory)) if in_memory else uuid.UUID(written)).bytes
    age = int(re.search(r"PDBAge: (\d+)", shown).group(1))
    stamp = int(re.search(r"TimeDateStamp: .*\(0x([0-9A-Fa-f]+)\)", shown).group(1), 16)
    size = int(re.search(r"SizeOfImage: (\d+)", shown).group(1))
    sections = [tuple(int(word, 16) for word in row) for row in re.findall(
        r"VirtualSize: 0x([0-9A-F]+)\s+VirtualAddress: 0x([0-9A-F]+)\s+RawDataSize: \d+\s+"
        r"PointerToRawData: 0x([0-9A-F]+)", shown)]
    return guid, age, stamp, size, sections


def mapping(start, size, offset, guid=None):
    build_id = struct.pack("<B3x", len(guid)) + guid.ljust(20, b"\0") if guid else bytes(24)
    return record(MMAP2, IN_USER | (HAS_BUILD_ID if guid else 0),
                  struct.pack("<IIQQQ", PID, PID, start, size, offset) + build_id +
                  struct.pack("<II", 5, 2) + text(PATH))


def samples(places):
    return b"".join(record(SAMPLE, IN_USER, struct.pack("<QIIQQ", BASE + place, PID, PID, 1000 * i, 1))
                    for i, place in enumerate(places, 1))


def recording(image, places, is_whole=True, has_pdb=True):
    guid, age, stamp, size, sections = identity(image)
    if is_whole:
        maps = mapping(BASE, size, 0, guid if has_pdb else None)
    else:
        maps = b"".join(mapping(BASE + address, length, offset) for length, address, offset in sections
                        if offset)
    pdb = struct.pack("<4I", age if has_pdb else 0, stamp, size, 16 if has_pdb else 0) + \
        (guid if has_pdb else b"").ljust(20, b"\0") + string("lib.pdb" if has_pdb else "") + string(PATH)
    return perf_data(attribute(1, IP | TID | TIME | PERIOD), maps + samples(places), {PDBS: pdb})


def rows(data, *words):
    """{line or function: module} of a report, and what it notes."""
    done = subprocess.run([wperf, "report", "-i", data, "--sort", "line", "--json",
                           "--sample-display-row", "100000", *words],
                          capture_output=True, text=True, check=False, timeout=60,
                          env={**os.environ, "_NT_SYMBOL_PATH": "", "XDG_CACHE_HOME": str(work / "home")})
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["report"]["events"][0]["rows"]
    return sorted((row["name"], row["samples"]) for row in found), done.stderr


class Handler(http.server.SimpleHTTPRequestHandler):
    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_):
        pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *words: Handler(*words, directory=str(folder)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def check_server(data, image, wanted, folder):
    """A store as symbol servers have it; the second report asks nobody."""
    guid, age, *_ = identity(image)
    place = folder / "store" / "lib.pdb" / f"{guid.hex().upper()}{age:X}"
    place.mkdir(parents=True)
    shutil.copy(image.with_suffix(".pdb"), place)
    words = "--symbol-path", f"srv*{folder / 'cache'}*{serve(folder / 'store')}"
    Handler.asked.clear()
    found, notes = rows(data, *words)
    assert found == wanted and "downloaded 1 PDB" in notes, (found, notes)
    assert len(Handler.asked) == 1, Handler.asked
    assert rows(data, *words) == (wanted, ""), rows(data, *words)
    assert len(Handler.asked) == 1, Handler.asked


def check_images(data, unmerged, image, wanted, folder):
    """Images in folders of the symbol path: by GUID, or by time stamp and size as stores have them."""
    *_, stamp, size, _ = identity(image)
    both = folder / "both"
    place = both / "lib.dll" / f"{stamp:08X}{size:x}"
    place.mkdir(parents=True)
    shutil.copy(image, place)
    shutil.copy(image.with_suffix(".pdb"), both)
    for one in (data, unmerged):
        assert rows(one, "--symbol-path", both) == (wanted, ""), rows(one, "--symbol-path", both)
    shutil.rmtree(both / "lib.dll")
    shutil.copy(image, both)
    output = images.run([wperf, "annotate", "-i", data, "--symbol-path", both, "--symbol", "entry",
                         "--disassemble"])
    assert "ret" in output, output
    changed = bytearray((both / "lib.dll").read_bytes())
    stamp_at = int.from_bytes(changed[0x3C:0x40], "little") + 8
    changed[stamp_at] ^= 1
    (both / "lib.dll").write_bytes(changed)
    found, notes = rows(unmerged, "--symbol-path", both)
    assert found != wanted and "the file has changed since the recording" in notes, (found, notes)


def upload(server, *files, code=0):
    done = subprocess.run([wperf, "debug-upload", "--server", f"http://{server.host}:{server.port}", *files],
                          capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == code, done
    return done.stdout + done.stderr


def stored_rows(server):
    """As rows(), of what the server has."""
    words = "--from", f"http://{server.host}:{server.port}", "--sort", "line", "--json"
    done = images.run([wperf, "report", *words, "--sample-display-row", "100000"])
    found = json.loads(done)["report"]["events"][0]["rows"]
    return sorted((row["name"], row["samples"]) for row in found)


def fleet(data, folder):
    """A server whose store has the recording."""
    folder.mkdir()
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    images.run([wperf, "store", "put", "-q", folder / "fleet.db", data, "--service", "tools", "--since", now])
    return Server(wperf, folder)


def check_fleet(data, image, bare, wanted, folder):
    """A store has the GUID: the PDB names what it has, and another build of the same GUID does not.
    bare: an image whose names are in its PDB only."""
    pdb, older = image.with_suffix(".pdb"), folder / "older.pdb"
    streams = container.unpack(pdb.read_bytes())
    debug = bytearray(streams[container.DEBUG_INFO])
    debug[8:12] = struct.pack("<I", identity(image)[1] + 1)  # behind signature and version
    streams[container.DEBUG_INFO] = bytes(debug)
    older.write_bytes(container.pack(streams, 4096))
    with fleet(data, folder / "fleet") as server:
        assert not any("program.cpp" in name for name, _ in stored_rows(server)), stored_rows(server)
        said = upload(server, bare)
        assert "skipped: " in said and "they are in its PDB (send the PDB)" in said, said
        cut = server.ask("/api/v1/debug-files", pdb.read_bytes()[:-4096])
        assert cut[0] == 400, cut
        assert upload(server, pdb) == f"{pdb}: stored\n"
        assert upload(server, pdb) == f"{pdb}: already there\n"
        assert stored_rows(server) == wanted, (stored_rows(server), wanted)
        status, _, said = server.ask("/api/v1/debug-files", older.read_bytes())
        assert status == 409 and b"another age" in said, (status, said)
        assert "the server refuses it: there is a file with this GUID" in upload(server, older, code=1)
        guid = identity(image)[0].hex()
        kept = server.folder / "debug" / "default" / guid[:2] / f"{guid[2:]}.debug"
        assert kept.read_bytes() == pdb.read_bytes()


def check_fleet_mingw(machine, folder):
    """Images of MinGW name by themselves, and the path of a PDB in them is never opened."""
    image, nameless = images.build_mingw(folder, machine), folder / "nameless.dll"
    nameless.write_bytes(image.read_bytes().replace(b"RSDS", b"none"))
    functions = images.functions(wperf, image)
    data = folder / "mingw.data"
    data.write_bytes(recording(image, [int(each["address"], 16) for each in functions]))
    with fleet(data, folder / "fleet") as server:
        assert "has no build id" in upload(server, nameless)
        assert upload(server, image) == f"{image}: stored\n"
        found = stored_rows(server)
        assert sum("program.cpp:" in name for name, _ in found) > len(functions) / 2, found


def check_missing(data):
    found, notes = rows(data)
    assert not any("lib.cpp" in name or "program.cpp" in name for name, _ in found), found
    assert "lib.dll: its PDB was not found" in notes, notes
    assert "--symbol-path srv*" in notes, notes


TWO = r"""
static char zeroes[100000];
char *entry(long i) { return &zeroes[i % 100000]; }
__attribute__((section(".zcode"))) int late(int a) { return a * 3; }
__attribute__((section(".zcode"))) int later(int a) { return a * 5; }
"""


def build_two(folder, machine):
    """Code in two sections, and one between that is longer in memory than in the file."""
    folder.mkdir()
    (folder / "two.c").write_text(TWO)
    target = f"--target={images.MACHINES[machine]}-pc-windows-msvc"
    images.run(["clang", target, "-O1", "-g", "-gcodeview", *images.FLAGS, "-c", folder / "two.c",
                "-o", folder / "two.obj"])
    images.run(["lld-link", "/nologo", "/dll", f"/machine:{machine}", "/nodefaultlib", "/entry:entry",
                "/opt:noref", "/debug:full", "/out:lib.dll", "/pdb:lib.pdb", "two.obj"], cwd=folder)
    return folder / "lib.dll"


def check_no_headers(machine, folder):
    """As NGEN and crossgen2 make PDBs: names are the same if lengths add up to the image's size."""
    image = build_two(folder, machine)
    functions = images.functions(wperf, image)
    assert {function["name"] for function in functions} == {"entry", "late", "later"}, functions
    *_, sections = identity(image)
    places = [int(function["address"], 16) for function in functions]
    holds = [next(i for i, (size, start, _) in enumerate(sections) if start <= place < start + size)
             for place in places]
    assert len(set(holds)) == 2 and max(holds) > 1, (holds, sections)
    data = folder / "two.data"
    data.write_bytes(recording(image, places))
    pdb = image.with_suffix(".pdb")
    wanted, notes = rows(data, "--symbol-path", folder)
    assert not notes and sum("two.c:" in name for name, _ in wanted) == 3, (wanted, notes)
    image.rename(folder / "kept.dll")
    ngen = container.with_streams(container.unpack(pdb.read_bytes()), {5: b""})
    pdb.write_bytes(container.pack(ngen, 4096))
    assert rows(data, "--symbol-path", folder) == (wanted, ""), rows(data, "--symbol-path", folder)
    # As crossgen2 writes them, lengths are those in the file: here the zeroes are missing.
    raw = [int(word) for word in re.findall(r"RawDataSize: (\d+)", images.run(
        ["llvm-readobj", "--sections", folder / "kept.dll"]))]
    pdb.write_bytes(container.pack(container.with_section_map(ngen, lambda all_rows: [
        (*row[:-1], raw[i]) if i < len(raw) else row for i, row in enumerate(all_rows)]), 4096))
    found, notes = rows(data, "--symbol-path", folder)
    assert not any("two.c" in name or "late" in name for name, _ in found), found
    assert "its PDB does not say where the sections of the image are" in notes, notes
    (folder / "kept.dll").rename(image)
    assert rows(data, "--symbol-path", folder) == (wanted, ""), rows(data, "--symbol-path", folder)


def check(machine, folder):
    image = images.build(folder / "built", machine)
    functions = images.functions(wperf, image)
    places = [int(function["address"], 16) for function in functions]
    assert len(places) > 10, functions
    system, empty = folder / "system" / "Tools", folder / "empty"
    system.mkdir(parents=True)
    empty.mkdir()
    for one in (image, image.with_suffix(".pdb")):
        shutil.copy(one, system)
    whole, parts, unmerged = (folder / name for name in ("whole.data", "parts.data", "unmerged.data"))
    whole.write_bytes(recording(image, places))
    parts.write_bytes(recording(image, places, is_whole=False))
    unmerged.write_bytes(recording(image, places, has_pdb=False))
    wanted, notes = rows(whole, "--sysroot", folder / "system")
    assert not notes and sum(count for _, count in wanted) == len(places), (wanted, notes)
    assert sum("program.cpp:" in name for name, _ in wanted) > len(places) / 2, wanted
    only_pdb = folder / "pdbs"
    only_pdb.mkdir()
    shutil.copy(image.with_suffix(".pdb"), only_pdb)
    for data in (whole, parts):
        for words in (("--sysroot", folder / "system"), ("--symbol-path", only_pdb)):
            found, notes = rows(data, *words)
            assert found == wanted and not notes, (data, words, found, wanted, notes)
        check_missing(data)
    assert rows(unmerged, "--sysroot", folder / "system") == (wanted, "")
    check_server(whole, image, wanted, folder)
    check_images(whole, unmerged, image, wanted, folder)
    check_fleet(whole, image, build_two(folder / "bare", machine), wanted, folder)
    check_fleet_mingw(machine, folder / "mingw")
    check_no_headers(machine, folder / "two")
    print(f"{machine}: {len(places)} functions")


with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name)
    for machine in images.MACHINES:
        check(machine, work / machine)

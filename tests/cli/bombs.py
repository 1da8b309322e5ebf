# SPDX-License-Identifier: Apache-2.0
"""Small files that ask for gigabytes or for ever: wperf stays below 1 GB and 10 s of CPU time."""
import lzma
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

WPERF = sys.argv[1]
MAX_KB, MAX_SECONDS = 1 << 20, 10
NAME_SECONDS = 0.010
CODE, CODE_SIZE = 0x401000, 0x1000
SHF_COMPRESSED, ZLIB, ZSTD = 1 << 11, 1, 2


def run(folder, *words, max_seconds=MAX_SECONDS):
    """Exit code and what was printed, within the limits."""
    with (folder / "output").open("w+") as output:
        child = subprocess.Popen([WPERF, *map(str, words)], stdout=output, stderr=output,
                                 stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    seconds = usage.ru_utime + usage.ru_stime
    print(f"{words[0]}: {usage.ru_maxrss >> 10} MB, {seconds:.2f} s")
    assert usage.ru_maxrss <= MAX_KB, f"{usage.ru_maxrss} KB: {text[-500:]}"
    assert seconds <= max_seconds, f"{seconds} s: {text[-500:]}"
    return child.returncode, text


def compressed(kind, size, data):
    return struct.pack("<IIQQ", kind, 0, size, 1) + data


def zstd_of_zeros(size):
    """A frame of blocks of 128 KB that each say one byte and how often it comes."""
    block = 1 << 17
    frame = bytearray(struct.pack("<IBB", 0xfd2fb528, 0, 7 << 3))
    for i in range(size // block):
        is_last = i == size // block - 1
        frame += struct.pack("<I", block << 3 | 1 << 1 | is_last)[:3] + b"\0"
    return bytes(frame)


def elf(sections):
    """@sections: (name, flags, bytes); those that are the same object are in the file once."""
    names, places, body = b"\0.text\0.shstrtab\0", {}, bytearray(0x1000)
    body += bytes(CODE_SIZE)
    rows = [struct.pack("<IIQQQQIIQQ", 1, 1, 6, CODE, 0x1000, CODE_SIZE, 0, 0, 1, 0)]
    for name, flags, data in sections:
        if id(data) not in places:
            places[id(data)] = len(body)
            body += data
        rows.append(struct.pack("<IIQQQQIIQQ", len(names), 1, flags, 0, places[id(data)],
                                len(data), 0, 0, 1, 0))
        names += name.encode() + b"\0"
    rows.append(struct.pack("<IIQQQQIIQQ", 7, 3, 0, 0, len(body), len(names), 0, 0, 1, 0))
    body += names
    header = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 2, 62, 1, CODE, 64, len(body), 0, 64, 56, 1, 64, len(rows) + 1,
        len(rows))
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0x1000, CODE, CODE, CODE_SIZE, CODE_SIZE, 0x1000)
    body[:len(header) + len(segment)] = header + segment
    return bytes(body) + bytes(64) + b"".join(rows)


ABBREVIATIONS = bytes((1, 0x11, 0, 0x10, 0x17, 0x11, 0x01, 0x12, 0x07, 0, 0, 0))


def unit(table, address, size):
    """A unit of DWARF 4 whose lines are in the table at an offset."""
    body = struct.pack("<HIBBIQQ", 4, 0, 8, 1, table, address, size)
    return struct.pack("<I", len(body)) + body


def line_tables(count, num_rows):
    """Tables that have one program in common; each row of it is one byte."""
    constants = bytes((1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0))
    program = b"\0\x09\2" + struct.pack("<Q", CODE) + b"!" * num_rows + b"\0\1\1"
    header_size = 10 + len(constants)
    headers = b""
    for i in range(count):
        to_end = (count - i) * header_size + len(program)
        headers += struct.pack("<IHI", to_end - 4, 4, (count - i) * header_size - 10) + constants
    return headers + program, header_size


def check_lines(folder):
    count, part = 32, CODE_SIZE // 32
    lines, header_size = line_tables(count, 4_000_000)
    units = b"".join(unit(i * header_size, CODE + i * part, part) for i in range(count))
    path = folder / "lines"
    path.write_bytes(elf([
        (".debug_abbrev", 0, ABBREVIATIONS),
        (".debug_info", 0, units),
        (".debug_line", SHF_COMPRESSED, compressed(ZLIB, len(lines), zlib.compress(lines, 9))),
    ]))
    assert path.stat().st_size < 20_000
    addresses = [hex(CODE + i * part + 1) for i in range(count)]
    _, text = run(folder, "symbols", "--lines", path, *addresses)
    assert "note: debug information is incomplete" in text, text
    assert ":2\n" in text, text  # of the table that was read


def check_sections(folder):
    size = 1 << 30
    packed = compressed(ZSTD, size, zstd_of_zeros(size))
    path = folder / "sections"
    path.write_bytes(elf([(f".debug_{name}", SHF_COMPRESSED, packed) for name in (
        "abbrev", "addr", "info", "line", "line_str", "ranges", "rnglists", "str",
        "str_offsets")]))
    assert path.stat().st_size < 50_000
    _, text = run(folder, "symbols", "--lines", path, hex(CODE))
    assert "would need too much memory" in text, text


def check_units(folder):
    """Many units of a few bytes each."""
    units = unit(0, CODE, 1) * 6_000_000
    path = folder / "units"
    path.write_bytes(elf([
        (".debug_abbrev", 0, ABBREVIATIONS),
        (".debug_info", SHF_COMPRESSED, compressed(ZLIB, len(units), zlib.compress(units, 9))),
        (".debug_line", 0, line_tables(1, 1)[0]),
    ]))
    run(folder, "symbols", "--lines", path, hex(CODE))


def doubling_type(number):
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def substitution(number):
        if not number:
            return "S_"
        number -= 1
        return "S" + (digits[number // 36] if number >= 36 else "") + digits[number % 36] + "_"
    return f"_Z4f{number:03}1A" + "".join(f"PF{substitution(2 * i)}{substitution(2 * i)}E" for i in range(36))


def check_names(folder):
    names = [name for number in range(100) for name in (
        doubling_type(number), f"_RINvC1a4f{number:03}FGzzzzzzzz_EuE",
        f"_ZN4A{number:03}cv" + "T_I" * 100 + "i" + "E" * 100 + "Ev")]
    source, path = folder / "names.s", folder / "names"
    source.write_text(".text\n" + "".join(
        f".globl {name}\n.type {name}, @function\n{name}: nop\n.size {name}, 1\n"
        for name in names) + '.section .note.GNU-stack,"",@progbits\n')
    subprocess.run(["gcc", "-shared", "-nostdlib", "-o", path, source], check=True)
    code, text = run(folder, "symbols", path, max_seconds=len(names) * NAME_SECONDS)
    assert code == 0 and all(name[:40] in text for name in names), text


def record(kind, body, pid, time):
    """With what sample_id_all adds."""
    body += struct.pack("<IIQ", pid, pid, time)
    return struct.pack("<IHH", kind, 2, 8 + len(body)) + body


def perf_data(records):
    sample_type, sample_id_all = 1 | 2 | 4 | 1 << 8, 1 << 18
    attr = struct.pack("<IIQQQQQ", 1, 128, 0, 1000, sample_type, 0, sample_id_all).ljust(128, b"\0")
    attrs_at, data_at = 104, 104 + 128 + 16
    header = b"PERFILE2" + struct.pack("<8Q", 104, 128 + 16, attrs_at, 128 + 16, data_at,
                                       len(records), 0, 0)
    return header + bytes(104 - len(header)) + attr + bytes(16) + records


def check_packed_symbols(folder):
    """Files of 45 KB, with 250 MB of symbols each."""
    mmap, sample, pid = 1, 9, 1000
    content = elf([(".gnu_debugdata", 0, lzma.compress(bytes(250 << 20), preset=0))])
    records = bytearray()
    for i in range(40):
        path, start = folder / f"packed-{i}", i << 20
        path.write_bytes(content)
        name = bytes(path) + bytes(8 - len(bytes(path)) % 8)
        records += record(mmap, struct.pack("<IIQQQ", pid, pid, start, CODE_SIZE, 0x1000) + name,
                          pid, i + 1)
        body = struct.pack("<QIIQQ", start + 16, pid, pid, i + 1, 1000)
        records += struct.pack("<IHH", sample, 2, 8 + len(body)) + body
    path = folder / "packed.data"
    path.write_bytes(perf_data(bytes(records)))
    code, text = run(folder, "report", "-i", path)
    assert code == 0 and "packed-39" in text, text
    assert "note: debug information is incomplete: 39 of its parts" in text, text


def check_forks(folder, changes):
    """@changes: each child maps one more file, so that its mappings are its own."""
    mmap, exit_of, fork, sample = 1, 4, 7, 9
    records, time, num_maps, num_forks, pid = bytearray(), 1, 20_000, 20_000, 1000
    for i in range(num_maps):
        records += record(mmap, struct.pack("<IIQQQ8s", pid, pid, i << 13, 4096, 0, b"/a"), pid,
                          time)
    for child in range(pid + 1, pid + num_forks):
        time += 1
        parent = pid if changes else child - 1
        records += record(fork, struct.pack("<IIIIQ", child, parent, child, parent, time), child,
                          time)
        if changes and child < pid + 2000:
            records += record(mmap, struct.pack("<IIQQQ8s", child, child, 0, 4096, 0, b"/b"),
                              child, time)
        if changes and child % 2:
            records += record(exit_of, struct.pack("<IIIIQ", child, parent, child, parent, time),
                              child, time)
    body = struct.pack("<QIIQQ", 0x10, child, child, time + 1, 1000)
    records += struct.pack("<IHH", sample, 2, 8 + len(body)) + body
    path = folder / "forks.data"
    path.write_bytes(perf_data(bytes(records)))
    code, text = run(folder, "report", "-i", path, "--sort", "dso")
    assert code == 0 and " a" in text, text
    assert ("mapped files are not known" in text) == changes, text


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_names(folder)
        check_lines(folder)
        check_sections(folder)
        check_units(folder)
        check_packed_symbols(folder)
        check_forks(folder, False)
        check_forks(folder, True)


if __name__ == "__main__":
    main()

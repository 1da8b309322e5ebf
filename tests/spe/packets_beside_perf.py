# SPDX-License-Identifier: Apache-2.0
"""100,000 random and damaged SPE buffers: `script --packets` beside `perf report -D`.

perf of Linux 6.1 or newer is expected. What a version says otherwise has a reason in `old_words` or
`is_cut_alignment`, which must account for the whole line; any other difference is a failure.

    packets_beside_perf.py WPERF [BUFFERS]
"""
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from spe_bytes import (address, context, counter, events, extended, operation, perf_data,
                       random_record, source)

BUFFERS_PER_FILE = 25_000
LINE = re.compile(r"\.  [0-9a-f]{8}: ")
WORDS_START = 62
HEADERS = [0x00, 0x01, 0x20, 0x21, 0x22, 0x23, 0x42, 0x43, 0x48, 0x49, 0x4A, 0x4B, 0x52, 0x53, 0x62,
           0x63, 0x64, 0x65, 0x71, 0x72, 0x73, 0x98, 0x99, 0x9A, 0xB0, 0xB1, 0xB2, 0xB3, 0xB4]


def random_packet(choose):
    bits = choose.getrandbits
    kind = choose.randrange(12)
    if kind == 0:
        return address(choose.randrange(8), bits(64))
    if kind == 1:
        return extended(0xB0, bits(5), struct.pack("<Q", bits(64)))
    if kind == 2:
        return extended(0x98, bits(5), struct.pack("<H", bits(16)))
    if kind == 3:
        return counter(bits(3), bits(16))
    if kind in (4, 5):
        return operation(bits(2), bits(8))
    if kind in (6, 7):
        return events(bits(64) & bits(64) & bits(64), bits(2))
    if kind == 8:
        return source(bits(choose.choice((4, 64))), bits(2))
    if kind == 9:
        return context(bits(2), bits(32))
    if kind == 10:
        return bytes([0x20 | bits(2), 0])  # alignment
    return bytes(choose.randrange(40))


def damage(choose, stream):
    for _ in range(choose.randrange(4)):
        if not stream:
            return stream
        at = choose.randrange(len(stream))
        what = choose.randrange(4)
        if what == 0:
            stream = stream[:at] + bytes([choose.getrandbits(8)]) + stream[at + 1:]
        elif what == 1:
            stream = stream[:at] + stream[at + 1 + choose.randrange(8):]
        elif what == 2:
            stream = stream[:at] + stream[choose.randrange(len(stream)):]
        else:
            stream = stream[:at]
    return stream


def random_buffer(choose):
    kind = choose.randrange(4)
    if kind == 0:
        return choose.randbytes(choose.randrange(1, 40))
    if kind == 1:
        return bytes(choose.choices(HEADERS, k=choose.randrange(1, 40)))
    parts = random_packet if kind == 2 else random_record
    stream = b"".join(parts(choose) for _ in range(choose.randrange(1, 4 * (4 - kind))))
    return damage(choose, stream) if choose.getrandbits(1) else stream


def run_perf(path):
    done = subprocess.run(["perf", "report", "-D", "-i", path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True, text=True)
    return [line for line in done.stdout.split("\n")
            if line.startswith(". ... ARM SPE") or LINE.match(line)]


# Words that the perf of Linux 6.1 has not.
NEW_EVENTS = {"TXN", "L2D-ACCESS", "L2D-MISS", "HITM", "LFB", "SNOOPED", "STREAMING-SVE", "SMCU"}
NEW_OPERATIONS = {"MTE-TAG", "MEMCPY", "MEMSET", "GCS", "COMM", "SVE-SME-REG", "CR-BL", "CR-RET",
                  "CR-NON-BL-RET"}


def old_words(words, packet):
    """What perf of Linux 6.1 says instead of our words, and why."""
    first, _, rest = words.partition(" ")
    if first == "EV":
        return " ".join(["EV"] + [word for word in rest.split() if word not in NEW_EVENTS
                                  and not word.startswith("IMPDEF")]), "newer events"
    if first == "PBT":
        payload, = struct.unpack("<Q", packet[-8:])
        return f"ADDR {payload:#x} (4)", "previous branch target"
    if packet[0] == 0x48:
        select = "COND-SELECT" if packet[1] & 1 else "INSN-OTHER"
        return f"OTHER {select}", "SME, floating point and SIMD"
    if packet[0] == 0x49:
        return " ".join(word for word in words.split()
                        if word not in NEW_OPERATIONS), "newer kinds of loads and stores"
    if packet[0] == 0x4A:
        conditional = " COND" if packet[1] & 1 else ""
        indirect = " IND" if packet[1] >> 1 == 1 else ""  # not if any bit above is set
        return "B" + conditional + indirect, "newer kinds of branches"
    return words, None


def is_cut_alignment(ours, theirs):
    """perf wants as many bytes as the alignment, not as are left to go; it then has them one by one."""
    packet = bytes.fromhex(ours[13:WORDS_START].strip())
    return packet[0] & 0xFC == 0x20 and ours.endswith("PAD") and theirs.endswith("Bad packet!")


def explain(ours, theirs, reasons):
    packet = bytes.fromhex(ours[13:WORDS_START].strip())
    words, reason = old_words(ours[WORDS_START:], packet)
    # perf of a version in between has some of the words, but none that we have not.
    their_words, _ = old_words(theirs[WORDS_START:], packet)
    if packet[0] != 0x48 and not theirs[WORDS_START:].startswith("ADDR"):
        if set(theirs[WORDS_START:].split()) - set(ours[WORDS_START:].split()):
            return False
    if ours[:WORDS_START] != theirs[:WORDS_START] or words.rstrip() != their_words.rstrip():
        return False
    reasons[reason] = reasons.get(reason, 0) + 1
    return True


def split(lines):
    buffers = []
    for line in lines:
        if line[2] == ".":
            buffers.append([line])
        else:
            buffers[-1].append(line)
    return buffers


def compare_buffer(ours, theirs, reasons):
    """True if all differences are explained."""
    for our_line, their_line in zip(ours, theirs):
        if our_line == their_line:
            continue
        if is_cut_alignment(our_line, their_line):
            reasons["alignment cut by the end"] = reasons.get("alignment cut by the end", 0) + 1
            return True  # what is behind is read by the byte there, and skipped here
        if not explain(our_line, their_line, reasons):
            print(f"ours: {our_line}\nperf: {their_line}")
            return False
    return len(ours) == len(theirs)


def compare(wperf, buffers, folder, reasons):
    file, _ = perf_data(buffers)
    path = os.path.join(folder, "perf.data")
    with open(path, "wb") as out:
        out.write(file)
    theirs = run_perf(path)
    ours = subprocess.run([wperf, "script", "--packets", "-i", path], stdout=subprocess.PIPE, check=True,
                          text=True).stdout.split("\n")[:-1]
    bad = 0
    for index, (mine, other) in enumerate(zip(split(ours), split(theirs), strict=True)):
        if mine != other and not compare_buffer(mine, other, reasons):
            print(f"buffer {index}: {buffers[index].hex()}")
            bad += 1
            if bad == 10:
                break
    return len(ours) - len(buffers), bad


def main():
    if not shutil.which("perf"):
        print("no perf here")
        return 77
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    choose, reasons = random.Random(7), {}
    packets = failures = 0
    # Each operation and each pair of header bytes once, so that nothing is left to chance.
    first = [operation(index, payload) for index in range(4) for payload in range(256)]
    first += [bytes([one, two]) + bytes(range(0x11, 0x1B)) for one in range(256)
              for two in (range(256) if one & 0xFC == 0x20 else (0x00, 0x22))]
    with tempfile.TemporaryDirectory() as folder:
        while count > 0:
            buffers = first + [random_buffer(choose) for _ in range(
                min(count, BUFFERS_PER_FILE) - len(first))]
            buffers = [buffer for buffer in buffers if buffer]
            checked, bad = compare(sys.argv[1], buffers, folder, reasons)
            packets, failures = packets + checked, failures + bad
            count, first = count - BUFFERS_PER_FILE, []
    print(f"{packets:,} packets; {failures} buffers differ without a reason")
    for reason, number in sorted(reasons.items(), key=str):
        print(f"{number:10,} lines differ: {reason}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Records of SPE packets beside the samples that `perf script` makes of them.

Only of undamaged streams: perf makes one sample of what is left of two records, which we give up.

    records_beside_perf.py SPE_LINES [RECORDS]
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

from spe_bytes import pack, perf_data, random_record

FIELDS = "tid,addr,weight,ip,phys_addr"


def run(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                          text=True)
    return [line.split() for line in done.stdout.splitlines()]


def main():
    if not shutil.which("perf"):
        print("no perf here")
        return 77
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    choose = random.Random(11)
    buffer = b"".join(random_record(choose) for _ in range(count))
    file, starts = perf_data([buffer])
    with tempfile.TemporaryDirectory() as folder:
        path, packed = os.path.join(folder, "perf.data"), os.path.join(folder, "buffers")
        with open(path, "wb") as out:
            out.write(file)
        with open(packed, "wb") as out:
            out.write(pack([buffer], starts))
        theirs = run(["perf", "script", "-i", path, "--itrace=i1i", "-F", FIELDS])
        ours = run([sys.argv[1], packed])
    differing = [(mine, other) for mine, other in zip(ours, theirs) if mine != other]
    for mine, other in differing[:10]:
        print(f"ours: {mine}\nperf: {other}")
    print(f"{len(ours):,} records, {len(theirs):,} of perf, {len(differing):,} differ")
    return 0 if len(ours) == len(theirs) == count and not differing else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""A program whose lines are sampled in the emulated machine: `hot_lines.py ROUNDS THREADS`.

It clocks its own lines. It imports nothing that would have to be compiled first.
"""
import _thread
import sys
import time
import zlib

DATA = bytes(range(256)) * 200
ROUNDS, THREADS = map(int, sys.argv[1:])


def pack():
    return zlib.compress(DATA, 6)  # PACK


def count(rounds):
    total = 0
    for i in range(rounds): total += i * i % 7  # COUNT


def key(x):
    count(200)
    return x


def order():
    sorted(range(20), key=key)


def work(rounds):
    spent = {"PACK": 0, "COUNT": 0}
    clock = time.thread_time_ns
    for _ in range(rounds):
        start = clock(); pack(); spent["PACK"] += clock() - start
        start = clock(); count(8000); order(); spent["COUNT"] += clock() - start
    done.append(spent)


def touch():
    return [bytearray(1 << 20) for _ in range(16)]  # TOUCH


done = []
kept = touch()
for _ in range(THREADS - 1): _thread.start_new_thread(work, (ROUNDS,))
work(ROUNDS)
while len(done) < THREADS: time.sleep(0.001)
print(done[0], flush=True)

# SPDX-License-Identifier: Apache-2.0
"""Threads that compute in Python and in C, wait for each other, and sleep: for pictures of a page."""
import hashlib
import json
import queue
import random
import sys
import threading
import time


def score(words):
    total = 0
    for word in words:
        for letter in word:
            total = (total * 31 + ord(letter)) % 1000003
    return total


class Index:
    def __init__(self):
        self.entries = {}

    def add(self, number, words):
        self.entries[number] = {"score": score(words), "words": sorted(words)}

    def digest(self):
        return hashlib.sha256(json.dumps(self.entries).encode() * 20).hexdigest()


def read_documents(count, documents):
    chance = random.Random(1)
    for number in range(count):
        documents.put((number, ["%x" % chance.getrandbits(40) for _ in range(60)]))
        if number % 50 == 0:
            time.sleep(0.02)
    for _ in range(2):
        documents.put(None)


def index_documents(documents, index):
    while True:
        document = documents.get()
        if document is None:
            return
        index.add(*document)


def compress(index, stop):
    while not stop.wait(0.05):
        index.digest()


def main(count):
    documents, index, stop = queue.Queue(64), Index(), threading.Event()
    compressor = threading.Thread(target=compress, args=(index, stop), name="digest")
    threads = [threading.Thread(target=read_documents, args=(count, documents), name="reader")]
    threads += [threading.Thread(target=index_documents, args=(documents, index), name=f"indexer-{i}")
                for i in range(2)]
    for thread in [compressor] + threads:
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    compressor.join()


main(int(sys.argv[1]) if len(sys.argv) > 1 else 4000)

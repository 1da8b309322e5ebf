# SPDX-License-Identifier: Apache-2.0
"""Recordings of allocations, and how far their sums may be from the truth.

A sample of an allocation of s bytes, chosen with the probability p, weighs s / p. The variance of a sum of
such weights is the sum of s^2 (1 - p) / p over all allocations, which the samples estimate by the sum of
their w (w - s), and w^2 is more (Horvitz and Thompson). Sums of many are normal: five of their standard
deviations are passed in one of a million runs.
"""
import collections
import math
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "live"))
import recorder  # noqa: E402

DEVIATIONS = 5
HEADER = re.compile(r"^recorded ([\d,]+) samples", re.M)

# A pair of malloc() and free() that does nothing is removed by compilers.
KEEP = """
#include <stdlib.h>
#define KEEP __attribute__((noinline, noclone))
#define TOUCH(pointer) __asm__ volatile("" : "+r"(pointer) : : "memory")
"""


class Allocations(recorder.Recorder):
    def build(self, name, source, *flags, **keywords):
        return self.compile(name, KEEP + source, "-O1", "-g", "-fno-builtin-malloc", *flags, **keywords)

    def trace(self, command, event="alloc:64K", *options, code=0, **keywords):
        """The samples of a recording, and what wperf said."""
        path = self.path("memory.data")
        path.unlink(missing_ok=True)
        done = recorder.run([self.wperf, "record", "-e", event, "--save", path, *options, "--", *command], code,
                            **keywords)
        return self.samples(path), done

    def weights(self, samples, parts):
        """By part: the weights of the samples that it is in. Each sample is in one part, or in none of them."""
        found = collections.defaultdict(list)
        for sample in samples:
            inside = [part for part in parts if part in sample.names()]
            assert len(inside) <= 1, sample.names()
            found[inside[0] if inside else ""].append(sample.weight)
        return found


def deviation(weights, truth):
    """In standard deviations. @truth: bytes."""
    return (sum(weights) - truth) / math.sqrt(sum(weight * weight for weight in weights) or 1)


def check_bytes(weights, truth, what=""):
    off = deviation(weights, truth)
    assert abs(off) < DEVIATIONS, f"{what}: {sum(weights)} bytes, expected {truth}: {off:.1f} deviations"


def main(check, *arguments):
    """Runs a test: check(Allocations)."""
    check(Allocations(os.path.abspath(sys.argv[1]), sys.argv[2]), *arguments)

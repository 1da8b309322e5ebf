# SPDX-License-Identifier: Apache-2.0
"""A program to profile: most of its time is in the line marked hot, less in the one marked warm."""
import sys


def collatz(number):
    steps = 0
    while number != 1:
        number = 3 * number + 1 if number & 1 else number // 2  # hot
        steps += 1
    return steps


def longest(limit):
    return max(range(1, limit), key=collatz)


def histogram(text):
    counts = {}
    for letter in text:
        counts[letter] = counts.get(letter, 0) + 1  # warm
    return counts


limit = int(sys.argv[1])
print(longest(limit), sorted(histogram(str(list(range(4 * limit)))).items())[0])

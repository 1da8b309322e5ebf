# SPDX-License-Identifier: Apache-2.0
"""Checks of a test: each is told, and all are made."""
import sys

num_checks, faults = 0, []


def check(good, what):
    global num_checks
    num_checks += 1
    print(("ok    " if good else "FAULT ") + what, flush=True)
    if not good:
        faults.append(what)


def end(title):
    """Ends the program."""
    print(f"{num_checks - len(faults)} of {num_checks} checks hold: {title}")
    sys.exit(bool(faults))

# SPDX-License-Identifier: Apache-2.0
"""Runs a program in Wine: PREFIX PROGRAM. Its exit code is ours."""
import sys

from wine_session import Wine

with Wine(sys.argv[1]) as wine:
    code, text = wine.run(*sys.argv[2:])
print(text, end="")
sys.exit(code)

# SPDX-License-Identifier: Apache-2.0
"""The PDBs of a symbol server, by WinHTTP: symbol_server.py WPERF_EXE PREFIX TEST, where
the test is that of tests/pdb."""
import subprocess
import sys

import wine

exe, prefix, test = sys.argv[1:]
wine.need(exe)
wine.use(prefix)
sys.exit(subprocess.run([sys.executable, test, exe, wine.PROGRAM], check=False,
                        timeout=150).returncode)

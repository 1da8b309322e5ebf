# SPDX-License-Identifier: Apache-2.0
"""The PDBs of a symbol server, by WinHTTP: symbol_server.py WPERF_EXE PREFIX TEST FOLDER, where
the test is that of tests/pdb and the folder has images and their PDBs."""
import subprocess
import sys

import wine

exe, prefix, test, folder = sys.argv[1:]
wine.need(exe)
wine.use(prefix)
sys.exit(subprocess.run([sys.executable, test, exe, folder, wine.PROGRAM], check=False,
                        timeout=150).returncode)

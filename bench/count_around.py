# SPDX-License-Identifier: Apache-2.0
"""What counting one's own code costs with libwperf, beside the bare system calls."""
import pathlib
import subprocess
import sys


def main():
    build = pathlib.Path(sys.argv[1]).resolve().parent / "release"
    subprocess.run([build / "bench/count_around"], check=True)


if __name__ == "__main__":
    main()

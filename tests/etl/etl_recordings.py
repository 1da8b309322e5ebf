# SPDX-License-Identifier: Apache-2.0
"""Checks real ETW files with etl_file_check, and its numbers with those of README.tsv.

usage: etl_recordings.py ETL_FILE_CHECK SHARED_DIR SCRATCH_DIR
"""
import csv
import lzma
import pathlib
import subprocess
import sys
import tempfile
import zipfile

SKIP = 77
COLUMNS = "CPUs", "pointer", "samples", "stacks", "images", "PDBs"


def unpack(folder, row, scratch):
    """The .etl files of a row; the first is the one that its numbers are of."""
    source = folder / row["file"]
    if source.suffix == ".zip":
        with zipfile.ZipFile(source) as archive:
            names = [name for name in archive.namelist() if name.endswith(".etl")]
            # README.tsv has folders that zips may not have.
            names.sort(key=lambda name: not row["unpacked"].endswith(pathlib.Path(name).name))
            return [pathlib.Path(archive.extract(name, scratch)) for name in names]
    if source.exists():
        return [source]
    path = scratch / row["file"]
    path.write_bytes(lzma.decompress(pathlib.Path(f"{source}.xz").read_bytes()))
    return [path]


def check(program, path, scratch):
    result = subprocess.run([program, path, scratch / "growing.etl"], capture_output=True, text=True,
                            timeout=200, check=False)
    if result.returncode:
        return None, f"{path.name}: {result.stderr.strip() or result.returncode}"
    return result.stdout.split(), None


def compare(row, numbers):
    expected = [row["buffers"].split()[0], *(row[name] for name in COLUMNS)]
    return [f"{row['file']}: {name}: {found} instead of {wanted}"
            for name, wanted, found in zip(("buffers", *COLUMNS), expected, numbers) if wanted != found]


def check_row(program, folder, row, scratch):
    faults = []
    for i, path in enumerate(unpack(folder, row, scratch)):
        numbers, fault = check(program, path, scratch)
        if fault:
            faults.append(fault)
            continue
        print(f"{path.name}: {' '.join(numbers)}")
        if i == 0:
            faults += compare(row, numbers)
    return faults


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "data" / "etl"
    if not folder.is_dir():
        print(f"skipped: no {folder}")
        return SKIP
    faults = []
    with (folder / "README.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            with tempfile.TemporaryDirectory(dir=sys.argv[3]) as scratch:
                faults += check_row(program, folder, row, pathlib.Path(scratch))
    print("\n".join(faults))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

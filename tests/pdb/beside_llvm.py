# SPDX-License-Identifier: Apache-2.0
"""Images that are built here, beside llvm-pdbutil and llvm-symbolizer: every procedure, and of every
address of code the function, the line, and the calls that were inlined there.
Usage: beside_llvm.py WPERF
"""
import pathlib
import re
import shutil
import sys
import tempfile

import images

wperf = sys.argv[1]
for tool in ("clang", "lld-link", "ld.lld", "llvm-pdbutil", "llvm-symbolizer", "llvm-readobj"):
    if not shutil.which(tool):
        print(f"no {tool}")
        sys.exit(77)


def procedures_of(pdb):
    """{name: size} of llvm-pdbutil."""
    text = images.run(["llvm-pdbutil", "dump", "--symbols", pdb])
    found = re.findall(r"S_[GL]PROC32 \[size = \d+\] `(.*)`\n.*addr = .*, code size = (\d+)", text)
    return {name: int(size) for name, size in found}


def check_procedures(image, listed):
    wanted = procedures_of(image.with_suffix(".pdb"))
    found = {f["name"]: f["size"] for f in listed}
    assert wanted and all(found.get(name) == size for name, size in wanted.items()), (wanted, found)
    return len(wanted)


def lines_of(our):
    return [(line.get("file", ""), line["line"]) for line in our["lines"]] or [("", 0)]


def is_same_but_first_row(image, place, our):
    """Where two rows begin the last one has the code, and LLVM shows the first if it is asked for
    just that address."""
    return lines_of(our)[-1] == images.llvm_frames(image, [place + 1])[0][-1][1:]


def check_beside_pdb(image, places, ours):
    """Which functions were inlined, and the line in the outermost one."""
    theirs = images.llvm_frames(image, places)
    for place, our, their in zip(places, ours, theirs):
        at = (hex(place), our, their)
        if "name" not in our:  # between functions
            continue
        assert len(our["lines"] or [0]) == len(their), at
        assert [line["name"] for line in our["lines"][:-1]] == [t[0] for t in their[:-1]], at
        assert lines_of(our)[-1] == their[-1][1:] or is_same_but_first_row(image, place, our), at


def check_beside_dwarf(image, places, ours):
    """The lines of inlined calls: those that LLVM finds in PDBs are a row too far at times."""
    dwarf = image.with_name("dwarf.dll")
    theirs = images.llvm_frames(dwarf, places, images.code_of(dwarf)[2])
    num_inlined = num_other = 0
    for our, their in zip(ours, theirs):
        # A line of 0 is one that a PDB cannot say; the row before it goes on there.
        if len(our.get("lines", [])) < 2 or any(frame[2] == 0 for frame in their):
            continue
        num_inlined += 1
        num_other += lines_of(our) != [frame[1:] for frame in their]
    # At the heads of functions PDBs and DWARF have other rows.
    assert num_inlined and num_other * 8 <= num_inlined, (image, num_other, num_inlined)
    return num_inlined, num_other


def check_pdb(folder, machine, optimize):
    image = images.build(folder, machine, optimize)
    listed = images.functions(wperf, image)
    assert listed == images.functions(wperf, image.with_suffix(".pdb"))
    procedures = check_procedures(image, listed)
    start, end, _ = images.code_of(image)
    places = list(range(start, end))
    ours = images.addresses(wperf, image, places)
    check_beside_pdb(image, places, ours)
    inlined, other = check_beside_dwarf(image, places, ours)
    assert other == 0 or optimize != "-O0"
    print(f"{machine} {optimize}: {procedures} procedures, {len(places)} addresses, {inlined} of "
          f"them with inlined calls as in DWARF but for {other}")


def check_dwarf(image):
    start, end, base = images.code_of(image)
    places = list(range(start, end))
    ours = images.addresses(wperf, image, places)
    theirs = images.llvm_frames(image, places, base)
    for place, our, their in zip(places, ours, theirs):
        if "name" in our:
            assert lines_of(our) == [frame[1:] for frame in their], (hex(place), our, their)
    return len(places)


def check_mingw(folder, machine):
    image = images.build_mingw(folder, machine)
    names = {f["name"] for f in images.functions(wperf, image)}
    assert {"whole", "entry", "_ZN6shapes5timesIyLi3EEET_S1_"} <= names, names
    print(f"{machine} of mingw: {len(names)} functions, {check_dwarf(image)} addresses")


with tempfile.TemporaryDirectory() as top:
    for machine in images.MACHINES:
        for optimize in ("-O0", "-O2"):
            check_pdb(pathlib.Path(top, machine + optimize), machine, optimize)
        check_mingw(pathlib.Path(top, machine + "-mingw"), machine)

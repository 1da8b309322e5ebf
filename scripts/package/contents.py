# SPDX-License-Identifier: Apache-2.0
"""What every package of wperf holds besides programs: licences, a list of what is linked in (SPDX), and one
time for all files, so that the same commit gives the same bytes."""
import dataclasses
import functools
import gzip
import hashlib
import json
import pathlib
import re
import subprocess
import tempfile
import time

SOURCE = pathlib.Path(__file__).parents[2]
VERSION = re.search(r"project\(wperf VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text()).group(1)


@dataclasses.dataclass(frozen=True)
class Part:
    """A library of Debian that becomes part of a program."""
    package: str
    licence: str  # as SPDX writes it


IBERTY = Part("libiberty-dev", "LGPL-2.1-or-later")
ZLIB = Part("zlib1g-dev", "Zlib")
ZSTD = Part("libzstd-dev", "BSD-3-Clause")
PROGRAM = (IBERTY, ZLIB, ZSTD)
STATIC = PROGRAM + (
    Part("libc6-dev", "LGPL-2.1-or-later"),
    Part("gcc-12-base", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    Part("libbpf-dev", "LGPL-2.1-only OR BSD-2-Clause"),
    Part("libelf-dev", "LGPL-3.0-or-later OR GPL-2.0-or-later"),
    Part("liblzma-dev", "LicenseRef-public-domain"),
)
STATIC_X86 = STATIC + (Part("libpfm4-dev", "MIT"),)
WINDOWS = PROGRAM + (Part("mingw-w64-common", "ZPL-2.1"),)


@functools.cache
def time_of_sources():
    """Seconds since 1970, of the last commit; what has no history is as old as a zip file can be."""
    git = subprocess.run(["git", "-C", SOURCE, "log", "-1", "--format=%ct"], check=False,
                         capture_output=True, text=True)
    return int(git.stdout) if git.returncode == 0 else 315532800


def version_of(package, root):
    """Of a package that is installed, or unpacked below @root, where only its changelog says it."""
    if root == pathlib.Path("/"):
        return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], check=True,
                              capture_output=True, text=True).stdout
    for log in ("changelog.Debian.gz", "changelog.gz"):
        path = root / "usr/share/doc" / package / log
        if path.exists():
            return re.search(r"\((\S+)\)", gzip.open(path, "rt", encoding="utf-8").readline()).group(1)
    raise SystemExit(f"{root}: the version of {package} is not known")


def licences(parts, root=pathlib.Path("/")):
    """The texts of all parts, for THIRD-PARTY.txt."""
    return "\n\n".join((root / "usr/share/doc" / part.package / "copyright").read_text()
                       for part in parts)


def spdx(name, parts, root=pathlib.Path("/")):
    """An SPDX 2.3 document: wperf, and what is linked in."""
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time_of_sources()))

    def package(identifier, called, version, licence):
        return {"SPDXID": f"SPDXRef-{identifier}", "name": called, "versionInfo": version,
                "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}

    packages = [package("wperf", "wperf", VERSION, "Apache-2.0")]
    packages += [package(part.package, part.package, version_of(part.package, root), part.licence)
                 for part in parts]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-wperf")]
    relations += [("SPDXRef-wperf", "STATIC_LINK", p["SPDXID"]) for p in packages[1:]]
    content = json.dumps(packages, sort_keys=True).encode()
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        # Unique, as the standard asks, and the same for the same contents.
        "documentNamespace": f"urn:sha256:{hashlib.sha256(name.encode() + content).hexdigest()}",
        "creationInfo": {"created": created, "creators": ["Tool: wperf-dev-package"]},
        "packages": packages,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                          for a, kind, b in relations],
    }
    if any("LicenseRef-public-domain" in p["licenseDeclared"] for p in packages):
        document["hasExtractedLicensingInfos"] = [{
            "licenseId": "LicenseRef-public-domain", "name": "Public domain",
            "extractedText": "The authors of liblzma have put it into the public domain."}]
    return json.dumps(document, indent=2) + "\n"


def binutils(tool, machine):
    return tool if machine in ("x86_64", "amd64") else f"aarch64-linux-gnu-{tool}"


def build_id(program):
    """What a debugger finds the debug symbols by."""
    notes = subprocess.run(["readelf", "--notes", program], check=True, capture_output=True, text=True).stdout
    return re.search(r"Build ID: ([0-9a-f]{40})", notes).group(1)


def debug_symbols(program, target, machine):
    """A file with only the debug information and names of @program."""
    subprocess.run([binutils("objcopy", machine), "--only-keep-debug", "--compress-debug-sections", program, target],
                   check=True)


def stripped(program, target, machine, debug=None):
    """A copy without debug information; it names the file @debug, which has it, if there is one."""
    subprocess.run([binutils("strip", machine), "--strip-unneeded", "--remove-section=.comment", "-o", target, program],
                   check=True)
    if debug:
        subprocess.run([binutils("objcopy", machine), f"--add-gnu-debuglink={debug}", target], check=True)


def glibc_needed(program):
    """The version of the C library whose functions it calls."""
    symbols = subprocess.run(["llvm-readelf", "--version-info", program], check=True, capture_output=True,
                             text=True).stdout
    versions = {tuple(map(int, v.split("."))) for v in re.findall(r"Name: GLIBC_([\d.]+)", symbols)}
    return ".".join(map(str, max(versions)))


def stripped_archive(archive, machine):
    """The bytes of a static library without debug information."""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder, archive.name)
        subprocess.run([binutils("strip", machine), "--strip-debug", "--remove-section=.comment",
                        "--enable-deterministic-archives", "-o", target, archive], check=True)
        return target.read_bytes()


def examples():
    """Programs that use libwperf, to begin with."""
    return sorted(path for path in (SOURCE / "examples").iterdir() if path.suffix in (".c", ".py"))


def pkg_config(build, prefix, libraries):
    """libwperf.pc for a library in the folder @libraries below @prefix."""
    text = (build / "src/library/libwperf.pc").read_text()
    text = re.sub(r"(?m)^prefix=.*$", lambda _: f"prefix={prefix}", text)
    return re.sub(r"(?m)^libdir=.*$", lambda _: f"libdir=${{prefix}}/{libraries}", text)

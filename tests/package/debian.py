# SPDX-License-Identifier: Apache-2.0
"""Installs the packages for Debian in a bare Debian 12, uses wperf there as an ordinary user, upgrades and
removes it. Usage: debian.py PACKAGES ROOTS WORK_FOLDER ARM64_ROOT"""
import pathlib
import re
import subprocess
import sys
import tempfile

from foreign_root import ORDINARY, ForeignRoot

PROGRAM = """\
import sys
def hot(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total
print(hot(6_000_000))
"""

CLIENT = pathlib.Path(__file__).parents[1] / "library/client.c"
COMPAT_CLIENT = pathlib.Path(__file__).parents[1] / "library/compat/compat_client.c"


def check_lintian(packages):
    """Debian's own checks find no error. The project has no address; only packages of debug symbols cannot say so."""
    for package in packages:
        known = ["--suppress-tags", "bogus-mail-host"] if "-dbgsym_" in package.name else []
        result = subprocess.run(["lintian", "--fail-on", "error", "--allow-root", *known, package], check=False,
                                capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr


def newer(package, folder):
    """The same package, as if it were of the next version."""
    subprocess.run(["dpkg-deb", "-R", package, folder / "next"], check=True)
    control = folder / "next/DEBIAN/control"
    control.write_text(re.sub(r"(?m)^(Version: .*)$", r"\1+next", control.read_text()))
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", folder / "next", folder / "next.deb"],
                   check=True, stdout=subprocess.DEVNULL)
    return folder / "next.deb"


def check_use(root):
    """What somebody types first."""
    assert "wperf" in root.sh("wperf --version", ORDINARY)
    report = root.sh("cd $(mktemp -d) && wperf record -g --html page.html -- python3 /tmp/x.py && "
                     "ls -s page.html wperf.data", ORDINARY)
    line = re.search(r"^ +(\d+\.\d+).* x\.py:5 +hot ", report, re.M)
    assert line and float(line[1]) > 50, report
    assert "page.html" in report and "wperf.data" in report, report
    root.sh("wperf record -q -e alloc -o /tmp/memory.data -- python3 /tmp/x.py && wperf report -i /tmp/memory.data | grep -q bytes")
    root.sh("wperf record -o /tmp/full.data -- python3 /tmp/x.py && wperf report -i /tmp/full.data | grep -q hot")


def check_agent_unit(root):
    """The unit of the agent is there for who wants it; nothing is started."""
    root.sh("grep -q '^ExecStart=/usr/bin/wperf agent ' /lib/systemd/system/wperf-agent.service")
    root.sh("test ! -e /etc/systemd/system/multi-user.target.wants/wperf-agent.service")
    root.sh("test ! -e /etc/default/wperf-agent")


def check_plugin(root, package):
    """wperf finds the plugin where its package puts it. qemu-user, which it depends on, is not in this root."""
    root.put(package, "tmp/plugin.deb")
    assert "dependency problems" in root.sh("dpkg -i plugin.deb", check=False)
    root.sh("test -r /usr/lib/wperf/wperf-emulated-pmu.so")
    detect = root.sh("wperf detect", ORDINARY)
    assert "wperf-emulated-pmu.so is missing" not in detect, detect
    root.sh("dpkg --purge wperf-emulated-pmu")


def check_debug_symbols(root, package):
    """wperf names its own functions and lines once their symbols are installed."""
    lines = "wperf symbols --lines --symbol ^main /usr/bin/wperf"
    assert "main.c" not in root.sh(lines, ORDINARY, check=False)
    root.put(package, "tmp/debug.deb")
    root.sh("apt-get install -y --no-install-recommends ./debug.deb")
    found = root.sh(lines, ORDINARY)
    assert re.search(r"\bmain\b.*src/cli/main\.c:\d+", found, re.S), found
    root.sh("apt-get purge -y wperf-dbgsym")


def check_library(source, packages, folder):
    """A client of libwperf is built and runs; dpkg names the packages that a package of it needs."""
    with ForeignRoot(source, folder) as root:
        for package in packages.glob("libwperf*_amd64.deb"):
            root.put(package, f"tmp/{package.name}")
        root.put(CLIENT, "tmp/client.c")
        assert "unmet dependencies" in root.sh("apt-get install -y ./libwperf-dev_*.deb", check=False).lower()
        root.sh("apt-get install -y --no-install-recommends ./libwperf0_*.deb ./libwperf-lib0_*.deb ./libwperf-dev_*.deb")
        build = "gcc -Wall -Werror -o {} client.c $(pkg-config --cflags --libs {} libwperf)"
        root.sh(build.format("shared", "") + " && " + build.format("static -static", "--static"))
        said = root.sh("./shared", ORDINARY)
        assert re.match(r"libwperf \S+: neoverse-v1, \d+ cores\n\d+ events, loads: yes\nld_spec [1-9]\d+\n", said), said
        assert root.sh("./static", ORDINARY) == said
        root.put(COMPAT_CLIENT, "tmp/compat_client.c")
        root.sh("gcc -o compat compat_client.c -lwperf-lib")
        assert "not open" in root.sh("WPERF_SOURCE=sim ./compat twice", ORDINARY)
        root.sh("cp /usr/share/doc/libwperf-dev/examples/count_loop.c client.c && " + build.format("example", ""))
        assert "ld_spec" in root.sh("./example ld_spec sim", ORDINARY)
        root.sh("apt-get purge -y libwperf-dev libwperf0 libwperf-lib0 && ! ldconfig -p | grep wperf && ! ./shared")


def check_life(source, packages, folder):
    """Install, use, upgrade, remove."""
    with ForeignRoot(source, folder) as root:
        before = root.files()
        root.put(packages / next(packages.glob("wperf_*_amd64.deb")).name, "tmp/wperf.deb")
        pathlib.Path(folder, "x.py").write_text(PROGRAM)
        root.put(folder / "x.py", "tmp/x.py")
        root.sh("apt-get install -y --no-install-recommends ./wperf.deb")
        check_use(root)
        check_agent_unit(root)
        check_plugin(root, next(packages.glob("wperf-emulated-pmu_*_amd64.deb")))
        check_debug_symbols(root, next(packages.glob("wperf-dbgsym_*_amd64.deb")))
        root.put(newer(next(packages.glob("wperf_*_amd64.deb")), folder), "tmp/next.deb")
        root.sh("apt-get install -y --no-install-recommends ./next.deb")
        assert root.sh("dpkg-query -W -f '${Version}' wperf").endswith("+next")
        root.sh("wperf list >/dev/null && apt-get purge -y wperf")
        left = root.files() - before
        assert not left, f"left after removal: {sorted(left)}"


def check_arm64(package, folder, libraries):
    """The program of the other architecture starts with its Debian's C library, in an emulator."""
    subprocess.run(["dpkg-deb", "-x", package, folder / "arm64"], check=True)
    said = subprocess.run(["qemu-aarch64", "-L", libraries, folder / "arm64/usr/bin/wperf", "man", "neoverse-n1/ld_spec"],
                          check=True, capture_output=True, text=True).stdout
    assert "ld_spec" in said.lower(), said


def check_arm64_library(packages, folder, libraries):
    """The client is built with the other architecture's library, and runs in the emulator."""
    for name in ("libwperf0", "libwperf-dev"):
        subprocess.run(["dpkg-deb", "-x", next(packages.glob(f"{name}_*_arm64.deb")), folder / "arm64"], check=True)
    place = folder / "arm64/usr/lib/aarch64-linux-gnu"
    assert "prefix=/usr\n" in (place / "pkgconfig/libwperf.pc").read_text()
    compiler = ["clang", "--target=aarch64-linux-gnu", f"--sysroot={libraries}", "-fuse-ld=lld", CLIENT, "-I",
                folder / "arm64/usr/include", "-L", place, "-o", folder / "client"]
    for words in (["-lwperf", f"-Wl,-rpath,{place}"], ["-l:libwperf.a", "-lm", "-ldl", "-pthread"]):
        subprocess.run([*compiler, *words], check=True)
        said = subprocess.run(["qemu-aarch64", "-L", libraries, folder / "client"], check=True, capture_output=True,
                              text=True).stdout
        assert re.match(r"libwperf \S+: neoverse-v1, \d+ cores\n\d+ events, loads: yes\nld_spec [1-9]\d+\n", said), said


made, roots, work, arm64_root = map(pathlib.Path, sys.argv[1:])
with tempfile.TemporaryDirectory(dir=work) as temporary:
    check_lintian(sorted(made.glob("*.deb")))
    check_library(roots / "devel", made, pathlib.Path(temporary))
    check_life(roots / "bookworm", made, pathlib.Path(temporary))
    check_arm64(next(made.glob("wperf_*_arm64.deb")), pathlib.Path(temporary), arm64_root)
    check_arm64_library(made, pathlib.Path(temporary), arm64_root)

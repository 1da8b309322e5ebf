# SPDX-License-Identifier: Apache-2.0
"""What root's capabilities on wperf's file give to others: counts and samples, but no memory, no
source and no file that they could not read without wperf: `lent_rights.py WPERF`.
"""
import errno
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
NOBODY = 65534
SECRET = "swordfish-of-root"
PYTHON = "/usr/bin/python3"
# linux/capability.h
BITS = {"cap_dac_override": 1, "cap_dac_read_search": 2, "cap_setgid": 6, "cap_setuid": 7,
        "cap_sys_ptrace": 19, "cap_sys_admin": 21, "cap_perfmon": 38, "cap_bpf": 39}
REVISION_2, IS_EFFECTIVE = 0x02000000, 1

VICTIM = f"""import sys
def of_root(word):
    n = 0
    print("ready", flush=True)
    while True:
        n += 1  # {SECRET}
of_root("".join(["swordfish", "-of-", "root"]))
"""

OWN = """import sys, time
def of_nobody(word):
    print("ready", flush=True)
    end = time.monotonic() + float(sys.argv[1])
    n = 0
    while time.monotonic() < end:
        n += 1
        time.sleep(float(sys.argv[2]))
of_nobody("mine")
"""


def lend(wperf, names, mode=0o755):
    """As setcap NAMES+ep; this file is a copy, for all to run. False: not on this file system."""
    bits = sum(1 << BITS[name] for name in names)
    value = struct.pack("<IIIII", REVISION_2 | IS_EFFECTIVE, bits & 0xffffffff, 0, bits >> 32, 0)
    os.chmod(wperf, mode)
    try:
        if names:
            os.setxattr(wperf, "security.capability", value)
        elif "security.capability" in os.listxattr(wperf):
            os.removexattr(wperf, "security.capability")
    except OSError as error:
        if error.errno in (errno.EPERM, errno.ENOTSUP):
            return False
        raise
    return True


class Place:
    """A folder for everybody, with the copy of wperf and the two programs in it."""

    def __init__(self, folder, wperf):
        self.folder = pathlib.Path(folder)
        self.groups = []
        os.chmod(folder, 0o755)
        self.wperf = shutil.copy(wperf, folder)
        self.work = self.folder / "work"
        self.work.mkdir()
        os.chmod(self.work, 0o777)
        self.of_root = self.folder / "of_root.py"
        self.of_root.write_text(VICTIM)
        os.chmod(self.of_root, 0o600)
        self.own = self.folder / "own.py"
        self.own.write_text(OWN)

    def run(self, *words):
        """As nobody, who is in these groups: the exit code, and everything that was printed or written."""
        for old in self.work.iterdir():
            old.unlink()
        done = subprocess.run([self.wperf, *words], capture_output=True, timeout=120, check=False,
                              user=NOBODY, group=NOBODY, extra_groups=self.groups, cwd=self.work,
                              env={"PATH": os.environ["PATH"]})
        everything = done.stdout + done.stderr
        for file in self.work.iterdir():
            everything += file.read_bytes()
        return done.returncode, everything.decode(errors="replace")


def start(program, *words, **rights):
    process = subprocess.Popen([PYTHON, program, *words], stdout=subprocess.PIPE, text=True, **rights)
    assert process.stdout.readline() == "ready\n"
    return process


def check_nothing_of_root(place, what):
    """Neither memory nor names of Python nor source, by any command."""
    victim = start(place.of_root)
    pid = str(victim.pid)
    try:
        for words in (["dump", "--locals", pid], ["dump", "--stop", pid],
                      ["record", "-e", "cpu-clock", "-g", "--timeout", "0.5", "-p", pid],
                      ["record", "-e", "cpu-clock", "--timeout", "0.5", "-p", pid, "--json"],
                      ["record", "-e", "cpu-clock", "-a", "-g", "--timeout", "0.5", "--html", "page.html"],
                      ["record", "--source", "timer", "--timeout", "0.5", "-p", pid]):
            code, everything = place.run(*words)
            assert words[0] != "dump" or code == 1, (what, words, everything)
            for word in (SECRET, "swordfish", "of_root("):
                assert word not in everything, (what, words, word)
            assert "of_root" not in everything.replace(str(place.of_root), ""), (what, words)
        code, everything = place.run("record", "--async", "--timeout", "0.5", "-p", pid)
        assert code == 1 and f"cannot read the memory of process {pid}" in everything, (what, everything)
    finally:
        victim.kill()
        victim.wait()
    code, everything = place.run("symbols", str(place.of_root))
    assert code == 1 and "ermission denied" in everything, (what, everything)


def check_own_programs(place, what):
    """What one may do without these rights still works."""
    mine = start(place.own, "60", "1", user=NOBODY, group=NOBODY, extra_groups=[])
    # It runs on while it is read: variables that change meanwhile are left out.
    for _ in range(10):
        code, everything = place.run("dump", "--locals", str(mine.pid))
        if code or "'mine'" in everything:
            break
    mine.kill()
    mine.wait()
    if yama_scope() == 0:
        assert code == 0 and "of_nobody" in everything and "'mine'" in everything, (what, everything)
    code, everything = place.run("record", "-e", "cpu-clock", "--", PYTHON, str(place.own), "1", "0")
    assert code == 0 and "of_nobody" in everything, (what, everything)


def yama_scope():
    path = pathlib.Path("/proc/sys/kernel/yama/ptrace_scope")
    return int(path.read_text()) if path.exists() else 0


def printed_capabilities(place):
    """Hints tell of setup, and this is what it does, in this order."""
    lend(place.wperf, [])
    _, detected = place.run("detect", "-v")
    for words in (["stat", "-a", "sleep", "0.1"], ["record", "-g", "--", PYTHON, str(place.own), "0.2", "0"]):
        detected += place.run(*words)[1]
    assert "setcap" not in detected and "wperf setup --capabilities" in detected, detected
    code, printed = place.run("setup", "--capabilities", "--dry-run")
    found = re.search(r"^sudo chgrp .*\nsudo chmod 750 .*\nsudo setcap (\S+)\+ep ", printed, re.M)
    assert code == 0 and found, printed
    return [found[1].split(",")]


def main():
    if os.geteuid() != 0:
        print("skipped: only root can give capabilities to a file")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder, sys.argv[1])
        if not lend(place.wperf, ["cap_perfmon"]) or place.run("--version")[0] != 0:
            print("skipped: files cannot have capabilities here")
            return SKIPPED
        printed = printed_capabilities(place)
        assert all("cap_sys_ptrace" not in names for names in printed), printed
        for names in [*printed, ["cap_perfmon", "cap_bpf", "cap_sys_ptrace"],
                      ["cap_dac_override", "cap_dac_read_search"], list(BITS)]:
            assert lend(place.wperf, names)
            check_nothing_of_root(place, names)
            check_own_programs(place, names)
        lend(place.wperf, [], 0o6755)
        check_nothing_of_root(place, "set-user-ID")
        check_own_programs(place, "set-user-ID")
    print(f"hints name {printed}; nothing of root was shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())

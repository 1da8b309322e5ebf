# SPDX-License-Identifier: Apache-2.0
"""`wperf setup --capabilities` on a copy: members of the group count and sample, others cannot run it,
the rights are the least that do, and --undo takes all back: `setup_rights.py WPERF STACK_SECRET GUEST`.
"""
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

import lent_rights
from lent_rights import NOBODY, PYTHON, SKIPPED

SECRET = b"swordfish-on-the-stack"
CAPABILITY = "security.capability"
IN_KERNEL = "Python stacks in the sample"


class Member(lent_rights.Place):
    """The same, and what root does there."""

    def as_root(self, *words):
        done = subprocess.run([self.wperf, *words], capture_output=True, timeout=120, check=False, text=True)
        return done.returncode, done.stdout + done.stderr

    def state(self):
        """Owner, group, mode and capabilities of the file."""
        status = os.stat(self.wperf)
        names = os.listxattr(self.wperf)
        assert not [name for name in names if "wperf" in name] or CAPABILITY in names, names
        value = os.getxattr(self.wperf, CAPABILITY) if CAPABILITY in names else None
        return status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode), value

    def abilities(self, of_root=False):
        document = json.loads((self.as_root if of_root else self.run)("detect", "-v", "--json")[1])
        return {row["Ability"]: row["Here"] for row in document["Abilities"] if row["Source"] == "perf"}


def a_group():
    """One of this system's, not root's."""
    for line in open("/etc/group", encoding="utf-8"):
        name, _, number, _ = line.split(":", 3)
        if int(number) not in (0, NOBODY) and name.isalpha() and name.islower():
            return name, int(number)
    raise AssertionError("/etc/group has no group but root's")


def check_texts(place, name):
    """Before: what is missing, the commands for others than root, and nothing is changed."""
    before = place.state()
    code, text = place.run("setup")
    assert code == 0 and f"command:     sudo {place.wperf} setup --capabilities" in text, text
    code, text = place.run("setup", "--capabilities", "--group", name)
    assert code == 1 and f"sudo chgrp {name} {place.wperf}\n" in text and "only root" in text, text
    code, text = place.as_root("setup", "--capabilities", "--group", name, "--dry-run")
    assert code == 0 and text == (f"chgrp {name} {place.wperf}\nchmod 750 {place.wperf}\n"
                                  f"setcap cap_bpf,cap_perfmon+ep {place.wperf}\n"), text
    code, text = place.as_root("setup", "--undo")
    assert code == 0 and "nothing to undo" in text, text
    assert place.state() == before


def check_members(place, in_kernel):
    found = place.abilities()
    for ability in ("software events", "kernel code", "whole cores"):
        assert found[ability] == "yes", (ability, found)
    code, text = place.run("stat", "-e", "context-switches", "-a", "sleep", "0.1")
    assert code == 0 and "not counted" not in text, text
    if in_kernel:
        assert found[IN_KERNEL] == "yes", found
        code, text = place.run("record", "-e", "cpu-clock", "-v", "--", PYTHON, str(place.own), "1", "0")
        assert code == 0 and "of_nobody" in text, text
        assert "were read" not in text and "may not load BPF" not in text, text
    lent_rights.check_nothing_of_root(place, "member")
    lent_rights.check_own_programs(place, "member")


def check_stack_of_root(place, program):
    """The kernel copies stacks for unwinding: their bytes end in no file."""
    victim = subprocess.Popen([program], stdout=subprocess.PIPE)
    assert victim.stdout.readline() == b"ready\n"
    try:
        for target in (["-p", str(victim.pid)], ["-a"]):
            for more in (["-g"], ["--call-graph", "cfi", "--export_perf_data"]):
                code, text = place.run("record", "-e", "cpu-clock", *more, "--timeout", "0.5", *target)
                assert code == 0 and "recorded" in text, text
                assert SECRET.decode() not in text, (target, more)
    finally:
        victim.kill()
        victim.wait()


def check_emulation(place, plugin, guest):
    """The emulator can read what wperf shares with it, whatever rights wperf was lent."""
    if shutil.which("qemu-aarch64") is None or not plugin.exists():
        print("no qemu-aarch64: --source emulate is not tried")
        return
    shutil.copy(plugin, place.folder)
    guest = shutil.copy(guest, place.folder)
    code, text = place.run("stat", "--source", "emulate", "-e", "inst_retired", "--", guest)
    assert "is gone" not in text and re.search(r"[1-9][0-9,]* +inst_retired", text), (code, text)


def check_allocations(place, library):
    """Likewise a program that samples itself."""
    shutil.copy(library, place.folder)
    code, text = place.run("record", "-e", "alloc:4K", "--", "/usr/bin/python3", "-S", "-c", "bytes(1 << 24)")
    assert code == 0 and re.search(r"recorded [1-9][0-9,]* samples", text), (code, text)


def check_least(place, in_kernel):
    """Each of the two alone is too little."""
    if not in_kernel:
        return
    value = os.getxattr(place.wperf, CAPABILITY)
    for names in (["cap_bpf"], ["cap_perfmon"]):
        assert lent_rights.lend(place.wperf, names)
        assert place.abilities()[IN_KERNEL] == "no", names
    os.setxattr(place.wperf, CAPABILITY, value)


def check_refusals(place, name):
    """What would lend to others than the group, or to nobody."""
    before = place.state()
    for group in ("2w", "a:b", "../x", "a b"):
        code, text = place.as_root("setup", "--capabilities", "--group", group)
        assert code == 2 and "name of a group" in text, (group, text)
    for owner, mode in ((NOBODY, 0o755), (0, 0o775), (0, 0o757)):
        os.chown(place.wperf, owner, 0)
        os.chmod(place.wperf, mode)
        code, text = place.as_root("setup", "--capabilities", "--group", name)
        assert code == 1 and "by others than root" in text, text
    os.chown(place.wperf, 0, 0)
    os.chmod(place.wperf, 0o755)
    assert place.state() == before
    loader = pathlib.Path("/lib64/ld-linux-x86-64.so.2")
    if loader.exists():
        status = os.stat(loader)
        done = subprocess.run([loader, place.wperf, "setup", "--capabilities", "--group", name],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 1 and ("is not wperf" in done.stderr or "cannot" in done.stderr), done.stderr
        assert os.stat(loader) == status and CAPABILITY not in os.listxattr(loader)


def in_namespace(script, *words):
    return subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-ec", script, "sh", *words],
                          capture_output=True, text=True, timeout=60, check=False)


def check_namespaces(place):
    """In mounts of their own: a file system without capabilities, and a group that is created."""
    if in_namespace("true").returncode:
        print("no mount namespaces here: creating a group is not tried")
        return
    mounted = place.folder / "mounted"
    mounted.mkdir()
    done = in_namespace('mount -t tmpfs -o nosuid none "$1"; cp "$2" "$1/wperf"; "$1/wperf" setup --capabilities',
                        str(mounted), str(place.wperf))
    assert done.returncode == 1 and "nosuid" in done.stderr, done
    done = in_namespace('cp -a /etc/. "$1"; mount --bind "$1" /etc; '
                        '"$2" setup --capabilities --group wperf_test_group; grep ^wperf_test_group: /etc/group; '
                        '"$2" setup --undo',
                        str(mounted), str(place.wperf))
    assert done.returncode == 0 and "created the group 'wperf_test_group'" in done.stdout, done
    assert "\nwperf_test_group:" in done.stdout and "is what it was before" in done.stdout, done
    assert "wperf_test_group" not in pathlib.Path("/etc/group").read_text(encoding="utf-8")


def main():
    if os.geteuid() != 0:
        print("skipped: only root can give capabilities to a file")
        return SKIPPED
    name, number = a_group()
    with tempfile.TemporaryDirectory() as folder:
        place = Member(folder, sys.argv[1])
        if not lent_rights.lend(place.wperf, ["cap_perfmon"]) or place.run("--version")[0] != 0:
            print("skipped: files cannot have capabilities here")
            return SKIPPED
        lent_rights.lend(place.wperf, [])
        program = shutil.copy(sys.argv[2], folder)
        os.chmod(program, 0o700)
        before = place.state()
        in_kernel = place.abilities(of_root=True)[IN_KERNEL] == "yes"
        check_texts(place, name)
        check_refusals(place, name)
        for _ in range(2):  # the second time it is set up already
            code, text = place.as_root("setup", "--capabilities", "--group", name)
            assert code == 0 and f"members of '{name}'" in text, text
        assert place.state()[:3] == (0, number, 0o750), place.state()
        try:
            place.run("--version")
            raise AssertionError("others than the group can run it")
        except PermissionError:
            pass
        place.groups = [number]
        check_members(place, in_kernel)
        check_stack_of_root(place, program)
        check_emulation(place, pathlib.Path(sys.argv[1]).parent / "wperf-emulated-pmu.so", sys.argv[3])
        check_allocations(place, pathlib.Path(sys.argv[1]).parent / "wperf-memory.so")
        check_least(place, in_kernel)
        code, text = place.as_root("setup", "--undo")
        assert code == 0 and "what it was before" in text, text
        assert place.state() == before, (place.state(), before)
        check_namespaces(place)
        assert place.state() == before, (place.state(), before)
    print(f"group {name}; Python in the kernel: {in_kernel}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

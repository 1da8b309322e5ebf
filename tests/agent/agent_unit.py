# SPDX-License-Identifier: Apache-2.0
"""The systemd unit of the agent: systemd finds nothing wrong with it, and the capabilities that it leaves
are enough to sample other users' processes and to name their functions and Python lines.

agent_unit.py WPERF UNIT
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from agents import HOT_LINES, Program, skip_without_sampling, waiting_files

# As systemd-analyze prints it: 10 is a service without any protection.
MOST_EXPOSURE = 4.5


def check_systemd(unit, wperf, folder):
    tried = folder / "wperf-agent.service"
    tried.write_text(unit.read_text().replace("/usr/bin/wperf ", f"{wperf} "), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", tried], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0 and not done.stderr, done
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", tried],
                          capture_output=True, text=True, check=False)
    exposure = float(re.search(r"exposure level for wperf-agent.service: ([\d.]+)", done.stdout)[1])
    assert exposure <= MOST_EXPOSURE, done.stdout
    print("exposure:", exposure)


def check_capabilities(unit, wperf, folder):
    names = re.findall(r"CAP_(\w+)", " ".join(re.findall(r"(?m)^CapabilityBoundingSet=(.*)$",
                                                         unit.read_text())))
    bounding = ",".join(["-all", *(f"+{name.lower()}" for name in names)])
    spool = folder / "spool"
    other = pathlib.Path(folder, "other")
    other.mkdir(mode=0o755)
    folder.chmod(0o755)
    program = Program(other)
    child = subprocess.Popen(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                              "/usr/bin/python3", "-S", program.path])
    try:
        done = subprocess.run(["setpriv", f"--bounding-set={bounding}", "--no-new-privs", wperf,
                               "agent", "--once", "--window", "3", "-F", "99", "--spool", spool],
                              capture_output=True, text=True, timeout=60, check=False)
    finally:
        child.kill()
        child.wait()
    assert done.returncode == 0 and not done.stderr, done
    (path,) = waiting_files(spool)
    done = subprocess.run([wperf, "report", "-i", path, "--sample-display-row", "0"],
                          capture_output=True, text=True, timeout=60, check=False)
    lines = re.findall(r"spinning\.py:(\d+) +spin", done.stdout)
    assert set(lines) & HOT_LINES, done.stdout
    # Names of the kernel need CAP_SYSLOG.
    assert re.search(r"\[kernel\] +[a-z_]", done.stdout), done.stdout


def main():
    wperf, unit = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not shutil.which("systemd-analyze"):
        print("skipped: no systemd-analyze here")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_systemd(unit, wperf, folder)
        if os.geteuid() != 0:
            print("not checked: capabilities need root")
            return 0
        skip_without_sampling(wperf, folder)
        check_capabilities(unit, wperf, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())

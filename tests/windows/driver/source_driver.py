# SPDX-License-Identifier: Apache-2.0
"""wperf.exe before the driver on simulated registers, in Wine: DRIVERS WPERF.exe CLIENT.exe WPERF PLACE
[FAMILY.exe] (see wine_session.py). Without FAMILY.exe what programs start is not tried.

What it counts and samples through DeviceIoControl is what wperf has of the same machine on Linux.
There time passes at our word, here by the clock: shares and rates are compared, not sums.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from checks import check, end
from wine_session import ARM64, LIMIT, Wine

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "live"))
import waiting  # noqa: E402

drivers, wperf_exe, client_exe, wperf, place = sys.argv[1:6]
family_exe = sys.argv[6] if len(sys.argv) > 6 else None
wine = Wine(place, wperf_exe, client_exe)
# As driver/windows/sim_request.h has it. Wine's device tree knows nothing of clusters and memory.
SIM = "sim,cores=4,busy=1,dsu=2,dmc=2,spe=1"
DRIVER = "driver,dsu=2,dmc=2"
# An emulator is slow, and shares its processors with other tests: what ends by the clock ends late.
SLOW, LATE = (10, 4) if place == ARM64 else (1, 1.5)
EVENTS = "inst_retired,ld_spec,br_retired"
BUSY = "warning: other WindowsPerf process acquired the wperf-driver."
HIJACKED = "warning: other WindowsPerf process hijacked (forced lock) the wperf-driver, see --force-lock."


class Program:
    """wperf.exe, running."""

    def __init__(self, *words, cwd=None):
        self.process = subprocess.Popen([*wine.runner, wperf_exe, *words], stdin=subprocess.DEVNULL, cwd=cwd,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self):
        output, errors = self.process.communicate(timeout=LIMIT)
        return self.process.returncode, output.replace("\r", ""), errors.replace("\r", "")


def run(*words, cwd=None):
    return Program(*words, cwd=cwd).end()


def on_linux(*words):
    done = subprocess.run([wperf, *words, "--source", SIM], check=True, capture_output=True,
                          text=True, timeout=LIMIT)
    return done.stdout


def counts(text):
    """{event: value} of the first core."""
    counters = json.loads(text)["core"]["cores"][0]["Performance_counter"]
    return {row["event_name"]: row["counter_value"] for row in counters}


def check_no_driver():
    code, _, errors = run("list", "--json")
    check(code == 1 and errors.startswith("error: No active device interfaces found.\n"
                                          "Is the driver loaded?") and "wperf-devgen" in errors,
          "without a driver: the peer's words, and what to do")
    code, output, errors = run("--version")
    check(code == 0 and "wperf-driver" not in output and "No active device interfaces found." in errors,
          "wperf says of what version it is")
    code, output, _ = run("detect")
    check(code == 0 and "No active device interfaces found." in output, "detect says it, too")
    check(run("list", "--source", "sim")[0] == 0, "other sources do without")


def rows(text):
    """What `test` says of the machine; which events it has is another thing than which are known."""
    return {row["Test_Name"]: row["Result"] for row in json.loads(text)["Test_Results"]
            if not row["Test_Name"].startswith(("source.", "pmu_device.events_query"))}


def check_description():
    code, output, _ = run("detect")
    check(code == 0 and "driver 3.8.0, 4 cores, with rings of samples" in output, "detect")
    code, output, _ = run("--version", "--json")
    driver = json.loads(output)["Version"][1]
    check(code == 0 and list(driver.values()) == ["wperf-driver", "3.8.0", "0000000-sim", "+spe"],
          f"--version: {driver}")
    code, output, errors = run("test", "--json", "--source", DRIVER)
    real, wanted = rows(output), rows(on_linux("test", "--json"))
    other = {name: (real.get(name), value) for name, value in wanted.items()
             if real.get(name) != value}
    check(code == 0 and len(real) > 20 and not other, f"test: {len(real)} rows as on Linux {other}")
    code, output, errors = run("list")
    check(code == 0 and "ACPI\\ARMHD500" in output + errors, f"list, and what it lacks {errors}")
    code, output, errors = run("test", "--source", "driver,dsu=4")
    check(code == 1 and "DSU_CTL_INIT failed" in errors, f"clusters that are not there {errors}")


def check_counts():
    words = ["stat", "-e", EVENTS, "-c", "2", "--timeout", "0.5", "--json"]
    code, output, errors = run(*words)
    check(code == 0, f"stat {errors}")
    real, wanted = counts(output), counts(on_linux(*words))
    cycles = real["cycle"]
    for event, value in wanted.items():
        share, wanted_share = real[event] / cycles, value / wanted["cycle"]
        check(abs(share - wanted_share) < 1e-5, f"{event}: {share:.6f} of cycles")
    check(0.9 < cycles / wanted["cycle"] < LATE, "cycles of half a second, by the clock")
    words = ["stat", "-e", "/dsu/l3d_cache,/dmc_clkdiv2/rdwr", "-c", "0", "--timeout", "0.3"]
    code, output, errors = run(*words, "--source", DRIVER)
    check(code == 0 and "l3d_cache" in output and "rdwr" in output, f"clusters and memory {errors}")


def samples(text):
    sampling = json.loads(text)["sampling"]
    rows = sampling["events"][0]["samples"]
    return sampling["samples_generated"], sampling["samples_dropped"], sum(r["count"] for r in rows)


def is_all_told(generated, dropped, shown):
    """None is lost where there are processors for all of this; elsewhere losses are told."""
    return shown + dropped == generated and dropped < 0.3 * generated


def check_record(interval):
    words = ["record", "-e", f"ld_spec:{interval}", "-c", "1", "--timeout", "1", "--json"]
    code, output, errors = run(*words)
    check(code == 0, f"record {errors}")
    generated, dropped, shown = samples(output)
    wanted = samples(on_linux(*words))[0]
    check(is_all_told(generated, dropped, shown) and 0.95 * wanted < generated < LATE * wanted,
          f"{generated} samples a second and {dropped} lost, {wanted} on Linux")


def check_samples():
    check_record(100000)
    code, output, errors = run("record", "-a", "-e", f"cpu_cycles:{100000 * SLOW}", "--timeout", "0.5",
                               "--json")
    generated, dropped, shown = samples(output)
    check(code == 0 and is_all_told(generated, dropped, shown) and generated > 4 * 0.45 * 22500 / SLOW,
          f"{generated} samples of all cores, {dropped} lost {errors}")
    code, output, errors = run("record", "-e", "arm_spe_0/load_filter=1/", "-c", "1", "--timeout",
                               "0.3", "--json")
    check(code == 0 and output.count("LOAD_STORE_ATOMIC-LOAD") > 3, f"SPE {errors}")


def check_samples_of_peer():
    """The driver answers as WindowsPerf's, while a client that asked it to has it open."""
    client = wine.start(client_exe, "peer")
    check(client.stdout.readline() == "error 0\n", "a driver without rings")
    code, output, _ = run("detect")
    check(code == 0 and "driver 3.8.0, 4 cores, 128 samples at a time" in output, "detect")
    check_record(1000000)
    client.communicate("", timeout=LIMIT)
    check("with rings of samples" in run("detect")[1], "rings again")


def check_recording():
    """It is kept with the images of the kernel, and reads the same on Linux."""
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/driver.data"
        code, output, errors = run("record", "-k", "-g", "-e", "ld_spec:100000", "-c", "1", "--timeout",
                                   "0.3", "--save", data)
        check(code == 0 and "unknown:[kernel]" in output and
              "[kernel]: no kernel image there" in errors,
              f"samples in a kernel that Wine has no images of {errors}")
        check(b"\\system32\\ntoskrnl.exe\0" in pathlib.Path(data).read_bytes(),
              "the images that it has are in the recording")
        for view in ([], ["--sort", "module"], ["--tree", "down"]):
            here = run("report", "-i", data, *view)[1]
            there = subprocess.run([wperf, "report", "-i", data, *view], check=True, timeout=60,
                                   capture_output=True, text=True).stdout
            check(here == there and "[kernel]" in there, f"report {view}: as on Linux")


def check_programs():
    """A program is bound to the core that is counted or sampled, and its end is the run's."""
    program = ["--", "cmd", "/c", "ping -n 2 127.0.0.1 >nul & exit 7"]
    code, output, errors = run("stat", "-e", EVENTS, "-c", "1", "--json", *program)
    cores = json.loads(output)["core"]["cores"] if output else []
    check(code == 7 and [core["core_number"] for core in cores] == [1] and
          counts(output)["inst_retired"] > 0, f"stat of a program, on its core: {code} {errors}")
    code, output, errors = run("record", "-e", "ld_spec:100000", "-c", "1", "--json", *program)
    check(code == 7 and samples(output)[0] > 0, f"record of a program: {code} {errors}")


def check_wrong_programs():
    code, _, errors = run("stat", "-e", "ld_spec", "-c", "0,1", "--", "cmd", "/c", "exit")
    check(code == 2 and "you can specify only one core for process spawn" in errors, "one core")
    code, _, errors = run("record", "-e", "ld_spec:100000", "-c", "1", "--", "nothing")
    check(code == 1 and errors.startswith("CreateProcess failed (0x2)."), "no such program")
    if os.cpu_count() < 4:
        code, _, errors = run("stat", "-e", "ld_spec", "-c", "3", "--", "cmd", "/c", "exit")
        check(code == 1 and errors.startswith("Error setting affinity\nno core 3: this machine has"),
              "the machine of the driver has more cores than ours")


SAMPLES_PER_US = 0.00225  # of user code, at an interval of a million cycles
SAMPLE_CYCLES = ["record", "-e", "cpu_cycles:1000000", "-c", "1", "--json"]


def check_worked(what, output, errors, least=1.0):
    """Samples are those of the time that the children say that they had, of no one else's."""
    generated, dropped, kept = samples(output)
    worked = [[int(us) for us in row] for row in re.findall(r"worked (\d+) (\d+) us", errors)]
    low, high = (SAMPLES_PER_US * sum(row[i] for row in worked) for i in (0, 1))
    check(0.97 * least * low - dropped - len(worked) <= kept <= 1.03 * high + len(worked),
          f"{what}: {kept} samples of {low:.0f} to {high:.0f}, {generated} of all, {dropped} lost")


def named(output):
    """How many samples have the name of the child's function."""
    rows = json.loads(output)["sampling"]["events"][0]["samples"]
    return sum(row["count"] for row in rows if row["symbol"] == "work:kid.exe")


def check_families(folder):
    """What a program starts belongs to it: by launchers, by batch files, and if it is over at once."""
    for name in ("family.exe", "kid.exe"):
        shutil.copy(family_exe, folder / name)
    (folder / "build.bat").write_text("@family.exe start 1 300 kid.exe\r\n@exit /b 7\r\n")
    starts = ([folder / "family.exe", "start", "1", "300", folder / "kid.exe"], ["cmd", "/c", "build.bat"])
    for words, wanted in zip(starts, (0, 7)):
        code, output, errors = run(*SAMPLE_CYCLES, "--", *words, cwd=folder)
        check(code == wanted, f"{words[0]}: {code} {errors}")
        check_worked(f"a child of {words[0]}", output, errors)
        kept = samples(output)[2]
        check(named(output) > 0.5 * kept, f"{named(output)} of {kept} have their names")
    code, output, errors = run(*SAMPLE_CYCLES, "--", "family", "start", "1", "5", "kid.exe", "10", cwd=folder)
    check_worked("ten that are over at once", output, errors)


def check_what_runs(folder):
    """A process that runs, and starts another one later."""
    words = [*wine.runner, folder / "family.exe", "later", "1", "1000", folder / "kid.exe"]
    recording = folder / "kid.data"
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as parent:
        pid = parent.stdout.readline().strip()
        program = Program(*SAMPLE_CYCLES, "-p", pid, "--timeout", "30", "--save", "kid.data", cwd=folder)
        waiting.wait_for_recording(recording)
        _, worked = parent.communicate("\n", timeout=60)
    code, output, errors = program.end()
    check(code == 0, f"-p: {code} {errors}")
    # It counts from when it was found.
    check_worked("a child of a process that runs", output, worked, least=0.5)
    check(named(output) > 0, f"{named(output)} of them have their names")


SHORT = ["stat", "-e", "ld_spec", "-c", "0", "--timeout", "0.1"]


def start_holder():
    """A client that has the lock, and what another one hears. They may meet at the door."""
    for _ in range(20):
        holder = Program("record", "-e", "ld_spec:100000", "-c", "1", "--timeout", "40")
        heard = []

        def is_refused_or_over():
            heard[:] = run(*SHORT)
            return heard[0] or holder.process.poll() is not None
        waiting.wait_until(is_refused_or_over, "the lock", LIMIT, interval=0.5)
        if heard[0]:
            return holder, heard[0], heard[2]
    return holder, 0, ""


def check_locks():
    first, code, errors = start_holder()
    check(code == 1 and errors.startswith(BUSY + "\nnote: use --force-lock"),
          "a second client is refused")
    code, output, errors = run(*SHORT, "--json", "--force-lock")
    check(code == 0 and counts(output)["ld_spec"] > 0, f"--force-lock takes it {errors}")
    code, _, errors = first.end()
    check(code == 1 and errors.startswith(HIJACKED + "\nOperation terminated"),
          f"the first one says so: {errors.splitlines()[:1]}")
    check(run(*SHORT)[0] == 0, "and it is free")


def check_installed():
    """The device of an installed driver is found by its interface."""
    devgen, folder = f"{drivers}/wperf-devgen.exe", f"Z:{drivers}/wperf-sim.inf".replace("/", "\\")
    # Wine asks what to do about a file that is there already.
    (wine.prefix / "drive_c/windows/system32/drivers/wperf-sim.sys").unlink(missing_ok=True)
    code, output = wine.run(devgen, "install", folder)
    check(code == 0, f"the driver is installed {output}")
    code, output, _ = run("detect", "--json")
    device = json.loads(output)["Devices"][0]
    check(device["Hardware_IDs"] == "Root\\WPERFDRIVER" and device["Device_Instance_ID"].lower().endswith(
        "{f8047fdd-7083-4c2e-90ef-c0c73f1045fd}"), f"detect: {device}")
    check(run(*SHORT)[0] == 0, "and it counts")
    wine.run(devgen, "remove")


def check_all():
    wine.run("net", "stop", "wperf")
    check_no_driver()
    wine.install(pathlib.Path(drivers) / "wperf-sim.sys", "wperf")
    check(wine.run("net", "start", "wperf")[0] == 0, "the driver starts")
    check_description()
    check_counts()
    check_samples()
    check_samples_of_peer()
    check_recording()
    check_programs()
    if family_exe:
        with tempfile.TemporaryDirectory() as name:
            check_families(pathlib.Path(name))
            check_what_runs(pathlib.Path(name))
    if place != ARM64:  # the same on both, and slow there
        check_wrong_programs()
    check_locks()
    wine.run("net", "stop", "wperf")
    wine.run("sc", "delete", "wperf")
    check_installed()


wine.run_parts(check_all)
end(f"wperf.exe before the driver for {pathlib.Path(drivers).name} in Wine")

# SPDX-License-Identifier: Apache-2.0
"""A fleet on one machine: `wperf serve` gets what 1,000 agents send, in their rhythm and then as fast
as it can, into each kind of store; then queries are timed.

    fleet.py WPERF [SECONDS [HOSTS [STORE ...]]]        one minute and 1,000 hosts if left out

STORE: "sqlite" (the default), or "clickhouse", for which a server of Debian's package is started.
The requests are synthetic (synthetic_fleet.h): 2,000 samples per host and minute, about 1,600 rows.
Of the server: processor time of its process (and of ClickHouse's, if that is the store), its peak
of resident memory, and the bytes of the store on disk, per row. A row is one stack in one window.
"""
import glob
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

CLICKHOUSE = """<yandex>
 <logger><level>warning</level><log>{folder}/log</log><errorlog>{folder}/errors</errorlog></logger>
 <http_port>{port}</http_port><listen_host>127.0.0.1</listen_host><path>{folder}/data/</path>
 <tmp_path>{folder}/tmp/</tmp_path><mark_cache_size>500000000</mark_cache_size>
 <users_config>{folder}/users.xml</users_config><default_profile>default</default_profile>
 <default_database>default</default_database>
 <compression><case><method>zstd</method></case></compression>
</yandex>"""
CLICKHOUSE_USERS = """<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default>
 <password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
</default></users></yandex>"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def size_of(folder, place):
    """Bytes on disk. ClickHouse keeps parts that were merged for eight more minutes: those do not count."""
    if place.startswith("clickhouse://"):
        server = place.removeprefix("clickhouse://").split("/")[0]
        query = b"SELECT sum(bytes) FROM system.parts WHERE database = 'fleet' AND active"
        return int(urllib.request.urlopen(f"http://{server}/", data=query).read())
    return sum(os.stat(path).st_blocks * 512 for path in glob.glob(folder + "/**", recursive=True) if os.path.isfile(path))


def cost_of(pid):
    """Processor seconds so far, and the peak of resident memory in MiB."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), peak / 1024


def start_clickhouse(folder):
    port = free_port()
    for name, text in (("config.xml", CLICKHOUSE), ("users.xml", CLICKHOUSE_USERS)):
        with open(f"{folder}/{name}", "w", encoding="ascii") as file:
            file.write(text.format(folder=folder, port=port))
    server = subprocess.Popen(["clickhouse-server", f"--config-file={folder}/config.xml"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/ping")
            break
        except OSError:
            time.sleep(0.1)
    urllib.request.urlopen(f"http://127.0.0.1:{port}/", data=b"CREATE DATABASE IF NOT EXISTS fleet")
    return server, f"clickhouse://127.0.0.1:{port}/fleet"


def start_serve(wperf, place):
    server = subprocess.Popen([wperf, "serve", "--store", place, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    return server, line.split("http://")[1].split(",")[0].split()[0]


def send(sender, address, seconds, hosts, window):
    words = [sender, f"http://{address}/v1development/profiles", str(seconds), str(hosts), str(window)]
    return json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)


def show_sending(title, result, before, after):
    seconds = result["seconds"]
    print(f"  {title}: {result['ok']} requests, {result['rows'] / seconds:,.0f} rows/s, "
          f"{result['bytes'] / max(result['rows'], 1):.1f} bytes per row on the wire")
    print(f"    answers: half below {result['half_below_ms']} ms, 99 % below {result['p99_below_ms']} ms; "
          f"{result['refused']} refused, {result['failed']} failed; latest request {result['latest_s']} s late")
    for (name, cpu), (_, cpu_after) in zip(before, after):
        print(f"    {name}: {100 * (cpu_after - cpu) / seconds:.0f} % of one core")


def time_queries(wperf, place):
    queries = [("one service", ["--service", "service-4"]),
               ("one service, one host", ["--service", "service-4", "--host", "host-00004"]),
               ("two ranges compared", ["--service", "service-4", "--diff", "1h,30s"]), ("all services", [])]
    for name, words in queries:
        command = [wperf, "report", "--from", place] + words
        begin = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        took = time.monotonic() - begin
        print(f"  report of {name}: {took:.2f} s" + ("" if done.returncode == 0 else "  " + done.stderr.strip()))


def measure(wperf, sender, kind, seconds, hosts):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/store")
        processes = {}
        place = f"sqlite:{folder}/store/fleet.db"
        if kind == "clickhouse":
            processes["clickhouse-server"], place = start_clickhouse(folder + "/store")
        processes["wperf serve"], address = start_serve(wperf, place)

        def costs():
            return [(name, cost_of(process.pid)[0]) for name, process in processes.items()]

        print(f"{kind}: {hosts} hosts, one window of 60 s each minute, for {seconds} s")
        rows = 0
        for title, window in (("in their rhythm", 60), ("as fast as it goes, 8 connections", 0)):
            before = costs()
            result = send(sender, address, seconds if window else min(seconds, 60), hosts, window)
            show_sending(title, result, before, costs())
            rows += result["rows"]
        for name, process in processes.items():
            print(f"  {name}: {cost_of(process.pid)[1]:.0f} MiB at its peak")
        print(f"  store: {size_of(folder + '/store', place) / max(rows, 1):.2f} bytes per row, {rows:,} rows")
        time_queries(wperf, place)
        for process in reversed(processes.values()):
            process.send_signal(signal.SIGTERM)
            process.wait()


def main():
    wperf = os.path.abspath(sys.argv[1])
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    hosts = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    sender = os.path.join(os.path.dirname(os.path.realpath(wperf)), "release", "bench", "fleet_sender")
    if not os.path.exists(sender):
        sender = os.path.join(os.path.dirname(os.path.realpath(wperf)), "..", "..", "bench", "fleet_sender")
    for kind in sys.argv[4:] or ["sqlite"]:
        measure(wperf, sender, kind, seconds, hosts)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Queries of a large store in ClickHouse: 110 million rows of a day, of 10 services on 5 hosts each.

    large_store.py WPERF STORE_SPEED [FOLDER [HOURS]]        /tmp and 23 hours if left out

    ninja -C build/release wperf store_speed
    python3 bench/large_store.py build/release/src/cli/wperf build/release/bench/store_speed

It starts a server of Debian's package, whose data are in a temporary folder inside FOLDER (1 GB), and
removes them at the end. store_speed makes the first hour (synthetic_fleet.h, 4.8 million rows);
ClickHouse copies it to the others, with new ids of batches. A row is one stack in one window. Queries
run before and after sums of hours are made, twice each; of both the time that passed, and the
processor time of wperf and of ClickHouse, which depends less on what else the machine does.
"""
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request

from fleet import cost_of, start_clickhouse

HOUR = 3600 * 10**9
FIRST = 1700000000 // 3600 * HOUR  # of store_speed
SAME = ("num_dropped, num_lost, service, event, unit, model, language, flags, period, frequency, label_keys, label_values,"
        " event_id, series, count, weight, scale, stacks, counts, extras")


class Bench:
    def __init__(self, wperf, server, place, hours):
        self.wperf, self.server, self.place, self.hours = wperf, server, place, hours

    def ask(self, sql):
        address = self.place.removeprefix("clickhouse://").split("/")[0]
        return urllib.request.urlopen(f"http://{address}/?database=fleet", data=sql.encode()).read().decode()

    def copy_hours(self):
        for number in range(1, self.hours):
            later = number * HOUR
            self.ask(f"INSERT INTO windows(day, batch, part, put, start, end, {SAME})"
                     f" SELECT toUInt32(intDiv(start + {later}, {24 * HOUR})), MD5(concat(batch, '{number}')), part, put,"
                     f" toUInt64(start + {later}), toUInt64(end + {later}), {SAME} FROM windows WHERE start < {FIRST + HOUR}")

    def time(self, name, *words):
        def costs():
            own = resource.getrusage(resource.RUSAGE_CHILDREN)
            return time.monotonic(), own.ru_utime + own.ru_stime, cost_of(self.server.pid)[0]

        before = costs()
        subprocess.run([self.wperf, *words], stdout=subprocess.DEVNULL, check=True)
        took, own, server = (b - a for a, b in zip(before, costs()))
        print(f"  {name}: {took:.2f} s (CPU: wperf {own:.2f} s, ClickHouse {server:.2f} s)", flush=True)

    def report(self, name, *words):
        self.time(name, "report", "--from", self.place, *words)

    def time_queries(self):
        # Neither begins nor ends with an hour: the windows of up to two hours are read as well.
        begin, middle, end = (str(FIRST // 10**9 + seconds)
                              for seconds in (1200, self.hours * 1800, self.hours * 3600 - 600))
        day = ["--since", "@" + begin, "--until", "@" + end]
        for _ in range(2):
            self.report("one service, the day", "--service", "service-4", *day)
            self.report("one service, two halves compared", "--service", "service-4", "--since", "@" + begin,
                        "--until", "@" + middle, "--diff", f"@{middle},@{end}")
            self.report("one service, one host, the day", "--service", "service-4", "--host", "host-3", *day)
            self.report("all services, the day", *day)


def main():
    wperf, store_speed = (os.path.abspath(word) for word in sys.argv[1:3])
    hours = int(sys.argv[4]) if len(sys.argv) > 4 else 23
    with tempfile.TemporaryDirectory(dir=sys.argv[3] if len(sys.argv) > 3 else None) as folder:
        server, place = start_clickhouse(folder)
        try:
            bench = Bench(wperf, server, place, hours)
            subprocess.run([store_speed, place, "60", "10", "5"], stdout=subprocess.DEVNULL, check=True)
            # store_speed has summed up its hour.
            for table in ("sums", "hours"):
                bench.ask(f"TRUNCATE TABLE {table}")
            bench.copy_hours()
            rows = int(bench.ask("SELECT sum(length(stacks)) FROM windows"))
            print(f"{rows:,} rows\nas they are:")
            bench.time_queries()
            bench.time("sums of hours", "store", "trim", place, "--keep", "100000d", "--keep-hours", "100000d")
            print("with sums of hours:")
            bench.time_queries()
            size = bench.ask("SELECT table, sum(bytes) FROM system.parts WHERE database = 'fleet' AND active"
                             " AND table IN ('windows', 'sums') GROUP BY table ORDER BY table")
            print("bytes: " + ", ".join(line.replace("\t", " ") for line in size.splitlines()))
        finally:
            server.terminate()
            server.wait()


main()

# SPDX-License-Identifier: Apache-2.0
"""Requests as other agents write them: stored, and reported under a service.

serve_senders.py WPERF FOLDER
"""
import sys
import time

from fleet_server import Server, clean, run, weights
from otlp_texts import Request, otlp_request
from recorder import run_tests

NOW = time.time_ns()


class Bench:
    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, clean(folder)


def listed(wperf, store):
    """{service: events} of `wperf store list`."""
    lines = run([wperf, "store", "list", store]).stdout.split("\n\n")[1].splitlines()
    rows = [line.split() for line in lines if "=" not in line and line.strip()][1:]
    return {row[0]: row[1:3] for row in rows}


def test_ebpf_profiler(bench):
    """A resource for each process, with its container, executable and environment; samples have times and
    no values, and name their thread. Until 2025 the resource was the container, and samples named the
    program."""
    times = [NOW + i * 50000000 for i in range(5)]
    thread = {"thread.name": "worker", "thread.id": 8, "cpu.logical_number": 3}
    older = {"process.executable.name": "sshd", "process.pid": 7, "thread.name": "sshd", "thread.id": 7}
    both = {**older, "process.executable.name": "cron", "process.pid": 8}

    def process(name, pid, **more):
        labels = {"process.pid": pid, "process.executable.path": "/usr/sbin/" + name, "process.executable.name": name}
        return {**{key.replace("_", "."): value for key, value in more.items()}, **labels}

    requests = [
        Request().add(process("sh", 4, container_id="0123456789abcdef"), [(("poll", "main"), times, thread)], NOW),
        Request().add({**process("nginx", 5), "process.environment_variable.HOME": "/"}, [(("recv", "main"), times[:4], thread)], NOW),
        Request().add(process("java", 6, service_name="named", container_id="9"), [(("g", "main"), times[:1], thread)], NOW),
        Request().add({"container.id": "fedcba"}, [(("accept", "main"), times[:3], older)], NOW),
        Request().add({}, [(("accept", "main"), times[:3], older)], NOW),
        Request().add({}, [(("read", "main"), times[:2], older), (("sleep", "main"), times[:1], both)], NOW),
        Request().add({}, [(("f", "main"), times[:1])], NOW),
    ]
    with Server(bench.wperf, clean(bench.folder / "ebpf")) as server:
        for one in requests:
            assert server.post(one.bytes())[0] == 200
        found = listed(bench.wperf, server.store)
        assert found == {name: ["samples", "events"] for name in
                         ("0123456789abcdef", "fedcba", "named", "nginx", "sshd", "unknown")}, found
        assert weights(bench.wperf, server.store) == {"samples": 5 + 4 + 1 + 3 + 3 + 3 + 1}
        report = run([bench.wperf, "report", "--from", server.store, "--service", "0123456789abcdef"]).stdout
        assert "poll" in report and "accept" not in report, report


# Off the CPU, values are nanoseconds, one for each time. Native frames have addresses as the file's
# symbols have them, and a mapping with two build ids; the kernel's and interpreters' have names.
EBPF_FRAMES = """
resource_profiles {
 resource { attributes { key: "service.name" value { string_value: "frames" } } attributes { key: "process.pid" value { int_value: 5 } } }
 scope_profiles { scope { name: "go.opentelemetry.io/ebpf-profiler" } profiles {
  sample_type { type_strindex: 1 unit_strindex: 2 } time_unix_nano: %(now)d duration_nano: 5000000000
  samples { stack_index: 1 attribute_indices: 6 values: 3000 values: 4000
   timestamps_unix_nano: %(now)d timestamps_unix_nano: %(later)d }
  samples { stack_index: 2 attribute_indices: 6 values: 5000 timestamps_unix_nano: %(now)d } } } }
dictionary {
 string_table: "" string_table: "events" string_table: "nanoseconds" string_table: "process.executable.build_id.gnu"
 string_table: "process.executable.build_id.htlhash" string_table: "profile.frame.type" string_table: "libm.so.6"
 string_table: "vmlinux" string_table: "schedule" string_table: "price" string_table: "shop.py" string_table: "thread.name"
 mapping_table {}
 mapping_table { memory_start: 4096 memory_limit: 65536 file_offset: 4096 filename_strindex: 6 attribute_indices: 1 attribute_indices: 2 }
 mapping_table { filename_strindex: 7 attribute_indices: 2 }
 mapping_table { attribute_indices: 2 }
 location_table {}
 location_table { mapping_index: 2 address: 18446744071578845184 lines { function_index: 1 } attribute_indices: 3 }
 location_table { mapping_index: 1 address: 8464 attribute_indices: 4 }
 location_table { mapping_index: 3 address: 7 lines { function_index: 2 line: 12 } attribute_indices: 5 }
 location_table { attribute_indices: 7 }
 function_table {} function_table { name_strindex: 8 } function_table { name_strindex: 9 filename_strindex: 10 }
 link_table {}
 attribute_table {}
 attribute_table { key_strindex: 3 value { string_value: "0123456789abcdef0123456789abcdef01234567" } }
 attribute_table { key_strindex: 4 value { string_value: "fedcba9876543210fedcba9876543210" } }
 attribute_table { key_strindex: 5 value { string_value: "kernel" } }
 attribute_table { key_strindex: 5 value { string_value: "native" } }
 attribute_table { key_strindex: 5 value { string_value: "cpython" } }
 attribute_table { key_strindex: 11 value { string_value: "worker" } }
 attribute_table { key_strindex: 5 value { string_value: "abort-marker" } }
 stack_table {}
 stack_table { location_indices: 1 location_indices: 2 location_indices: 3 }
 stack_table { location_indices: 3 location_indices: 4 }
}
"""


def test_frames_of_ebpf_profiler(bench):
    body = otlp_request.bytes_of((EBPF_FRAMES % {"now": NOW, "later": NOW + 1000}).encode())
    with Server(bench.wperf, clean(bench.folder / "frames")) as server:
        assert server.post(body)[0] == 200
        assert weights(bench.wperf, server.store) == {"events": 12000}
        assert listed(bench.wperf, server.store)["frames"] == ["events", "nanoseconds"]
        report = run([bench.wperf, "report", "--from", server.store, "--sort", "address"]).stdout
        assert "libm.so.6+0x2110" in report and "schedule" in report, report
        tree = run([bench.wperf, "report", "--from", server.store, "--tree", "down"]).stdout
        assert tree.index("price") < tree.index("[libm.so.6]") < tree.index("schedule"), tree
        lines = run([bench.wperf, "report", "--from", server.store]).stdout
        assert "shop.py:12" in lines and "hot lines of " in lines, lines
        export = otlp_request.text_of(server.ask("/api/v1/profile?service=frames")[2]).decode()
        assert "0123456789abcdef0123456789abcdef01234567" in export, export
        assert '"marker"' in export, export


def test_async_profiler(bench):
    """No resource, one profile of an event in its own unit, and each value and attribute a field of its own;
    a collector adds the service. What a JFR file becomes has two profiles of one name, of samples and in the
    unit, and times."""
    stacks = [(("java/util/HashMap.get", "Main.main"), 30000000, {"thread.name": "main"}),
              (("java/util/HashMap.put", "Main.main"), 10000000)]
    with Server(bench.wperf, clean(bench.folder / "java")) as server:
        for labels in ({}, {"service.name": "java", "telemetry.sdk.name": "async-profiler"}):
            cpu = Request("cpu", "ns", ("", "", 0)).add(labels, stacks, NOW)
            assert server.post(cpu.bytes(is_packed=False), is_packed=True)[0] == 200
        alloc = Request("alloc", "bytes", ("", "", 0))
        alloc.add({"service.name": "java"}, [(("java/lang/String.<init>", "Main.main"), 1048576)], NOW)
        assert server.post(alloc.bytes(is_packed=False))[0] == 200
        assert weights(bench.wperf, server.store) == {"cpu": 80000000, "alloc": 1048576}
        assert listed(bench.wperf, server.store)["unknown"] == ["cpu", "nanoseconds"]
        report = run([bench.wperf, "report", "--from", server.store, "--service", "java", "--event", "cpu"]).stdout
        assert "75.00" in report and "java/util/HashMap.get" in report, report
        threads = run([bench.wperf, "report", "--from", server.store, "--service", "java", "--event", "cpu", "--json"]).stdout
        assert '"unit":"nanoseconds"' in threads, threads


def test_collector(bench):
    """It joins requests of several agents: resources of many services, one dictionary."""
    joined = Request()
    for i in range(20):
        joined.add({"service.name": f"s{i}", "host.name": f"h{i % 3}"}, [((f"f{i}", "main"), 2**i)], NOW + i)
    body = joined.bytes()
    with Server(bench.wperf, clean(bench.folder / "collector")) as server:
        for _ in range(2): # a collector sends again what it has no answer to
            assert server.post(body, is_packed=True)[0] == 200
        assert weights(bench.wperf, server.store) == {"samples": 2**20 - 1}
        assert set(listed(bench.wperf, server.store)) == {f"s{i}" for i in range(20)}
        report = run([bench.wperf, "report", "--from", server.store, "--service", "s9"]).stdout
        assert "f9" in report and "f8" not in report


def main():
    if not otlp_request.is_there():
        return 77
    run_tests([test_ebpf_profiler, test_frames_of_ebpf_profiler, test_async_profiler, test_collector], Bench(*sys.argv[1:3]))
    return 0


sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""A cluster of ClickHouse with its ZooKeeper, in a folder of the test's own and on free ports."""
import ctypes
import pathlib
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "live"))
from waiting import wait_until  # noqa: E402

SERVER = pathlib.Path("/usr/sbin/clickhouse-server")
ZOOKEEPER = pathlib.Path("/usr/share/java/zookeeper.jar")
JAVA = pathlib.Path("/usr/bin/java")
NAME = "fleet_cluster"
PR_SET_PDEATHSIG = 1


def is_server_there():
    return SERVER.exists()


def is_possible():
    return is_server_there() and ZOOKEEPER.exists() and JAVA.exists()


def free_ports(num):
    """All at once, so that none is given twice."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(num)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start(folder, words):
    with (folder / "output").open("ab") as output:
        return subprocess.Popen([str(word) for word in words], cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                stderr=output, preexec_fn=die_with_parent)


def kill(process):
    if process.poll() is None:
        process.kill()
    process.wait()


class ZooKeeper:
    def __init__(self, folder, port):
        self.folder, self.port = folder, port
        self.folder.mkdir(parents=True)
        # 4lw: "ruok" is asked to know when it serves. Sessions of killed servers live for two ticks at least.
        (folder / "zoo.cfg").write_text(f"tickTime=500\ndataDir={folder}/data\nclientPort={port}\n"
                                        "clientPortAddress=127.0.0.1\nadmin.enableServer=false\n"
                                        "4lw.commands.whitelist=ruok\nforceSync=no\n", encoding="utf-8")
        self.start()

    def start(self):
        self.process = start(self.folder, [
            JAVA, "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", ZOOKEEPER,
            "org.apache.zookeeper.server.ZooKeeperServerMain", self.folder / "zoo.cfg"])

    def is_up(self):
        assert self.process.poll() is None, (self.folder / "output").read_text(encoding="utf-8")
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
                connection.sendall(b"ruok")
                return connection.recv(4) == b"imok"
        except OSError:
            return False

    def kill(self):
        kill(self.process)


class Node:
    """A server of the cluster. @others: (shard, tcp port) of all. @zookeeper: its port; None: the server is alone."""

    def __init__(self, folder, shard, replica, ports, others, zookeeper):
        self.folder = folder
        self.http, self.tcp, self.interserver = ports
        self.folder.mkdir(parents=True)
        shards = "".join(
            "<shard><internal_replication>true</internal_replication>" + "".join(
                f"<replica><host>127.0.0.1</host><port>{port}</port></replica>"
                for other, port in others if other == number) + "</shard>"
            for number in sorted({other for other, _ in others}))
        cluster = f"""
<zookeeper><node><host>127.0.0.1</host><port>{zookeeper}</port></node>
<session_timeout_ms>2000</session_timeout_ms><operation_timeout_ms>2000</operation_timeout_ms></zookeeper>
<macros><shard>{shard}</shard><replica>{replica}</replica></macros>
<remote_servers><{NAME}>{shards}</{NAME}></remote_servers>
<distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
"""
        (folder / "config.xml").write_text(f"""<yandex>
<logger><level>warning</level><log>{folder}/log</log><errorlog>{folder}/errors</errorlog></logger>
<http_port>{self.http}</http_port><tcp_port>{self.tcp}</tcp_port>
<interserver_http_port>{self.interserver}</interserver_http_port>
<interserver_http_host>127.0.0.1</interserver_http_host><listen_host>127.0.0.1</listen_host>
<path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path><users_config>users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>5368709</mark_cache_size>{cluster if zookeeper else ""}</yandex>
""", encoding="utf-8")
        (folder / "users.xml").write_text("""<yandex><profiles>
<default><background_pool_size>4</background_pool_size></default>
<reader><readonly>1</readonly></reader></profiles>
<users><default><password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
</default><reader><password/><networks><ip>127.0.0.1</ip></networks><profile>reader</profile>
<quota>default</quota></reader></users><quotas><default/></quotas></yandex>
""", encoding="utf-8")
        self.start()

    def start(self):
        self.process = start(self.folder, [SERVER, f"--config-file={self.folder}/config.xml"])

    def is_up(self):
        assert self.process.poll() is None, (self.folder / "output").read_text(encoding="utf-8")
        try:
            return self.ask("SELECT 1") == "1\n"
        except OSError:
            return False

    def ask(self, sql, **settings):
        address = f"http://127.0.0.1:{self.http}/?{urllib.parse.urlencode(settings)}"
        try:
            with urllib.request.urlopen(address, sql.encode(), timeout=60) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            return f"{error.code} {error.read().decode()}"

    def kill(self):
        kill(self.process)


def lone_server(folder):
    ports = free_ports(3)
    node = Node(folder, 1, 1, ports, [(1, ports[1])], None)
    wait_until(node.is_up, "clickhouse-server")
    return node


class Cluster:
    """Shards of two replicas each."""

    def __init__(self, folder, num_shards):
        places = [(shard, replica) for shard in range(1, num_shards + 1) for replica in (1, 2)]
        ports = free_ports(1 + 3 * len(places))
        own = [ports[1 + 3 * i:4 + 3 * i] for i in range(len(places))]
        others = [(place[0], own[i][1]) for i, place in enumerate(places)]
        self.zookeeper = ZooKeeper(folder / "zookeeper", ports[0])
        self.nodes = [Node(folder / f"node{place[0]}{place[1]}", *place, own[i], others, ports[0])
                      for i, place in enumerate(places)]
        self.wait()

    def wait(self):
        for process in (self.zookeeper, *self.nodes):
            wait_until(process.is_up, "the cluster")

    def place(self, node, database="fleet", user=""):
        return f"clickhouse://{user}127.0.0.1:{self.nodes[node].http}/{database}?cluster={NAME}"

    def kill(self):
        for process in (*self.nodes, self.zookeeper):
            process.kill()

# SPDX-License-Identifier: Apache-2.0
"""A cluster of ClickHouse with its ZooKeeper, in a folder of the test's own and on free ports."""
import ctypes
import pathlib
import re
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
DEPLOY = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy/clickhouse"
NAME = "profiles"
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
        # 4lw: these words are asked to know when it serves. Sessions of killed servers live for two ticks at least.
        (folder / "zoo.cfg").write_text(f"tickTime=500\ndataDir={folder}/data\nclientPort={port}\n"
                                        "clientPortAddress=127.0.0.1\nadmin.enableServer=false\n"
                                        "4lw.commands.whitelist=ruok,cons\nforceSync=no\n", encoding="utf-8")
        self.start()

    def start(self):
        self.process = start(self.folder, [
            JAVA, "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", ZOOKEEPER,
            "org.apache.zookeeper.server.ZooKeeperServerMain", self.folder / "zoo.cfg"])

    def ask(self, word):
        assert self.process.poll() is None, (self.folder / "output").read_text(encoding="utf-8")
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
                connection.sendall(word)
                return b"".join(iter(lambda: connection.recv(4096), b""))
        except OSError:
            return b""

    def is_up(self):
        return self.ask(b"ruok") == b"imok"

    def num_sessions(self):
        return len(re.findall(rb"sid=0x(?!0,)", self.ask(b"cons")))

    def kill(self):
        kill(self.process)


class Node:
    """A server, alone or with the files of config.d/ that @more has."""

    def __init__(self, folder, ports, more=None):
        self.folder = folder
        self.http, tcp, interserver = ports
        (self.folder / "config.d").mkdir(parents=True)
        for name, text in (more or {}).items():
            (folder / "config.d" / name).write_text(text, encoding="utf-8")
        (folder / "config.xml").write_text(f"""<yandex>
<logger><level>warning</level><log>{folder}/log</log><errorlog>{folder}/errors</errorlog></logger>
<http_port>{self.http}</http_port><tcp_port>{tcp}</tcp_port>
<interserver_http_port>{interserver}</interserver_http_port><listen_host>127.0.0.1</listen_host>
<path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path><users_config>users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>5368709</mark_cache_size></yandex>
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
    node = Node(folder, free_ports(3))
    wait_until(node.is_up, "clickhouse-server")
    return node


def replace_each(text, pattern, values):
    """The n-th place with the n-th value."""
    values = iter(values)
    text = re.sub(pattern, lambda _: next(values), text)
    assert next(values, None) is None, pattern
    return text


class Cluster:
    """That of deploy/clickhouse: two shards of two replicas."""

    def __init__(self, folder):
        places = [(shard, replica) for shard in (1, 2) for replica in "ab"]
        zookeeper, *ports = free_ports(1 + 3 * len(places))
        own = [ports[3 * i:3 * i + 3] for i in range(len(places))]
        self.zookeeper = ZooKeeper(folder / "zookeeper", zookeeper)
        # Servers that do not find it when they start try again after five seconds.
        wait_until(self.zookeeper.is_up, "ZooKeeper")
        cluster = (DEPLOY / "cluster.xml").read_text(encoding="utf-8")
        # One ZooKeeper does for a test, and who is killed is to be missed soon.
        node = f"<node><host>127.0.0.1</host><port>{zookeeper}</port></node>"
        short = "<session_timeout_ms>2000</session_timeout_ms><operation_timeout_ms>2000</operation_timeout_ms>"
        cluster = replace_each(cluster, r"<node>.*</node>", [node + short, "", ""])
        cluster = replace_each(cluster, r"<replica>.*</replica>", [
            f"<replica><host>127.0.0.1</host><port>{tcp}</port></replica>" for _, tcp, _ in own])
        cluster = cluster.replace("0.0.0.0", "127.0.0.1")
        macros = (DEPLOY / "macros.xml").read_text(encoding="utf-8").replace(
            ">clickhouse-1a</inter", ">127.0.0.1</inter")
        self.nodes = []
        for (shard, replica), node_ports in zip(places, own):
            one = macros.replace("<shard>1<", f"<shard>{shard}<").replace("<replica>a<", f"<replica>{replica}<")
            self.nodes.append(Node(folder / f"{shard}{replica}", node_ports,
                                   {"cluster.xml": cluster, "macros.xml": one}))
        self.wait()

    def wait(self):
        for process in (self.zookeeper, *self.nodes):
            wait_until(process.is_up, "the cluster")
        # 18.16 crashes if it is told something ON CLUSTER before.
        wait_until(lambda: self.zookeeper.num_sessions() >= len(self.nodes), "sessions of ZooKeeper")

    def place(self, node):
        return f"clickhouse://127.0.0.1:{self.nodes[node].http}/fleet?cluster={NAME}"

    def kill(self):
        for process in (*self.nodes, self.zookeeper):
            process.kill()

# SPDX-License-Identifier: Apache-2.0
"""What processes are for: of multiprocessing, gunicorn, uvicorn and celery.

python_roles.py WPERF
"""
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile

import waiting
from recorder import run, run_tests

SKIPPED = 77
PYTHON = "/usr/bin/python3"
WORK = """
def work(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total
"""

POOLS = WORK + """
import concurrent.futures, multiprocessing, multiprocessing.pool, sys
if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    with context.Pool(2) as pool:
        pool.map(work, [200000] * 6)
    with concurrent.futures.ProcessPoolExecutor(2, context) as pool:
        list(pool.map(work, [200000] * 6))
    process = context.Process(target=work, args=(600000,))
    process.start()
    process.join()
    with multiprocessing.pool.ThreadPool(2) as threads:
        threads.map(work, [200000] * 2)
"""

WSGI = WORK + """
def app(environ, start_response):
    start_response("200 OK", [])
    return [str(work(60000)).encode()]
"""

ASGI = WORK + """
async def app(scope, receive, send):
    body = str(work(60000)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})
"""

# It sends itself what to do, and ends when that is done.
CELERY = WORK + """
import celery, os, signal
from celery.signals import worker_ready
app = celery.Celery("tasks", broker="memory://", backend="cache+memory://")
app.task(name="work")(work)
@app.task(name="stop")
def stop():
    os.kill(os.getppid(), signal.SIGTERM)
@worker_ready.connect
def ready(sender, **kwargs):
    for _ in range(6):
        app.send_task("work", (400000,))
    app.send_task("stop")
"""


def record(wperf, folder, *program, source=(), **keywords):
    words = [wperf, "record", *source, "-q", "-F", "499", "--save", "roles.data", "--", PYTHON, *program]
    return subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, **keywords)


def finish(program):
    words, _ = program.communicate(timeout=60)
    assert program.returncode in (0, -signal.SIGINT), (program.returncode, words)


def roles(wperf, folder):
    """Of each role how many processes; and the text that the recording gives."""
    done = json.loads(run([wperf, "report", "--json", "--by-role", "roles.data"], cwd=folder).stdout)
    found = {role["role"]: role for role in done["roles"]}
    rows = json.loads(run([wperf, "report", "--json", "roles.data"], cwd=folder).stdout)
    processes = rows["report"]["processes"]
    for name, role in found.items():
        same = [process for process in processes if process["role"] == name]
        assert len(same) == role["processes"], (name, role["processes"], same)
        assert sorted(process["number"] for process in same) == [*range(1, len(same) + 1)], same
        assert sum(process["samples"] for process in same) == role["samples"], (name, same)
    return found, run([wperf, "report", "roles.data"], cwd=folder).stdout


def is_hot(role):
    return role["python"]["lines"][0]["function"] == "work"


def check(found, expected, hot):
    """@expected: all that there is."""
    counts = {name: role["processes"] for name, role in found.items()}
    assert counts == expected, (counts, expected)
    assert all(is_hot(found[name]) for name in hot), {
        name: found[name]["python"]["lines"][:3] for name in hot}
    return str(counts)


def multiprocessing_by_each_start(wperf, folder):
    (folder / "pools.py").write_text(POOLS)
    prefix = "multiprocessing: "
    workers = {"worker of Pool": 2, "worker of ProcessPoolExecutor": 2, "process": 1}
    helpers = {"fork": {},
               "forkserver": {"resource tracker": 1, "fork server": 1}}
    for start, others in helpers.items():
        finish(record(wperf, folder, "pools.py", start))
        found, text = roles(wperf, folder)
        expected = {prefix + name: count
                    for name, count in {"parent": 1, **workers, **others}.items()}
        words = check(found, expected, [prefix + name for name in workers])
        total, children = sum(expected.values()), sum(expected.values()) - 1
        assert re.search(rf"^{total} processes, {children} of them children that were started while "
                         r"recording \(child processes are followed\), by cpu-clock:$", text,
                         re.M), text
        table = run([wperf, "report", "--sort", "role", "roles.data"], cwd=folder).stdout
        assert re.search(r" multiprocessing: worker of Pool \(x2\)$", table, re.M), table
    none = run([wperf, "report", "--by-role", "--thread", "no such one", "roles.data"], cwd=folder).stdout
    assert re.fullmatch(r"event cpu-clock \(499 Hz\), 0 samples, 0 nanoseconds\n", none), none
    return words


def on_a_timer(wperf, folder):
    (folder / "pools.py").write_text(POOLS)
    finish(record(wperf, folder, "pools.py", "fork", source=("--source", "timer")))
    found, _ = roles(wperf, folder)
    # A worker that never had a core when it was looked at has no row.
    counts = {name.removeprefix("multiprocessing: "): role["processes"]
              for name, role in found.items()}
    assert counts.get("parent") == 1 and 1 <= counts.get("worker of Pool", 0) <= 2, counts
    assert is_hot(found["multiprocessing: worker of Pool"]), found
    return str(counts)


def ask(make, times):
    for _ in range(times):
        connection = make()
        connection.request("GET", "/")
        assert connection.getresponse().read()
        connection.close()


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self.path))


def gunicorn(wperf, folder):
    (folder / "wsgi.py").write_text(WSGI)
    path = folder / "gunicorn.sock"
    # The workers are in turn only if each request is a connection of its own.
    program = record(wperf, folder, "-m", "gunicorn", "-w", "3", "-b", f"unix:{path}", "wsgi:app")
    waiting.wait_until(path.exists, "gunicorn's socket")
    ask(lambda: UnixConnection(path), 60)
    program.send_signal(signal.SIGINT)
    finish(program)
    found, _ = roles(wperf, folder)
    return check(found, {"gunicorn: master": 1, "gunicorn: worker": 3}, ["gunicorn: worker"])


def uvicorn(wperf, folder):
    (folder / "asgi.py").write_text(ASGI)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        program = record(wperf, folder, "-m", "uvicorn", "--workers", "2", "--lifespan", "off",
                         "--fd", str(listener.fileno()), "asgi:app", pass_fds=[listener.fileno()])
        ask(lambda: http.client.HTTPConnection("127.0.0.1", port), 40)
    program.send_signal(signal.SIGINT)
    finish(program)
    found, _ = roles(wperf, folder)
    expected = {"uvicorn: parent": 1, "uvicorn: worker": 2, "multiprocessing: resource tracker": 1}
    return check(found, expected, [])


def celery(wperf, folder):
    (folder / "tasks.py").write_text(CELERY)
    finish(record(wperf, folder, "-m", "celery", "-A", "tasks", "worker", "-c", "2",
                  "--without-gossip", "--without-mingle"))
    found, _ = roles(wperf, folder)
    return check(found, {"celery: main process": 1, "celery: worker": 2}, ["celery: worker"])


def what_it_cannot_is_said(wperf, folder):
    run([wperf, "record", "-q", "--save", "native.data", "--", "/bin/sh", "-c",
         "for i in 1 2 3 4 5 6; do /bin/ls /usr/bin; done"], cwd=folder)
    done = run([wperf, "report", "--by-role", "native.data"], code=1, cwd=folder)
    assert "--by-role: no Python in the samples" in done.stderr, done.stderr
    table = run([wperf, "report", "--sort", "role", "native.data"], cwd=folder).stdout
    assert re.search(r" ls \(x\d\)$", table, re.M), table


def main():
    if os.geteuid() != 0 or not os.access(PYTHON, os.X_OK):
        sys.exit(SKIPPED)
    servers = [server for server in (gunicorn, uvicorn, celery)
               if subprocess.run([PYTHON, "-c", f"import {server.__name__}"], check=False,
                                 capture_output=True).returncode == 0]
    with tempfile.TemporaryDirectory() as name:
        run_tests([multiprocessing_by_each_start, on_a_timer, *servers, what_it_cannot_is_said],
                  os.path.abspath(sys.argv[1]), pathlib.Path(name))


main()

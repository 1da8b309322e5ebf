# SPDX-License-Identifier: Apache-2.0
"""Builds the image of deploy/Containerfile and runs server and agent in containers, with the arguments and the
rights that deploy/kubernetes gives them. Usage: image.py WPERF PACKAGES ROOTS WORK_FOLDER

The base image is the Debian 12 of ROOTS: nothing is fetched from a registry. Kubernetes itself is not tried."""
import contextlib
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

import yaml

PREFIX = [] if os.geteuid() == 0 else ["sudo", "-n"]
# runc, as crun refuses the mixture of cgroups that many test machines have. The limits of the shell are kept: in a
# container without that right they cannot be raised.
RUN = [*PREFIX, "podman", "--runtime", "runc", "run", "--network", "host", "--ulimit", "nofile=1024:1024", "--ulimit",
       "nproc=4096:4096"]
DEPLOY = pathlib.Path(__file__).parents[2] / "deploy"
IMAGE, BASE = "localhost/wperf-test", "localhost/wperf-test-base"
SPIN = """\
def spin():
    total = 0
    for number in range(10 ** 7):
        total += number * number
while True:
    spin()
"""


def run(words, **options):
    result = subprocess.run(words, check=False, capture_output=True, text=True, timeout=200, **options)
    assert result.returncode == 0, f"{words}\n{result.stdout}{result.stderr}"
    return result.stdout


def until(what, check):
    end = time.monotonic() + 60
    while not (found := check()):
        assert time.monotonic() < end, what
        time.sleep(0.1)
    return found


def can_run_containers():
    """Some machines forbid it to everybody."""
    return subprocess.run([*RUN, "--rm", BASE, "true"], check=False, capture_output=True).returncode == 0


def import_base(root):
    tar = subprocess.Popen([*PREFIX, "tar", "-C", root, "--one-file-system", "-c", "."], stdout=subprocess.PIPE)
    run([*PREFIX, "podman", "import", "-", BASE], stdin=tar.stdout)
    assert tar.wait() == 0


def build(packages):
    run([*PREFIX, "podman", "build", "--isolation", "chroot", "--network", "host", "--build-arg", f"BASE={BASE}", "-f",
         DEPLOY / "Containerfile", "-t", IMAGE, packages])


def container_of(kind, name):
    """The container of a workload, and what holds for its whole pod."""
    with open(DEPLOY / f"kubernetes/{name}.yaml", encoding="utf-8") as file:
        workload = next(part for part in yaml.safe_load_all(file) if part["kind"] == kind)
    pod = workload["spec"]["template"]["spec"]
    return pod["containers"][0], pod


def flags_of(container, pod):
    """What the kubelet would make of it, as podman's flags."""
    rights = {**pod.get("securityContext", {}), **container["securityContext"]}
    capabilities = rights["capabilities"]
    assert rights["readOnlyRootFilesystem"] and not rights["allowPrivilegeEscalation"], rights
    flags = ["--read-only", "--security-opt", "no-new-privileges", "--user", str(rights["runAsUser"])]
    flags += ["--security-opt", f"seccomp={rights['seccompProfile']['type'].lower()}"] if "seccompProfile" in rights else []
    flags += [f"--cap-drop={name}" for name in capabilities["drop"]]
    flags += [f"--cap-add={name}" for name in capabilities.get("add", [])]
    return flags + (["--pid=host"] if pod.get("hostPID") else [])


def with_values(arguments, values):
    """The arguments of the file, with values of this test."""
    changed = list(arguments)
    for option, value in values.items():
        changed[changed.index(option) + 1] = value
    return changed


@contextlib.contextmanager
def container_running(flags, arguments):
    name = f"wperf-test-{os.getpid()}"
    with subprocess.Popen([*RUN, "--rm", "--name", name, *flags, IMAGE, *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield process
        finally:
            run([*PREFIX, "podman", "stop", "-t", "10", name])
            process.stdout.read()
            assert process.wait() == 0, "the server did not end cleanly"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def check_fleet(wperf, folder):
    """A server and an agent as in Kubernetes: a program of this machine is in the store with its line of Python."""
    state, secret, spin = folder / "state", folder / "secret", folder / "spin.py"
    spin.write_text(SPIN, encoding="ascii")
    for part in (state, secret):
        part.mkdir()
    folder.chmod(0o755)
    tokens = run([*RUN, "--rm", IMAGE, "serve", "--new-token", "default:both"])
    token, line = new_token(tokens)
    (secret / "tokens").write_text(line + "\n", encoding="ascii")
    (secret / "token").write_text(token + "\n", encoding="ascii")
    run([*PREFIX, "chown", "-R", "65532:65532", state])
    port = free_port()
    server, pod = container_of("Deployment", "server")
    arguments = with_values(server["args"], {"--listen": f"127.0.0.1:{port}"})
    mounts = ["-v", f"{secret}:/etc/wperf:ro", "-v", f"{state}:/var/lib/wperf", "--tmpfs", "/tmp"]
    with container_running([*flags_of(server, pod), *mounts], arguments) as process:
        assert f":{port}" in process.stdout.readline()
        agent, pod = container_of("DaemonSet", "agent")
        arguments = with_values(agent["args"], {"--server": f"http://127.0.0.1:{port}", "--host": "node-7"})
        with subprocess.Popen(["/usr/bin/python3", "-S", spin]) as program:
            run([*RUN, "--rm", *flags_of(agent, pod), "-v", f"{secret}:/etc/wperf:ro", "--tmpfs", "/var/lib/wperf",
                 "--tmpfs", "/tmp", IMAGE, *arguments, "--once", "--window", "3s", "-F", "99"])
            program.kill()
        (folder / "reader").write_text(token + "\n", encoding="ascii")
        report = run([wperf, "report", "--from", f"http://127.0.0.1:{port}", "--token-file", folder / "reader", "--host",
                      "node-7", "--event", "cpu-clock"])
        assert re.search(r"^ +\d+\.\d+ .*spin\.py:[34] +spin ", report, re.M), report


def new_token(text):
    """A token and its line for the server's file."""
    found = re.search(r"^token: (\S+)\n.*\n(\S+ both \S+)$", text, re.M)
    assert found, text
    return found[1], found[2]


def check_words(wperf):
    """Each option in the files is one of its command."""
    with open(DEPLOY / "compose.yaml", encoding="utf-8") as file:
        compose = yaml.safe_load(file)["services"]["wperf"]["command"]
    for arguments in (compose, container_of("Deployment", "server")[0]["args"], container_of("DaemonSet", "agent")[0]["args"]):
        known = run([wperf, "help", arguments[0], "-v"])
        for word in arguments:
            assert not word.startswith("--") or re.search(rf"^ +(-\w, )?{word} ", known, re.M), (word, known)


def main():
    wperf, packages, roots = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    check_words(wperf)
    import_base(roots / "bookworm")
    try:
        if not can_run_containers():
            print("this machine cannot run containers: only the files were checked")
            sys.exit(77)
        build(packages)
        with tempfile.TemporaryDirectory(dir=sys.argv[4]) as folder:
            check_fleet(wperf, pathlib.Path(folder))
            run([*PREFIX, "rm", "-rf", pathlib.Path(folder) / "state"])
    finally:
        subprocess.run([*PREFIX, "podman", "rmi", "-f", IMAGE, BASE], check=False, capture_output=True)


main()

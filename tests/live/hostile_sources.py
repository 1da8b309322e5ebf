# SPDX-License-Identifier: Apache-2.0
"""Programs that name files which their user may not read as their source text.

`nobody` runs a program whose source is a link to a file of root's, and root records it: no table,
page or export may have a word of the file. Also: what wperf writes is for its user only, and
recordings of other users need -f. Usage: hostile_sources.py WPERF (as root; else it is skipped)
"""
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

WPERF = os.path.abspath(sys.argv[1])
SECRET = "password-of-root-7391"
SKIPPED = 77
SHADOW = pathlib.Path("/etc/shadow").read_text(encoding="utf-8")[:12] if os.geteuid() == 0 else ""

LOOP = """import time
end = time.time() + 2
total = 0
while time.time() < end:
    total += sum(range(1000))
"""


def run(*words, cwd, status=0, env=None):
    done = subprocess.run([str(word) for word in words], cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=300, check=False, env=env)
    assert status is None or done.returncode == status, (words, done)
    return done


def as_nobody(*words):
    return ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", *words]


def mode_of(path):
    return stat.S_IMODE(os.stat(path).st_mode)


class Place:
    """A folder for everybody with the program, and one of root's with the secret."""

    def __init__(self, folder):
        self.public, self.private = folder / "public", folder / "private"
        self.public.mkdir(mode=0o755)
        self.private.mkdir(mode=0o700)
        self.app = self.public / "app.py"
        self.secret = self.private / "secret.py"  # its mode is for all, that of its folder is not
        self.secret.write_text((SECRET + "\n") * 20, encoding="utf-8")
        self.shadow = self.public / "shadow"
        self.shadow.write_text((SECRET + "\n") * 20, encoding="utf-8")
        self.shadow.chmod(0o600)

    def start(self, path):
        """Python has read the program when the link takes its place."""
        self.app.unlink(missing_ok=True)
        self.app.write_text(LOOP.replace("+ 2", "+ 600") + "\n", encoding="utf-8")
        program = subprocess.Popen(as_nobody(sys.executable, "-c", f"""
import os
code = compile(open({str(self.app)!r}).read(), {str(self.app)!r}, "exec")
print("ready", flush=True)
exec(code)
"""), stdout=subprocess.PIPE, cwd="/")
        assert program.stdout.readline() == b"ready\n"
        self.app.unlink()
        self.app.symlink_to(path)
        return program


def assert_no_secret(what, *texts):
    for text in texts:
        assert SECRET not in text, what


def views(folder, data, status=0):
    """All that wperf shows of source text."""
    found = [run(WPERF, "report", "-i", data, cwd=folder, status=status).stdout]
    found.append(run(WPERF, "report", "-i", data, "--json", cwd=folder).stdout)
    found.append(run(WPERF, "annotate", "-i", data, "app.py", cwd=folder, status=None).stdout)
    found.append(run(WPERF, "annotate", "-i", data, "--json", "app.py", cwd=folder,
                     status=None).stdout)
    run(WPERF, "flamegraph", "-i", data, "-o", "x.html", cwd=folder)
    found.append((folder / "x.html").read_text(encoding="utf-8"))
    return found


def check_links(place):
    """While the program runs, after it, and system-wide."""
    for target in (place.shadow, place.secret, "/etc/shadow"):
        program = place.start(target)
        secret = SECRET if "etc" not in str(target) else SHADOW
        try:
            live = run(WPERF, "record", "-o", "x.data", "--html", "live.html", "-p", program.pid,
                       "--timeout", "1", cwd=place.private)
            every = run(WPERF, "record", "-a", "-o", "a.data", "--html", "all.html", "--timeout",
                        "1", cwd=place.private, status=None)
            top = run(WPERF, "top", "-p", program.pid, "--timeout", "1", cwd=place.private,
                      status=None)
        finally:
            program.kill()
            program.wait()
        assert "app.py" in live.stdout, live
        texts = [live.stdout, every.stdout, top.stdout,
                 (place.private / "live.html").read_text(encoding="utf-8"),
                 *views(place.private, "x.data")]
        if (place.private / "a.data").exists():
            texts += [(place.private / "all.html").read_text(encoding="utf-8"),
                      *views(place.private, "a.data")]
        for text in texts:
            assert secret not in text, (target, text[:2000])


def check_own(place):
    """Root's own programs, and files for all, are shown as before."""
    own = place.private / "own.py"
    own.write_text(LOOP, encoding="utf-8")
    own.chmod(0o600)
    done = run(WPERF, "record", "-o", "own.data", "--", sys.executable, own, cwd=place.private)
    assert "sum(range(1000))" in done.stdout, done.stdout
    done = run(WPERF, "report", "-i", "own.data", cwd=place.private)
    assert "sum(range(1000))" in done.stdout, done.stdout
    public = place.public / "public.py"
    public.write_text(LOOP, encoding="utf-8")
    done = run(WPERF, "record", "-o", "public.data", "--", *as_nobody(sys.executable, public),
               cwd=place.private)
    assert "sum(range(1000))" in done.stdout, done.stdout
    done = run(WPERF, "report", "-i", "public.data", cwd=place.private)
    assert "sum(range(1000))" in done.stdout, done.stdout
    mine = place.public / "mine.py"  # nobody's own file, which no other user may read
    mine.write_text(LOOP, encoding="utf-8")
    mine.chmod(0o600)
    os.chown(mine, 65534, 65534)
    done = run(WPERF, "record", "-o", "mine.data", "--", *as_nobody(sys.executable, mine),
               cwd=place.private)
    assert "sum(range(1000))" in done.stdout, done.stdout
    done = run(WPERF, "report", "-i", "mine.data", cwd=place.private)
    assert "sum(range(1000))" in done.stdout, done.stdout


def check_dropped_rights(place):
    """A program that root started and that became nobody's without another exec."""
    drop = place.public / "drop.py"
    drop.write_text(f"""import os, time
os.setgid(65534)
os.setuid(65534)
code = compile({LOOP!r}, {str(place.shadow)!r}, "exec")
exec(code)
""", encoding="utf-8")
    done = run(WPERF, "record", "-o", "drop.data", "--html", "drop.html", "--", sys.executable,
               drop, cwd=place.private)
    assert_no_secret("dropped", done.stdout, *views(place.private, "drop.data"),
                     (place.private / "drop.html").read_text(encoding="utf-8"))


def check_modes(place):
    folder = place.private
    old = os.umask(0)
    try:
        run(WPERF, "record", "-q", "-g", "-o", "m.data", "--", sys.executable, "-c",
            "sum(range(30000000))", cwd=folder)
        for command, name in (("report", "m.txt"), ("report", "m.json"), ("flamegraph", "m.html"),
                              ("export", "m.folded"), ("export", "m.pb.gz"),
                              ("export", "m.firefox.json")):
            run(WPERF, command, "-i", "m.data", "-o", name, cwd=folder)
            assert mode_of(folder / name) == 0o600, name
        run(WPERF, "stat", "-o", "m.csv", "--", "true", cwd=folder)
    finally:
        os.umask(old)
    for name in ("m.data", "m.csv"):
        assert mode_of(folder / name) == 0o600, name


def check_owner(place):
    """A recording of somebody else needs -f, and what it claims of users is not believed."""
    folder = place.private
    data = folder / "stranger.data"
    data.write_bytes((folder / "m.data").read_bytes())
    os.chown(data, 65534, 65534)
    for command in ("report", "annotate", "script", "flamegraph"):
        done = run(WPERF, command, "-i", data, cwd=folder, status=1)
        assert "is not owned by you or root" in done.stderr and "-f" in done.stderr, done
    run(WPERF, "report", "-f", "-i", data, cwd=folder)
    run(WPERF, "report", "--force", data, cwd=folder)
    claims = folder / "claims.data"
    claims.write_bytes((folder / "own.data").read_bytes())
    os.chown(claims, 65534, 65534)
    done = run(WPERF, "report", "-f", "-i", claims, cwd=folder)
    assert "own.py" in done.stdout and "sum(range(1000))" not in done.stdout, done.stdout
    shared = place.public / "of root.data"
    shared.write_bytes(data.read_bytes())
    shared.chmod(0o644)
    run(*as_nobody(WPERF, "report", "-i", shared), cwd=place.public)


def main():
    if os.geteuid() != 0:
        print("not root")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        place = Place(pathlib.Path(folder))
        for check in (check_links, check_own, check_dropped_rights, check_modes, check_owner):
            check(place)
            print(check.__name__, "done", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

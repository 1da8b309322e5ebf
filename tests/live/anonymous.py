# SPDX-License-Identifier: Apache-2.0
"""What --anonymous writes has no name of the user or the computer, no argument and no source text.

anonymous.py WPERF

In namespaces of its own, the computer is called "heart-of-gold" and the user's folder is /home/zaphod. Each
secret word stands in the page without --anonymous, so that its absence with it means something.
"""
import base64
import os
import pathlib
import re
import shutil
import subprocess
import sys

WPERF = os.path.abspath(sys.argv[1])
HOME = pathlib.Path("/home/zaphod")
HOST = "heart-of-gold"
PROGRAM = ["--", sys.executable, f"{HOME}/shop.py", "60", f"{HOME}/native", f"{HOME}/stripped", "--babelfish"]
SECRETS = ("zaphod", HOST, "babelfish", "trillian", "vogon", "marvin")

SHOP = '''import os
import sys

def price(items):
    total = 0
    for item in items:
        total += item % 7       # trillian
    return total

sys.path.insert(0, "/mnt")
import till

for _ in range(int(sys.argv[1])):
    price(range(100000))
    till.tax(range(100000))
for program in sys.argv[2:4]:
    os.spawnv(os.P_WAIT, program, [program])
'''
# Paths outside of homes are as they were: the file can be found, but its text is not shown.
TILL = '''def tax(items):
    total = 0
    for item in items:
        total += item % 3       # marvin
    return total
'''
STRIPPED = r'''
int main(int argc, char **argv)
{
	volatile unsigned long sum = 0;
	for (unsigned long i = 0; i < 300000000UL; i++)
		sum += i;   /* vogon */
	return argc > 9 && argv[0][0] == 'x';
}
'''
BASE64 = re.compile(rb"[A-Za-z0-9+/]{16,}")


def enter_namespaces():
    """Again, as root of namespaces with this host's name and an empty /home; 77 where none can be made."""
    words = ["unshare", "--mount", "--uts"] + (["--user", "--map-root-user"] if os.getuid() else [])
    tried = subprocess.run([*words, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        print("skipped:", tried.stderr.strip())
        sys.exit(77)
    os.execvp("unshare", [*words, sys.executable, "-B", __file__, WPERF, "inside"])


def run(*words, fails=False):
    done = subprocess.run([WPERF, *words], cwd=HOME, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode != 0) == fails, (words, done.returncode, done.stderr)
    return done


def found(name):
    """The secrets in a file's bytes, also in what is packed in it."""
    data = (HOME / name).read_bytes()
    texts = [data] + [base64.b64decode(match[0] + b"A" * (-len(match[0]) % 4))
                      for match in BASE64.finditer(data)]
    return {secret for secret in SECRETS
            if any(secret.encode() in text.lower() for text in texts)}


def check_page(name):
    page = (HOME / name).read_text(encoding="utf-8")
    assert not found(name), (name, found(name))
    for wanted in ('"isAnonymous":true', "this page is anonymous", "/home/user/shop.py", '"price"', '"main"'):
        assert wanted in page.replace('": ', '":'), (name, wanted)
    for block in ("wperf-sources", "wperf-listings"):
        assert re.search(rf'id="{block}">\s*\[\s*\]\s*</script>', page), (name, block)


def make_programs():
    (HOME / "shop.py").write_text(SHOP, encoding="utf-8")
    pathlib.Path("/mnt/till.py").write_text(TILL, encoding="utf-8")
    (HOME / "native.c").write_text(STRIPPED, encoding="utf-8")
    for name, flag in (("native", "-g"), ("stripped", "-s")):
        subprocess.run(["cc", "-O1", flag, "-o", name, str(HOME / "native.c")], cwd=HOME, check=True)


def check_record():
    recorded = run("record", "-g", "-o", f"{HOME}/x.data", "--html", "open.html", *PROGRAM)
    assert "no symbols for" in recorded.stderr and "/home/zaphod/stripped" in recorded.stderr, recorded.stderr
    # Source text: of the Python file, and of the program with debug information.
    assert found("open.html") == set(SECRETS), found("open.html")
    assert '"isAnonymous":false' in (HOME / "open.html").read_text(encoding="utf-8").replace('": ', '":')
    words = ["record", "-g", "--anonymous", "--html", "record.html", *PROGRAM]
    assert "the recording is not anonymous" in run(*words).stderr
    check_page("record.html")
    refused = run("record", "--anonymous", "--", "true", fails=True)
    assert "--anonymous needs a page or an exported file" in refused.stderr, refused.stderr


def check_reading():
    run("report", "-i", "x.data", "--anonymous", "-q", "--html", "report.html")
    check_page("report.html")
    run("flamegraph", "-i", "x.data", "--anonymous", "-o", "flame.html")
    check_page("flame.html")
    # A note of the terminal has the path of the recording.
    data = (HOME / "x.data").read_bytes()
    assert found("x.data") >= {"zaphod", HOST, "babelfish"}
    run("report", "-i", f"{HOME}/x.data", "-q", "--anonymous", "--html", "again.html")
    check_page("again.html")
    (HOME / "cut.data").write_bytes(data[:-3000])
    cut = run("report", "-i", f"{HOME}/cut.data", "-q", "--anonymous", "--html", "cut.html")
    assert not found("cut.html") and "zaphod" not in cut.stderr, (found("cut.html"), cut.stderr)


def check_others():
    """Tables, source and files for other viewers."""
    for words in (["report"], ["report", "--json"], ["report", "--sort", "python-line"], ["annotate", "shop.py"],
                  ["annotate", "--symbol", "main"], ["script"]):
        done = run(*words, "-i", "x.data", "--anonymous")
        text = (done.stdout + done.stderr).lower()
        assert not [secret for secret in SECRETS if secret in text], (words, text[:2000])
        assert len(done.stdout) > 100, (words, done)
    for name in ("x.speedscope.json", "x.folded", "x.firefox.json"):
        run("export", "-i", "x.data", "--anonymous", "-o", name,
            *(["--format", "firefox"] if "firefox" in name else []))
        assert not found(name), (name, found(name))
    run("record", "-g", "--anonymous", "-o", "own.speedscope.json", *PROGRAM)
    assert not found("own.speedscope.json"), found("own.speedscope.json")


def main():
    if sys.argv[2:] != ["inside"]:
        if not shutil.which("cc"):
            print("skipped: no C compiler")
            sys.exit(77)
        enter_namespaces()
    for folder in ("/home", "/mnt"):
        subprocess.run(["mount", "-t", "tmpfs", "none", folder], check=True)
    subprocess.run(["hostname", HOST], check=True)
    HOME.mkdir()
    os.environ.update(HOME=str(HOME), USER="zaphod", DEBUGINFOD_URLS="")
    make_programs()
    check_record()
    check_reading()
    check_others()
    print("no secret word in any file")


main()

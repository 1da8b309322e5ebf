# SPDX-License-Identifier: Apache-2.0
"""How fast the HTML report of a large recording is, in Chromium and Firefox: loading, filters, a drag
over the time strip, zooming, search, the table and views, beside speedscope, which gets the same
recording in its own format. page_speed.js has the actions and what it needs to know of the page.

Times are from an action until all of its drawing is over; frames are those in which the page drew.
speedscope has no filters. It runs in Chromium only, as it needs WebGL, which Firefox has not without
a graphics card. Ratios are of medians; a time of less than a frame is 16 ms.

    page_speed.py WPERF [SAMPLES [STACKS]]
"""
import base64
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent / "tests"
MODULES = ["/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
           "/usr/bin/python3.11", "/usr/lib/aarch64-linux-gnu/libc.so.6"]
PROGRAMS = {"chromium": "chromium", "firefox": "firefox-esr"}


def install(build):
    """puppeteer and speedscope at the versions of the tests; False without npm or its registry."""
    page, readers = build / "bench" / "page", build / "bench" / "readers"
    for folder, package in (page, TESTS / "page"), (readers, TESTS / "exports"):
        folder.mkdir(parents=True, exist_ok=True)
        lock = (package / "package-lock.json").read_bytes()
        installed = folder / "node_modules" / "installed-lock.json"
        if installed.exists() and installed.read_bytes() == lock:
            continue
        for name in "package.json", "package-lock.json":
            shutil.copy(package / name, folder)
        words = ["npm", "ci", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts",
                 "--loglevel=error"]
        if subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode:
            return False
        installed.write_bytes(lock)
    return True


def make_files(wperf, build, folder, samples, stacks):
    """The page, and the script that has speedscope load the same recording."""
    recording, exported = folder / "large.data", folder / "large.json"
    modules = [path for path in MODULES if os.path.exists(path)]
    subprocess.run([build / "bench" / "make_recording", recording, str(samples), str(stacks)] + modules,
                   check=True)
    page, script = folder / "large.html", folder / "large.js"
    subprocess.run([wperf, "report", "-q", "-i", recording, "--html", page], check=True)
    subprocess.run([wperf, "export", "-i", recording, "--format", "speedscope", "-o", exported],
                   check=True)
    content = base64.b64encode(exported.read_bytes()).decode()
    script.write_text(f'window.speedscope.loadFileFromBase64("large.json", "{content}");')
    return page, script


def measure(build, browser, what, url):
    modules = str(build / "bench" / "page" / "node_modules")
    done = subprocess.run(["node", HERE / "page_speed.js", browser, what, url], text=True, check=False,
                          stdout=subprocess.PIPE, env={**os.environ, "NODE_PATH": modules})
    return json.loads(done.stdout) if done.returncode == 0 else {}


def show(browser, ours, peer):
    print(f"  {browser:30} {'median':>10} {'worst':>10}")
    for what, times in ours.items():
        median = statistics.median(times)
        line = f"  {what:30} {median:7.0f} ms {max(times):7.0f} ms"
        if "frame" in what:
            line += f"   {len(times) / sum(times) * 1000:5.1f} frames per second"
        if what in peer:
            theirs = statistics.median(peer[what])
            line += f"   speedscope {theirs:7.0f} ms, {max(theirs, 16) / max(median, 16):.1f}x of the time"
        print(line)


def main():
    wperf = pathlib.Path(sys.argv[1]).resolve()
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 400_000
    stacks = int(sys.argv[3]) if len(sys.argv) > 3 else 200_000
    build = wperf.parent / "release"
    missing = [name for name in ("node", "npm") if not shutil.which(name)]
    browsers = [name for name, program in PROGRAMS.items() if shutil.which(program)]
    if missing or not browsers or not install(build):
        print(f"no page is measured: no {', '.join(missing) or 'browser or npm registry'}")
        return
    with tempfile.TemporaryDirectory() as folder:
        page, script = make_files(wperf, build, pathlib.Path(folder), samples, stacks)
        print(f"a page of {samples:,} samples, {stacks:,} stacks: {page.stat().st_size / 1e6:.1f} MB")
        index = build / "bench" / "readers" / "node_modules" / "speedscope" / "dist" / "release" / "index.html"
        peer = {}
        if "chromium" in browsers:
            peer = measure(build, "chromium", "speedscope", f"{index}#localProfilePath={script}")
        for browser in browsers:
            show(browser, measure(build, browser, "wperf", page), peer)


if __name__ == "__main__":
    main()

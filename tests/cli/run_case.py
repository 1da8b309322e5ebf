# SPDX-License-Identifier: Apache-2.0
"""Runs one case file of the command line and compares what a user would see.

    # comment
    > file NAME            the lines that follow, each after "| ", are written to this file
    > bytes NAME           the same with bytes, in hexadecimal; NAME.data is a perf.data file
                           with them as a buffer of Arm SPE
    $ VAR=x wperf ...      run it (words are split as a shell does; no pipes)
    | text                 a line of standard output, exactly; trailing blanks are not compared
    ~ regex                a line of standard output that fits the whole regular expression
    | ...                  any number of lines, also none
    ! text                 a line of standard error, exactly; "! ..." any number of lines
    ? 2                    exit code; 0 if not said
    = file NAME            from here on, "| " lines are the content of this file
    & schema list          standard output is JSON and fits the peer's schema of that name;
                           checked by the test cli.schemas (--schemas peer)
    & json KEY... = VALUE  the JSON value at that path (keys and indexes) is this JSON value
    @ linux                the next "$" runs on Linux only, or on Windows only

Every "$" runs in a fresh environment, all of a case in one empty folder. $SHARED is the folder
with data of others; a case with this word is skipped where that folder is not there.

Usage: run_case.py [--schemas peer|ours] WPERF CASE...

With --schemas ours (the test cli.own_schemas), all JSON on standard output fits the schema of its kind
in docs/schemas, which wperf export --schema prints.

Of a page (*.md) the blocks marked ```console are run: "$" lines, and below each its standard output.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "spe"))
import spe_bytes  # noqa: E402 -- its folder has just become known

SKIPPED = 77
SHARED = os.environ.get("WPERF_SHARED_DIR", "")
SCHEMAS = os.path.join(SHARED, "data/wperf/schemas")
OWN_SCHEMAS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/schemas")
KINDS = {os.path.basename(name).split(".")[0] for name in os.listdir(OWN_SCHEMAS)}
ALIASES = {"-l": "list", "--list": "list", "record": "sample", "-version": "version", "--version": "version"}


COUNTS = {"own": 0}  # documents that were compared with our schemas


class Failure(Exception):
    pass


def parse(path):
    """A list of steps: dicts with kind 'file', 'bytes' or 'run'."""
    steps, target, system = [], None, None
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        mark, text = line[:1], line[2:]
        if not line.strip() or mark == "#":
            continue
        if line.startswith(("> file ", "> bytes ")):
            _, kind, name = line.split(" ", 2)
            steps.append({"kind": kind, "name": name, "lines": []})
            target = steps[-1]["lines"]
        elif mark == "@":
            system = text
        elif mark == "$":
            step = {"kind": "run", "line": number, "words": shlex.split(text), "out": [], "err": [],
                    "exit": 0, "files": [], "checks": [], "system": system}
            system = None
            steps.append(step)
            target = step["out"]
        elif mark == "|":
            target.append(("text", text))
        elif mark == "~":
            target.append(("regex", text))
        elif mark == "!":
            steps[-1]["err"].append(("text", text))
        elif mark == "?":
            steps[-1]["exit"] = int(text)
        elif line.startswith("= file "):
            target = []
            steps[-1]["files"].append((line[7:], target))
        elif mark == "&":
            steps[-1]["checks"].append(text)
        else:
            raise Failure(f"{path}:{number}: what is '{line}'?")
    return steps


def parse_page(path):
    """The steps of the console blocks of a page."""
    steps, inside = [], False
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            steps.append({"kind": "run", "line": number, "words": shlex.split(line[2:]), "out": [],
                          "err": [], "exit": 0, "files": [], "checks": [], "system": None})
        elif inside:
            steps[-1]["out"].append(("text", line))
    if not steps:
        raise Failure(f"{path}: nothing to run")
    return steps


def fits(expected, line):
    kind, text = expected
    if kind == "regex":
        return re.fullmatch(text, line.rstrip()) is not None
    return text.rstrip() == line.rstrip()


def match(expected, lines):
    """Compares lines with patterns, of which "..." stands for any number of lines."""
    if not expected:
        return not lines
    if expected[0] == ("text", "..."):
        return any(match(expected[1:], lines[i:]) for i in range(len(lines) + 1))
    return bool(lines) and fits(expected[0], lines[0]) and match(expected[1:], lines[1:])


def compare(what, expected, text):
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if not match(expected, lines):
        wanted = "\n".join(f"{kind[0]} {line}" for kind, line in expected)
        raise Failure(f"{what} is\n{text}\n-- but was expected to be\n{wanted}")


def load_schema(name):
    path = os.path.join(SCHEMAS, f"wperf.{name}.schema")
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    if name == "timeline":  # it refers to the other one by a path of its own
        schema["properties"]["timeline"]["items"] = load_schema("stat")
    return schema


def kind_of(words, document):
    """Which of our schemas a document of this command has; None: it is no JSON of ours (an export, a schema)."""
    kinds = [ALIASES.get(word, word) for word in words if ALIASES.get(word, word) in KINDS]
    if "export" in words or "script" in words or not kinds:
        return None
    if kinds[0] == "report" and "--waits" in words:
        return "waits"
    return "timeline" if kinds[0] == "stat" and "timeline" in document else kinds[0]


def check_own(words, out):
    """Whatever standard output has of JSON fits our schema."""
    import jsonschema

    if not any("json" in word for word in words) or not out.startswith("{"):
        return 0
    if "--json-lines" in words:  # a document a line
        return sum(check_own([word for word in words if word != "--json-lines"], line) for line in out.splitlines())
    document = json.loads(out)
    kind = kind_of(words, document)
    if not kind:
        return 0
    path = os.path.abspath(os.path.join(OWN_SCHEMAS, f"{kind}.schema.json"))
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    try:  # one may refer to another by its file's name
        jsonschema.validate(document, schema, resolver=jsonschema.RefResolver(f"file://{path}", schema))
    except jsonschema.ValidationError as error:
        raise Failure(f"schema {kind}: {error.message} at {list(error.absolute_path)}") from error
    return 1


def value_at(document, keys):
    for key in keys:
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def check(text, out, schemas):
    document = json.loads(out)
    if text.startswith("schema "):
        if schemas == "peer":
            import jsonschema

            jsonschema.validate(document, load_schema(text[7:]))
        return
    path, value = text[len("json "):].split(" = ", 1)
    found = value_at(document, path.split())
    if found != json.loads(value):
        raise Failure(f"{path} is {json.dumps(found)} instead of {value}")


def write(step, folder):
    """A file that a case brings."""
    path = os.path.join(folder, step["name"])
    if step["kind"] == "file":
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(text + "\n" for _, text in step["lines"])
        return
    data = bytes.fromhex(" ".join(text for _, text in step["lines"]))
    with open(path, "wb") as file:
        file.write(data)
    with open(f"{path}.data", "wb") as file:
        file.write(spe_bytes.perf_data([data])[0])


def start(words, **keywords):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False, **keywords)


def run(step, wperf, folder, schemas, start_program):
    environment = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8"}
    for key in os.environ:
        if key in ("WPERF_SHARED_DIR", "ASAN_OPTIONS", "UBSAN_OPTIONS") or key.startswith("WINE"):
            environment[key] = os.environ[key]
    words = [word.replace("$SHARED", SHARED) for word in step["words"]]
    while re.match(r"[A-Z_]+=", words[0]):
        key, _, value = words.pop(0).partition("=")
        environment[key] = value
    if words[0] != "wperf":
        raise Failure(f"only wperf can be run, not '{words[0]}'")
    done = start_program(wperf + words[1:], cwd=folder, env=environment)
    out, err = done.stdout.decode(), done.stderr.decode()
    try:
        if done.returncode != step["exit"]:
            raise Failure(f"exit code {done.returncode} instead of {step['exit']}\n{out or '(no output)'}")
        check_run(step, out, err, folder, schemas)
    except (Failure, LookupError, ValueError) as failure:
        raise Failure(f"{failure}\n-- standard error was\n{err or '(empty)'}") from failure


def check_run(step, out, err, folder, schemas):
    """What a program with the right exit code has written."""
    if step["out"] or not step["checks"]:
        compare("standard output", step["out"], out)
    compare("standard error", step["err"], err)
    for name, expected in step["files"]:
        compare(f"file {name}", expected, open(os.path.join(folder, name), encoding="utf-8").read())
    for text in step["checks"]:
        check(text, out, schemas)
    if schemas == "ours":
        COUNTS["own"] += check_own(step["words"], out)


def read_steps(path):
    return parse_page(path) if path.endswith(".md") else parse(path)


def lacks_shared(path):
    """Is data of others needed that is not there?"""
    return not os.path.isdir(os.path.join(SHARED, "data")) and any(
        "$SHARED" in word for step in read_steps(path) for word in step.get("words", []))


def run_case(path, wperf, system, schemas=None, start_program=start):
    """Runs a case with a program of that system. What went wrong, or None; and how many commands
    ran, and were for the other system. start_program is called as start() is, and returns the same."""
    ran, left_out = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for step in read_steps(path):
            if step["kind"] != "run":
                write(step, folder)
                continue
            if step["system"] not in (None, system):
                left_out += 1
                continue
            try:
                run(step, wperf, folder, schemas, start_program)
            except Failure as failure:
                return f"{path}:{step['line']}: {shlex.join(step['words'])}\n{failure}", ran, left_out
            ran += 1
    return None, ran, left_out


def has_schemas(path):
    return any(text.startswith("schema ") for step in read_steps(path)
               for text in step.get("checks", []))


def skip_without(folder):
    if not os.path.isdir(folder):
        print(f"skipped: no {folder}")
        sys.exit(SKIPPED)


def main():
    schemas = sys.argv[2] if sys.argv[1] == "--schemas" else None
    wperf, *cases = sys.argv[3 if schemas else 1:]
    if schemas == "peer":
        skip_without(SCHEMAS)
        cases = [case for case in cases if has_schemas(case)]
    elif schemas == "ours":
        cases = [case for case in cases if not lacks_shared(case) and "json" in open(case, encoding="utf-8").read()]
    elif any(lacks_shared(case) for case in cases):
        skip_without(os.path.join(SHARED, "data"))
    results = [run_case(case, [os.path.abspath(wperf)], "linux", schemas) for case in cases]
    failures = [failure for failure, _, _ in results if failure]
    print(*failures, sep="\n", end="")
    if schemas == "ours":
        print(f"{COUNTS['own']} documents of JSON fit our schemas")
        return 1 if failures or COUNTS["own"] < 30 else 0
    return 1 if failures or not results else 0


if __name__ == "__main__":
    sys.exit(main())

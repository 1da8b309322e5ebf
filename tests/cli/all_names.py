# SPDX-License-Identifier: Apache-2.0
"""Every event, metric and group that `list` shows for any CPU has a page in `man`.

Both are as the peer's schemas want them, where these are there.
"""
import json
import os
import subprocess
import sys

CPUS = ["armv8-a", "armv9-a", "ampereone", "ampereonex", "neoverse-n1", "neoverse-n2",
        "neoverse-n2-r0p0", "neoverse-n2-r0p1", "neoverse-n2-r0p2", "neoverse-n2-r0p3",
        "neoverse-n3", "neoverse-v1", "neoverse-v2", "neoverse-v3"]
MAX_COLUMNS = 81
FIELDS = {"Predefined_Events": ["CPU", "NAME", "DESCRIPTION"],
          "Predefined_Metrics": ["CPU", "NAME", "EVENTS", "DESCRIPTION", "FORMULA", "UNIT"],
          "Predefined_Groups_of_Metrics": ["CPU", "NAME", "DESCRIPTION", "METRICS"]}
BUILTIN_FIELDS = ["CPU", "NAME", "EVENTS", "DESCRIPTION"]  # metrics without a formula


def run(wperf, *words):
    done = subprocess.run([wperf, *words], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0 and not done.stderr, f"{words[:4]}: {done.stderr.decode()}"
    return done.stdout.decode("ascii")


def fit_schema(name, documents):
    path = os.path.join(os.environ.get("WPERF_SHARED_DIR", ""),
                        f"data/wperf/schemas/wperf.{name}.schema")
    if not os.path.exists(path):
        return
    import jsonschema

    with open(path, encoding="utf-8") as file:
        validator = jsonschema.Draft7Validator(json.load(file))
    for document in documents:
        validator.validate(document)


def expected_entries(listing):
    """(name, fields) in the order of the list."""
    for table, fields in FIELDS.items():
        for row in listing[table]:
            name = next(iter(row.values()))
            no_text = [key for key, value in row.items() if not value]
            assert not no_text, f"{name} has no {no_text}"
            yield name, BUILTIN_FIELDS if row.get("Formula") == "---" else fields


def check_json(wperf, words, expected):
    found = json.loads(run(wperf, *words, "--json"))["Manual_Results"]
    pages = []
    for name, fields in expected:
        entry, found = found[:len(fields)], found[len(fields):]
        pages.append({"Manual_Results": entry})
        assert [field["Field_Type"] for field in entry] == fields, f"{name}: {entry}"
        assert all(field["Result"].strip() for field in entry), f"{name}: {entry}"
        assert entry[1]["Result"].startswith(f"{name} - "), f"{name}: {entry[1]}"
        assert not entry[1]["Result"].endswith("- "), f"{name} has no title"
    assert not found, found[0]
    fit_schema("man", pages)


def check_text(wperf, words, expected):
    lines = run(wperf, *words).splitlines()
    long = [line for line in lines if len(line) > MAX_COLUMNS]
    assert not long, long
    headings = [line for line in lines if line and not line.startswith("    ")]
    assert headings == [field for _, fields in expected for field in fields]


def check_cpu(wperf, *where):
    """@where: the words that choose the tables, the same for list and man."""
    listing = run(wperf, "list", "-v", "--json", *where)
    subprocess.run([sys.argv[2]], input=listing.encode(), check=True)  # jansson takes it, too
    # The schema is that of the list without -v.
    fit_schema("list", [json.loads(run(wperf, "list", "--json", *where))])
    expected = list(expected_entries(json.loads(listing)))
    words = ["man", *where, ",".join(name for name, _ in expected)]
    check_json(wperf, words, expected)
    check_text(wperf, words, expected)
    return len(expected)


def main():
    wperf = sys.argv[1]
    total = sum(check_cpu(wperf, "--cpu", cpu) for cpu in CPUS)
    total += check_cpu(wperf, "--source", "sim")  # with the units outside of the cores
    print(f"{total} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Requests of OTLP profiles as protoc reads and writes them, with otlp_profiles.proto beside this
file."""
import ast
import pathlib
import re
import shutil
import subprocess
import tempfile

SCHEMA = pathlib.Path(__file__).resolve().parent / "otlp_profiles.proto"
TABLES = ("mapping", "location", "function", "link", "string", "attribute", "stack")


def is_there():
    return shutil.which("protoc")


def protoc(direction, data, schema=SCHEMA):
    done = subprocess.run(["protoc", f"--{direction}=otlp.Request", f"--proto_path={schema.parent}",
                           schema.name], input=data, capture_output=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def text_of(data):
    """As protoc prints the bytes of a request."""
    return protoc("decode", data)


def bytes_of(text):
    return protoc("encode", text)


def unpacked_bytes_of(text):
    """The same with each value and attribute of a sample as a field of its own."""
    packed, listed = SCHEMA.read_text(encoding="utf-8").split("message Sample {", 1)
    sample, rest = listed.split("}", 1)
    sample = re.sub(r"(repeated .*);", r"\1 [packed = false];", sample)
    with tempfile.TemporaryDirectory() as folder:
        schema = pathlib.Path(folder) / SCHEMA.name
        schema.write_text(f"{packed}message Sample {{{sample}}}{rest}", encoding="utf-8")
        return protoc("encode", text, schema)


def value_of(word):
    if word.startswith('"'):
        # Octal escapes, as of C.
        return ast.literal_eval("b" + word).decode()
    if word in ("true", "false"):
        return word == "true"
    return float(word) if "." in word else int(word)


def parse(text):
    """A message as {field: [value]}. Fields that are not in the schema have numbers as names."""
    root = {}
    stack = [root]
    for line in text.decode().splitlines():
        line = line.strip()
        if line == "}":
            stack.pop()
        elif line.endswith("{"):
            inner = {}
            stack[-1].setdefault(line[:-1].strip(), []).append(inner)
            stack.append(inner)
        else:
            name, word = line.split(": ", 1)
            stack[-1].setdefault(name, []).append(value_of(word))
    assert stack == [root]
    return root


def one(message, field, default=0):
    values = message.get(field, [default])
    assert len(values) == 1, (field, values)
    return values[0]


class Request:
    """Of wperf: with one resource and scope. All that refers to something is checked."""

    def __init__(self, data):
        text = text_of(data)
        assert not re.search(rb"(?m)^\s*\d+[ :]", text), "a field that OTLP does not have"
        self.root = parse(text)
        self.dictionary = one(self.root, "dictionary")
        self.tables = {name: self.dictionary[f"{name}_table"] for name in TABLES}
        self.resources = one(self.root, "resource_profiles")
        self.profiles = one(self.resources, "scope_profiles").get("profiles", [])
        self.check_tables()

    def check_tables(self):
        for name, table in self.tables.items():
            assert table[0] == ("" if name == "string" else {}), (name, table[0])
            entries = [repr(entry) for entry in table]
            assert len(set(entries)) == len(entries), f"two equal entries in the {name} table"

    def entry(self, table, number):
        assert 0 <= number < len(self.tables[table]), (table, number)
        return self.tables[table][number]

    def string(self, message, field):
        return self.entry("string", one(message, field))

    def attributes(self, message):
        found = {}
        for number in message.get("attribute_indices", []):
            attribute = self.entry("attribute", number)
            key = self.string(attribute, "key_strindex")
            assert number and key not in found, key
            (found[key],) = next(iter(one(attribute, "value").values()))
        return found

    def labels(self):
        return {one(label, "key"): one(one(label, "value"), "string_value")
                for label in one(self.resources, "resource").get("attributes", [])}

    def type(self, message, field):
        kind = one(message, field)
        return self.string(kind, "type_strindex"), self.string(kind, "unit_strindex")

    def functions(self, sample):
        """Names of the sample's stack, the innermost first."""
        names = []
        stack = self.entry("stack", one(sample, "stack_index"))
        for number in stack.get("location_indices", []):
            location = self.entry("location", number)
            assert number and "profile.frame.type" in self.attributes(location)
            self.attributes(self.entry("mapping", one(location, "mapping_index")))
            for line in location.get("lines", []):
                function = self.entry("function", one(line, "function_index"))
                self.string(function, "filename_strindex")
                names.append(self.string(function, "name_strindex"))
            if "lines" not in location:
                names.append("[unknown]")
        return names

    def hot(self, profile, per_value, thread=None):
        """{function: [self, total]} in values of the samples, each divided by @per_value."""
        found = {}
        for sample in profile.get("samples", []):
            assert "timestamps_unix_nano" not in sample
            value = one(sample, "values") / per_value
            names = self.functions(sample)
            if thread not in (None, self.attributes(sample)["thread.name"]) or not names:
                continue
            for name in set(names):
                found.setdefault(name, [0, 0])[1] += value
            found[names[0]][0] += value
        return found

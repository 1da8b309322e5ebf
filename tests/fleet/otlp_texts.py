# SPDX-License-Identifier: Apache-2.0
"""Requests of OTLP profiles for tests, as text that protoc makes bytes of (tests/exports)."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "exports"))
import otlp_request  # noqa: E402

# 2026-11-01T00:00:00Z; a test whose clock is another says so itself.
START = 1793491200 * 10**9


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Request:
    """Stacks are names of functions, the innermost one first."""

    def __init__(self, event="samples", unit="count", period=("cpu", "nanoseconds", 52631578)):
        # The first entry of each table is that of nothing.
        self.strings, self.functions, self.stacks, self.attributes = {"": 0}, {"": 0}, {(): 0}, {None: 0}
        self.event, self.unit, self.period = event, unit, period
        self.resources = []

    def string(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def function(self, name):
        return self.functions.setdefault(name, len(self.functions))

    def stack(self, names):
        places = tuple(map(self.function, names))
        return self.stacks.setdefault(places, len(self.stacks))

    def attribute(self, key, value):
        return self.attributes.setdefault((key, value), len(self.attributes))

    def add(self, labels, samples, start=START, length=60 * 10**9):
        """@samples: (names, weight or list of times, {attribute: value})."""
        text = ["resource_profiles { resource {"]
        text += [f"attributes {{ key: {quote(key)} value {{ {value_of(value)} }} }}" for key, value in labels.items()]
        text += ["} scope_profiles { scope { name: \"agent\" } profiles {",
                 f"sample_type {{ type_strindex: {self.string(self.event)} unit_strindex: {self.string(self.unit)} }}",
                 f"period_type {{ type_strindex: {self.string(self.period[0])} unit_strindex: {self.string(self.period[1])} }}",
                 f"period: {self.period[2]} time_unix_nano: {start} duration_nano: {length}"]
        for names, weight, *more in samples:
            text.append(f"samples {{ stack_index: {self.stack(names)}")
            text += [f"attribute_indices: {self.attribute(*pair)}" for pair in (more[0] if more else {}).items()]
            text.append(f"values: {weight} }}" if isinstance(weight, int) else
                        " ".join(f"timestamps_unix_nano: {time}" for time in weight) + " }")
        self.resources.append(" ".join([*text, "} } }"]))
        return self

    def text(self):
        attributes = [f"attribute_table {{ key_strindex: {self.string(key)} value {{ {value_of(value)} }} }}"
                      for key, value in list(self.attributes)[1:]]
        names = [self.string(name) for name in self.functions]
        tables = ["mapping_table {}", "location_table {}", "link_table {}", "attribute_table {}"]
        tables += [f"location_table {{ lines {{ function_index: {i} line: {i} }} }}" for i in range(1, len(names))]
        tables += [f"function_table {{ name_strindex: {name} }}" for name in names]
        tables += ["stack_table { " + " ".join(f"location_indices: {place}" for place in stack) + " }"
                   for stack in self.stacks]
        tables += attributes + [f"string_table: {quote(text)}" for text in self.strings]
        return "\n".join([*self.resources, "dictionary {", *tables, "}"])

    def bytes(self, is_packed=True):
        make = otlp_request.bytes_of if is_packed else otlp_request.unpacked_bytes_of
        return make(self.text().encode())


def value_of(value):
    return f"int_value: {value}" if isinstance(value, int) else f"string_value: {quote(value)}"


def request(service="shop", weight=7, start=START, **labels):
    """One batch of one sample."""
    names = {"service.name": service, **{key.replace("_", "."): value for key, value in labels.items()}}
    return Request().add(names, [(("leaf", "main"), weight)], start).bytes()

# SPDX-License-Identifier: Apache-2.0
"""The samples of an HTML report with their stacks: [(count, [(function, line), ...])], leaf first."""
import base64
import json
import re

PYTHON_KIND = 3  # of KINDS in report_data.js


class Page:
    def __init__(self, path):
        text = path.read_text()
        self.parts = dict(re.findall(r'id="wperf-([a-z-]+)">(.*?)</script>', text, re.DOTALL))

    def column(self, name):
        numbers, value, shift = [], 0, 0
        for byte in base64.b64decode(self.parts[name]):
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                numbers.append(value)
                value, shift = 0, 0
        return numbers

    def steps(self, name):
        numbers, value = [], 0
        for step in self.column(name):
            value += -(step + 1) // 2 if step & 1 else step // 2
            numbers.append(value)
        return numbers


def python_stacks(path):
    """Only frames of Python; a stack without any is []."""
    page = Page(path)
    strings = json.loads(page.parts["strings"])
    names = [strings[name] for name in page.steps("function-name")]
    kinds = page.column("function-kind")
    functions, lines = page.steps("frame-function"), page.steps("frame-line")
    stacks = []  # a parent comes before its children
    for i, (back, frame) in enumerate(zip(page.column("stack-parent"),
                                          page.column("stack-frame"))):
        above = stacks[i - back] if back else []
        function = functions[frame]
        mine = [(names[function], lines[frame])] if kinds[function] == PYTHON_KIND else []
        stacks.append(mine + above)
    return [(count, stacks[stack - 1] if stack else [])
            for stack, count in zip(page.steps("sample-stack"), page.column("sample-count"))]

"""Loads rows and builds an index: the example of memory in docs/."""


def load(rows):
    data = []
    for i in range(rows):
        data.append(bytes([i % 251]) * 2000)
    return data


def index(rows):
    by_name = {}
    for number, row in enumerate(rows):
        by_name[f"row {number}"] = row[:64]
    return by_name


rows = load(40_000)
print(len(index(rows)), "rows")

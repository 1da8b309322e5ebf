table = {"a": 1}


def find(name):
    try:
        return table[name]
    except KeyError:
        return None


def number(text):
    try:
        return int(text)
    except ValueError:
        return 0


for i in range(3000):
    find("b")
    if i % 10 == 0:
        number("x")

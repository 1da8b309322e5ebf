"""A small shop: the program that the examples in docs/ and the README profile."""
import hashlib
import json
import sys
import zlib


def price(item):
    total = 0
    for i in range(400):
        total += (item * i) % 7
    return total


class Basket:
    def __init__(self, prices):
        self.prices = prices

    def digest(self):
        data = json.dumps(self.prices).encode()
        return hashlib.sha256(data * 2000).hexdigest()

    def pack(self):
        return zlib.compress(bytes(range(256)) * 200, 6)


def main(customers):
    seen = {}
    for number in range(customers):
        basket = Basket([price(number + k) for k in range(20)])
        seen[basket.digest()] = len(basket.pack())
    print(len(seen), "baskets")


main(int(sys.argv[1]) if len(sys.argv) > 1 else 4000)

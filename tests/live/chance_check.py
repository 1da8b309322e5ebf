# SPDX-License-Identifier: Apache-2.0
"""The bounds of chance.py: random samples of the right shares are within them, others are not."""
import random
import statistics

import chance

RUNS = 2000


def are_wrong(check, *arguments, **keywords):
    try:
        check(*arguments, **keywords)
    except AssertionError:
        return True
    return False


def check_bounds():
    """As the normal distribution has them, where that is close: one of a million is 4.9 deviations."""
    far = -statistics.NormalDist().inv_cdf(chance.RARELY / 2)
    for share, num in ((0.5, 1000), (0.7, 8000), (0.3, 100_000)):
        least, most = chance.bounds(share, num, 0)
        deviation = (num * share * (1 - share)) ** 0.5
        assert abs((most - num * share) / deviation - far) < 0.15, (share, num, most)
        assert abs((num * share - least) / deviation - far) < 0.15, (share, num, least)
    assert chance.bounds(0, 100, 0) == (0, 0) and chance.bounds(1, 100, 0) == (100, 100)
    assert chance.bounds(0.01, 1, 0) == (0, 1)


def draw(dice, num, share):
    return round(dice.gauss(num * share, (num * share * (1 - share)) ** 0.5))


def check_draws():
    """None of many runs fails; a share that is five points off is found in all of them."""
    dice = random.Random(1)
    truth = {"hot": 70, "warm": 20, "cool": 10}
    for _ in range(RUNS):
        num = 8000
        hot = draw(dice, num, 0.7)
        warm = draw(dice, num - hot, 2 / 3)
        counts = {"hot": hot, "warm": warm, "cool": num - hot - warm}
        chance.check_shares(counts, truth, num, 0)
        wrong = {**counts, "hot": hot - num // 20, "cool": counts["cool"] + num // 20}
        assert are_wrong(chance.check_shares, wrong, truth, num), wrong
    assert are_wrong(chance.check_shares, counts, truth, num + 1)


def check_weights():
    """Ten heavy samples say less than a thousand light ones."""
    truth = {"left": 1, "right": 1}
    chance.check_weights({"left": [50] * 8, "right": [50] * 2}, truth, 10)
    assert are_wrong(chance.check_weights, {"left": [1] * 800, "right": [1] * 200}, truth, 10)


def check_limits():
    chance.check_at_least(985, 1000, 0.99)
    assert are_wrong(chance.check_at_least, 950, 1000, 0.99)
    chance.check_at_most(1, 10, 0.01)
    assert are_wrong(chance.check_at_most, 50, 1000, 0.01)
    assert are_wrong(chance.check_at_least, 0, 0, 0.5), "nothing is no proof"


if __name__ == "__main__":
    check_bounds()
    check_draws()
    check_weights()
    check_limits()

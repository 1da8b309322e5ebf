# SPDX-License-Identifier: Apache-2.0
"""How far a share of samples may be from the truth: as far as chance alone brings it in all but one
of a million runs, for as many samples as there really are.

Chance: samples come at equal distances, and the parts of the test programs vary in length, so that a
sample is in a part as often as by independent draws, or nearer to the truth. A binomial
distribution is an upper bound for how far they spread.

Skew: what is no matter of chance. The virtual machine may be stopped for a while: the clock of a
program goes on and there are no samples, or the sample is of the moment after. A stack that is read
after its sample may be of the next line.
"""
import functools
import math

RARELY = 1e-6
SKEW = 0.01


@functools.lru_cache
def _tail(num, share):
    """The highest count that fewer are drawn of with a probability of RARELY / 2 at most."""
    if share <= 0 or share >= 1:
        return 0 if share <= 0 else num
    below, log_odds = 0.0, math.log(share / (1 - share))
    log_chance = num * math.log(1 - share)  # of none at all
    for count in range(num + 1):
        below += math.exp(log_chance)
        if below > RARELY / 2:
            return count
        log_chance += math.log((num - count) / (count + 1)) + log_odds
    return num


def bounds(share, num, skew=SKEW):
    """The least and the most samples of @num that a part with that share of the time has."""
    least, most = max(0.0, share - skew), min(1.0, share + skew)
    return _tail(num, least), num - _tail(num, 1 - most)


def check_share(count, num, share, details="", skew=SKEW):
    """@count of @num samples are in a part that has @share of the time."""
    least, most = bounds(share, num, skew)
    assert num > 0 and least <= count <= most, (
        f"{count} of {num} samples, expected {least} to {most} for {share:.1%}: {details}")


def check_shares(counts, truth, least_samples, skew=SKEW):
    """@counts: samples by part; @truth: time by part, in any unit. What it says: how near they are."""
    num, whole = sum(counts.get(part, 0) for part in truth), sum(truth.values())
    assert num >= least_samples, f"only {num} samples, expected {least_samples}: {dict(counts)}"
    for part, time in truth.items():
        check_share(counts.get(part, 0), num, time / whole, f"{part} in {dict(counts)}, {truth}", skew)
    error = max(abs(counts.get(part, 0) / num - time / whole) for part, time in truth.items())
    return f"{num} samples, shares within {100 * error:.1f} points"


def check_weights(samples, truth, least_samples, skew=SKEW):
    """@samples: the weights of samples by part. They spread as so many of one weight do that have the
    same sum and the same sum of squares."""
    weights = [weight for part in truth for weight in samples.get(part, ())]
    assert sum(weights), f"no samples: {list(samples)}"
    num = sum(weights) ** 2 / sum(weight * weight for weight in weights)
    counts = {part: round(num * sum(samples.get(part, ())) / sum(weights)) for part in truth}
    return check_shares(counts, truth, least_samples, skew)


def check_at_least(count, num, share, details=""):
    """A part that has @share of the time or more."""
    least, _ = bounds(share, num, 0)
    assert num > 0 and count >= least, (
        f"{count} of {num} samples, expected at least {least} for {share:.1%}: {details}")


def check_at_most(count, num, share, details=""):
    """A part that has @share of the time or less."""
    _, most = bounds(share, num, 0)
    assert count <= most, f"{count} of {num} samples, expected at most {most} for {share:.1%}: {details}"

# SPDX-License-Identifier: Apache-2.0
"""Programs whose allocations are counted by themselves: shares and sums of bytes and of allocations."""
import statistics

import allocations
from allocations import check_bytes, deviation

SHARES = """
KEEP void seventy(void) { for (int i = 0; i < 7; i++) { void *p = malloc(1000); TOUCH(p); free(p); } }
KEEP void twenty(void) { void *p = malloc(2000); TOUCH(p); free(p); }
KEEP void ten(void) { for (int i = 0; i < 10; i++) { void *p = calloc(10, 10); TOUCH(p); free(p); } }
int main(int argc, char **argv)
{
	for (long i = 0; i < atol(argv[1]); i++) {
		seventy();
		twenty();
		ten();
	}
	return 0;
}
"""
TRUTH = {"seventy": 7000, "twenty": 2000, "ten": 1000}  # a round
COUNTS = {"seventy": 7, "twenty": 1, "ten": 10}

SIZES = """
#include <malloc.h>
#include <sys/mman.h>
KEEP void small(void) { for (int i = 0; i < 2000; i++) { void *p = malloc(24); TOUCH(p); free(p); } }
KEEP void period(void) { void *p = malloc(65536); TOUCH(p); free(p); }
KEEP void large(void) { void *p = malloc(1 << 20); TOUCH(p); free(p); }
KEEP void aligned(void)
{
	void *p = aligned_alloc(64, 64000), *q = memalign(64, 64000), *r;
	if (posix_memalign(&r, 64, 64000))
		abort();
	TOUCH(p); TOUCH(q); TOUCH(r);
	free(p); free(q); free(r);
}
KEEP void grown(void)
{
	void *p = NULL;
	for (int i = 1; i <= 10; i++)
		p = i % 2 ? realloc(p, i * 10000) : reallocarray(p, i, 10000);
	TOUCH(p);
	free(p);
}
KEEP void mapped(void)
{
	void *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *q = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(p, 1 << 20); munmap(q, 1 << 20);
}
int main(void)
{
	for (int i = 0; i < 300; i++) {
		small(); period(); large(); aligned(); grown(); mapped();
	}
	return 0;
}
"""
SIZES_TRUTH = {"small": 48000, "period": 65536, "large": 1 << 20, "aligned": 192000, "grown": 550000,
               "mapped": 1 << 20}

RUNS = 20
# The sum of the squares of 60 normal variables (chi-square) is between these in all but one of a million runs.
CHI_SQUARE_60 = 19.1, 128.6


def check_shares(recording):
    """Over many runs the deviations are as large as chance makes them: not larger, and not smaller."""
    program, rounds = recording.build("shares", SHARES), 4000
    squares = 0
    for _ in range(RUNS):
        samples, _done = recording.trace([program, rounds])
        weights = recording.weights(samples, TRUTH)
        for part, size in TRUTH.items():
            check_bytes(weights[part], size * rounds, part)
            squares += deviation(weights[part], size * rounds) ** 2
    least, most = CHI_SQUARE_60
    assert least < squares < most, squares
    print(f"chi-square of {RUNS} runs and {len(TRUTH)} shares: {squares:.0f}")


def check_sum(recording):
    """Within a per cent, with samples enough for that."""
    program, rounds = recording.build("shares", SHARES), 50000
    samples, _done = recording.trace([program, rounds], "alloc:4K")
    truth = rounds * sum(TRUTH.values())
    error = sum(sample.weight for sample in samples) / truth - 1
    print(f"{len(samples)} samples, their sum is {100 * error:+.2f} % off")
    assert abs(error) < 0.01, error


def check_adaptive(recording):
    """Where wperf chooses the period, sums are neither too large nor too small on average, though most samples
    of a program as short and fast as this one are taken while the period grows."""
    program, rounds = recording.build("shares", SHARES), 30000
    errors = []
    for _ in range(RUNS):
        samples, _done = recording.trace([program, rounds], "alloc")
        assert len(samples) > 250, len(samples)
        errors.append(sum(sample.weight for sample in samples) / (rounds * sum(TRUTH.values())) - 1)
    mean, spread = statistics.mean(errors), statistics.stdev(errors)
    print(f"with a period that follows: {100 * mean:+.1f} % on average, {100 * spread:.1f} % each")
    assert abs(mean) < 4 * spread / RUNS ** 0.5 and spread < 0.2, errors


def check_counts(recording):
    program, rounds = recording.build("shares", SHARES), 20000
    samples, _done = recording.trace([program, rounds], "alloc:16K,alloc-count:16K")
    by_event = {name: [sample for sample in samples if sample.event == name] for name in ("alloc", "alloc-count")}
    assert len(by_event["alloc"]) == len(by_event["alloc-count"]) == len(samples) / 2
    for name, truth in ("alloc", TRUTH), ("alloc-count", COUNTS):
        weights = recording.weights(by_event[name], truth)
        for part, one in truth.items():
            check_bytes(weights[part], one * rounds, f"{name} {part}")


def check_sizes(recording):
    """Smaller and larger than the period, by each of the functions."""
    samples, _done = recording.trace([recording.build("sizes", SIZES)])
    weights = recording.weights(samples, SIZES_TRUTH)
    for part, size in SIZES_TRUTH.items():
        check_bytes(weights[part], 300 * size, part)
    assert not weights[""], "samples are of nothing else"
    # The caller of the allocator is the innermost frame, and nothing of ours is on any stack.
    assert {sample.names()[0] for sample in samples} == set(SIZES_TRUTH)
    assert all("main" in sample.names() for sample in samples)


def check(recording):
    check_shares(recording)
    check_sum(recording)
    check_adaptive(recording)
    check_counts(recording)
    check_sizes(recording)


allocations.main(check)

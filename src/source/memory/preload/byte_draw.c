// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/byte_draw.h"

#include <string.h>

// The distance to the next event of a Poisson process has an exponential distribution: -ln(u) times
// the mean, for u uniform in (0, 1]. Its integer part is the number of bytes before the next chosen
// one: an allocation of s bytes is then chosen with the probability 1 - exp(-s / mean), which is
// what its weight is computed from (memory_weight.h). Random numbers are those of xorshift64
// (Marsaglia, "Xorshift RNGs", 2003), seeded by the finalizer of splitmix64 (Steele, Lea, Flood,
// 2014).

uint64_t byte_draw_seed(uint64_t first, uint64_t second)
{
	uint64_t mixed = first + second * 0x9e3779b97f4a7c15;
	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
	mixed ^= mixed >> 31;
	return mixed ? mixed : 1;
}

double byte_draw_log(double value)
{
	enum { EXPONENT_BIAS = 1023, FRACTION_BITS = 52, TERMS = 12 };
	static const double ln_2 = 0.693147180559945309417, sqrt_2 = 1.41421356237309504880;
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	int exponent = (int)(bits >> FRACTION_BITS & 0x7ff) - EXPONENT_BIAS;
	bits = (bits & ((UINT64_C(1) << FRACTION_BITS) - 1)) | (uint64_t)EXPONENT_BIAS
								       << FRACTION_BITS;
	double fraction;
	memcpy(&fraction, &bits, sizeof(fraction));
	if (fraction > sqrt_2) {
		fraction /= 2;
		exponent++;
	}
	// ln(x) = 2 (z + z^3 / 3 + z^5 / 5 ...) with z = (x - 1) / (x + 1), here below 0.172.
	double z = (fraction - 1) / (fraction + 1), power = z, sum = 0;
	for (int i = 0; i < TERMS; i++) {
		sum += power / (2 * i + 1);
		power *= z * z;
	}
	return exponent * ln_2 + 2 * sum;
}

uint64_t byte_draw_next(uint64_t *state, uint64_t mean)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	// 53 bits, as a double has; never 0.
	double uniform = (double)((*state >> 11) + 1) * (1.0 / 9007199254740992.0);
	return (uint64_t)(-byte_draw_log(uniform) * (double)mean);
}

// SPDX-License-Identifier: Apache-2.0
// FIPS 180-4, 6.2: blocks of 64 bytes; behind the last one come a bit, zeros, and the length in
// bits. The names in sha256_block() are those of the standard.

#include "server/sha256.h"

#include "base/byte_order.h"

#include <string.h>

enum { SHA256_BLOCK = 64, SHA256_ROUNDS = 64, SHA256_WORDS = 8, SHA256_LENGTH_SIZE = 8 };

static const uint32_t sha256_constants[SHA256_ROUNDS] = {
	// 4.2.2
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t sha256_rotate(uint32_t word, unsigned count)
{
	return word >> count | word << (32 - count);
}

static void sha256_schedule(const uint8_t *block, uint32_t w[SHA256_ROUNDS])
{
	for (size_t t = 0; t < 16; t++)
		w[t] = byte_order_load32(block + 4 * t, true);
	for (size_t t = 16; t < SHA256_ROUNDS; t++) {
		uint32_t s0 =
			sha256_rotate(w[t - 15], 7) ^ sha256_rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
		uint32_t s1 =
			sha256_rotate(w[t - 2], 17) ^ sha256_rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
		w[t] = s1 + w[t - 7] + s0 + w[t - 16];
	}
}

static void sha256_block(uint32_t hash[SHA256_WORDS], const uint8_t *block)
{
	uint32_t w[SHA256_ROUNDS], v[SHA256_WORDS]; // v: a to h
	sha256_schedule(block, w);
	memcpy(v, hash, sizeof(v));
	for (size_t t = 0; t < SHA256_ROUNDS; t++) {
		uint32_t sum1 =
			sha256_rotate(v[4], 6) ^ sha256_rotate(v[4], 11) ^ sha256_rotate(v[4], 25);
		uint32_t ch = (v[4] & v[5]) ^ (~v[4] & v[6]);
		uint32_t t1 = v[7] + sum1 + ch + sha256_constants[t] + w[t];
		uint32_t sum0 =
			sha256_rotate(v[0], 2) ^ sha256_rotate(v[0], 13) ^ sha256_rotate(v[0], 22);
		uint32_t maj = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
		memmove(v + 1, v, sizeof(v) - sizeof(v[0]));
		v[4] += t1;
		v[0] = t1 + sum0 + maj;
	}
	for (size_t i = 0; i < SHA256_WORDS; i++)
		hash[i] += v[i];
}

void sha256(const void *bytes, size_t size, uint8_t ret[SHA256_SIZE])
{
	uint32_t hash[SHA256_WORDS] = {// 5.3.3
				       0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
				       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	const uint8_t *byte = bytes;
	size_t done = 0;
	for (; size - done >= SHA256_BLOCK; done += SHA256_BLOCK)
		sha256_block(hash, byte + done);
	uint8_t last[2 * SHA256_BLOCK] = {0};
	size_t rest = size - done;
	if (rest)
		memcpy(last, byte + done, rest);
	last[rest] = 0x80;
	size_t length =
		rest + 1 + SHA256_LENGTH_SIZE <= SHA256_BLOCK ? SHA256_BLOCK : 2 * SHA256_BLOCK;
	for (size_t i = 0; i < SHA256_LENGTH_SIZE; i++)
		last[length - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
	for (size_t i = 0; i < length; i += SHA256_BLOCK)
		sha256_block(hash, last + i);
	for (size_t i = 0; i < SHA256_SIZE; i++)
		ret[i] = (uint8_t)(hash[i / 4] >> (24 - i % 4 * 8));
}

void sha256_text(const void *bytes, size_t size, char ret[SHA256_TEXT_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t hash[SHA256_SIZE];
	sha256(bytes, size, hash);
	for (size_t i = 0; i < SHA256_SIZE; i++) {
		ret[2 * i] = digits[hash[i] >> 4];
		ret[2 * i + 1] = digits[hash[i] & 0xf];
	}
	ret[SHA256_TEXT_SIZE - 1] = '\0';
}

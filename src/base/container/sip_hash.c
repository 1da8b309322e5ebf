// SPDX-License-Identifier: Apache-2.0
// As in the paper "SipHash: a fast short-input PRF": two rounds for each eight bytes, four at the
// end; the last word has the rest of the bytes and the length.

#include "base/container/sip_hash.h"

#include "base/byte_order.h"

#include <string.h>

struct sip_state {
	uint64_t v[4];
};

static uint64_t sip_hash_rotate(uint64_t word, unsigned bits)
{
	return word << bits | word >> (64 - bits);
}

static void sip_hash_rounds(struct sip_state *state, unsigned num)
{
	uint64_t *v = state->v;
	while (num--) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = sip_hash_rotate(v[1], 13) ^ v[0];
		v[3] = sip_hash_rotate(v[3], 16) ^ v[2];
		v[0] = sip_hash_rotate(v[0], 32) + v[3];
		v[2] += v[1];
		v[3] = sip_hash_rotate(v[3], 21) ^ v[0];
		v[1] = sip_hash_rotate(v[1], 17) ^ v[2];
		v[2] = sip_hash_rotate(v[2], 32);
	}
}

static void sip_hash_add(struct sip_state *state, uint64_t word)
{
	state->v[3] ^= word;
	sip_hash_rounds(state, 2);
	state->v[0] ^= word;
}

uint64_t sip_hash(struct sip_key key, const void *bytes, size_t size)
{
	struct sip_state state = {{
		key.words[0] ^ UINT64_C(0x736f6d6570736575),
		key.words[1] ^ UINT64_C(0x646f72616e646f6d),
		key.words[0] ^ UINT64_C(0x6c7967656e657261),
		key.words[1] ^ UINT64_C(0x7465646279746573),
	}};
	const unsigned char *byte = bytes;
	size_t offset = 0;
	for (; size - offset >= 8; offset += 8)
		sip_hash_add(&state, byte_order_load64(byte + offset, false));
	unsigned char rest[8] = {[7] = (unsigned char)size};
	if (offset < size)
		memcpy(rest, byte + offset, size - offset);
	sip_hash_add(&state, byte_order_load64(rest, false));
	state.v[2] ^= 0xff;
	sip_hash_rounds(&state, 4);
	return state.v[0] ^ state.v[1] ^ state.v[2] ^ state.v[3];
}

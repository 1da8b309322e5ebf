// SPDX-License-Identifier: Apache-2.0

#include "tests/windows/driver/answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TOLD = 32, UNTOUCHED = 0xa5 };

#define FNV_PRIME UINT64_C(0x100000001b3)

static uint64_t mix_bytes(uint64_t sum, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ ((const uint8_t *)bytes)[i]) * FNV_PRIME;
	return sum;
}

void answer_ask(struct door *door, uint32_t code, const void *in, size_t in_size, size_t out_size,
		struct answer *ret)
{
	memset(ret->bytes, UNTOUCHED, sizeof(ret->bytes));
	ret->error = door_ask(door, code, in, in_size, ret->bytes, out_size, &ret->size);
	for (size_t i = ret->size; i < sizeof(ret->bytes); i++) {
		if (ret->bytes[i] != UNTOUCHED) {
			printf("FAULT: %zu bytes answered, but byte %zu was written\n", ret->size,
			       i);
			return;
		}
	}
}

void answer_tell(const char *what, const struct answer *answer)
{
	printf("%s: error %" PRIu32 ", %zu bytes", what, answer->error, answer->size);
	for (size_t i = 0; i < answer->size && i < MAX_TOLD; i++)
		printf(" %02x", answer->bytes[i]);
	if (answer->size > MAX_TOLD)
		printf(" ... %016" PRIx64, mix_bytes(0, answer->bytes, answer->size));
	printf("\n");
}

void answer_mix(const struct answer *answer, uint64_t *sum)
{
	uint64_t size = answer->size;
	*sum = mix_bytes(*sum, &answer->error, sizeof(answer->error));
	*sum = mix_bytes(*sum, &size, sizeof(size));
	*sum = mix_bytes(*sum, answer->bytes, answer->size);
}

// SPDX-License-Identifier: Apache-2.0

// Packed bytes: two bytes say how many should come out. We take what zlib takes, and nothing else.

#include "base/inflater.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint16_t wanted;
	if (size < sizeof(wanted))
		return 0;
	memcpy(&wanted, data, sizeof(wanted));
	data += sizeof(wanted);
	size -= sizeof(wanted);
	uint8_t *ours = malloc(wanted + 1U), *theirs = malloc(wanted + 1U);
	bool is_ours = inflater_unpack(data, size, ours, wanted);
	uLongf num_theirs = wanted;
	bool is_theirs =
		uncompress(theirs, &num_theirs, data, size) == Z_OK && num_theirs == wanted;
	if (is_ours != is_theirs || (is_ours && memcmp(ours, theirs, wanted) != 0))
		abort();
	free(ours);
	free(theirs);
	return 0;
}

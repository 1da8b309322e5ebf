// SPDX-License-Identifier: Apache-2.0
// Input: the format, two bytes of the size that comes out, then what is packed.

#include "record/etl/unpack/etl_unpack.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What is unpacked does not depend on what was in the buffer before.
static void check_again(enum etl_packing packing, const uint8_t *packed, size_t packed_size,
			const uint8_t *bytes, size_t size)
{
	uint8_t *again = malloc(size + 1);
	memset(again, 0xa5, size + 1);
	if (!etl_unpack(packing, packed, packed_size, again, size) ||
	    memcmp(again, bytes, size) != 0 || again[size] != 0xa5)
		abort();
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3)
		return 0;
	enum etl_packing packing = data[0] % 8;
	size_t unpacked_size = data[1] | (size_t)data[2] << 8;
	uint8_t *bytes = calloc(1, unpacked_size + 1);
	if (etl_unpack(packing, data + 3, size - 3, bytes, unpacked_size))
		check_again(packing, data + 3, size - 3, bytes, unpacked_size);
	free(bytes);
	return 0;
}

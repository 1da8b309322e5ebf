// SPDX-License-Identifier: Apache-2.0

// Deflated bytes, behind two that say how many should come out. We take what zlib takes, and
// nothing else; the checksum, which nobody guesses, is put behind them.

#include "base/inflater.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** @return: does it give exactly @wanted bytes? @ret_packed_size: of what it took. */
static bool unpack_by_zlib(const uint8_t *data, size_t size, uint8_t *bytes, size_t wanted,
			   size_t *ret_packed_size)
{
	z_stream stream = {0};
	if (inflateInit2(&stream, -15) != Z_OK)
		abort();
	stream.next_in = (uint8_t *)data;
	stream.avail_in = (uInt)size;
	stream.next_out = bytes;
	stream.avail_out = (uInt)wanted;
	int result = inflate(&stream, Z_FINISH);
	*ret_packed_size = size - stream.avail_in;
	inflateEnd(&stream);
	return result == Z_STREAM_END && !stream.avail_out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint16_t wanted;
	if (size < sizeof(wanted))
		return 0;
	memcpy(&wanted, data, sizeof(wanted));
	data += sizeof(wanted);
	size -= sizeof(wanted);
	uint8_t *ours = malloc(wanted + 1U), *theirs = malloc(wanted + 1U);
	size_t packed_size;
	bool is_theirs = unpack_by_zlib(data, size, theirs, wanted, &packed_size);
	uint8_t *packed = malloc(2 + size + 4);
	memcpy(packed, "\x78\x9c", 2);
	memcpy(packed + 2, data, packed_size);
	if (is_theirs) {
		uLong sum = adler32(1, theirs, wanted);
		for (unsigned i = 0; i < 4; i++)
			packed[2 + packed_size + i] = (uint8_t)(sum >> (24 - 8 * i));
	}
	bool is_ours = inflater_unpack(packed, 2 + packed_size + 4 * is_theirs, ours, wanted);
	if (is_ours != is_theirs || (is_ours && memcmp(ours, theirs, wanted) != 0))
		abort();
	free(packed);
	free(ours);
	free(theirs);
	return 0;
}

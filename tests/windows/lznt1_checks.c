// SPDX-License-Identifier: Apache-2.0
// LZNT1 beside RtlDecompressBuffer() of ntdll, which others wrote: packed texts, and 200,000
// damages of them. What it takes, ours unpacks to the same bytes; what it refuses, ours does, too.
// It is laxer in two cases, which are told apart: it ignores signatures, and ends at half a header.

#include "record/etl/unpack/etl_unpack.h"
#include "tests/unit/etl_packing.h"
#include "tests/windows/check.h"

#include <windows.h>

enum {
	TEXT_SIZE = 3 * 4096 + 700,
	ROUNDS = 200,
	DAMAGES = 1000,
	FORMAT_LZNT1 = 2,
};

typedef NTSTATUS(WINAPI *decompress_fn)(USHORT format, UCHAR *bytes, ULONG size, UCHAR *packed,
					ULONG packed_size, ULONG *ret_size);

struct lznt1_oracle {
	decompress_fn decompress;
	uint8_t bytes[2 * TEXT_SIZE], ours[2 * TEXT_SIZE];
	size_t num_taken, num_refused, num_laxer;
};

static uint32_t next_random(uint32_t limit)
{
	static uint64_t state = 42;
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % limit;
}

/** Texts of few letters have matches; how far apart these are differs. */
static size_t fill_text(uint8_t *bytes)
{
	size_t size = 1 + next_random(TEXT_SIZE);
	uint32_t letters = 1 + next_random(6),
		 rows = next_random(3) ? 1 + next_random(400) : TEXT_SIZE;
	for (size_t i = 0; i < size; i++)
		bytes[i] = i >= rows && next_random(50) ? bytes[i - rows]
							: (uint8_t)('a' + next_random(letters));
	return size;
}

/** How many bytes a packed chunk says it has unpacked; more than 4096: it is none. */
static size_t chunk_length(const uint8_t *chunk, size_t size)
{
	size_t done = 0, at = 0;
	while (at < size) {
		uint8_t flags = chunk[at++];
		for (int i = 0; i < 8 && at < size; i++, flags >>= 1) {
			if (!(flags & 1)) {
				done++;
				at++;
				continue;
			}
			if (size - at < 2)
				return SIZE_MAX; // half a match
			uint32_t length_bits = 12;
			for (size_t reach = 16; reach < done; reach *= 2)
				length_bits--;
			done += ((chunk[at] | (uint32_t)chunk[at + 1] << 8) &
				 ((1u << length_bits) - 1)) +
				3;
			at += 2;
		}
	}
	return done;
}

/** Is it as the document has it: signatures, nothing cut off, and no chunk that is too long? */
static bool is_strict(const uint8_t *packed, size_t size)
{
	enum { HEADER = 2, CHUNK = 4096, IS_PACKED = 1 << 15 };
	while (size >= HEADER) {
		uint32_t header = packed[0] | (uint32_t)packed[1] << 8;
		size_t length = (header & (CHUNK - 1)) + 1;
		if (!header)
			return true;
		if ((header >> 12 & 7) != 3 || length + HEADER > size ||
		    (header & IS_PACKED && chunk_length(packed + HEADER, length) > CHUNK))
			return false;
		packed += HEADER + length;
		size -= HEADER + length;
	}
	return size == 0;
}

static void compare(struct lznt1_oracle *oracle, uint8_t *packed, size_t packed_size)
{
	ULONG size = 0;
	memset(oracle->bytes, 0, sizeof(oracle->bytes));
	NTSTATUS status = oracle->decompress(FORMAT_LZNT1, oracle->bytes, sizeof(oracle->bytes),
					     packed, (ULONG)packed_size, &size);
	bool is_ours = etl_unpack(ETL_PACKING_LZNT1, packed, packed_size, oracle->ours, size);
	if (status) {
		oracle->num_refused++;
		for (size_t at = 0; at < 8; at++)
			check(!etl_unpack(ETL_PACKING_LZNT1, packed, packed_size, oracle->ours,
					  next_random(TEXT_SIZE)));
	} else if (is_ours) {
		oracle->num_taken++;
		check(!memcmp(oracle->ours, oracle->bytes, size));
	} else {
		oracle->num_laxer++;
		check(!is_strict(packed, packed_size));
	}
}

int main(void)
{
	static struct lznt1_oracle oracle;
	static uint8_t text[TEXT_SIZE], packed[2 * TEXT_SIZE], damaged[2 * TEXT_SIZE];
	union {
		FARPROC any;
		decompress_fn decompress;
	} found = {GetProcAddress(GetModuleHandleA("ntdll"), "RtlDecompressBuffer")};
	oracle.decompress = found.decompress;
	check(oracle.decompress);
	for (int round = 0; oracle.decompress && round < ROUNDS; round++) {
		size_t size = fill_text(text), packed_size = etl_pack_lznt1(text, size, packed);
		compare(&oracle, packed, packed_size);
		check(oracle.num_taken && !memcmp(oracle.ours, text, size));
		for (int i = 0; i < DAMAGES; i++) {
			size_t kept = next_random(4) ? packed_size
						     : 1 + next_random((uint32_t)packed_size - 1);
			memcpy(damaged, packed, kept);
			for (uint32_t n = next_random(4); kept && n > 0; n--)
				damaged[next_random((uint32_t)kept)] ^=
					(uint8_t)(1 << next_random(8));
			compare(&oracle, damaged, kept);
		}
	}
	printf("%zu streams that both unpack, %zu that both refuse, %zu that only ntdll takes\n",
	       oracle.num_taken, oracle.num_refused, oracle.num_laxer);
	check(oracle.num_taken > ROUNDS * DAMAGES / 10 && oracle.num_refused > ROUNDS);
	return check_report();
}

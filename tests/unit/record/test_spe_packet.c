// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_packet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

// Each header with bytes 0x11, 0x12 ... behind it.
static const struct {
	uint8_t bytes[2];
	struct spe_packet packet;
} headers[] = {
	{{0x01}, {0, SPE_PACKET_END, 0, 1, SPE_VALUE_NONE}},
	{{0x42}, {0x11, SPE_PACKET_EVENTS, 0, 2, SPE_VALUE_EVENTS}},
	{{0x52}, {0x1211, SPE_PACKET_EVENTS, 0, 3, SPE_VALUE_EVENTS}},
	{{0x62}, {0x14131211, SPE_PACKET_EVENTS, 0, 5, SPE_VALUE_EVENTS}},
	{{0x72}, {0x1817161514131211, SPE_PACKET_EVENTS, 0, 9, SPE_VALUE_EVENTS}},
	{{0x43}, {0x11, SPE_PACKET_DATA_SOURCE, 0, 2, SPE_VALUE_DATA_SOURCE}},
	{{0x53}, {0x1211, SPE_PACKET_DATA_SOURCE, 0, 3, SPE_VALUE_DATA_SOURCE}},
	{{0x63}, {0x14131211, SPE_PACKET_DATA_SOURCE, 0, 5, SPE_VALUE_DATA_SOURCE}},
	{{0x73}, {0x1817161514131211, SPE_PACKET_DATA_SOURCE, 0, 9, SPE_VALUE_DATA_SOURCE}},
	{{0x48}, {0x11, SPE_PACKET_OPERATION, 0, 2, SPE_VALUE_OPERATION}},
	{{0x4a}, {0x11, SPE_PACKET_OPERATION, 2, 2, SPE_VALUE_OPERATION}},
	{{0x64}, {0x14131211, SPE_PACKET_CONTEXT, 0, 5, SPE_VALUE_CONTEXT}},
	{{0x65}, {0x14131211, SPE_PACKET_CONTEXT, 1, 5, SPE_VALUE_CONTEXT + 1}},
	{{0x67}, {0x14131211, SPE_PACKET_CONTEXT, 3, 5, SPE_VALUE_NONE}},
	{{0x71}, {0x1817161514131211, SPE_PACKET_TIMESTAMP, 0, 9, SPE_VALUE_TIMESTAMP}},
	{{0x98}, {0x1211, SPE_PACKET_COUNTER, 0, 3, SPE_VALUE_COUNTER + SPE_COUNTER_TOTAL}},
	{{0x9b}, {0x1211, SPE_PACKET_COUNTER, 3, 3, SPE_VALUE_COUNTER + SPE_COUNTER_ALTERNATE}},
	{{0x9f}, {0x1211, SPE_PACKET_COUNTER, 7, 3, SPE_VALUE_NONE}},
	{{0xb0},
	 {0x1817161514131211, SPE_PACKET_ADDRESS, 0, 9, SPE_VALUE_ADDRESS + SPE_ADDRESS_PC}},
	{{0xb4},
	 {0x1817161514131211, SPE_PACKET_ADDRESS, 4, 9,
	  SPE_VALUE_ADDRESS + SPE_ADDRESS_PREVIOUS_TARGET}},
	{{0xb7}, {0x1817161514131211, SPE_PACKET_ADDRESS, 7, 9, SPE_VALUE_NONE}},
	{{0x20, 0xb2},
	 {0x1817161514131211, SPE_PACKET_ADDRESS, 2, 10, SPE_VALUE_ADDRESS + SPE_ADDRESS_VIRTUAL}},
	{{0x23, 0xb7}, {0x1817161514131211, SPE_PACKET_ADDRESS, 31, 10, SPE_VALUE_NONE}},
	{{0x21, 0x98}, {0x1211, SPE_PACKET_COUNTER, 8, 4, SPE_VALUE_NONE}},
	{{0x02}, {0, SPE_PACKET_BAD, 0, 1, SPE_VALUE_NONE}},
	{{0x24}, {0, SPE_PACKET_BAD, 0, 1, SPE_VALUE_NONE}},
	{{0xb8}, {0, SPE_PACKET_BAD, 0, 1, SPE_VALUE_NONE}},
	{{0xff}, {0, SPE_PACKET_BAD, 0, 1, SPE_VALUE_NONE}},
	{{0x20, 0x42}, {0, SPE_PACKET_BAD, 0, 1, SPE_VALUE_NONE}},
	{{0x20, 0x20}, {0, SPE_PACKET_BAD, 0, 1, SPE_VALUE_NONE}},
};

static void assert_packet(const struct spe_packet *packet, const struct spe_packet *expected)
{
	assert_int_equal(packet->kind, expected->kind);
	assert_int_equal(packet->index, expected->index);
	assert_int_equal(packet->size, expected->size);
	assert_int_equal(packet->payload, expected->payload);
	assert_int_equal(packet->value, expected->value);
}

static void every_header_has_its_size_and_index(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++) {
		uint8_t bytes[SPE_PACKET_MAX] = {headers[i].bytes[0], headers[i].bytes[1]};
		size_t start = headers[i].bytes[1] ? 2 : 1;
		for (size_t at = start; at < sizeof(bytes); at++)
			bytes[at] = (uint8_t)(0x11 + at - start);
		struct spe_packet packet;
		assert_true(spe_packet_decode(bytes, sizeof(bytes), 0, &packet));
		assert_packet(&packet, &headers[i].packet);
		// Near the end of the bytes it is done in another way.
		assert_true(spe_packet_decode(bytes, SPE_PACKET_MAX - 1, 0, &packet));
		assert_packet(&packet, &headers[i].packet);
		for (size_t size = 0; size < headers[i].packet.size; size++)
			assert_false(spe_packet_decode(bytes, size, 0, &packet));
	}
}

static void padding_comes_in_sixteens(void **state)
{
	uint8_t bytes[40] = {};
	bytes[20] = 0x01;
	struct spe_packet packet;
	assert_true(spe_packet_decode(bytes, sizeof(bytes), 0, &packet));
	assert_int_equal(packet.kind, SPE_PACKET_PADDING);
	assert_int_equal(packet.size, 16);
	assert_true(spe_packet_decode(bytes + 16, sizeof(bytes) - 16, 16, &packet));
	assert_int_equal(packet.size, 4);
	assert_true(spe_packet_decode(bytes, 1, 0, &packet));
	assert_int_equal(packet.size, 1);
}

static void alignment_goes_by_the_position(void **state)
{
	static const struct {
		uint8_t header;
		uint64_t position;
		uint8_t size;
	} cases[] = {
		{0x20, 0, 2},
		{0x21, 4, 4},
		{0x21, 6, 2},
		{0x22, 0x29, 7},
		{0x23, 0, 16},
		{0x23, 9, 7},
		{0x23, UINT64_MAX - 4, 5},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint8_t bytes[32] = {cases[i].header, 0};
		for (size_t at = 2; at < sizeof(bytes); at++)
			bytes[at] = 0xee;
		struct spe_packet packet;
		assert_true(spe_packet_decode(bytes, sizeof(bytes), cases[i].position, &packet));
		assert_int_equal(packet.kind, SPE_PACKET_PADDING);
		assert_int_equal(packet.size, cases[i].size);
		assert_false(
			spe_packet_decode(bytes, cases[i].size - 1, cases[i].position, &packet));
	}
}

static void addresses_have_the_sign_of_bit_55(void **state)
{
	const uint64_t kernel = 0xa0ffc08420e06812, user = 0x8000aaaabbbbcccc,
		       tagged = 0xf400ffff12345678;
	assert_int_equal(spe_address_of(kernel, SPE_ADDRESS_PC), 0xffffc08420e06812);
	assert_int_equal(spe_address_of(user, SPE_ADDRESS_BRANCH_TARGET), 0xaaaabbbbcccc);
	assert_int_equal(spe_address_of(tagged, SPE_ADDRESS_VIRTUAL), 0xffff12345678);
	assert_int_equal(spe_address_of(kernel, SPE_ADDRESS_PHYSICAL), 0xffc08420e06812);
	assert_int_equal(spe_address_level(0xa0), 1);
	assert_int_equal(spe_address_level(0xe0), 3);
	assert_true(spe_address_is_nonsecure(0xa0));
	assert_false(spe_address_is_nonsecure(0x60));
	assert_true(spe_address_is_nse(0x10));
	assert_true(spe_address_is_checked(0x45));
	assert_int_equal(spe_address_tag(0x45), 5);
}

int spe_packet_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_header_has_its_size_and_index),
		cmocka_unit_test(padding_comes_in_sixteens),
		cmocka_unit_test(alignment_goes_by_the_position),
		cmocka_unit_test(addresses_have_the_sign_of_bit_55),
	};
	return cmocka_run_group_tests_name("spe_packet", tests, NULL, NULL);
}

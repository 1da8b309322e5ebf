// SPDX-License-Identifier: Apache-2.0

#include "view/export/protobuf_message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "base/reader.h"

#include <string.h>

static void assert_bytes(const struct protobuf_message *message, const char *expected, size_t size)
{
	assert_false(message->bytes.failed);
	assert_int_equal(message->bytes.length, size);
	assert_memory_equal(string_builder_peek(&message->bytes), expected, size);
}

static void test_numbers(void **state)
{
	_cleanup_(protobuf_message_deinit) struct protobuf_message message = PROTOBUF_MESSAGE_INIT;
	protobuf_message_u64(&message, 1, 150);
	protobuf_message_u64(&message, 2, 0);
	protobuf_message_u64(&message, 16, 1);
	assert_bytes(&message, "\x08\x96\x01\x80\x01\x01", 6);
}

static void test_numbers_that_are_there(void **state)
{
	_cleanup_(protobuf_message_deinit) struct protobuf_message message = PROTOBUF_MESSAGE_INIT;
	_cleanup_(protobuf_message_deinit) struct protobuf_message more = PROTOBUF_MESSAGE_INIT;
	protobuf_message_number(&message, 1, 0);
	protobuf_message_fixed64(&message, 2, 0);
	protobuf_message_fixed64(&more, 3, 0x0102030405060708);
	protobuf_message_append(&message, &more);
	assert_bytes(&message, "\x08\x00\x19\x08\x07\x06\x05\x04\x03\x02\x01", 11);
}

static void test_every_number_can_be_read_back(void **state)
{
	static const uint64_t values[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX};
	_cleanup_(protobuf_message_deinit) struct protobuf_message message = PROTOBUF_MESSAGE_INIT;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		protobuf_message_packed(&message, values[i]);
	struct reader reader = reader_create(message.bytes.text, message.bytes.length);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		assert_int_equal(reader_uleb128(&reader), values[i]);
	assert_int_equal(reader_left(&reader), 0);
	assert_false(reader.failed);
}

static void test_text_is_utf8(void **state)
{
	_cleanup_(protobuf_message_deinit) struct protobuf_message message = PROTOBUF_MESSAGE_INIT;
	protobuf_message_text(&message, 6, "");
	protobuf_message_text(&message, 6, "\xc3\xa4\xff");
	assert_bytes(&message, "\x32\x00\x32\x05\xc3\xa4\xef\xbf\xbd", 9);
}

static void test_nested_messages(void **state)
{
	_cleanup_(protobuf_message_deinit) struct protobuf_message outer = PROTOBUF_MESSAGE_INIT;
	_cleanup_(protobuf_message_deinit) struct protobuf_message inner = PROTOBUF_MESSAGE_INIT;
	protobuf_message_u64(&inner, 1, 5);
	protobuf_message_nested(&outer, 3, &inner);
	protobuf_message_nested(&outer, 4, &inner);
	assert_bytes(&outer, "\x1a\x02\x08\x05\x22\x00", 6);
}

int protobuf_message_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_numbers_that_are_there),
		cmocka_unit_test(test_every_number_can_be_read_back),
		cmocka_unit_test(test_text_is_utf8),
		cmocka_unit_test(test_nested_messages),
	};
	return cmocka_run_group_tests_name("protobuf_message", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0

/**
 * SPE buffers as lines of packets. The file has the buffers one behind the other, each behind two
 * words of 32 bits: its position in memory and its size.
 *
 *	spe_lines FILE
 */

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/file_map.h"
#include "record/spe_packet_line.h"

#include <stdio.h>

enum { HEADER_SIZE = 8, CHUNK = 1 << 20 };

static void write_out(struct string_builder *text, size_t at_least)
{
	if (text->length < at_least)
		return;
	fwrite(string_builder_peek(text), 1, text->length, stdout);
	string_builder_clear(text);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = file_map_open(&map, argv[1]);
	if (err) {
		fprintf(stderr, "%s\n", err->message);
		error_destroy(err);
		return 1;
	}
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	const uint8_t *bytes = map.data;
	for (size_t at = 0; at + HEADER_SIZE <= map.size;) {
		uint32_t position = byte_order_load32(bytes + at, false);
		uint32_t size = byte_order_load32(bytes + at + 4, false);
		at += HEADER_SIZE;
		if (size > map.size - at)
			return 1;
		string_builder_appendf(&text, ". ... ARM SPE data: size %#x bytes\n", size);
		spe_packet_line_append_all(&text, bytes + at, size, position, 0);
		write_out(&text, CHUNK);
		at += size;
	}
	write_out(&text, 1);
	return text.failed;
}

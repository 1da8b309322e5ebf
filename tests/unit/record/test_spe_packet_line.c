// SPDX-License-Identifier: Apache-2.0

/** The lines that perf prints of the same bytes; more beside perf itself in tests/spe. */

#include "record/spe/spe_packet_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "base/container/array.h"
#include "base/file/file_map.h"
#include "record/spe/spe_core.h"
#include "tests/unit/shared_data.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char folder[] = WPERF_SHARED_DIR "/data/spe";

enum { WORDS_START = 62 };

static size_t bytes_of_hex(const char *hex, uint8_t *bytes)
{
	size_t size = 0;
	unsigned byte;
	int used;
	for (; sscanf(hex, "%2x%n", &byte, &used) == 1; hex += used)
		bytes[size++] = (uint8_t)byte;
	return size;
}

static void assert_words(const char *hex, uint32_t midr, const char *words)
{
	uint8_t bytes[32];
	size_t size = bytes_of_hex(hex, bytes);
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	spe_packet_line_append_all(&text, bytes, size, 0, midr);
	assert_true(text.length > WORDS_START);
	text.text[text.length - 1] = '\0'; // the newline
	assert_string_equal(text.text + WORDS_START, words);
}

static void words_of_packets(void **state)
{
	static const struct {
		const char *hex, *words;
	} cases[] = {
		{"b4 4831658a0000ff a0", "PBT 0xff00008a653148 el1 ns=1"},
		{"b5 0000000000000001", "ADDR 0x100000000000000 (5)"},
		{"b3 e8098ad80b0800c5", "PA 0x80bd88a09e8 ns=1 ch=1 pat=5"},
		{"b2 c026c20720fcff f4", "VA 0xf4fffc2007c226c0"},
		{"b2 0000000000000000", "VA 0x0"},
		{"9b 0500", "LAT 5 "},
		{"64 2a000000", "CONTEXT 0x2a el1"},
		{"65 2a000000", "CONTEXT 0x2a el2"},
		{"73 ffffffffffffffff", "DATA-SOURCE -1"},
		{"71 0000000000000080", "TS -9223372036854775808"},
		{"48 00", "OTHER INSN-OTHER"},
		{"48 07", "OTHER ASE FP COND-SELECT"},
		{"48 5e", "SVE-OTHER EVLEN 1024 FP PRED"},
		{"48 fe", "SME-OTHER ETS 4194304 FP"},
		{"49 10", "LD UNSPEC-REG"},
		{"49 30", "LD NV-SYSREG"},
		{"49 15", "ST MTE-TAG"},
		{"49 21", "ST MEMCPY"},
		{"49 25", "ST MEMSET"},
		{"49 1f", "ST AT EXCL AR"},
		{"49 ac", "LD SVE-SME-REG EVLEN 128 PRED SG"},
		{"49 45", "ST GCS COMM"},
		{"49 80", "LD"},
		{"4a 07", "B COND IND GCS"},
		{"4a 0a", "B IND CR-BL"},
		{"4a 12", "B IND CR-RET"},
		{"4a 18", "B CR-NON-BL-RET"},
		{"4b 01", "OP-TYPE 0x1 (3)"},
		{"62 0000ff03",
		 "EV TXN SVE-PARTIAL-PRED SVE-EMPTY-PRED L2D-ACCESS L2D-MISS HITM LFB "
		 "SNOOPED STREAMING-SVE SMCU"},
		{"72 0010000000000180", "EV IMPDEF:12,48,63"},
		{"42 00", "EV"},
		{"24", "Bad packet!"},
		{"20", "Bad packet!"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_words(cases[i].hex, 0, cases[i].words);
	assert_words("52 0210", SPE_CORE_NEOVERSE_N1 | 0x300001, "EV RETIRED LATE-PREFETCH");
}

// From the line of the size on, as the buffer was called.
static void assert_as_perf_printed(const char *name)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	_cleanup_(file_map_close) struct file_map buffer = FILE_MAP_INIT;
	assert_no_error(file_map_open(&buffer, path));
	snprintf(path, sizeof(path), "%s/%s.perf-report-D.txt", folder, name);
	_cleanup_(file_map_close) struct file_map expected = FILE_MAP_INIT;
	assert_no_error(file_map_open(&expected, path));
	const char *lines = memchr(expected.data, '\n', expected.size);
	assert_non_null(lines);
	lines++;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	spe_packet_line_append_all(&text, buffer.data, buffer.size, 0, 0);
	assert_int_equal(text.length, (const char *)expected.data + expected.size - lines);
	assert_memory_equal(text.text, lines, text.length);
}

static void shared_buffers(void **state)
{
	static const char *const names[] = {"hiperf-TestSpeDecoder.bin", "spe-b1-ts0.data",
					    "spe-b1-ts1.data"};
	skip_without(folder);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_as_perf_printed(names[i]);
}

static void assert_frame(const char *hex, json_t *expected)
{
	uint8_t bytes[256];
	size_t size = bytes_of_hex(hex, bytes), index;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	spe_packet_line_append_all(&text, bytes, size, 0, 0);
	char *line = text.text;
	json_t *words;
	json_array_foreach (expected, index, words) {
		char *end = strchr(line, '\n');
		assert_non_null(end);
		*end = '\0';
		assert_string_equal(line + WORDS_START, json_string_value(words));
		line = end + 1;
	}
	assert_int_equal(*line, '\0');
}

static void shared_packets(void **state)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/spe_parser-packet-vectors.json", folder);
	skip_without(path);
	json_t *root = json_load_file(path, 0, NULL), *entry;
	size_t index;
	assert_non_null(root);
	json_array_foreach (json_object_get(root, "packets"), index, entry)
		assert_words(json_string_value(json_array_get(entry, 0)), 0,
			     json_string_value(json_array_get(entry, 1)));
	json_array_foreach (json_object_get(root, "frames"), index, entry)
		assert_frame(json_string_value(json_array_get(entry, 0)), json_array_get(entry, 1));
	json_decref(root);
}

int spe_packet_line_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_packets),
		cmocka_unit_test(shared_buffers),
		cmocka_unit_test(shared_packets),
	};
	return cmocka_run_group_tests_name("spe_packet_line", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0

#include "object/pdb/msf_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { BLOCK = 512, NUM_BLOCKS = 10, NUM_STREAMS = 3 };

static const char magic[] = "Microsoft C/C++ MSF 7.00\r\n\x1a"
			    "DS\0\0";

/** A file of three streams: one in blocks behind each other, one in others, one that is not there.
 */
struct file {
	uint8_t bytes[NUM_BLOCKS * BLOCK];
};

static void put(struct file *file, size_t offset, const uint32_t *numbers, size_t count)
{
	memcpy(file->bytes + offset, numbers, count * sizeof(*numbers));
}

static struct file make(void)
{
	enum { DIRECTORY = 8, MAP = 9 };
	struct file file = {0};
	memcpy(file.bytes, magic, sizeof(magic));
	const uint32_t directory[] = {NUM_STREAMS, 2 * BLOCK, BLOCK + 8, UINT32_MAX, 3, 4, 7, 6};
	put(&file, 32, (uint32_t[]){BLOCK, 1, NUM_BLOCKS, sizeof(directory), 0, MAP}, 6);
	put(&file, DIRECTORY * BLOCK, directory, sizeof(directory) / sizeof(*directory));
	put(&file, MAP * BLOCK, (uint32_t[]){DIRECTORY}, 1);
	for (size_t block = 3; block < DIRECTORY; block++)
		memset(file.bytes + block * BLOCK, (int)('a' + block), BLOCK);
	return file;
}

static struct object_bytes stream_of(struct msf_file *msf, uint32_t index)
{
	struct object_bytes bytes;
	assert_no_error(msf_file_stream(msf, index, &bytes));
	return bytes;
}

static void it_gives_streams_from_their_blocks(void **state)
{
	(void)state;
	struct file file = make();
	_cleanup_(msf_file_deinit) struct msf_file msf = MSF_FILE_INIT;
	assert_no_error(msf_file_init(&msf, &file, sizeof(file), "a.pdb"));
	struct object_bytes bytes = stream_of(&msf, 0);
	assert_ptr_equal(bytes.data, file.bytes + 3 * BLOCK);
	assert_int_equal(bytes.size, 2 * BLOCK);
	bytes = stream_of(&msf, 1);
	assert_int_equal(bytes.size, BLOCK + 8);
	assert_int_equal(bytes.data[BLOCK - 1], 'a' + 7);
	assert_int_equal(bytes.data[BLOCK], 'a' + 6);
	assert_ptr_equal(stream_of(&msf, 1).data, bytes.data);
	assert_int_equal(stream_of(&msf, 2).size, 0);
	assert_int_equal(stream_of(&msf, NUM_STREAMS).size, 0);
}

static void it_leaves_out_streams_whose_blocks_are_not_there(void **state)
{
	(void)state;
	for (size_t place = 4; place < 8; place++) {
		struct file file = make();
		put(&file, 8 * BLOCK + place * 4, (uint32_t[]){UINT32_MAX}, 1);
		_cleanup_(msf_file_deinit) struct msf_file msf = MSF_FILE_INIT;
		assert_no_error(msf_file_init(&msf, &file, sizeof(file), "a.pdb"));
		assert_int_equal(stream_of(&msf, place < 6 ? 0 : 1).size, 0);
		assert_int_not_equal(stream_of(&msf, place < 6 ? 1 : 0).size, 0);
	}
}

/** One number of the file is another one. */
static void expect(size_t offset, uint32_t value, size_t size, const char *message)
{
	struct file file = make();
	put(&file, offset, &value, 1);
	struct msf_file msf = MSF_FILE_INIT;
	assert_error(msf_file_init(&msf, &file, size, "a.pdb"), ERROR_FAILED, message);
}

static void it_says_what_is_wrong_with_a_file(void **state)
{
	(void)state;
	static const char header[] = "cannot read 'a.pdb': its header is damaged";
	static const char directory[] = "cannot read 'a.pdb': its directory is damaged";
	static const char lost[] = "cannot read 'a.pdb': its directory is incomplete";
	size_t size = sizeof(struct file);
	expect(0, 0, size, "cannot read 'a.pdb': not a PDB");
	expect(0, 0x7263694d, 3, "cannot read 'a.pdb': not a PDB");
	expect(32, 0, size, header);
	expect(32, 513, size, header);
	expect(32, 1U << 31, size, header);
	expect(44, UINT32_MAX, size, lost);
	expect(52, UINT32_MAX, size, lost);
	expect(9 * BLOCK, NUM_BLOCKS, size, lost);
	expect(8 * BLOCK, UINT32_MAX, size, directory);
	expect(8 * BLOCK + 4, UINT32_MAX - 1, size, directory);
	// More blocks than there are: some would be used twice.
	expect(40, 4, size, "cannot read 'a.pdb': its directory is incomplete");
}

static void it_names_files_of_another_kind(void **state)
{
	(void)state;
	static const char old[] = "Microsoft C/C++ program database 2.00\r\n\x1aJG";
	static const char packed[] = "Microsoft MSFZ Container\r\n\x1a"
				     "ALD";
	struct msf_file msf = MSF_FILE_INIT;
	assert_true(msf_file_is(old, sizeof(old)));
	assert_error(msf_file_init(&msf, old, sizeof(old), "a.pdb"), ERROR_FAILED,
		     "cannot read 'a.pdb': it is a PDB of Visual C++ 6 or older, which is not "
		     "supported");
	assert_error(msf_file_init(&msf, packed, sizeof(packed), "a.pdb"), ERROR_FAILED,
		     "cannot read 'a.pdb': it is a compressed PDB (MSFZ), which is not "
		     "supported");
}

int msf_file_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_gives_streams_from_their_blocks),
		cmocka_unit_test(it_leaves_out_streams_whose_blocks_are_not_there),
		cmocka_unit_test(it_says_what_is_wrong_with_a_file),
		cmocka_unit_test(it_names_files_of_another_kind),
	};
	return cmocka_run_group_tests_name("msf_file", tests, NULL, NULL);
}

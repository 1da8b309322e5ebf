// SPDX-License-Identifier: Apache-2.0

#include "source/memory/leaks/used_memory.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { FIRST_PAGE = 10 };

/** A pagemap in which pages from FIRST_PAGE on are there ('x') or not. */
static struct used_memory *memory_of(const char *pages)
{
	struct used_memory *used = malloc(sizeof(*used));
	assert_non_null(used);
	*used = (struct used_memory)USED_MEMORY_INIT;
	used->pagemap = memfd_create("pagemap", MFD_CLOEXEC);
	assert_true(used->pagemap >= 0);
	for (size_t i = 0; i < strlen(pages); i++) {
		uint64_t word = pages[i] == 'x' ? UINT64_C(1) << 63 : 0;
		assert_int_equal(pwrite(used->pagemap, &word, sizeof(word),
					(off_t)((FIRST_PAGE + i) * sizeof(word))),
				 sizeof(word));
	}
	return used;
}

static void forget(struct used_memory *used)
{
	used->ranges = NULL;
	used_memory_close(used);
	free(used);
}

static uint64_t address_of(uint64_t page)
{
	return (FIRST_PAGE + page) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void assert_next(struct used_memory *used, uint64_t from, uint64_t end, uint64_t begin,
			uint64_t to)
{
	uint64_t found_to;
	assert_int_equal(used_memory_next(used, from, end, &found_to), begin);
	assert_int_equal(found_to, to);
}

static void touched_pages_come_one_run_after_the_other(void **state)
{
	struct used_memory *used = memory_of("..xx.x..");
	uint64_t end = address_of(8);
	assert_next(used, address_of(0), end, address_of(2), address_of(4));
	assert_next(used, address_of(4), end, address_of(5), address_of(6));
	assert_next(used, address_of(6), end, end, end);
	forget(used);
}

static void addresses_within_pages_are_kept(void **state)
{
	struct used_memory *used = memory_of("xxx");
	assert_next(used, address_of(0) + 24, address_of(1) + 8, address_of(0) + 24,
		    address_of(1) + 8);
	forget(used);
}

/** Each call would read it again, thousands of words for one page. */
static void pagemap_is_read_once(void **state)
{
	struct used_memory *used = memory_of("x.x.x.");
	uint64_t end = address_of(6);
	assert_next(used, address_of(0), end, address_of(0), address_of(1));
	assert_int_equal(ftruncate(used->pagemap, 0), 0);
	assert_next(used, address_of(1), end, address_of(2), address_of(3));
	assert_next(used, address_of(3), end, address_of(4), address_of(5));
	forget(used);
}

/** The caller looks at the time in between, however much is reserved. */
static void one_call_looks_at_one_piece(void **state)
{
	char pages[USED_MEMORY_PAGES + 3];
	memset(pages, '.', sizeof(pages));
	pages[USED_MEMORY_PAGES + 1] = 'x';
	pages[USED_MEMORY_PAGES + 2] = '\0';
	struct used_memory *used = memory_of(pages);
	uint64_t end = address_of(USED_MEMORY_PAGES + 2);
	uint64_t piece = address_of(USED_MEMORY_PAGES);
	assert_next(used, address_of(0), end, piece, piece);
	assert_next(used, piece, end, address_of(USED_MEMORY_PAGES + 1), end);
	forget(used);
}

static void pages_that_nothing_is_known_of_count(void **state)
{
	struct used_memory *used = memory_of(".");
	assert_next(used, address_of(0), address_of(4), address_of(1), address_of(4));
	forget(used);
}

static void a_piece_of_memory_may_have_several_ranges(void **state)
{
	struct used_range ranges[] = {
		{.start = 0x1000, .end = 0x3000},
		{.start = 0x3000, .end = 0x4000},
		{.start = 0x8000, .end = 0x9000},
	};
	struct used_memory *used = memory_of("");
	used->ranges = ranges;
	used->num_ranges = ARRAY_SIZE(ranges);
	assert_true(used_memory_covers(used, 0x1000, 0x4000));
	assert_true(used_memory_covers(used, 0x2fff, 0x3001));
	assert_true(used_memory_covers(used, 0x8000, 0x9000));
	assert_false(used_memory_covers(used, 0xfff, 0x2000));
	assert_false(used_memory_covers(used, 0x3000, 0x4001));
	assert_false(used_memory_covers(used, 0x4000, 0x4001));
	assert_false(used_memory_covers(used, 0x3000, 0x9000));
	assert_false(used_memory_covers(used, 0x8000, UINT64_MAX));
	assert_false(used_memory_covers(used, 0x9000, 0x9001));
	forget(used);
}

int used_memory_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(touched_pages_come_one_run_after_the_other),
		cmocka_unit_test(addresses_within_pages_are_kept),
		cmocka_unit_test(pagemap_is_read_once),
		cmocka_unit_test(one_call_looks_at_one_piece),
		cmocka_unit_test(pages_that_nothing_is_known_of_count),
		cmocka_unit_test(a_piece_of_memory_may_have_several_ranges),
	};
	return cmocka_run_group_tests_name("used_memory", tests, NULL, NULL);
}

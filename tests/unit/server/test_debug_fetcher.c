// SPDX-License-Identifier: Apache-2.0

#include "server/symbols/debug_fetcher.h"

#include "base/os/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** A server that answers when it is told, and has builds that begin with 1. */
static atomic_uint num_asked;
static atomic_bool is_answering;

static void pause_a_little(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static struct error *fake_fetch(const uint8_t *build_id, size_t size, bool (*goes_on)(void *data),
				void *data, char **ret)
{
	atomic_fetch_add(&num_asked, 1);
	while (!atomic_load(&is_answering) && goes_on(data))
		pause_a_little();
	*ret = build_id[0] == 1 ? strdup("/cache/debuginfo") : NULL;
	return NULL;
}

static struct debug_fetcher *start(uint64_t retry_ns)
{
	struct debug_fetcher *fetcher;
	const struct debug_fetcher_config config = {.retry_ns = retry_ns, .fetch = fake_fetch};
	atomic_store(&num_asked, 0);
	assert_no_error(debug_fetcher_create(&config, &fetcher));
	return fetcher;
}

static struct record_build_id build(uint8_t first, uint8_t second)
{
	return (struct record_build_id){.size = 20, .bytes = {first, second}};
}

static void wait_for(unsigned wanted)
{
	while (atomic_load(&num_asked) < wanted)
		pause_a_little();
}

static char *find(struct debug_fetcher *fetcher, struct record_build_id id)
{
	char *path;
	assert_no_error(debug_fetcher_find(fetcher, &id, &path));
	return path;
}

static void want(struct debug_fetcher *fetcher, struct record_build_id id)
{
	assert_no_error(debug_fetcher_want(fetcher, &id));
}

static void test_asks_once(void **state)
{
	atomic_store(&is_answering, true);
	struct debug_fetcher *fetcher = start(0);
	char *path = NULL;
	for (int i = 0; i < 100; i++) {
		want(fetcher, build(1, 0));
		want(fetcher, build(2, 0));
	}
	while (!path) {
		path = find(fetcher, build(1, 0));
		pause_a_little();
	}
	assert_string_equal(path, "/cache/debuginfo");
	free(path);
	want(fetcher, build(3, 0));
	wait_for(3);
	assert_null(find(fetcher, build(2, 0)));
	assert_null(find(fetcher, build(4, 0)));
	assert_int_equal(atomic_load(&num_asked), 3);
	debug_fetcher_destroy(fetcher);
}

static void test_asks_again_later(void **state)
{
	atomic_store(&is_answering, true);
	struct debug_fetcher *fetcher = start(1);
	for (unsigned i = 1; i < 4; i++) {
		want(fetcher, build(2, 0));
		wait_for(i);
	}
	debug_fetcher_destroy(fetcher);
}

/** Nobody waits for a server that does not answer, and the queue has an end. */
static void test_never_waits(void **state)
{
	atomic_store(&is_answering, false);
	struct debug_fetcher *fetcher = start(0);
	want(fetcher, build(1, 0));
	wait_for(1);
	for (int i = 0; i < 5000; i++)
		want(fetcher, build((uint8_t)(2 + i / 256), (uint8_t)i));
	assert_null(find(fetcher, build(1, 0)));
	assert_int_equal(atomic_load(&num_asked), 1);
	atomic_store(&is_answering, true);
	wait_for(1 + DEBUG_FETCHER_MAX_WAITING);
	debug_fetcher_destroy(fetcher);
	assert_int_equal(atomic_load(&num_asked), 1 + DEBUG_FETCHER_MAX_WAITING);
}

static void test_ends_while_fetching(void **state)
{
	atomic_store(&is_answering, false);
	struct debug_fetcher *fetcher = start(0);
	want(fetcher, build(1, 0));
	want(fetcher, build(2, 0));
	wait_for(1);
	debug_fetcher_destroy(fetcher);
	assert_int_equal(atomic_load(&num_asked), 1);
}

int debug_fetcher_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_asks_once),
		cmocka_unit_test(test_asks_again_later),
		cmocka_unit_test(test_never_waits),
		cmocka_unit_test(test_ends_while_fetching),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

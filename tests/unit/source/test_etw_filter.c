// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { SHELL = 10, CHILD = 11, GRANDCHILD = 12, OTHER = 20, CLOCK = 0, KERNEL_CLOCK = 1, AWAY = 2 };

static const struct etw_filter_event wanted[] = {
	[CLOCK] = {.user = true},
	[KERNEL_CLOCK] = {.kernel = true},
	[AWAY] = {.user = true, .is_absences = true},
};

static bool takes(const struct etw_filter *filter, struct record *record)
{
	bool is_wanted;
	assert_no_error(etw_filter_take(filter, record, &is_wanted));
	return is_wanted;
}

static bool takes_sample_of(const struct etw_filter *filter, uint32_t pid)
{
	struct record record = {
		.kind = RECORD_SAMPLE, .mode = RECORD_MODE_USER, .pid = pid, .tid = pid + 1};
	return takes(filter, &record);
}

static bool takes_begin_of(const struct etw_filter *filter, uint32_t pid, uint32_t parent)
{
	struct record record = {.kind = RECORD_FORK, .pid = pid, .tid = pid};
	record.task = (struct record_task){.parent_pid = parent, .parent_tid = parent};
	return takes(filter, &record);
}

static bool takes_end_of(const struct etw_filter *filter, uint32_t pid, uint32_t tid)
{
	struct record record = {.kind = RECORD_EXIT, .pid = pid, .tid = tid};
	return takes(filter, &record);
}

static struct etw_filter filter_of(struct etw_targets *targets)
{
	return (struct etw_filter){
		.targets = targets,
		.events = wanted,
		.num_events = sizeof(wanted) / sizeof(wanted[0]),
		.has_callers = true,
	};
}

static void children_follow_until_they_end(void **state)
{
	static const uint32_t pids[] = {SHELL};
	const struct etw_targets_request request = {.pids = pids, .num_pids = 1, .inherit = true};
	struct etw_targets targets;
	assert_no_error(etw_targets_init(&targets, &request));
	const struct etw_filter filter = filter_of(&targets);
	assert_true(takes_sample_of(&filter, SHELL));
	assert_false(takes_sample_of(&filter, CHILD));
	assert_false(takes_begin_of(&filter, OTHER, 1));
	assert_true(takes_begin_of(&filter, CHILD, SHELL));
	assert_true(takes_begin_of(&filter, GRANDCHILD, CHILD));
	uint32_t root = 0;
	assert_true(etw_targets_root(&targets, GRANDCHILD, &root));
	assert_int_equal(root, SHELL);
	assert_true(takes_sample_of(&filter, GRANDCHILD));
	// The end of a thread is not that of its process.
	assert_true(takes_end_of(&filter, CHILD, CHILD + 1));
	assert_true(takes_sample_of(&filter, CHILD));
	assert_true(takes_end_of(&filter, CHILD, CHILD));
	assert_false(takes_sample_of(&filter, CHILD)); // the number may be another's now
	assert_true(takes_sample_of(&filter, GRANDCHILD));
	etw_targets_deinit(&targets);
}

static void children_may_be_left_out(void **state)
{
	static const uint32_t pids[] = {SHELL};
	const struct etw_targets_request request = {.pids = pids, .num_pids = 1};
	struct etw_targets targets;
	assert_no_error(etw_targets_init(&targets, &request));
	const struct etw_filter filter = filter_of(&targets);
	assert_false(takes_begin_of(&filter, CHILD, SHELL));
	assert_false(takes_sample_of(&filter, CHILD));
	etw_targets_deinit(&targets);
}

static void threads_and_cores_are_chosen(void **state)
{
	static const unsigned cores[] = {3};
	const struct etw_targets_request request = {
		.left_out_thread = OTHER, .cores = cores, .num_cores = 1};
	struct etw_targets targets;
	assert_no_error(etw_targets_init(&targets, &request));
	const struct etw_filter filter = filter_of(&targets);
	struct record sample = {.kind = RECORD_SAMPLE, .mode = RECORD_MODE_USER, .cpu = 3};
	assert_true(takes(&filter, &sample));
	sample.tid = OTHER;
	assert_false(takes(&filter, &sample));
	sample.tid = 0;
	sample.cpu = 2;
	assert_false(takes(&filter, &sample));
	// What explains samples may come from any core.
	struct record map = {.kind = RECORD_MAP, .mode = RECORD_MODE_USER, .cpu = 2};
	assert_true(takes(&filter, &map));
	etw_targets_deinit(&targets);
}

static void images_of_the_kernel_are_everybodys(void **state)
{
	static const uint32_t pids[] = {SHELL};
	const struct etw_targets_request request = {.pids = pids, .num_pids = 1};
	struct etw_targets targets;
	assert_no_error(etw_targets_init(&targets, &request));
	const struct etw_filter filter = filter_of(&targets);
	struct record map = {.kind = RECORD_MAP, .mode = RECORD_MODE_KERNEL, .pid = 4};
	assert_true(takes(&filter, &map));
	map.mode = RECORD_MODE_USER;
	assert_false(takes(&filter, &map));
	etw_targets_deinit(&targets);
}

static void modes_are_chosen(void **state)
{
	struct etw_targets targets;
	assert_no_error(etw_targets_init(&targets, &(struct etw_targets_request){0}));
	const struct etw_filter filter = filter_of(&targets);
	struct record sample = {.kind = RECORD_SAMPLE, .mode = RECORD_MODE_KERNEL, .event = CLOCK};
	assert_false(takes(&filter, &sample));
	sample.event = KERNEL_CLOCK;
	assert_true(takes(&filter, &sample));
	sample.mode = RECORD_MODE_USER;
	assert_false(takes(&filter, &sample));
	sample.event = sizeof(wanted) / sizeof(wanted[0]); // nobody asked for it
	assert_false(takes(&filter, &sample));
	etw_targets_deinit(&targets);
}

static void absences_begin_in_user_code(void **state)
{
	static const uint64_t chain[] = {RECORD_CONTEXT_KERNEL, 0xffff800000001000,
					 RECORD_CONTEXT_USER, 0x401000, 0x402000};
	struct etw_targets targets;
	assert_no_error(etw_targets_init(&targets, &(struct etw_targets_request){0}));
	struct etw_filter filter = filter_of(&targets);
	const struct record whole = {
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_KERNEL,
		.event = AWAY,
		.sample = {.ip = chain[1], .period = 5, .chain = chain, .chain_length = 5},
	};
	struct record sample = whole;
	assert_true(takes(&filter, &sample));
	assert_int_equal(sample.mode, RECORD_MODE_USER);
	assert_int_equal(sample.sample.ip, 0x401000);
	assert_int_equal(sample.sample.chain_length, 3);
	assert_ptr_equal(sample.sample.chain, chain + 2);
	assert_int_equal(sample.sample.period, 5);
	sample = whole;
	sample.sample.chain_length = 2; // a thread of the kernel: only its time is told
	assert_true(takes(&filter, &sample));
	assert_int_equal(sample.sample.ip, 0);
	assert_int_equal(sample.sample.chain_length, 0);
	filter.kernel = true;
	sample = whole;
	assert_true(takes(&filter, &sample));
	assert_int_equal(sample.sample.chain_length, 5);
	filter.has_callers = false;
	assert_true(takes(&filter, &sample));
	assert_int_equal(sample.sample.chain_length, 0);
	assert_int_equal(sample.sample.ip, chain[1]);
	etw_targets_deinit(&targets);
}

int etw_filter_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_follow_until_they_end),
		cmocka_unit_test(children_may_be_left_out),
		cmocka_unit_test(threads_and_cores_are_chosen),
		cmocka_unit_test(images_of_the_kernel_are_everybodys),
		cmocka_unit_test(modes_are_chosen),
		cmocka_unit_test(absences_begin_in_user_code),
	};
	return cmocka_run_group_tests_name("etw_filter", tests, NULL, NULL);
}

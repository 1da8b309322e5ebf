// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_ring_size.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { KIB = 1 << 10, MIB = 1 << 20, PAGE = 4096, MOST_STACK = 65528 };

static struct event_request requests[3];
static const struct event_list events[] = {{.items = requests, .num_items = 0},
					   {.items = requests, .num_items = 1},
					   {.items = requests, .num_items = 2},
					   {.items = requests, .num_items = 3}};

static const struct perf_ring_limits unlimited = {
	.is_unlimited = true, .num_rings = 2, .page = PAGE};

static struct perf_ring_limits of_user(size_t user_bytes, size_t num_rings)
{
	return (struct perf_ring_limits){.core_bytes = 516 * KIB,
					 .user_bytes = user_bytes,
					 .num_rings = num_rings,
					 .page = PAGE};
}

static struct sample_plan plan_of(enum sample_chain chain, uint32_t frequency_hz)
{
	return (struct sample_plan){
		.events = &events[1], .chain = chain, .frequency_hz = frequency_hz};
}

static void pieces_of_stack_need_room(void **state)
{
	struct sample_plan plan = plan_of(SAMPLE_CHAIN_CFI, 999);
	assert_int_equal(perf_ring_size(&plan, &unlimited), 16 * MIB);
	plan.chain = SAMPLE_CHAIN_FP;
	assert_int_equal(perf_ring_size(&plan, &unlimited), 2 * MIB);
	plan.buffer_bytes = 3 * MIB;
	assert_int_equal(perf_ring_size(&plan, &unlimited), 4 * MIB);
}

/** The kernel counts the page in front, too. */
static void all_cores_of_a_user_have_the_same(void **state)
{
	struct sample_plan plan = plan_of(SAMPLE_CHAIN_CFI, 999);
	struct perf_ring_limits limits = of_user(0, 64);
	assert_int_equal(perf_ring_size(&plan, &limits), 512 * KIB);
	limits = of_user(8 * MIB, 2);
	assert_int_equal(perf_ring_size(&plan, &limits), 4 * MIB);
	limits = of_user(8 * MIB, 64);
	assert_int_equal(perf_ring_size(&plan, &limits), 512 * KIB);
	limits.core_bytes = limits.user_bytes = 0;
	assert_int_equal(perf_ring_size(&plan, &limits), PAGE);
}

static void a_buffer_lasts_for_a_while(void **state)
{
	struct sample_plan plan = plan_of(SAMPLE_CHAIN_CFI, 999);
	assert_int_equal(perf_ring_stack_bytes(&plan, 16 * MIB), MOST_STACK);
	assert_int_equal(perf_ring_stack_bytes(&plan, 512 * KIB), 8456);
	plan.frequency_hz = 16000;
	assert_int_equal(perf_ring_stack_bytes(&plan, 16 * MIB), 16776);
	assert_int_equal(perf_ring_stack_bytes(&plan, 512 * KIB), 8192);
	plan.frequency_hz = 1;
	assert_int_equal(perf_ring_stack_bytes(&plan, 512 * KIB), 16384);
}

static void events_share_the_buffer(void **state)
{
	struct sample_plan plan = plan_of(SAMPLE_CHAIN_CFI, 8000);
	plan.events = &events[2];
	assert_int_equal(perf_ring_stack_bytes(&plan, 16 * MIB), 16776);
	requests[2].interval = 100000; // how often that is nobody knows
	plan.events = &events[3];
	assert_int_equal(perf_ring_stack_bytes(&plan, 16 * MIB), 8384);
}

static void who_says_how_much_gets_it(void **state)
{
	struct sample_plan plan = plan_of(SAMPLE_CHAIN_CFI, 999);
	plan.stack_bytes = 40000;
	assert_int_equal(perf_ring_stack_bytes(&plan, 512 * KIB), 40000);
}

/** What the kernel accounts: with the page in front, and every core's share is one sum. */
static bool kernel_has_room(const struct perf_ring_limits *limits, size_t ring_size)
{
	return (ring_size + PAGE) * limits->num_rings <=
	       limits->core_bytes * limits->num_rings + limits->user_bytes;
}

static void check_limits(const struct perf_ring_limits *limits)
{
	enum { REST_OF_SAMPLE = 256 };
	struct sample_plan plain = plan_of(SAMPLE_CHAIN_NONE, 999);
	struct sample_plan callers = plan_of(SAMPLE_CHAIN_CFI, 999);
	size_t plain_size = perf_ring_size(&plain, limits);
	size_t size = perf_ring_size(&callers, limits);
	assert_int_equal(kernel_has_room(limits, plain_size), kernel_has_room(limits, PAGE));
	assert_int_equal(kernel_has_room(limits, size), kernel_has_room(limits, PAGE));
	assert_in_range(perf_ring_stack_bytes(&callers, size), 1, size - REST_OF_SAMPLE);
	callers.stack_bytes = MOST_STACK;
	assert_in_range(perf_ring_stack_bytes(&callers, size), 1, size - REST_OF_SAMPLE);
}

static void an_ordinary_user_can_record_on_all_cores(void **state)
{
	static const size_t core_kb[] = {0, 4, 8, 64, 516};
	for (size_t cores = 2; cores <= 256; cores++)
		for (size_t i = 0; i < sizeof(core_kb) / sizeof(*core_kb); i++)
			for (size_t user_kb = 0; user_kb <= 3072; user_kb += 64) {
				struct perf_ring_limits limits = of_user(user_kb * KIB, cores);
				limits.core_bytes = core_kb[i] * KIB;
				check_limits(&limits);
			}
}

static void small_buffers_are_known(void **state)
{
	struct sample_plan plan = plan_of(SAMPLE_CHAIN_CFI, 999);
	assert_true(perf_ring_is_small(&plan, PAGE));
	assert_false(perf_ring_is_small(&plan, 512 * KIB));
	plan.buffer_bytes = PAGE; // as the user wants it
	assert_false(perf_ring_is_small(&plan, PAGE));
}

/** The kernel's accounting: what one core takes, the others lack. */
static bool kernel_maps(const struct perf_ring_limits *limits, size_t ring_bytes, size_t area_bytes)
{
	size_t of_core = 2 * ring_bytes + 2 * PAGE + area_bytes; // rings of events and of SPE
	size_t beyond = of_core > limits->core_bytes ? of_core - limits->core_bytes : 0;
	return beyond * limits->num_rings <= limits->user_bytes;
}

/** Whatever fits with a page each is found, and no area takes what the rings lack. */
static void areas_of_all_cores_are_halved_together(void **state)
{
	for (size_t cores = 1; cores <= 256; cores *= 2)
		for (size_t user_kb = 0; user_kb <= 65536; user_kb += 512) {
			const struct perf_ring_limits limits = of_user(user_kb * KIB, cores);
			size_t ring = 256 * KIB, area = 4 * MIB;
			size_t last_ring = ring, last_area = area;
			while (!kernel_maps(&limits, ring, area)) {
				last_ring = ring;
				last_area = area;
				assert_true(perf_ring_halve(&ring, &area, PAGE));
				assert_true(ring == last_ring || area == last_area);
			}
			assert_true(area >= ring / 2 && ring >= 64 * KIB);
			assert_true(area == 4 * MIB || !kernel_maps(&limits, last_ring, last_area));
		}
}

static void halving_ends_at_a_page(void **state)
{
	size_t ring = 2 * PAGE, area = 2 * PAGE;
	assert_true(perf_ring_halve(&ring, &area, PAGE));
	assert_true(perf_ring_halve(&ring, &area, PAGE));
	assert_int_equal(ring, PAGE);
	assert_int_equal(area, PAGE);
	assert_false(perf_ring_halve(&ring, &area, PAGE));
	ring = 2 * PAGE;
	area = 0; // without SPE
	assert_true(perf_ring_halve(&ring, &area, PAGE));
	assert_false(perf_ring_halve(&ring, &area, PAGE));
	assert_int_equal(ring, PAGE);
}

static void this_machine_has_limits(void **state)
{
	const struct perf_ring_limits limits = perf_ring_limits_read(2);
	assert_true(limits.core_bytes >= KIB);
	assert_int_equal(limits.num_rings, 2);
	assert_true(limits.page >= PAGE);
}

int perf_ring_size_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_of_stack_need_room),
		cmocka_unit_test(all_cores_of_a_user_have_the_same),
		cmocka_unit_test(a_buffer_lasts_for_a_while),
		cmocka_unit_test(events_share_the_buffer),
		cmocka_unit_test(who_says_how_much_gets_it),
		cmocka_unit_test(an_ordinary_user_can_record_on_all_cores),
		cmocka_unit_test(small_buffers_are_known),
		cmocka_unit_test(areas_of_all_cores_are_halved_together),
		cmocka_unit_test(halving_ends_at_a_page),
		cmocka_unit_test(this_machine_has_limits),
	};
	return cmocka_run_group_tests_name("perf_ring_size", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0

#include "server/tenant/intake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#define SECOND UINT64_C(1000000000)

static struct intake *intake_of(uint32_t rate, uint32_t services, uint32_t labels)
{
	const struct intake_limits limits = {
		.per_s = {[INTAKE_BATCHES] = rate, [INTAKE_BYTES] = 1000},
		.max_services = services,
		.max_labels = labels};
	struct intake *intake = NULL;
	assert_no_error(intake_create(&limits, &intake));
	return intake;
}

static struct error *check(struct intake *intake, const char *service, const char *key,
			   const char *value)
{
	struct fleet_batch batch;
	assert_no_error(fleet_batch_init(&batch));
	assert_no_error(fleet_batch_set_label(&batch, "service.name", service));
	if (key)
		assert_no_error(fleet_batch_set_label(&batch, key, value));
	struct error *err = intake_check_names(intake, &batch);
	fleet_batch_deinit(&batch);
	return err;
}

static void test_a_rate_is_that_of_ten_seconds(void **state)
{
	struct intake *intake = intake_of(2, 1, 1);
	uint64_t now = 1000 * SECOND;
	unsigned num_taken = 0;
	enum intake_unit unit = INTAKE_BYTES;
	while (num_taken < 100 && !intake_take(intake, now, &unit))
		num_taken++;
	assert_int_equal(num_taken, 21);
	assert_int_equal(intake_take(intake, now, &unit), 1);
	assert_int_equal(intake_take(intake, now + SECOND, &unit), 0);
	assert_int_equal(intake_take(intake, now + SECOND, &unit), 0);
	assert_int_equal(intake_take(intake, now + SECOND, &unit), 1);
	// What one request brings besides is paid later.
	intake_charge(intake, INTAKE_BATCHES, 20);
	assert_int_equal(intake_take(intake, now + SECOND, &unit), 11);
	assert_int_equal(unit, INTAKE_BATCHES);
	assert_int_equal(intake_take(intake, now + 1000 * SECOND, &unit), 0);
	// Bytes of one request may take long to be paid.
	intake_charge(intake, INTAKE_BYTES, 15500);
	assert_int_equal(intake_take(intake, now + 1000 * SECOND, &unit), 6);
	assert_int_equal(unit, INTAKE_BYTES);
	assert_int_equal(intake_take(intake, now + 1006 * SECOND, &unit), 0);
	intake_destroy(intake);
}

static void test_what_agents_dropped_counts_once(void **state)
{
	struct intake *intake = intake_of(1, 1, 1);
	struct fleet_batch batch;
	assert_no_error(fleet_batch_init(&batch));
	assert_no_error(fleet_batch_set_id(&batch, "one"));
	batch.num_dropped = 5;
	assert_no_error(intake_count_dropped(intake, &batch));
	assert_no_error(intake_count_dropped(intake, &batch));
	assert_int_equal(intake_num_dropped(intake), 5);
	assert_no_error(fleet_batch_set_id(&batch, "two"));
	assert_no_error(intake_count_dropped(intake, &batch));
	assert_int_equal(intake_num_dropped(intake), 10);
	fleet_batch_deinit(&batch);
	intake_destroy(intake);
}

static void test_names_have_a_limit(void **state)
{
	struct intake *intake = intake_of(1, 2, 1);
	assert_no_error(check(intake, "a", "pod", "1"));
	assert_no_error(check(intake, "b", NULL, NULL));
	assert_error(check(intake, "c", NULL, NULL), ERROR_ABSENT,
		     "the store has 2 services already, and takes no new ones; service 'c' brings "
		     "more");
	assert_error(check(intake, "b", "pod", "1"), ERROR_ABSENT,
		     "the store has 1 labels already, and takes no new ones; service 'b' brings "
		     "more");
	assert_no_error(check(intake, "a", "pod", "1"));
	intake_destroy(intake);
}

static void test_names_of_the_store_are_known(void **state)
{
	struct intake *intake = intake_of(1, 1, 1);
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	assert_no_error(store_listing_add_service(
		&listing, &(struct store_listed_service){.service = "old"}));
	assert_no_error(store_listing_add_label(
		&listing, &(struct store_listed_label){"old", "host.name", "web"}));
	assert_no_error(intake_learn(intake, &listing));
	assert_no_error(check(intake, "old", "host.name", "web"));
	struct error *err = check(intake, "new", NULL, NULL);
	assert_non_null(err);
	error_destroy(err);
	intake_destroy(intake);
}

int intake_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_rate_is_that_of_ten_seconds),
		cmocka_unit_test(test_what_agents_dropped_counts_once),
		cmocka_unit_test(test_names_have_a_limit),
		cmocka_unit_test(test_names_of_the_store_are_known),
	};
	return cmocka_run_group_tests_name("intake", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// A tenant whose store of SQLite has a batch with so many labels that a listing takes a while.

#include "server/tenant/tenant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/fleet/otlp_fixture.h"
#include "tests/unit/scratch_folder.h"

#define START  (1700000040 * (uint64_t)STORE_SECOND_NS)
#define MINUTE (60 * (uint64_t)STORE_SECOND_NS)

enum { NUM_LABELS = 2000 };

static struct tenant *make_tenant(struct server_metrics *metrics)
{
	struct store *store;
	struct tenant *tenant;
	struct fleet_batch batch;
	struct store_put_result result;
	const struct fleet_batch *const list[] = {&batch};
	otlp_fixture_random(&batch, 1, 80);
	for (unsigned i = 0; i < NUM_LABELS; i++) {
		char key[32];
		snprintf(key, sizeof(key), "label %u", i);
		assert_no_error(fleet_batch_set_label(&batch, key, "value"));
	}
	batch.start_ns = START;
	batch.length_ns = MINUTE;
	assert_no_error(store_open("sqlite:fleet.db", STORE_CREATE, &store));
	assert_no_error(store->ops->put(store, list, 1, &result));
	store_close(store);
	fleet_batch_deinit(&batch);
	const struct tenant_config config = {
		.place = "sqlite:fleet.db",
		.limits = {.per_s = {10, 10}, .max_services = 10, .max_labels = 10},
		.metrics = metrics,
		.log = stderr,
	};
	assert_no_error(tenant_create(TENANT_DEFAULT, &config, &tenant));
	return tenant;
}

static bool is_gone(void *data)
{
	return *(const bool *)data;
}

static void test_a_reader_forgets_whom_it_served(void **state)
{
	struct server_metrics metrics = {0};
	struct tenant *tenant = make_tenant(&metrics);
	struct store *first, *second;
	struct store_listing listing = {0};
	bool *client_is_gone = malloc(sizeof(*client_is_gone));
	assert_non_null(client_is_gone);
	*client_is_gone = true;
	assert_no_error(tenant_take_reader(tenant, &first));
	first->ops->limit(first,
			  &(struct store_patience){.is_gone = is_gone, .data = client_is_gone});
	assert_error(first->ops->list(first, &listing), ERROR_CANCELLED,
		     "nobody waits for the answer any more");
	tenant_give_reader(tenant, first, true);
	free(client_is_gone);
	assert_no_error(tenant_take_reader(tenant, &second));
	assert_ptr_equal(second, first);
	assert_no_error(second->ops->list(second, &listing));
	assert_in_range(listing.num_labels, NUM_LABELS, UINT32_MAX);
	store_listing_deinit(&listing);
	tenant_give_reader(tenant, second, true);
	tenant_destroy(tenant);
}

static void test_the_newest_window(void **state)
{
	struct server_metrics metrics = {0};
	struct tenant *tenant = make_tenant(&metrics);
	uint64_t newest_ns = 0;
	assert_no_error(tenant_newest(tenant, UINT64_MAX, &newest_ns));
	assert_int_equal(newest_ns, START + MINUTE);
	assert_no_error(tenant_newest(tenant, START, &newest_ns));
	assert_int_equal(newest_ns, START);
	tenant_destroy(tenant);
}

int tenant_tests(void)
{
#define IN_FOLDER(test) \
	cmocka_unit_test_setup_teardown(test, scratch_folder_enter, scratch_folder_leave)
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_a_reader_forgets_whom_it_served),
		IN_FOLDER(test_the_newest_window),
	};
	return cmocka_run_group_tests_name("tenant", tests, NULL, NULL);
}

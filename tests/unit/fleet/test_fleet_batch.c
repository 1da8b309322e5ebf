// SPDX-License-Identifier: Apache-2.0

#include "fleet/fleet_batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_labels_are_sorted(void **state)
{
	struct fleet_batch batch;
	assert_null(fleet_batch_init(&batch));
	assert_null(fleet_batch_set_label(&batch, "service.name", "shop"));
	assert_null(fleet_batch_set_label(&batch, "host.name", "web-1"));
	assert_null(fleet_batch_set_label(&batch, "service.name", "mail"));
	assert_int_equal(batch.num_labels, 2);
	assert_string_equal(batch.labels[0].key, "host.name");
	assert_string_equal(fleet_batch_label(&batch, "service.name"), "mail");
	assert_string_equal(fleet_batch_label(&batch, "container.id"), "");
	fleet_batch_deinit(&batch);
}

static void test_the_id_is_a_copy(void **state)
{
	struct fleet_batch batch;
	assert_null(fleet_batch_init(&batch));
	assert_string_equal(batch.id, "");
	char id[] = "a-1-7";
	assert_null(fleet_batch_set_id(&batch, id));
	id[0] = 'x';
	assert_string_equal(batch.id, "a-1-7");
	fleet_batch_deinit(&batch);
	fleet_batch_deinit(&batch); // also one that is empty
}

int fleet_batch_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_labels_are_sorted),
		cmocka_unit_test(test_the_id_is_a_copy),
	};
	return cmocka_run_group_tests_name("fleet_batch", tests, NULL, NULL);
}

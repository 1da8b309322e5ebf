// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/spe/spe_core.h"

#include <stdlib.h>

static void words_of_all_bits(void **state)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	spe_event_append(&text, UINT64_MAX, SPE_CORE_NEOVERSE_N1);
	assert_string_equal(
		string_builder_peek(&text),
		" EXCEPTION-GEN RETIRED L1D-ACCESS L1D-REFILL TLB-ACCESS TLB-REFILL NOT-TAKEN "
		"MISPRED"
		" LLC-ACCESS LLC-REFILL REMOTE-ACCESS ALIGNMENT LATE-PREFETCH TXN SVE-PARTIAL-PRED"
		" SVE-EMPTY-PRED L2D-ACCESS L2D-MISS HITM LFB SNOOPED STREAMING-SVE SMCU"
		" IMPDEF:13,14,15,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,"
		"47,"
		"48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63");
	string_builder_clear(&text);
	spe_event_append(&text, 0, 0);
	assert_string_equal(string_builder_peek(&text), "");
}

int spe_event_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_all_bits),
	};
	return cmocka_run_group_tests_name("spe_event", tests, NULL, NULL);
}

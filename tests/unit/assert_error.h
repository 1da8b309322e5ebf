/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_ASSERT_ERROR_H
#define WPERF_TESTS_UNIT_ASSERT_ERROR_H

/** Include behind cmocka.h. Both end the error. */

#include "base/error.h"

#define assert_no_error(expression)                                            \
	do {                                                                   \
		struct error *error_ = (expression);                           \
		if (error_)                                                    \
			print_error("%s: %s\n", #expression, error_->message); \
		assert_null(error_);                                           \
	} while (0)

#define assert_error(expression, expected_code, expected_message)              \
	do {                                                                   \
		_cleanup_(error_destroyp) struct error *error_ = (expression); \
		assert_non_null(error_);                                       \
		assert_string_equal(error_->message, expected_message);        \
		assert_int_equal(error_->code, expected_code);                 \
	} while (0)

#endif

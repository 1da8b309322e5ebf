// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_trial.h"

// python_runtime_check() can say "wrong" of a correct layout, because the interpreter may just be
// starting, or its thread changing frames. The pause between checks doubles after each wrong one,
// from 4 ms on, so that the eight wrong checks that fail a trial are spread over half a second.
// Checks that could say nothing double their own pause, up to 128 ms, and never fail the trial.

enum {
	MAX_WRONG = 8, // half a second from the first to the last of them
	MAX_DOUBLED = 6,
	WAIT_NS = 2000000,
};

struct error *python_trial_go_on(struct python_trial *trial, const struct python_runtime *runtime,
				 uint64_t now_ns, struct error **ret_reason)
{
	if (trial->end != PYTHON_TRIAL_GOES_ON || now_ns < trial->next_ns)
		return NULL;
	struct python_runtime asked = *runtime;
	asked.is_guess = false; // what nothing can be said of today may be proven tomorrow
	struct error *err = python_runtime_check(&asked);
	if (err == &error_no_memory)
		return err;
	if (!err) {
		trial->end = PYTHON_TRIAL_PASSED;
		return NULL;
	}
	bool is_wrong = err->code == ERROR_FAILED;
	trial->num_wrong += is_wrong;
	trial->num_void += !is_wrong && trial->num_void < MAX_DOUBLED;
	trial->next_ns =
		now_ns + ((uint64_t)WAIT_NS << (is_wrong ? trial->num_wrong : trial->num_void));
	if (is_wrong && trial->num_wrong == MAX_WRONG) {
		trial->end = PYTHON_TRIAL_FAILED;
		*ret_reason = err;
		return NULL;
	}
	error_destroy(err);
	return NULL;
}

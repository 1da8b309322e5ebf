/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_METHOD_CHOICE_H
#define WPERF_INTERPRETER_METHOD_CHOICE_H

/** Chooses the best collection method for interpreted stacks that works for this user here. */

#include "base/error.h"
#include "record/collection_method.h"
#include "source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a method is wanted for. */
struct method_request {
	bool stops;           /* choose the method that stops threads, even if others work */
	const uint32_t *pids; /* the target; none: processes that wperf starts */
	size_t num_pids;
	const char *language; /* of the target, as users read it: for errors */
};

/**
 * Open the best method in the source.
 * @ret_above: why a better method does not work, with a hint; the caller destroys it. NULL: the
 *             method is exact.
 * The error says why no method works.
 */
struct error *method_choice_make(struct source *source, const struct method_request *request,
				 enum collection_method *ret, struct error **ret_above);

/**
 * Which methods work here, for any process? Adds them after the results of the source, whose
 * samples do not stop their threads.
 */
struct error *method_choice_probe(const struct source_ops *ops, struct probe *probe);

#endif

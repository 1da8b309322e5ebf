/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_SAMPLING_H
#define WPERF_CLI_OPTION_OPTION_SAMPLING_H

/** What `sample`, `record` and `top` begin with, from the words of the user. */

#include "report/sample/sample_result.h"
#include "session/setup/sample_setup.h"

struct options;

/** @keeps_samples: each with its time, not only their sums. Texts belong to @options. */
struct sample_request options_sample_request(const struct options *options, bool keeps_samples);

/** Is what --sched asks for possible on this system, and with the events that were named? */
struct error *options_check_sched(const struct options *options);

/** @spe: of --spe, if that was given. */
struct sample_result_request options_sample_result(const struct options *options,
						   const struct spe_choice *spe);

/**
 * Open the source and find the events. Where this user may not use the source that is taken if none
 * is named, and the timer has all that is asked for, it is the timer's. Warnings and notes are said
 * on standard error.
 * @asked: of options_sample_request(); it and @session must outlive @setup. Both are ended by the
 *         caller also after a failure: first @setup with sample_setup_deinit(), then @session.
 */
struct error *open_sample_setup(const struct options *options, const struct sample_request *asked,
				struct session *session, struct sample_setup *setup);

/** sample_setup_finish(), and its notes on standard error. */
struct error *finish_sample_setup(const struct options *options, struct sample_setup *setup);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_SESSION_H
#define WPERF_CLI_OPTION_OPTION_SESSION_H

/** From options to a session: its source, its catalogue, and what is done where there is none. */

#include "session/session.h"

struct options;

/** Only the source and what it says of its machine. */
struct error *open_source_session(const struct options *options, struct session *session);

/**
 * With the catalogue, and what -E and -C add to it. `--cpu NAME` gives the tables of that CPU and
 * opens no source; `--cpu N` those of core N.
 */
struct error *open_catalogue_session(const struct options *options, struct session *session);

/** The same with another source than the chosen one. NULL: with the chosen one. */
struct error *open_stand_in_session(const struct options *options,
				    const struct source_ops *stand_in, struct session *session);

/**
 * Did a command that describes something fail because the source that is taken if none is named
 * cannot be used here, and do people do without it? Programs (--json, --compat) do not: they would
 * take the output for that of a driver. True if so; then it was said on standard error.
 * @what: words in front, about what is described instead.
 * @hint: or NULL for that of the reason.
 */
bool session_may_be_absent(const struct options *options, const struct error *failure,
			   const char *what, const char *hint);

#endif

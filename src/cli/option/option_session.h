/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_SESSION_H
#define WPERF_CLI_OPTION_OPTION_SESSION_H

/** From options to a session. */

#include "session/session.h"

struct options;

/** Only the source and what it says of its machine. */
struct error *open_source_session(const struct options *options, struct session *session);

/**
 * With the catalogue, and what -E and -C add to it. `--cpu NAME` gives the tables of that CPU and
 * opens no source; `--cpu N` those of core N.
 */
struct error *open_catalogue_session(const struct options *options, struct session *session);

#endif

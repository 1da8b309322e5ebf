/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_STORED_SERVER_TOKEN_H
#define WPERF_CLI_OPTION_STORED_SERVER_TOKEN_H

/** What a server knows us by. */

#include "base/error.h"
#include "cli/option/options.h"

/** Of the first line of --token-file, or of WPERF_TOKEN; "": there is none. @ret: to be freed. */
struct error *server_token_read(const struct options *options, char **ret);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_HTTP_BEARER_TOKEN_H
#define WPERF_BASE_HTTP_BEARER_TOKEN_H

/** What a server knows a client by: "Authorization: Bearer TOKEN". Printable ASCII without spaces.
 */

#include "base/error.h"

/** The first line of a file. @ret: to be freed; set only on success. */
struct error *bearer_token_read(const char *path, char **ret);

/** Of a variable of the environment, which messages call @name. @ret: as above. */
struct error *bearer_token_take(const char *name, const char *text, char **ret);

#endif

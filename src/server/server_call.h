/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SERVER_CALL_H
#define WPERF_SERVER_SERVER_CALL_H

/** What a request asks for, behind the '?' of its path. */

#include "server/server_handler.h"

/** The value of the first argument of this key; "" if there is none. */
const char *server_call_argument(const struct server_call *call, const char *key);

#endif

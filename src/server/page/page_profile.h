/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_PAGE_PAGE_PROFILE_H
#define WPERF_SERVER_PAGE_PAGE_PROFILE_H

/** `GET /?service=...`: the report of a query, with the bar above it. */

#include "server/server_handler.h"

struct error *page_profile(const struct server_call *call, struct server_answer *ret);

#endif

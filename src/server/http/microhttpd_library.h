/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_HTTP_MICROHTTPD_LIBRARY_H
#define WPERF_SERVER_HTTP_MICROHTTPD_LIBRARY_H

/** The functions of libmicrohttpd, which is loaded when a server starts. */

#include "base/error.h"

#include <microhttpd.h>

/** Each member has the name and the type of its function. */
#define MICROHTTPD_LIBRARY_FUNCTIONS(X)    \
	X(MHD_add_response_header)         \
	X(MHD_create_response_from_buffer) \
	X(MHD_destroy_response)            \
	X(MHD_get_connection_info)         \
	X(MHD_get_connection_values)       \
	X(MHD_lookup_connection_value)     \
	X(MHD_queue_response)              \
	X(MHD_quiesce_daemon)              \
	X(MHD_resume_connection)           \
	X(MHD_start_daemon)                \
	X(MHD_stop_daemon)                 \
	X(MHD_suspend_connection)

struct microhttpd_library {
	void *handle; /* NULL: not loaded */
#define MICROHTTPD_LIBRARY_MEMBER(function) __typeof__(&(function)) function;
	MICROHTTPD_LIBRARY_FUNCTIONS(MICROHTTPD_LIBRARY_MEMBER)
#undef MICROHTTPD_LIBRARY_MEMBER
};

#define MICROHTTPD_LIBRARY_INIT \
	{                       \
	}

/** The error says which package to install. */
struct error *microhttpd_library_load(struct microhttpd_library *library);

/** Accepts MICROHTTPD_LIBRARY_INIT. */
void microhttpd_library_unload(struct microhttpd_library *library);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_HTTP_CONNECTION_LIMIT_H
#define WPERF_SERVER_HTTP_CONNECTION_LIMIT_H

/**
 * How many connections a process can have, @wanted at most: each takes a descriptor, and stores and
 * libraries need some as well. The process' soft limit is raised for it, as far as it may be.
 */
unsigned connection_limit_raise(unsigned wanted);

#endif

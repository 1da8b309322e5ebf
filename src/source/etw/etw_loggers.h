/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_LOGGERS_H
#define WPERF_SOURCE_ETW_ETW_LOGGERS_H

/** The ETW sessions of the machine, of which Windows shows as many as the user may see. */

#include "source/etw/etw_calls.h"
#include "source/etw/etw_mark.h"

struct etw_logger {
	uint32_t number;
	uint16_t wide_name[ETW_SESSION_NAME_MAX];
	char name[3 * ETW_SESSION_NAME_MAX];
};

struct etw_loggers {
	struct etw_logger *items;
	size_t num_items;
};

/** @ret: freed by etw_loggers_deinit(). */
struct error *etw_loggers_list(const struct etw_calls *calls, struct etw_loggers *ret);
void etw_loggers_deinit(struct etw_loggers *loggers);

/** Empty properties with room for the names. */
struct etw_properties etw_properties_init(void);

/** End a session by its name. */
struct error *etw_loggers_stop(const struct etw_calls *calls, const struct etw_logger *logger);

/** End those of ours whose process has ended. @ret_num: how many. Errors are those of the list; one
 *  that cannot be ended is not counted. */
struct error *etw_loggers_stop_left(const struct etw_calls *calls, size_t *ret_num);

#endif

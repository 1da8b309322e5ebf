// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_loggers.h"

#include "source/etw/etw_rights.h"
#include "source/etw/etw_text.h"

#include <string.h>

enum { MAX_LOGGERS = 256 }; // the most that Windows can be set to; 64 by default

struct etw_properties etw_properties_init(void)
{
	return (struct etw_properties){
		.size = sizeof(struct etw_properties),
		.flags = ETW_WNODE_TRACED_GUID,
		.clock = ETW_CLOCK_QPC,
		.name_offset = offsetof(struct etw_properties, name),
		.file_offset = offsetof(struct etw_properties, file),
	};
}

struct error *etw_loggers_list(const struct etw_calls *calls, struct etw_loggers *ret)
{
	_cleanup_free_ struct etw_properties *all = calloc(MAX_LOGGERS, sizeof(*all));
	struct etw_logger *items = calloc(MAX_LOGGERS, sizeof(*items));
	struct etw_properties *pointers[MAX_LOGGERS];
	if (!all || !items) {
		free(items);
		return &error_no_memory;
	}
	for (size_t i = 0; i < MAX_LOGGERS; i++) {
		all[i] = etw_properties_init();
		pointers[i] = &all[i];
	}
	uint32_t num = 0;
	uint32_t code = calls->list(calls->context, pointers, MAX_LOGGERS, &num);
	if (code && code != ETW_ERROR_MORE_DATA) {
		free(items);
		return etw_error(code, "cannot list the sessions of ETW");
	}
	*ret = (struct etw_loggers){items, num < MAX_LOGGERS ? num : MAX_LOGGERS};
	for (size_t i = 0; i < ret->num_items; i++) {
		struct etw_logger *logger = &items[i];
		logger->number = all[i].logger & UINT16_MAX;
		memcpy(logger->wide_name, all[i].name, sizeof(logger->wide_name));
		logger->wide_name[ETW_SESSION_NAME_MAX - 1] = 0;
		etw_text_narrow(logger->wide_name, ETW_SESSION_NAME_MAX, logger->name,
				sizeof(logger->name));
	}
	return NULL;
}

void etw_loggers_deinit(struct etw_loggers *loggers)
{
	free(loggers->items);
	*loggers = (struct etw_loggers){0};
}

struct error *etw_loggers_stop(const struct etw_calls *calls, const struct etw_logger *logger)
{
	struct etw_properties properties = etw_properties_init();
	uint32_t code =
		calls->control(calls->context, 0, logger->wide_name, &properties, ETW_CONTROL_STOP);
	// MORE_DATA: it has ended, and its names had no room.
	return code && code != ETW_ERROR_MORE_DATA
		       ? etw_error(code, "cannot end the session '%s'", logger->name)
		       : NULL;
}

struct error *etw_loggers_stop_left(const struct etw_calls *calls, size_t *ret_num)
{
	_cleanup_(etw_loggers_deinit) struct etw_loggers loggers = {0};
	struct error *err = etw_loggers_list(calls, &loggers);
	*ret_num = 0;
	for (size_t i = 0; i < loggers.num_items; i++) {
		struct etw_mark mark;
		if (!etw_mark_read(loggers.items[i].name, &mark) || etw_mark_is_alive(calls, mark))
			continue;
		struct error *failed = etw_loggers_stop(calls, &loggers.items[i]);
		*ret_num += !failed;
		error_destroy(failed);
	}
	return err;
}

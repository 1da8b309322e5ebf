// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_key.h"

#include <string.h>

static const char *const key_names[OTLP_NUM_KEYS] = {
	[OTLP_KEY_THREAD_NAME] = "thread.name",
	[OTLP_KEY_THREAD_ID] = "thread.id",
	[OTLP_KEY_PROCESS_ID] = "process.pid",
	[OTLP_KEY_EXECUTABLE] = "process.executable.name",
	[OTLP_KEY_CPU] = "cpu.logical_number",
	[OTLP_KEY_PROCESS_NAME] = "wperf.process.name",
	[OTLP_KEY_LOCK] = "wperf.lock",
	[OTLP_KEY_SAMPLES] = "wperf.samples",
	[OTLP_KEY_BUILD_ID] = "process.executable.build_id.gnu",
	[OTLP_KEY_MODULE_NAME] = "wperf.module.name",
	[OTLP_KEY_MODULE_PATH] = "wperf.module.path",
	[OTLP_KEY_MODULE_PROCESS] = "wperf.module.pid",
	[OTLP_KEY_FRAME_TYPE] = "profile.frame.type",
	[OTLP_KEY_FRAME_FILE] = "wperf.frame.file",
	[OTLP_KEY_FRAME_INLINED] = "wperf.frame.inlined",
	[OTLP_KEY_FRAME_COMPILED] = "wperf.frame.compiled",
	[OTLP_KEY_BATCH] = "wperf.batch.id",
	[OTLP_KEY_DROPPED] = "wperf.batch.dropped",
	[OTLP_KEY_TIMES] = "wperf.batch.has_times",
	[OTLP_KEY_LANGUAGE] = "wperf.language",
	[OTLP_KEY_COMMAND] = "wperf.recording.command",
	[OTLP_KEY_HOST] = "wperf.recording.host",
	[OTLP_KEY_SYSTEM] = "wperf.recording.system",
	[OTLP_KEY_MACHINE] = "wperf.recording.machine",
	[OTLP_KEY_START] = "wperf.recording.start",
	[OTLP_KEY_START_WALL] = "wperf.recording.start_unix",
	[OTLP_KEY_DURATION] = "wperf.recording.duration",
	[OTLP_KEY_LOST] = "wperf.recording.lost",
	[OTLP_KEY_ANONYMOUS] = "wperf.recording.anonymous",
	[OTLP_KEY_COLLECTION] = "wperf.collection.method",
	[OTLP_KEY_COLLECTION_WORDS] = "wperf.collection.description",
	[OTLP_KEY_COLLECTION_SAMPLES] = "wperf.collection.samples",
	[OTLP_KEY_COLLECTION_WITHOUT] = "wperf.collection.without",
	[OTLP_KEY_MEAN_SKEW] = "wperf.collection.mean_skew",
	[OTLP_KEY_MAX_SKEW] = "wperf.collection.max_skew",
	[OTLP_KEY_PERIOD] = "wperf.event.period",
	[OTLP_KEY_FREQUENCY] = "wperf.event.frequency",
	[OTLP_KEY_UNIT] = "wperf.event.unit",
	[OTLP_KEY_MODEL] = "wperf.event.model",
	[OTLP_KEY_WHOLE] = "wperf.event.is_whole",
	[OTLP_KEY_WAIT] = "wperf.event.is_wait",
	[OTLP_KEY_AHEAD] = "wperf.event.is_ahead",
	[OTLP_KEY_EXCLUDES_IDLE] = "wperf.event.excludes_idle",
	[OTLP_KEY_IDLE_SAMPLES] = "wperf.event.idle.samples",
	[OTLP_KEY_IDLE] = "wperf.event.idle",
	[OTLP_KEY_WITH_IDLE_SAMPLES] = "wperf.event.with_idle.samples",
	[OTLP_KEY_WITH_IDLE] = "wperf.event.with_idle",
};

const char *otlp_key_name(enum otlp_key key)
{
	return key_names[key];
}

enum otlp_key otlp_key_find(const void *name, size_t length)
{
	for (enum otlp_key key = 0; key < OTLP_NUM_KEYS; key++)
		if (strlen(key_names[key]) == length && memcmp(key_names[key], name, length) == 0)
			return key;
	return OTLP_NUM_KEYS;
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_KEY_H
#define WPERF_FLEET_OTLP_OTLP_KEY_H

/**
 * Keys of the attributes that are written or understood. Those of OpenTelemetry's conventions are
 * for everybody. Those that begin with "wperf." carry what OTLP has no field for: without them a
 * profile is right, but not complete.
 *
 * To add one for a member of an event or a profile: a key here, its name in otlp_key.c, and a row
 * in otlp_member.c.
 */

#include <stddef.h>

enum otlp_key {
	/* of samples */
	OTLP_KEY_THREAD_NAME,
	OTLP_KEY_THREAD_ID,
	OTLP_KEY_PROCESS_ID,
	OTLP_KEY_EXECUTABLE, /* only read: of other agents */
	OTLP_KEY_CPU,
	OTLP_KEY_PROCESS_NAME,
	OTLP_KEY_LOCK, /* of the interpreter: "held", "free", "waited" */
	OTLP_KEY_SAMPLES,
	/* of mappings */
	OTLP_KEY_BUILD_ID,
	OTLP_KEY_MODULE_NAME,
	OTLP_KEY_MODULE_PATH, /* "": the mapping's file name is the module's name */
	OTLP_KEY_MODULE_PROCESS,
	/* of locations */
	OTLP_KEY_FRAME_TYPE,
	OTLP_KEY_FRAME_FILE, /* where the line is, if not in the function's file */
	OTLP_KEY_FRAME_INLINED,
	OTLP_KEY_FRAME_COMPILED,
	/* of profiles: what is the same in all of a batch */
	OTLP_KEY_BATCH,
	OTLP_KEY_DROPPED,
	OTLP_KEY_TIMES, /* samples have one value for each time, which is theirs */
	OTLP_KEY_LANGUAGE,
	OTLP_KEY_COMMAND,
	OTLP_KEY_HOST,
	OTLP_KEY_SYSTEM,
	OTLP_KEY_MACHINE,
	OTLP_KEY_START,
	OTLP_KEY_START_WALL,
	OTLP_KEY_DURATION,
	OTLP_KEY_LOST,
	OTLP_KEY_ANONYMOUS,
	OTLP_KEY_COLLECTION,
	OTLP_KEY_COLLECTION_WORDS,
	OTLP_KEY_COLLECTION_SAMPLES,
	OTLP_KEY_COLLECTION_WITHOUT,
	OTLP_KEY_MEAN_SKEW,
	OTLP_KEY_MAX_SKEW,
	/* of profiles: the event */
	OTLP_KEY_PERIOD, /* always there, also 0: tells our profiles from those of others */
	OTLP_KEY_FREQUENCY,
	OTLP_KEY_UNIT,
	OTLP_KEY_MODEL,
	OTLP_KEY_WHOLE,
	OTLP_KEY_WAIT,
	OTLP_KEY_AHEAD,
	OTLP_KEY_EXCLUDES_IDLE,
	OTLP_KEY_IDLE_SAMPLES,
	OTLP_KEY_IDLE,
	OTLP_KEY_WITH_IDLE_SAMPLES,
	OTLP_KEY_WITH_IDLE,
	OTLP_NUM_KEYS, /* also: another one */
};

const char *otlp_key_name(enum otlp_key key);

/** OTLP_NUM_KEYS: none that is understood here. @name: may have any bytes. */
enum otlp_key otlp_key_find(const void *name, size_t length);

#endif

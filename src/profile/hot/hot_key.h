/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_HOT_HOT_KEY_H
#define WPERF_PROFILE_HOT_HOT_KEY_H

/**
 * By what samples are summed up in a hot list. To add a key: 1) its name here, 2) its row in
 * hot_key.c, 3) how its entries are called in hot_label.c, 4) its columns in
 * view/text/report_text.c.
 */

#include "profile/named_profile.h"

#include <stdbool.h>
#include <stdint.h>

enum hot_key {
	HOT_FUNCTION,
	HOT_LINE,
	HOT_MODULE,
	HOT_ADDRESS, /* an instruction; of interpreted code, which has none, a line */
	HOT_THREAD,
	HOT_PROCESS, /* all processes of one name */
	HOT_CPU,
	HOT_INTERPRETED_LINE, /* whatever the function; with the native code that it calls */
	HOT_INTERPRETED_FUNCTION,
	HOT_INTERPRETED_FILE,
	HOT_INTERPRETED_TASK,      /* with all that ran for it */
	HOT_INTERPRETED_EXCEPTION, /* all of a type */
	HOT_INTERPRETED_RAISE,     /* a type at a line that raises it */
	HOT_NUM_KEYS,
};

/** Interpreted frames that stand for something else are no code. */
enum hot_interpreted_kind {
	HOT_INTERPRETED_CODE,
	HOT_INTERPRETED_TASKS,  /* interpreted_task_is() */
	HOT_INTERPRETED_RAISES, /* interpreted_raise_is() */
};

/** What an item is told apart by: numbers, to be hashed and compared as bytes. */
struct hot_key_value {
	uint64_t words[2];
};

/** An item is what an entry of a list stands for: see hot_list.h. */
struct hot_key_info {
	const char *name;
	/** Of a frame; or, where sample_item is set, of what that gives. */
	struct hot_key_value (*value)(const struct named_profile *profile, uint32_t index);
	uint32_t (*frame_item)(const struct named_profile *profile, uint32_t frame);
	uint32_t (*sample_item)(const struct named_sample *sample); /* or NULL */
	/** Only interpreted frames are items: what native code spends, it spends for who called it.
	 */
	bool is_interpreted;
	enum hot_interpreted_kind kind; /* which of these are items */
};

const struct hot_key_info *hot_key_info(enum hot_key key);

/** "function", "line" ... as users write it; and back: HOT_NUM_KEYS if there is no such key. */
const char *hot_key_name(enum hot_key key);
enum hot_key hot_key_find(const char *name);

#endif

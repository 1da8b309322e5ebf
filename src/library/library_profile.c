// SPDX-License-Identifier: Apache-2.0

#include "library/library_profile.h"

#include <stdlib.h>

struct error *library_profile_create(struct wperf_profile **ret)
{
	_cleanup_(library_profile_closep) struct wperf_profile *profile =
		calloc(1, sizeof(*profile));
	if (!profile)
		return &error_no_memory;
	struct error *err = memory_stream_open(&profile->notes);
	if (!err)
		*ret = take_ptr(profile);
	return err;
}

struct error *library_profile_finish(struct wperf_profile *profile)
{
	return memory_stream_close(&profile->notes);
}

void wperf_profile_close(struct wperf_profile *profile)
{
	if (!profile)
		return;
	named_profile_deinit(&profile->profile);
	memory_stream_deinit(&profile->notes);
	free(profile->sysroots);
	free(profile);
}

const char *wperf_profile_notes(const struct wperf_profile *profile)
{
	return profile->notes.text;
}

// SPDX-License-Identifier: Apache-2.0

#include "driver/core/version.h"

#include "driver/core/core.h"
#include "driver/core/wide_text.h"
#include "driver/include/wperf_driver.h"

enum driver_status driver_version_handle_query(struct driver_core *core, struct driver_call *call)
{
	const struct driver_config *config = &core->config;
	struct wperf_version version = {
		.major = config->version[0],
		.minor = config->version[1],
		.patch = config->version[2],
	};
	driver_wide_text_append(version.gitver, WPERF_GIT_VERSION_SIZE, config->git_version);
	driver_wide_text_append(version.featurestring, WPERF_FEATURE_STRING_SIZE, config->features);
	return driver_call_reply(call, &version, sizeof(version));
}

// SPDX-License-Identifier: Apache-2.0

#include "base/os/environment.h"

#include "base/text/wide_text.h"

#include <stdio.h>
#include <stdlib.h>

struct error *environment_copy(const char *name, char **ret)
{
	_cleanup_free_ wchar_t *wide_name = NULL;
	struct error *err = wide_from_utf8(name, &wide_name);
	if (err)
		return err;
	const wchar_t *text = _wgetenv(wide_name);
	if (text && *text)
		return utf8_from_wide(text, ret);
	*ret = NULL;
	return NULL;
}

struct error *environment_cache_folder(char **ret)
{
	return environment_copy("LOCALAPPDATA", ret);
}

struct error *environment_state_folder(char **ret)
{
	_cleanup_free_ char *data = NULL;
	struct error *err = environment_copy("ProgramData", &data);
	if (err)
		return err;
	char *folder = NULL;
	if (data && asprintf(&folder, "%s\\wperf", data) < 0)
		return &error_no_memory;
	*ret = folder;
	return NULL;
}

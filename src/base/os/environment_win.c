// SPDX-License-Identifier: Apache-2.0

#include "base/os/environment.h"

#include "base/text/wide_text.h"

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

// SPDX-License-Identifier: Apache-2.0

#include "base/os/shared_library.h"

#include <dlfcn.h>
#include <string.h>

void *shared_library_open(const char *name)
{
	// RTLD_NOW: what the library lacks shows here, not in its first call. RTLD_LOCAL: its
	// functions do not stand in for others of the same name.
	return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

// ISO C has no conversion from data to functions; POSIX promises that this works.
bool shared_library_find(void *library, const char *function, void *ret)
{
	void *address = dlsym(library, function);
	memcpy(ret, &address, sizeof(address));
	return address;
}

void shared_library_close(void *library)
{
	if (library)
		dlclose(library);
}

const char *shared_library_hint(const char *install)
{
	return install;
}

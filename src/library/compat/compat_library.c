// SPDX-License-Identifier: Apache-2.0

#include "library/compat/compat_library.h"

#include "base/os/environment.h"
#include "library/compat/compat_text.h"
#include "library/compat/compat_thread.h"

// Made by CMake; what it includes first is all it has.
#include "version_info.h"

static struct {
	struct session session;
	bool is_open, is_verbose;
} library;

struct error *compat_library_enter(struct session **ret)
{
	compat_thread_lock(COMPAT_LOCK_SOURCE);
	if (!ret)
		return NULL;
	*ret = &library.session;
	if (library.is_open)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "the library is not open"),
			       "call wperf_init() first");
}

bool compat_library_leave(struct error *err)
{
	compat_items_note_error(err);
	compat_thread_unlock(COMPAT_LOCK_SOURCE);
	error_destroy(err);
	return !err;
}

bool compat_library_is_verbose(void)
{
	return library.is_verbose;
}

struct error *compat_library_null(const char *function)
{
	return error_create(ERROR_USAGE, "%s: an argument is NULL", function);
}

bool compat_library_give(enum compat_kind kind, const void *conf, void *item)
{
	bool is_given = false;
	struct error *err = conf ? compat_items_next(kind, item, &is_given)
				 : error_create(ERROR_USAGE, "the first argument is NULL");
	compat_items_note_error(err);
	error_destroy(err);
	return is_given;
}

bool wperf_init(void)
{
	struct error *err = compat_library_enter(NULL);
	if (library.is_open)
		return compat_library_leave(err);
	_cleanup_free_ char *source = NULL;
	err = environment_copy("WPERF_SOURCE", &source);
	const struct session_config config = {.source = source, .with_catalog = true};
	if (!err)
		err = session_open(&library.session, &config);
	library.is_open = !err;
	if (err)
		session_close(&library.session);
	return compat_library_leave(err);
}

bool wperf_close(void)
{
	struct error *err = compat_library_enter(NULL);
	if (library.is_open)
		session_close(&library.session);
	library.is_open = false;
	compat_items_forget();
	return compat_library_leave(err);
}

bool wperf_set_verbose(bool do_verbose)
{
	struct error *err = compat_library_enter(NULL);
	library.is_verbose = do_verbose;
	return compat_library_leave(err);
}

bool wperf_driver_version(PVERSION_INFO driver_ver)
{
	struct session *session;
	struct error *err = compat_library_enter(&session);
	if (!err && !driver_ver) {
		err = compat_library_null(__func__);
	} else if (!err) {
		const struct component_version *version = &session->info.version;
		*driver_ver = (VERSION_INFO){
			.major = version->major,
			.minor = version->minor,
			.patch = version->patch,
		};
		compat_text_fill(version->git ? version->git : "", driver_ver->gitver,
				 MAX_GITVER_SIZE);
	}
	return compat_library_leave(err);
}

bool wperf_version(PVERSION_INFO wperf_ver)
{
	struct error *err = compat_library_enter(NULL);
	if (!wperf_ver) {
		err = compat_library_null(__func__);
	} else {
		*wperf_ver = (VERSION_INFO){
			.major = VERSION_MAJOR,
			.minor = VERSION_MINOR,
			.patch = VERSION_PATCH,
		};
		compat_text_fill(VERSION_GIT, wperf_ver->gitver, MAX_GITVER_SIZE);
	}
	return compat_library_leave(err);
}

bool wperf_num_cores(int *num_cores)
{
	struct session *session;
	struct error *err = compat_library_enter(&session);
	if (!err && !num_cores)
		err = compat_library_null(__func__);
	else if (!err)
		*num_cores = (int)session->info.num_cores;
	return compat_library_leave(err);
}

const wchar_t *wperf_last_error(void)
{
	return compat_items_error();
}

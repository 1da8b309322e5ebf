// SPDX-License-Identifier: Apache-2.0

#include "library/library_error.h"

enum wperf_error_kind wperf_error_kind_of(const struct wperf_error *error)
{
	switch (library_error_of(error)->code) {
	case ERROR_USAGE:
		return WPERF_ERROR_USAGE;
	case ERROR_ABSENT:
		return WPERF_ERROR_ABSENT;
	case ERROR_NO_MEMORY:
		return WPERF_ERROR_NO_MEMORY;
	case ERROR_CANCELLED:
		return WPERF_ERROR_CANCELLED;
	default:
		return WPERF_ERROR_FAILED;
	}
}

const char *wperf_error_message(const struct wperf_error *error)
{
	return library_error_of(error)->message;
}

const char *wperf_error_hint(const struct wperf_error *error)
{
	return library_error_of(error)->hint;
}

void wperf_error_free(struct wperf_error *error)
{
	error_destroy((struct error *)error);
}

struct error *library_error_cancelled(void)
{
	return error_create(ERROR_CANCELLED, "the caller has cancelled it");
}

struct error *library_error_of_size(const char *struct_name)
{
	return error_with_hint(error_create(ERROR_USAGE, "struct %s has no size", struct_name),
			       "initialise it with its macro that ends in _INIT");
}

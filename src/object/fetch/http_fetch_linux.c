// SPDX-License-Identifier: Apache-2.0

#include "object/fetch/http_fetch.h"

#include "base/os/interrupt.h"
#include "base/os/shared_library.h"

#include <stddef.h>
#include <string.h>

// libcurl, loaded at run time: the functions are found by name, and the numbers of options are
// copied here, so that neither its header nor its library is needed to build or to start. The
// answer goes to a file while it comes; take_bytes() counts, as the size that a server announces
// may be missing or false. Ctrl-C is noticed in the progress callback.

// The numbers of <curl/curl.h>, which stay as they are for as long as the library is libcurl.so.4.
enum {
	OPTION_WRITE_DATA = 10001,
	OPTION_URL = 10002,
	OPTION_ERROR_BUFFER = 10010,
	OPTION_USER_AGENT = 10018,
	OPTION_PROGRESS_DATA = 10057,
	OPTION_PROTOCOLS = 10318,
	OPTION_REDIRECT_PROTOCOLS = 10319,
	OPTION_WRITE_FUNCTION = 20011,
	OPTION_PROGRESS_FUNCTION = 20219,
	OPTION_MAX_SIZE = 30117,
	OPTION_LOW_SPEED_LIMIT = 19,
	OPTION_LOW_SPEED_SECONDS = 20,
	OPTION_NO_PROGRESS = 43,
	OPTION_NO_BODY = 44,
	OPTION_FOLLOW = 52,
	OPTION_MAX_REDIRECTS = 68,
	OPTION_NO_SIGNAL = 99,
	OPTION_TOTAL_MS = 155,
	OPTION_CONNECT_MS = 156,
	INFO_STATUS = 0x200002,
	GLOBAL_ALL = 3,
	RESULT_OK = 0,
	RESULT_TOO_LARGE = 63,
	ERROR_SIZE = 256,
};

enum { MAX_REDIRECTS = 5, SLOWEST_BYTES_PER_SECOND = 16 };

struct curl {
	void *handle;
	int (*global_init)(long flags);
	void *(*easy_init)(void);
	int (*set)(void *easy, int option, ...);
	int (*perform)(void *easy);
	int (*get_info)(void *easy, int info, ...);
	const char *(*words)(int result);
	void (*cleanup)(void *easy);
};

/** One question. */
struct fetching {
	const struct curl *curl;
	void *easy;
	FILE *into;
	uint64_t max_bytes;
	struct http_answer answer;
	bool write_failed;
	char error[ERROR_SIZE];
};

static bool open_library(struct curl *curl, const char *name)
{
	curl->handle = shared_library_open(name);
	return curl->handle &&
	       shared_library_find(curl->handle, "curl_global_init", &curl->global_init) &&
	       shared_library_find(curl->handle, "curl_easy_init", &curl->easy_init) &&
	       shared_library_find(curl->handle, "curl_easy_setopt", &curl->set) &&
	       shared_library_find(curl->handle, "curl_easy_perform", &curl->perform) &&
	       shared_library_find(curl->handle, "curl_easy_getinfo", &curl->get_info) &&
	       shared_library_find(curl->handle, "curl_easy_strerror", &curl->words) &&
	       shared_library_find(curl->handle, "curl_easy_cleanup", &curl->cleanup);
}

static size_t take_bytes(const char *bytes, size_t size, size_t count, void *data)
{
	// libcurl takes any other result than the length for an error, and ends the transfer.
	struct fetching *fetching = data;
	size_t length = size * count;
	if (!fetching->into)
		return length;
	fetching->answer.is_too_large = length > fetching->max_bytes - fetching->answer.num_bytes;
	if (fetching->answer.is_too_large)
		return 0;
	fetching->write_failed = fwrite(bytes, 1, length, fetching->into) != length;
	fetching->answer.num_bytes += length;
	return fetching->write_failed ? 0 : length;
}

// Anything but 0 ends it.
static int look_for_interrupt(void *data, int64_t a, int64_t b, int64_t c, int64_t d)
{
	return interrupt_requested();
}

static bool set_numbers(const struct fetching *fetching, const struct http_limits *limits)
{
	const struct {
		int option;
		long value;
	} numbers[] = {
		{OPTION_NO_SIGNAL, 1},
		{OPTION_NO_PROGRESS, 0},
		{OPTION_NO_BODY, !fetching->into},
		{OPTION_FOLLOW, 1},
		{OPTION_MAX_REDIRECTS, MAX_REDIRECTS},
		{OPTION_TOTAL_MS, limits->total_ms},
		{OPTION_CONNECT_MS, limits->silence_ms},
		{OPTION_LOW_SPEED_LIMIT, SLOWEST_BYTES_PER_SECOND},
		{OPTION_LOW_SPEED_SECONDS, (limits->silence_ms + 999) / 1000},
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (fetching->curl->set(fetching->easy, numbers[i].option, numbers[i].value))
			return false;
	// What the server says of the size; what comes is counted as well.
	return !fetching->curl->set(fetching->easy, OPTION_MAX_SIZE, (int64_t)limits->max_bytes);
}

static bool set_words(struct fetching *fetching, const char *url)
{
	static const char protocols[] = "http,https", secure[] = "https";
	// What is asked for by HTTPS, nobody in between may change or see.
	bool is_secure = strncasecmp(url, secure, strlen(secure)) == 0;
	int (*set)(void *, int, ...) = fetching->curl->set;
	void *easy = fetching->easy;
	return !set(easy, OPTION_URL, url) && !set(easy, OPTION_USER_AGENT, "wperf") &&
	       !set(easy, OPTION_PROTOCOLS, protocols) &&
	       !set(easy, OPTION_REDIRECT_PROTOCOLS, is_secure ? secure : protocols) &&
	       !set(easy, OPTION_ERROR_BUFFER, fetching->error) &&
	       !set(easy, OPTION_WRITE_FUNCTION, take_bytes) &&
	       !set(easy, OPTION_WRITE_DATA, fetching) &&
	       !set(easy, OPTION_PROGRESS_FUNCTION, look_for_interrupt) &&
	       !set(easy, OPTION_PROGRESS_DATA, fetching);
}

static struct error *http_fetch_perform(struct fetching *fetching)
{
	int result = fetching->curl->perform(fetching->easy);
	long status = 0;
	fetching->curl->get_info(fetching->easy, INFO_STATUS, &status);
	fetching->answer.status = (int)status;
	// An answer that is too large is an answer, and not a server that fails.
	fetching->answer.is_too_large |= result == RESULT_TOO_LARGE;
	if (result == RESULT_OK || fetching->answer.is_too_large)
		return NULL;
	if (interrupt_requested())
		return error_create(ERROR_FAILED, "interrupted");
	if (fetching->write_failed)
		return error_create(ERROR_FAILED, "cannot write the downloaded data");
	return error_create(ERROR_FAILED, "%s",
			    fetching->error[0] ? fetching->error : fetching->curl->words(result));
}

struct error *http_fetch(const char *url, const struct http_limits *limits, FILE *into,
			 struct http_answer *ret)
{
	// The library stays: those of TLS keep memory that they only find again when they are still
	// there. Debian has two packages, one for each library of TLS, with the same functions.
	struct curl curl = {0};
	if (!open_library(&curl, "libcurl.so.4") && !open_library(&curl, "libcurl-gnutls.so.4"))
		return error_with_hint(error_create(ERROR_FAILED, "libcurl cannot be loaded"),
				       "install the package libcurl4");
	if (curl.global_init(GLOBAL_ALL) != RESULT_OK)
		return error_create(ERROR_FAILED, "cannot initialise libcurl");
	struct fetching fetching = {
		.curl = &curl,
		.easy = curl.easy_init(),
		.into = into,
		.max_bytes = limits->max_bytes,
	};
	if (!fetching.easy)
		return &error_no_memory;
	struct error *err;
	if (set_words(&fetching, url) && set_numbers(&fetching, limits))
		err = http_fetch_perform(&fetching);
	else
		err = error_create(ERROR_FAILED, "libcurl is too old: 7.85 or newer is needed");
	curl.cleanup(fetching.easy);
	if (!err)
		*ret = fetching.answer;
	return err;
}

// SPDX-License-Identifier: Apache-2.0

#include "base/http/http_request.h"

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
	OPTION_BODY = 10015,
	OPTION_USER_AGENT = 10018,
	OPTION_HEADERS = 10023,
	OPTION_PROGRESS_DATA = 10057,
	OPTION_PROTOCOLS = 10318,
	OPTION_REDIRECT_PROTOCOLS = 10319,
	OPTION_WRITE_FUNCTION = 20011,
	OPTION_PROGRESS_FUNCTION = 20219,
	OPTION_MAX_SIZE = 30117,
	OPTION_BODY_SIZE = 30120,
	OPTION_LOW_SPEED_LIMIT = 19,
	OPTION_LOW_SPEED_SECONDS = 20,
	OPTION_NO_PROGRESS = 43,
	OPTION_NO_BODY = 44,
	OPTION_POST = 47,
	OPTION_FOLLOW = 52,
	OPTION_MAX_REDIRECTS = 68,
	OPTION_NO_SIGNAL = 99,
	OPTION_TOTAL_MS = 155,
	OPTION_CONNECT_MS = 156,
	INFO_STATUS = 0x200002,
	INFO_RETRY_AFTER = 0x600000 + 57,
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
	void *(*list_append)(void *list, const char *text);
	void (*list_free)(void *list);
};

/** One question. */
struct fetching {
	const struct curl *curl;
	const struct http_request *request;
	void *easy;
	void *headers; // list of libcurl
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
	       shared_library_find(curl->handle, "curl_slist_append", &curl->list_append) &&
	       shared_library_find(curl->handle, "curl_slist_free_all", &curl->list_free) &&
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
	const struct fetching *fetching = data;
	const struct http_request *request = fetching->request;
	return (!request->goes_on && interrupt_requested()) ||
	       (request->is_unwanted && request->is_unwanted(request->data));
}

static bool set_numbers(const struct fetching *fetching, const struct http_limits *limits)
{
	const struct {
		int option;
		long value;
	} numbers[] = {
		{OPTION_NO_SIGNAL, 1},
		{OPTION_NO_PROGRESS, 0},
		// Without a body nothing is sent, either, and so HEAD is only for files.
		{OPTION_NO_BODY, !fetching->into && !fetching->request->body},
		{OPTION_POST, fetching->request->body ? 1 : 0},
		{OPTION_FOLLOW, fetching->request->body || fetching->request->is_for_one ? 0 : 1},
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

static bool set_header(struct fetching *fetching, const char *header)
{
	void *list = fetching->curl->list_append(fetching->headers, header);
	if (list)
		fetching->headers = list;
	return list;
}

/** The body, which stays the caller's, and the headers. */
static bool set_request(struct fetching *fetching)
{
	const struct http_request *request = fetching->request;
	int (*set)(void *, int, ...) = fetching->curl->set;
	for (const char *const *header = request->headers; header && *header; header++)
		if (!set_header(fetching, *header))
			return false;
	// libcurl would first ask whether a long body is wanted, and wait a second for an answer.
	if (request->body && !set_header(fetching, "Expect:"))
		return false;
	if (request->body && (set(fetching->easy, OPTION_BODY_SIZE, (int64_t)request->body_size) ||
			      set(fetching->easy, OPTION_BODY, request->body)))
		return false;
	return !fetching->headers || !set(fetching->easy, OPTION_HEADERS, fetching->headers);
}

static bool set_words(struct fetching *fetching)
{
	const char *url = fetching->request->url;
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

static struct error *http_request_perform(struct fetching *fetching)
{
	int result = fetching->curl->perform(fetching->easy);
	long status = 0;
	fetching->curl->get_info(fetching->easy, INFO_STATUS, &status);
	fetching->answer.status = (int)status;
	int64_t wait_s = 0;
	fetching->curl->get_info(fetching->easy, INFO_RETRY_AFTER, &wait_s);
	if (wait_s > 0)
		fetching->answer.retry_after_s =
			wait_s < UINT32_MAX ? (uint32_t)wait_s : UINT32_MAX;
	// An answer that is too large is an answer, and not a server that fails.
	fetching->answer.is_too_large |= result == RESULT_TOO_LARGE;
	if (result == RESULT_OK || fetching->answer.is_too_large)
		return NULL;
	if (look_for_interrupt(fetching, 0, 0, 0, 0))
		return error_create(ERROR_FAILED, "interrupted");
	if (fetching->write_failed)
		return error_create(ERROR_FAILED, "cannot write the downloaded data");
	return error_create(ERROR_FAILED, "%s",
			    fetching->error[0] ? fetching->error : fetching->curl->words(result));
}

struct error *http_request_send(const struct http_request *request,
				const struct http_limits *limits, FILE *into,
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
		.request = request,
		.easy = curl.easy_init(),
		.into = into,
		.max_bytes = limits->max_bytes,
	};
	if (!fetching.easy)
		return &error_no_memory;
	struct error *err;
	if (set_words(&fetching) && set_numbers(&fetching, limits) && set_request(&fetching))
		err = http_request_perform(&fetching);
	else
		err = error_create(ERROR_FAILED, "libcurl is too old: 7.85 or newer is needed");
	curl.cleanup(fetching.easy);
	curl.list_free(fetching.headers);
	if (!err)
		*ret = fetching.answer;
	return err;
}

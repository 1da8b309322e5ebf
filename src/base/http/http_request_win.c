// SPDX-License-Identifier: Apache-2.0

#include "base/http/http_request.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "base/os/interrupt.h"
#include "base/os/shared_library.h"
#include "base/os/win_error.h"
#include "base/text/wide_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <wchar.h>
#include <windows.h>
#include <winhttp.h>

// WinHTTP in its synchronous form, loaded at run time. Its time-outs are for single steps, so the
// total time, Ctrl-C and the size are checked between parts of the answer (receive_all()). For
// this no single call may wait long: receive_part() asks how much is there and reads no more.

enum { CHUNK_SIZE = 1 << 16, HOST_MAX = 256 };

/** The functions of winhttp.dll, which is loaded for them: no other command pays for it. */
struct winhttp {
	void *library;
	__typeof__(&WinHttpOpen) open;
	__typeof__(&WinHttpSetTimeouts) set_timeouts;
	__typeof__(&WinHttpSetOption) set_option;
	__typeof__(&WinHttpCrackUrl) crack_url;
	__typeof__(&WinHttpConnect) connect;
	__typeof__(&WinHttpOpenRequest) open_request;
	__typeof__(&WinHttpAddRequestHeaders) add_headers;
	__typeof__(&WinHttpSendRequest) send_request;
	__typeof__(&WinHttpReceiveResponse) receive_response;
	__typeof__(&WinHttpQueryHeaders) query_headers;
	__typeof__(&WinHttpQueryDataAvailable) query_data_available;
	__typeof__(&WinHttpReadData) read_data;
	__typeof__(&WinHttpCloseHandle) close_handle;
};

static struct error *load_winhttp(struct winhttp *http)
{
	const struct {
		const char *name;
		void *function;
	} functions[] = {
		{"WinHttpOpen", &http->open},
		{"WinHttpSetTimeouts", &http->set_timeouts},
		{"WinHttpSetOption", &http->set_option},
		{"WinHttpCrackUrl", &http->crack_url},
		{"WinHttpConnect", &http->connect},
		{"WinHttpOpenRequest", &http->open_request},
		{"WinHttpAddRequestHeaders", &http->add_headers},
		{"WinHttpSendRequest", &http->send_request},
		{"WinHttpReceiveResponse", &http->receive_response},
		{"WinHttpQueryHeaders", &http->query_headers},
		{"WinHttpQueryDataAvailable", &http->query_data_available},
		{"WinHttpReadData", &http->read_data},
		{"WinHttpCloseHandle", &http->close_handle},
	};
	http->library = shared_library_open("winhttp.dll");
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (!http->library ||
		    !shared_library_find(http->library, functions[i].name, functions[i].function))
			return error_create(ERROR_FAILED, "cannot load winhttp.dll");
	return NULL;
}

/** One question. */
struct fetching {
	struct winhttp http;
	const struct http_request *asked;
	HINTERNET session, connection, request;
	const struct http_limits *limits;
	uint64_t end_ns;
	FILE *into;
	struct http_answer answer;
};

static void fetching_deinit(struct fetching *fetching)
{
	// From the inside out: a request belongs to a connection, and that to the session.
	HINTERNET handles[] = {fetching->request, fetching->connection, fetching->session};
	for (size_t i = 0; i < ARRAY_SIZE(handles); i++)
		if (handles[i])
			fetching->http.close_handle(handles[i]);
	shared_library_close(fetching->http.library);
}

// The words for WinHTTP's own codes are in its library, not in the system.
static struct error *last_error(const char *what)
{
	DWORD code = GetLastError();
	if (code == ERROR_WINHTTP_TIMEOUT)
		return error_create(ERROR_FAILED, "%s: timed out", what);
	if (code == ERROR_WINHTTP_CANNOT_CONNECT || code == ERROR_WINHTTP_NAME_NOT_RESOLVED)
		return error_create(ERROR_FAILED, "%s: no connection", what);
	if (code == ERROR_WINHTTP_SECURE_FAILURE)
		return error_create(ERROR_FAILED, "%s: the certificate is not trusted", what);
	if (code >= WINHTTP_ERROR_BASE && code <= WINHTTP_ERROR_LAST)
		return error_create(ERROR_FAILED, "%s: WinHTTP error %lu", what, code);
	return win_error(code, "%s", what);
}

static struct error *connect_to(struct fetching *fetching, const wchar_t *url)
{
	// The host is copied; a length of -1 makes the other parts point into the address.
	wchar_t host[HOST_MAX];
	URL_COMPONENTS parts = {
		.dwStructSize = sizeof(parts),
		.lpszHostName = host,
		.dwHostNameLength = HOST_MAX,
		.dwUrlPathLength = (DWORD)-1,
		.dwExtraInfoLength = (DWORD)-1,
	};
	if (!fetching->http.crack_url(url, 0, 0, &parts))
		return last_error("cannot read the address");
	fetching->session = fetching->http.open(L"wperf", WINHTTP_ACCESS_TYPE_DEFAULT_PROXY,
						WINHTTP_NO_PROXY_NAME, WINHTTP_NO_PROXY_BYPASS, 0);
	// The time until an answer begins is an option of its own, of 90 seconds.
	DWORD silence_ms = fetching->limits->silence_ms;
	int silence = (int)silence_ms;
	if (!fetching->session ||
	    !fetching->http.set_timeouts(fetching->session, silence, silence, silence, silence) ||
	    !fetching->http.set_option(fetching->session, WINHTTP_OPTION_RECEIVE_RESPONSE_TIMEOUT,
				       &silence_ms, sizeof(silence_ms)))
		return last_error("cannot start a download");
	fetching->connection = fetching->http.connect(fetching->session, host, parts.nPort, 0);
	if (!fetching->connection)
		return last_error("cannot connect");
	DWORD flags = parts.nScheme == INTERNET_SCHEME_HTTPS ? WINHTTP_FLAG_SECURE : 0;
	const wchar_t *method = fetching->asked->body ? L"POST" : fetching->into ? L"GET" : L"HEAD";
	fetching->request = fetching->http.open_request(fetching->connection, method,
							parts.lpszUrlPath, NULL, WINHTTP_NO_REFERER,
							WINHTTP_DEFAULT_ACCEPT_TYPES, flags);
	return fetching->request ? NULL : last_error("cannot send the request");
}

static struct error *http_request_add_headers(struct fetching *fetching)
{
	const char *const *header = fetching->asked->headers;
	for (; header && *header; header++) {
		_cleanup_free_ wchar_t *wide = NULL;
		struct error *err = wide_from_utf8(*header, &wide);
		if (err)
			return err;
		if (!fetching->http.add_headers(fetching->request, wide, (DWORD)-1,
						WINHTTP_ADDREQ_FLAG_ADD))
			return last_error("cannot send the request");
	}
	// A body or a secret is not sent to another place than the one that was named.
	DWORD features = WINHTTP_DISABLE_REDIRECTS;
	if ((fetching->asked->body || fetching->asked->is_for_one) &&
	    !fetching->http.set_option(fetching->request, WINHTTP_OPTION_DISABLE_FEATURE, &features,
				       sizeof(features)))
		return last_error("cannot send the request");
	return NULL;
}

/** The header Retry-After, if it is a number of seconds. */
static uint32_t http_request_retry_after(const struct fetching *fetching)
{
	wchar_t digits[24] = {0};
	DWORD size = sizeof(digits) - sizeof(*digits);
	if (!fetching->http.query_headers(fetching->request, WINHTTP_QUERY_RETRY_AFTER,
					  WINHTTP_HEADER_NAME_BY_INDEX, digits, &size,
					  WINHTTP_NO_HEADER_INDEX))
		return 0;
	unsigned long long seconds = wcstoull(digits, NULL, 10);
	return seconds < UINT32_MAX ? (uint32_t)seconds : UINT32_MAX;
}

// Redirections are followed as WinHTTP does it by itself: a few, and never from https to http.
static struct error *http_request_ask(struct fetching *fetching)
{
	DWORD status = 0, size = sizeof(status), body_size = (DWORD)fetching->asked->body_size;
	struct error *err = http_request_add_headers(fetching);
	if (err)
		return err;
	if (fetching->asked->body_size > UINT32_MAX)
		return error_create(ERROR_FAILED, "the request is too large");
	if (!fetching->http.send_request(fetching->request, WINHTTP_NO_ADDITIONAL_HEADERS, 0,
					 (void *)fetching->asked->body, body_size, body_size, 0) ||
	    !fetching->http.receive_response(fetching->request, NULL))
		return last_error("cannot connect");
	if (!fetching->http.query_headers(
		    fetching->request, WINHTTP_QUERY_STATUS_CODE | WINHTTP_QUERY_FLAG_NUMBER,
		    WINHTTP_HEADER_NAME_BY_INDEX, &status, &size, WINHTTP_NO_HEADER_INDEX))
		return last_error("cannot read the answer");
	fetching->answer.status = (int)status;
	fetching->answer.retry_after_s = http_request_retry_after(fetching);
	return NULL;
}

// What is there, not more: to read more waits until it has come, however long that takes.
static struct error *receive_part(struct fetching *fetching, char *chunk, DWORD *ret_size)
{
	DWORD available = 0;
	if (!fetching->http.query_data_available(fetching->request, &available))
		return last_error("cannot read more of the answer");
	DWORD size = available < CHUNK_SIZE ? available : CHUNK_SIZE;
	*ret_size = 0;
	if (size && !fetching->http.read_data(fetching->request, chunk, size, ret_size))
		return last_error("cannot read more of the answer");
	return NULL;
}

static struct error *receive_all(struct fetching *fetching)
{
	_cleanup_free_ char *chunk = malloc(CHUNK_SIZE);
	if (!chunk)
		return &error_no_memory;
	for (;;) {
		const struct http_request *asked = fetching->asked;
		if ((!asked->goes_on && interrupt_requested()) ||
		    (asked->is_unwanted && asked->is_unwanted(asked->data)))
			return error_create(ERROR_FAILED, "interrupted");
		if (clock_ns(CLOCK_MONOTONIC) > fetching->end_ns)
			return error_create(ERROR_FAILED, "it took more than %u seconds",
					    fetching->limits->total_ms / 1000);
		DWORD size = 0;
		struct error *err = receive_part(fetching, chunk, &size);
		if (err || !size)
			return err;
		if (size > fetching->limits->max_bytes - fetching->answer.num_bytes) {
			fetching->answer.is_too_large = true;
			return NULL;
		}
		if (fwrite(chunk, 1, size, fetching->into) != size)
			return error_create(ERROR_FAILED, "cannot write the downloaded data");
		fetching->answer.num_bytes += size;
	}
}

static struct error *http_request_receive(struct fetching *fetching)
{
	// Before any byte: an answer that is too large by its own word is not received at all.
	wchar_t digits[24] = {0}; // of which a number of 64 bits has 20
	DWORD size = sizeof(digits) - sizeof(*digits);
	uint64_t said = UINT64_MAX; // nothing
	if (fetching->http.query_headers(fetching->request, WINHTTP_QUERY_CONTENT_LENGTH,
					 WINHTTP_HEADER_NAME_BY_INDEX, digits, &size,
					 WINHTTP_NO_HEADER_INDEX))
		said = wcstoull(digits, NULL, 10);
	bool is_said = said != UINT64_MAX;
	fetching->answer.is_too_large = is_said && said > fetching->limits->max_bytes;
	struct error *err = fetching->answer.is_too_large ? NULL : receive_all(fetching);
	if (!err && is_said && !fetching->answer.is_too_large && fetching->answer.num_bytes < said)
		err = error_create(ERROR_FAILED, "the answer ends too early");
	return err;
}

struct error *http_request_send(const struct http_request *request,
				const struct http_limits *limits, FILE *into,
				struct http_answer *ret)
{
	_cleanup_(fetching_deinit) struct fetching fetching = {
		.asked = request,
		.limits = limits,
		.end_ns = clock_ns(CLOCK_MONOTONIC) + limits->total_ms * UINT64_C(1000000),
		.into = into,
	};
	_cleanup_free_ wchar_t *wide = NULL;
	struct error *err = load_winhttp(&fetching.http);
	if (!err)
		err = wide_from_utf8(request->url, &wide);
	if (!err)
		err = connect_to(&fetching, wide);
	if (!err)
		err = http_request_ask(&fetching);
	if (!err && into)
		err = http_request_receive(&fetching);
	if (!err)
		*ret = fetching.answer;
	return err;
}

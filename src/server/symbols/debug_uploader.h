/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SYMBOLS_DEBUG_UPLOADER_H
#define WPERF_SERVER_SYMBOLS_DEBUG_UPLOADER_H

/** Gives debug files to a server, which asks for none that it has. */

#include "base/error.h"
#include "base/text/string_builder.h"

#include <stdbool.h>

struct debug_uploader {
	const char *url;   /* http://HOST:PORT */
	const char *token; /* or NULL */
};

enum debug_upload_result {
	DEBUG_UPLOAD_SENT,
	DEBUG_UPLOAD_KNOWN,   /* the server has one of this build */
	DEBUG_UPLOAD_SKIPPED, /* a program that names nothing, as the words say */
	DEBUG_UPLOAD_FOREIGN, /* no program, library or debug file of ELF */
	DEBUG_UPLOAD_REFUSED, /* by the server, as the words say */
};

/**
 * @words: gets what happened, in a few words.
 * @ret:   set only on success. An error is one that other files would get as well: nobody answers,
 *         or the token is not taken.
 */
struct error *debug_uploader_send(const struct debug_uploader *uploader, const char *path,
				  struct string_builder *words, enum debug_upload_result *ret);

/** Is the word an address of a server, and the token one? An error says what is wrong. */
struct error *debug_uploader_check(const struct debug_uploader *uploader);

#endif

// SPDX-License-Identifier: Apache-2.0
// Input: what a server answers, as a listing and as a heat map. What was understood is written, and
// read again.

#include "base/file/memory_stream.h"
#include "fleet/store/store_json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_right)
{
	if (!is_right)
		abort();
}

/** @heat: NULL: it is a listing. */
static void check_again(const struct store_listing *listing, const struct store_heat *heat)
{
	_cleanup_(memory_stream_deinit) struct memory_stream stream = MEMORY_STREAM_INIT;
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	_cleanup_(store_listing_deinit) struct store_listing listing_again = {0};
	_cleanup_(store_heat_deinit) struct store_heat heat_again = {0};
	check(!memory_stream_open(&stream));
	struct json_writer json = json_writer_create(stream.stream);
	if (heat)
		store_json_write_heat(heat, &json);
	else
		store_json_write_listing(listing, &json);
	check(!json_finish(&json, "json") && !memory_stream_close(&stream));
	check(!json_document_parse(&document, "json", stream.text, stream.size));
	if (heat) {
		check(!store_json_read_heat(document.root, &heat_again));
		check(heat_again.num_sums == heat->num_sums);
	} else {
		check(!store_json_read_listing(document.root, &listing_again));
		check(listing_again.num_events == listing->num_events &&
		      listing_again.num_labels == listing->num_labels);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	_cleanup_(store_heat_deinit) struct store_heat heat = {0};
	struct error *err = json_document_parse(&document, "json", data, size);
	if (!err) {
		err = store_json_read_listing(document.root, &listing);
		if (!err)
			check_again(&listing, NULL);
		error_destroy(err);
		err = store_json_read_heat(document.root, &heat);
		if (!err)
			check_again(NULL, &heat);
	}
	error_destroy(err);
	return 0;
}

// SPDX-License-Identifier: Apache-2.0
// `symbols FILE [ADDRESS ...]`: the functions of a file, or what is at these addresses, as reports
// would name them. Addresses are hexadecimal with or without 0x, since they are copied from other
// tools' output.

#include "base/cleanup.h"
#include "base/text/number.h"
#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "report/code/symbol_listing.h"

#include <stdlib.h>
#include <string.h>

struct error *command_symbols(const struct options *options, int *ret_exit)
{
	const struct text_list *words = &options->arguments;
	if (!words->num_items)
		return error_with_hint(error_create(ERROR_USAGE, "missing file name"),
				       "write wperf symbols FILE [ADDRESS ...]");
	_cleanup_free_ uint64_t *addresses = calloc(words->num_items, sizeof(*addresses));
	if (!addresses)
		return &error_no_memory;
	for (size_t i = 1; i < words->num_items; i++) {
		const char *word = words->items[i];
		if (number_parse_hex(word, strlen(word), true, &addresses[i - 1]) == NUMBER_OK)
			continue;
		return error_with_hint(error_create(ERROR_USAGE, "not an address: '%s'", word),
				       "addresses are hexadecimal: 0x1139");
	}
	const struct symbol_listing_request request = {
		.path = words->items[0],
		.addresses = addresses,
		.num_addresses = words->num_items - 1,
		.pattern = options->symbol,
		.with_lines = options->lines,
		.symbol_path = options->pdb_places,
	};
	return symbol_listing_write(&request, options_output_request(options));
}

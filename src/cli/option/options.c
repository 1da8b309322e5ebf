// SPDX-License-Identifier: Apache-2.0
// All that the command line said, in one struct: the tables of options name its members by their
// offsets (option_value.c). Only commands see it; rooms below get requests (option_requests.c).

#include "cli/option/options.h"

#include "object/fetch/symbol_path.h"

#include <stdlib.h>

void options_deinit(struct options *options)
{
	free(options->arguments.items);
	free(options->counted);
	free(options->extra_events.items);
	free(options->labels.items);
	free(options->service_rules.items);
	free(options->metric_files.items);
	free(options->config.items);
	free(options->triggers.items);
	// Texts are words of the command line, which are not ours to free; lists of them are.
	free(options->own_words);
	string_builder_deinit(&options->warnings);
	symbol_path_destroy(options->pdb_places);
}

struct error *options_open_symbol_path(struct options *options)
{
	// --pdb_file is how WindowsPerf names one PDB.
	const char *words = options->symbol_path ? options->symbol_path : options->pdb_file;
	return symbol_path_create(words, &options->pdb_places);
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_REQUESTS_H
#define WPERF_CLI_OPTION_OPTION_REQUESTS_H

/**
 * What the user said, as requests of the modules that do it. Only the commands, and what is in this
 * folder, know the words: a module's header says in a plain struct what it needs, and a function
 * here fills it.
 */

#include "cli/option/options.h"
#include "report/output.h"
#include "report/sample/sample_tables.h"
#include "report/spe/spe_tables.h"
#include "report/stat/timeline_name.h"

/** Where results go. Texts belong to @options. */
struct output_request options_output_request(const struct options *options);

/** Is there a document of JSON of all counts of -t? */
bool options_writes_timeline_json(const struct options *options);

/** How the CSV files of a timeline are called; time and cores are the caller's to fill in. */
struct timeline_name options_timeline_name(const struct options *options);

/** The tables of `sample`; program and rows are the caller's to fill in. */
struct sample_tables_request options_sample_tables(const struct options *options);

/** What --spe and --sort ask for, before anything is read. @ret: set only on success. */
struct error *options_choose_spe(const struct options *options, struct spe_choice *ret);

#endif

// SPDX-License-Identifier: Apache-2.0
// `--version` has a row for wperf and one for what stands in the driver's place: the driver, or the
// source. A driver of another release than the contract's is an error, with WindowsPerf's text.
// Where no source was named and none can be opened, our own row is printed all the same.

#include "base/container/array.h"
#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "cli/option/option_session.h"
#include "cli/option/options.h"
#include "cli/version.h"
#include "report/output.h"
#include "view/layout/table.h"

#include <stdio.h>

static const struct table_column columns[] = {
	{"Component", TABLE_LEFT},
	{"Version", TABLE_LEFT},
	{"GitVer", TABLE_LEFT},
	{"FeatureString", TABLE_LEFT},
};

static void cmd_version_add_row(struct table *table, const char *component,
				const struct version *version)
{
	char text[64];
	snprintf(text, sizeof(text), "%u.%u.%u", version->major, version->minor, version->patch);
	table_add_string(table, component);
	table_add_string(table, text);
	table_add_string(table, version->git);
	table_add_string(table, version->features);
}

/** What stands in the driver's place has the driver's row: clients look for it by that name. */
static struct version driver_version(const struct source_info *info, bool compat)
{
	struct version version = {info->version.major, info->version.minor, info->version.patch,
				  info->version.git, info->version.features};
	if (compat && !info->is_driver) {
		struct version peer = version_get(true);
		version.major = peer.major;
		version.minor = peer.minor;
		version.patch = peer.patch;
	}
	return version;
}

/** Drivers speak the requests of a release of the peer; which, is their version. */
static struct error *check_driver(const struct source_info *info, const struct version *driver)
{
	struct version spoken = version_get(true);
	if (!info->is_driver || (driver->major == spoken.major && driver->minor == spoken.minor &&
				 driver->patch == spoken.patch))
		return NULL;
	return error_create(ERROR_FAILED,
			    "Version mismatch between wperf-driver and wperf.\n"
			    "wperf-driver version: %u.%u.%u\n"
			    "wperf version: %u.%u.%u",
			    driver->major, driver->minor, driver->patch, spoken.major, spoken.minor,
			    spoken.patch);
}

/** @driver: NULL if there is none. */
static struct error *cmd_version_show(const struct options *options, const struct version *driver)
{
	struct version wperf = version_get(options->compat);
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	if (err)
		return err;
	cmd_version_add_row(table, "wperf", &wperf);
	if (driver)
		cmd_version_add_row(table, "wperf-driver", driver);
	return output_write_table(options_output_request(options), "Version", table);
}

struct error *command_version(const struct options *options, int *ret_exit)
{
	_cleanup_(session_close) struct session session = SESSION_INIT;
	struct error *err = open_source_session(options, &session);
	if (err && err->code == ERROR_FAILED && !options->source && !options->compat)
		error_destroy(
			cmd_version_show(options, NULL)); // ours is known also where no driver is
	if (err && session_may_be_absent(options, err, "", NULL)) {
		error_destroy(err);
		return NULL;
	}
	if (err)
		return err;
	struct version driver = driver_version(&session.info, options->compat);
	err = cmd_version_show(options, &driver);
	return err ? err : check_driver(&session.info, &driver);
}

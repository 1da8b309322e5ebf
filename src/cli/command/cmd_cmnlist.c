// SPDX-License-Identifier: Apache-2.0
// WindowsPerf 4 and later list "CMN700_..." here, one mesh a line.

#include "base/container/array.h"
#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "report/output.h"
#include "view/layout/table.h"

struct error *command_cmnlist(const struct options *options, int *ret_exit)
{
	static const struct table_column columns[] = {{"Mesh", TABLE_LEFT}};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	return err ? err : output_write_table(options_output_request(options), "CMN", table);
}

// SPDX-License-Identifier: Apache-2.0
// Arm's topdown_tool reads the text: of lines with six words or more the first is the core and the
// last the MIDR. So no cell of an Arm core has a blank, and lines of other cores are shorter.
//
//   Core  Implementer  Variant  Part   Revision  Table        MIDR_EL1
//      0  0x41         r3       0xd0c  p1        neoverse-n1  0x413fd0c1

#include "report/machine/core_listing.h"

#include "base/container/array.h"
#include "catalog/cpu.h"
#include "catalog/midr.h"
#include "view/layout/table.h"

#include <inttypes.h>
#include <stdio.h>

/** @digits: at least. */
static void add_hex(struct table *table, uint64_t value, int digits)
{
	char text[32];
	snprintf(text, sizeof(text), "0x%0*" PRIx64, digits, value);
	table_add_string(table, text);
}

/** The r and p of "r0p3". */
static void add_letter(struct table *table, char letter, unsigned number)
{
	char text[32];
	snprintf(text, sizeof(text), "%c%u", letter, number);
	table_add_string(table, text);
}

static struct error *make_arm_table(const struct source_info *info, struct table **ret)
{
	static const struct table_column columns[] = {
		{"Core", TABLE_RIGHT},    {"Implementer", TABLE_LEFT}, {"Variant", TABLE_LEFT},
		{"Part", TABLE_LEFT},     {"Revision", TABLE_LEFT},    {"Table", TABLE_LEFT},
		{"MIDR_EL1", TABLE_LEFT},
	};
	struct error *err = table_create(columns, ARRAY_SIZE(columns), ret);
	for (unsigned core = 0; !err && core < info->num_cores; core++) {
		uint64_t value = info->core_midr[core];
		struct midr midr = midr_decode(value);
		table_add_u32(*ret, core);
		add_hex(*ret, midr.implementer, 2);
		add_letter(*ret, 'r', midr.variant);
		add_hex(*ret, midr.part, 3);
		add_letter(*ret, 'p', midr.revision);
		table_add_string(*ret, midr_find_cpu(value)->name);
		add_hex(*ret, value, 8);
	}
	return err;
}

static struct error *make_other_table(const struct source_info *info, struct table **ret)
{
	static const struct table_column columns[] = {
		{"Core", TABLE_RIGHT},
		{"Vendor", TABLE_LEFT},
		{"MIDR_EL1", TABLE_LEFT},
	};
	struct error *err = table_create(columns, ARRAY_SIZE(columns), ret);
	for (unsigned core = 0; !err && core < info->num_cores; core++) {
		table_add_u32(*ret, core);
		table_add_string(*ret, info->vendor_name ? info->vendor_name : "-");
		table_add_string(*ret, "-");
	}
	return err;
}

struct error *core_listing_write(const struct source_info *info,
				 struct output_request output_request)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	// Cores of one machine are of one architecture: the first one decides.
	bool is_arm = info->core_midr && info->num_cores && info->core_midr[0];
	struct error *err = is_arm ? make_arm_table(info, &table) : make_other_table(info, &table);
	return err ? err : output_write_table(output_request, "cores", table);
}

// SPDX-License-Identifier: Apache-2.0
// Prints the rows of a file's table, for compare_rows.py: dump_rows FILE [SECTION]

#include "base/file/file_map.h"
#include "tests/unwind/elf_section.h"
#include "tests/unwind/row_text.h"

#include <time.h>

static double now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	_cleanup_(file_map_close) struct file_map file = FILE_MAP_INIT;
	struct error *err = file_map_open(&file, argv[1]);
	struct cfi_section section;
	if (err || !elf_section_find(&file, argc > 2 ? argv[2] : ".eh_frame", &section))
		return 1;
	_cleanup_(cfi_table_deinit) struct cfi_table table = CFI_TABLE_INIT;
	double start = now_ms();
	err = cfi_table_create(&section, elf_section_machine(&file), &table);
	if (err)
		return 1;
	fprintf(stderr, "%s: %zu bytes, %zu rows, %zu bad, %.1f ms\n", argv[1], section.size,
		table.num_rows, table.num_bad, now_ms() - start);
	for (size_t i = 0; i < table.num_rows; i++)
		row_text_print(&table.rows[i]);
	return 0;
}

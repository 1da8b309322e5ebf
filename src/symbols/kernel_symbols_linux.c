// SPDX-License-Identifier: Apache-2.0

#include "symbols/kernel_symbols.h"

#include "base/cleanup.h"
#include "symbols/whole_file.h"

enum { MAX_FILE_SIZE = 1 << 28 };

struct error *kernel_symbols_load(struct kernel_symbols *symbols)
{
	_cleanup_(whole_file_deinit) struct whole_file file = WHOLE_FILE_INIT;
	struct error *err = whole_file_read(&file, "/proc/kallsyms", MAX_FILE_SIZE);
	return err ? err : kernel_symbols_parse(symbols, take_ptr(file.bytes), file.size);
}

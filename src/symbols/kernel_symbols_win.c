// SPDX-License-Identifier: Apache-2.0

#include "symbols/kernel_symbols.h"

struct error *kernel_symbols_load(struct kernel_symbols *symbols)
{
	return error_create(ERROR_FAILED, "functions of Windows' kernel are not looked up");
}

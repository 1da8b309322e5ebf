// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_size_limit.h"

void file_size_limit_make_error(void)
{
}

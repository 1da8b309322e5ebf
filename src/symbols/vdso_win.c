// SPDX-License-Identifier: Apache-2.0

#include "symbols/vdso.h"

// Windows has no vDSO. A recording from Linux has samples in one, which belongs to a kernel that is
// not here.

struct error *vdso_open(struct object **ret)
{
	return error_create(ERROR_FAILED, "it belongs to the kernel of another machine");
}

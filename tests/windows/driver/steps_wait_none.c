// SPDX-License-Identifier: Apache-2.0

#include "tests/windows/driver/steps.h"

bool steps_wait(void)
{
	return false;
}

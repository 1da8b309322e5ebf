// SPDX-License-Identifier: Apache-2.0

#include "base/os/confinement.h"

#include <stddef.h>

// Windows has no filter of system calls that a process could set for itself.
struct error *confinement_begin(bool with_network)
{
	return NULL;
}

// SPDX-License-Identifier: Apache-2.0

#include "symbols/jit/process_identity.h"

// Processes have one number each, and users have none. The files that this is asked for, maps of
// code that was made while a program ran, are Linux's.
struct process_identity process_identity_of(uint32_t pid, bool may_be_here)
{
	return (struct process_identity){.inner_pid = pid};
}

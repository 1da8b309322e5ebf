// SPDX-License-Identifier: Apache-2.0

#include "session/stored_images.h"

// Nothing is stored: the folder is perf's, and there is no perf here.
void stored_images_trim(uint64_t max_size)
{
}

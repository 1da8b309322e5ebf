/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_DRIVER_SEARCH_H
#define WPERF_SOURCE_DRIVER_DRIVER_SEARCH_H

/** Windows only: finds devices with the interface of the driver contract. */

#include "base/error.h"

#include <wchar.h>

/** The path of the first one, to be freed; NULL: there is none. */
struct error *driver_search_first(wchar_t **ret);

#endif

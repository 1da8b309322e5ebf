/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_BUILD_ID_H
#define WPERF_RECORD_BUILD_ID_H

/** Build ids as hexadecimal digits, which is how names and paths have them. */

#include "record/record.h"

enum { BUILD_ID_DIGITS = 2 * RECORD_BUILD_ID_MAX };

/** Of size 0 if they are no such digits; what is longer is cut. */
struct record_build_id build_id_parse(const char *digits);

/** In lower case; "" if it is not known. */
void build_id_format(const struct record_build_id *id, char ret[BUILD_ID_DIGITS + 1]);

#endif

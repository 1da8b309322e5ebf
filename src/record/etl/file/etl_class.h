/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_FILE_ETL_CLASS_H
#define WPERF_RECORD_ETL_FILE_ETL_CLASS_H

#include <stdint.h>

/** enum etl_class of a provider or a class of the kernel; @guid: as it is in memory. */
uint32_t etl_class_of_guid(const uint8_t *guid);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_FIELDS_H
#define WPERF_FLEET_OTLP_OTLP_FIELDS_H

/**
 * Numbers of the fields of OTLP profiles (opentelemetry.proto.profiles.v1development) from release
 * 1.10 on. Releases before have others in Sample, and no stack table; otlp_decoder.h says what
 * becomes of their requests.
 */

enum otlp_request_field { OTLP_REQUEST_RESOURCES = 1, OTLP_REQUEST_DICTIONARY };

enum otlp_resources_field { OTLP_RESOURCES_RESOURCE = 1, OTLP_RESOURCES_SCOPES };
enum otlp_resource_field { OTLP_RESOURCE_ATTRIBUTES = 1 };
enum otlp_scopes_field { OTLP_SCOPES_SCOPE = 1, OTLP_SCOPES_PROFILES };
enum otlp_scope_field { OTLP_SCOPE_NAME = 1, OTLP_SCOPE_VERSION };

/** Attributes of a resource; those of the dictionary are OTLP_ATTRIBUTE. */
enum otlp_key_value_field {
	OTLP_KEY_VALUE_KEY = 1,
	OTLP_KEY_VALUE_VALUE,
	OTLP_KEY_VALUE_KEY_STRING, /* number of a string */
};

enum otlp_value_field {
	OTLP_VALUE_TEXT = 1,
	OTLP_VALUE_BOOL,
	OTLP_VALUE_INT,
	OTLP_VALUE_DOUBLE,
	OTLP_VALUE_BYTES = 7,
	OTLP_VALUE_STRING, /* number of a string */
};

enum otlp_profile_field {
	OTLP_PROFILE_SAMPLE_TYPE = 1,
	OTLP_PROFILE_SAMPLES,
	OTLP_PROFILE_TIME, /* fixed64 */
	OTLP_PROFILE_DURATION,
	OTLP_PROFILE_PERIOD_TYPE,
	OTLP_PROFILE_PERIOD,
	OTLP_PROFILE_ATTRIBUTES = 11,
};

enum otlp_type_field { OTLP_TYPE_TYPE = 1, OTLP_TYPE_UNIT };

enum otlp_sample_field {
	OTLP_SAMPLE_STACK = 1,
	OTLP_SAMPLE_ATTRIBUTES,
	OTLP_SAMPLE_LINK,
	OTLP_SAMPLE_VALUES,
	OTLP_SAMPLE_TIMES, /* fixed64 */
};

/** Tables of the dictionary: also the numbers of its fields. */
enum otlp_table {
	OTLP_MAPPINGS = 1,
	OTLP_LOCATIONS,
	OTLP_FUNCTIONS,
	OTLP_LINKS,
	OTLP_STRINGS,
	OTLP_ATTRIBUTES,
	OTLP_STACKS,
	OTLP_NUM_TABLES,
};

enum otlp_mapping_field {
	OTLP_MAPPING_START = 1,
	OTLP_MAPPING_LIMIT,
	OTLP_MAPPING_OFFSET,
	OTLP_MAPPING_FILE,
	OTLP_MAPPING_ATTRIBUTES,
};

enum otlp_location_field {
	OTLP_LOCATION_MAPPING = 1,
	OTLP_LOCATION_ADDRESS,
	OTLP_LOCATION_LINES,
	OTLP_LOCATION_ATTRIBUTES,
};

enum otlp_line_field { OTLP_LINE_FUNCTION = 1, OTLP_LINE_LINE };

enum otlp_function_field {
	OTLP_FUNCTION_NAME = 1,
	OTLP_FUNCTION_LINKAGE_NAME,
	OTLP_FUNCTION_FILE,
	OTLP_FUNCTION_LINE,
};

enum otlp_attribute_field { OTLP_ATTRIBUTE_KEY = 1, OTLP_ATTRIBUTE_VALUE };

enum otlp_stack_field { OTLP_STACK_LOCATIONS = 1 };

#endif

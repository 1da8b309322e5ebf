// SPDX-License-Identifier: Apache-2.0
// The colours stand in the style sheet of the HTML report, once for the light theme and once for
// the dark one, as variables. Many viewers of SVG know neither variables nor hsl(), so they are
// looked up there and written as plain colours. The kind of code gives the hue; module and name
// vary it with the same hash as report_graph.js, so that a function looks the same in both. Changes
// of a comparison have the colours of changeColor() there, in steps.

#include "view/export/flame_svg_colors.h"

#include "base/container/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char colors_css[] = {
#include "report_page.css.inc"
	'\0'};

static const char *const theme_starts[] = {":root {", ":root[data-theme=\"dark\"] {"};

static const char *const kind_variables[FLAME_SVG_NUM_KINDS] = {
	[FRAME_NATIVE] = "--kind-native", [FRAME_KERNEL] = "--kind-kernel",
	[FRAME_JIT] = "--kind-jit",       [FRAME_INTERPRETED] = "--kind-python",
	[FRAME_MARKER] = "--kind-marker",
};

/** What is not a box of a function: a selector, a property, and the variable with its colour. */
static const struct {
	const char *selector, *property, *variable;
} parts[] = {
	{":root", "background", "--page"},
	{"#page", "fill", "--page"},
	{".s>rect", "stroke", "--page"},
	{"text", "fill", "--label"},
	{"#head text", "fill", "--ink"},
	{"#head .note", "fill", "--faint"},
	{".root", "fill", "--root"},
	{".rest", "fill", "--rest"},
	{".hatch", "stroke", "--ink"},
	{".dim>rect", "fill", "--dim"},
	{".dim>text", "fill", "--dim-label"},
	{".match>rect", "fill", "--match"},
	{".match>text", "fill", "--match-label"},
};

/** The value of a variable in a theme, up to its ';'. */
static const char *flame_svg_variable(size_t theme, const char *variable)
{
	const char *at = strstr((const char *)colors_css, theme_starts[theme]);
	size_t length = strlen(variable);
	while (at && (at = strstr(at, variable)) && at[length] != ':')
		at += length;
	return at ? at + length + strlen(": ") : "";
}

static double flame_svg_channel(double hue, double saturation, double lightness, double offset)
{
	// CSS Color Module Level 4, 7.1: hsl() to sRGB.
	double at = offset + hue / 30;
	while (at >= 12)
		at -= 12;
	double low = at - 3 < 9 - at ? at - 3 : 9 - at;
	low = low < -1 ? -1 : low > 1 ? 1 : low;
	double reach = saturation * (lightness < 1 - lightness ? lightness : 1 - lightness);
	return lightness - reach * low;
}

struct flame_svg_color {
	double hue, saturation, lightness; // degrees, and parts of 1
};

/** A variable with three numbers: "212 59 68", or with % behind the second. */
static struct flame_svg_color flame_svg_color_of(size_t theme, const char *variable)
{
	char *end;
	struct flame_svg_color color = {0};
	color.hue = (double)strtoul(flame_svg_variable(theme, variable), &end, 10);
	color.saturation = (double)strtoul(end, &end, 10) / 100;
	color.lightness = (double)strtoul(*end == '%' ? end + 1 : end, &end, 10) / 100;
	return color;
}

static void flame_svg_write_fill(char letter, uint32_t fill, struct flame_svg_color color,
				 FILE *stream)
{
	static const double offsets[] = {0, 8, 4};
	fprintf(stream, ".%c%u{fill:#", letter, fill);
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++)
		fprintf(stream, "%02x",
			(unsigned)(255 * flame_svg_channel(color.hue, color.saturation,
							   color.lightness, offsets[i]) +
				   0.5));
	fputs("}\n", stream);
}

static void flame_svg_write_function_fill(size_t theme, uint32_t fill, FILE *stream)
{
	uint32_t kind = fill / (FLAME_SVG_NUM_HUES * FLAME_SVG_NUM_SHADES);
	uint32_t turn = fill / FLAME_SVG_NUM_SHADES % FLAME_SVG_NUM_HUES;
	struct flame_svg_color color = flame_svg_color_of(theme, kind_variables[kind]);
	color.hue += (double)turn - (FLAME_SVG_NUM_HUES - 1) / 2.0;
	color.hue = color.hue < 0 ? color.hue + 360 : color.hue;
	color.lightness +=
		((double)(fill % FLAME_SVG_NUM_SHADES) - (FLAME_SVG_NUM_SHADES - 1) / 2.0) / 100;
	flame_svg_write_fill('f', fill, color, stream);
}

static void flame_svg_write_change_fill(size_t theme, uint32_t fill, FILE *stream)
{
	bool grew = fill > FLAME_SVG_NO_CHANGE;
	struct flame_svg_color color = flame_svg_color_of(theme, grew ? "--grew" : "--shrank");
	double part = fabs((double)fill - FLAME_SVG_NO_CHANGE) / FLAME_SVG_NO_CHANGE;
	double base =
		(double)strtoul(flame_svg_variable(theme, "--same-lightness"), NULL, 10) / 100;
	color.saturation *= part;
	color.lightness = base + (color.lightness - base) * part;
	flame_svg_write_fill('c', fill, color, stream);
}

static void flame_svg_write_theme(size_t theme, const struct flame_svg_fills *fills, FILE *stream)
{
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char *value = flame_svg_variable(theme, parts[i].variable);
		fprintf(stream, "%s{%s:%.*s}\n", parts[i].selector, parts[i].property,
			(int)strcspn(value, ";"), value);
	}
	for (uint32_t i = 0; i < FLAME_SVG_NUM_FILLS; i++)
		if (fills->functions[i])
			flame_svg_write_function_fill(theme, i, stream);
	for (uint32_t i = 0; i < FLAME_SVG_NUM_CHANGES; i++)
		if (fills->changes[i])
			flame_svg_write_change_fill(theme, i, stream);
}

void flame_svg_write_style(const struct flame_svg_fills *fills, FILE *stream)
{
	flame_svg_write_theme(0, fills, stream);
	fputs("@media (prefers-color-scheme:dark){\n", stream);
	flame_svg_write_theme(1, fills, stream);
	fputs("}\n", stream);
}

uint32_t flame_svg_change_fill(double points)
{
	// The root makes small changes visible.
	double part = sqrt(fabs(points) / 10);
	uint32_t steps = (uint32_t)lround((part < 1 ? part : 1) * FLAME_SVG_NO_CHANGE);
	return points < 0 ? FLAME_SVG_NO_CHANGE - steps : FLAME_SVG_NO_CHANGE + steps;
}

static uint32_t flame_svg_hash(const char *text)
{
	uint32_t hash = 2166136261;
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619;
	return hash ^ hash >> 15;
}

uint32_t flame_svg_fill(const struct named_profile *profile, uint32_t function)
{
	const struct named_function *named = &profile->functions[function];
	const char *name = named_profile_text(profile, named->name);
	const char *module =
		named->module == NAMED_NONE
			? ""
			: named_profile_text(profile, profile->modules[named->module].name);
	uint32_t turn = flame_svg_hash(*module ? module : name) % FLAME_SVG_NUM_HUES;
	uint32_t shade = flame_svg_hash(name) % FLAME_SVG_NUM_SHADES;
	return ((uint32_t)named->kind * FLAME_SVG_NUM_HUES + turn) * FLAME_SVG_NUM_SHADES + shade;
}

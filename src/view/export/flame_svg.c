// SPDX-License-Identifier: Apache-2.0
// A call tree from the outermost function down (call_tree.h) becomes boxes: a node is as wide as
// its share of the root and stands one row below its caller, the hottest callee first, so that a
// sum per row says where the next box begins. The root is at the top: of a picture that is higher
// than the window, this is what is seen first. What the tree left out below a node is one box
// behind the node's callees; what remains of its width is the function itself.
//
// A box is an <svg> of its own in percent of the width, with a rectangle of 100 % and the name: so
// viewers without scripts clip names, and the picture fits any width. A <title> is a tooltip
// everywhere.
//
//	<svg id="graph" y="68">
//	<svg class="f31 s" x="12.5%" y="36" width="50%" height="18"><title>main
//	a.out
//	50 % of cycles: 500,000 in 500 samples, 1.2 % in itself</title>
//	<rect width="100%" height="100%"/><text x="4" y="13">main</text></svg>
//
// Time and size are bounded: boxes below a tenth of a pixel are left out, and if there are still
// more than MAX_BOXES, those below twice as much, and so on.
//
// A comparison is the graph of the later recording; call_tree_match.h gives each box its samples in
// the earlier one. Its tooltip has both shares:
//
//	now 50.00 % of cycles: 500,000 in 500 samples, 1.20 % in itself
//	before 40.00 % of cycles: 200,000 in 200 samples
//	+10.00 points; within (95 %): +1.86 to +17.77

#include "view/export/flame_svg.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "profile/hot/share.h"
#include "profile/tree/call_tree.h"
#include "profile/tree/call_tree_match.h"
#include "view/export/flame_svg_colors.h"
#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/output_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	WIDTH = 1200, // where no script fits it to the window
	ROW_HEIGHT = 18,
	HEAD_HEIGHT = 68,
	MAX_BOXES = 50000,
	MAX_DEPTH = 2000, // browsers do not show pictures of any height; flame_svg_write_note()
	LABEL_X = 4,
	LETTER_WIDTH = 7, // about, of the legend
	SWATCH_WIDTH = 14,
	SHARE_DECIMALS = 6,
};

static const double min_pixels = 0.1, min_label_pixels = 26, min_edge_pixels = 3,
		    min_hatch_pixels = 12;

static const unsigned char script[] = {
#include "flame_svg.js.inc"
};

struct flame_svg {
	const struct named_profile *profile;
	uint32_t event;
	FILE *stream;
	struct call_tree tree;
	double min_pixels; /* of a box */
	uint32_t max_depth;
	uint64_t *next; /* [depth]: where the next box of the row begins, in weight */
	const struct flame_svg_diff *diff; /* NULL: nothing is compared */
	struct call_tree_match before;     /* of the tree, if it is */
};

static void flame_svg_deinit(struct flame_svg *svg)
{
	call_tree_deinit(&svg->tree);
	call_tree_match_deinit(&svg->before);
	free(svg->next);
}

static const char *flame_svg_text(const struct flame_svg *svg, uint32_t string)
{
	return named_profile_text(svg->profile, string);
}

uint32_t flame_svg_default_event(const struct named_profile *profile)
{
	uint32_t first = UINT32_MAX;
	for (size_t i = 0; i < profile->num_samples; i++)
		if (profile->samples[i].weight && profile->samples[i].event < first)
			first = profile->samples[i].event;
	return first < profile->num_events ? first : 0;
}

static struct error *flame_svg_filter(const struct flame_svg *svg, uint32_t event,
				      struct profile_filter **ret)
{
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = event;
	return profile_filter_create(svg->profile, &criteria, ret);
}

static struct error *flame_svg_match(struct flame_svg *svg, const struct profile_filter *filter)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *earlier = NULL;
	struct error *err = flame_svg_filter(svg, svg->diff->events[0], &earlier);
	return err ? err
		   : call_tree_match_create(svg->profile, &svg->tree, filter, earlier,
					    &svg->before);
}

static struct error *flame_svg_create_tree(struct flame_svg *svg)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err = flame_svg_filter(svg, svg->event, &filter);
	for (svg->min_pixels = min_pixels; !err; svg->min_pixels *= 2) {
		const struct call_tree_request request = {
			.shape = CALL_TREE_TOP_DOWN,
			.min_percent = 100 * svg->min_pixels / WIDTH,
			.max_depth = MAX_DEPTH,
			.filter = filter,
		};
		call_tree_deinit(&svg->tree);
		err = call_tree_create(svg->profile, &request, &svg->tree);
		if (err || svg->tree.num_nodes <= MAX_BOXES)
			break;
	}
	if (!err && svg->diff)
		err = flame_svg_match(svg, filter);
	for (size_t i = 0; i < svg->tree.num_nodes; i++) {
		const struct call_tree_node *node = &svg->tree.nodes[i];
		// The box of what was left out is one row deeper.
		uint32_t depth = node->depth + (node->left_out.count != 0);
		svg->max_depth = depth > svg->max_depth ? depth : svg->max_depth;
	}
	svg->next = calloc((size_t)svg->max_depth + 2, sizeof(*svg->next));
	return err || svg->next ? err : &error_no_memory;
}

static struct named_total flame_svg_whole(const struct flame_svg *svg)
{
	return svg->tree.nodes[0].total;
}

static double flame_svg_pixels(const struct flame_svg *svg, uint64_t weight)
{
	return WIDTH *
	       named_total_percent((struct named_total){.weight = weight}, flame_svg_whole(svg)) /
	       100;
}

static void flame_svg_print_share(const struct flame_svg *svg, uint64_t weight, int decimals)
{
	double percent =
		named_total_percent((struct named_total){.weight = weight}, flame_svg_whole(svg));
	fputs(decimal_fixed(percent, decimals).text, svg->stream);
}

static void flame_svg_print_event(const struct flame_svg *svg, uint32_t event)
{
	if (event < svg->profile->num_events)
		safe_text_print_xml(flame_svg_text(svg, svg->profile->events[event].name),
				    svg->stream);
}

/** "12.50 % of cycles: 125,000 in 125 samples" */
static void flame_svg_print_total_of(const struct flame_svg *svg, uint32_t event,
				     struct named_total total, struct named_total whole)
{
	fprintf(svg->stream, "%s %% of ", decimal_fixed(named_total_percent(total, whole), 2).text);
	flame_svg_print_event(svg, event);
	fprintf(svg->stream, ": %s",
		named_event_is_bytes(svg->profile, event) ? decimal_bytes(total.weight).text
							  : decimal_grouped(total.weight).text);
	fprintf(svg->stream, " in %s samples", decimal_grouped(total.count).text);
}

static void flame_svg_print_total(const struct flame_svg *svg, struct named_total total)
{
	flame_svg_print_total_of(svg, svg->event, total, flame_svg_whole(svg));
}

static double flame_svg_points(const struct flame_svg *svg, size_t node)
{
	return named_total_percent(svg->tree.nodes[node].total, flame_svg_whole(svg)) -
	       named_total_percent(svg->before.totals[node], svg->before.whole);
}

static void flame_svg_print_points(const struct flame_svg *svg, double points)
{
	// What is rounded to 0 has no sign.
	bool is_none = fabs(points) < 0.005;
	fprintf(svg->stream, "%s%s", points > 0 && !is_none ? "+" : "",
		decimal_fixed(is_none ? 0 : points, 2).text);
}

/** How far chance may have moved the change; nothing where samples were not drawn by chance, and of
 * the root: all samples are all samples. */
static void flame_svg_print_range(const struct flame_svg *svg, size_t node)
{
	const uint32_t *events = svg->diff->events;
	const struct named_event *all = svg->profile->events;
	bool is_root = svg->tree.nodes[node].function == NAMED_NONE;
	if (is_root || all[events[0]].is_whole || all[events[1]].is_whole)
		return;
	struct share_change change =
		share_change_of(share_of(svg->before.totals[node], svg->before.whole),
				share_of(svg->tree.nodes[node].total, flame_svg_whole(svg)));
	fputs("; within (95 %): ", svg->stream);
	flame_svg_print_points(svg, change.low);
	fputs(" to ", svg->stream);
	flame_svg_print_points(svg, change.high);
}

static void flame_svg_print_change(const struct flame_svg *svg, size_t node)
{
	fputs("\nbefore ", svg->stream);
	flame_svg_print_total_of(svg, svg->diff->events[0], svg->before.totals[node],
				 svg->before.whole);
	fputc('\n', svg->stream);
	flame_svg_print_points(svg, flame_svg_points(svg, node));
	fputs(" points", svg->stream);
	flame_svg_print_range(svg, node);
}

static void flame_svg_begin_box(const struct flame_svg *svg, uint64_t start, uint64_t weight,
				uint32_t depth)
{
	fputs("\" x=\"", svg->stream);
	flame_svg_print_share(svg, start, SHARE_DECIMALS);
	fprintf(svg->stream, "%%\" y=\"%u\" width=\"", depth * ROW_HEIGHT);
	// Nothing was sampled: the root is still to be seen.
	if (flame_svg_whole(svg).weight)
		flame_svg_print_share(svg, weight, SHARE_DECIMALS);
	else
		fputs("100", svg->stream);
	fprintf(svg->stream, "%%\" height=\"%d\"><title>", ROW_HEIGHT);
}

static void flame_svg_end_box(const struct flame_svg *svg)
{
	fputs("</svg>\n", svg->stream);
}

static void flame_svg_write_class(const struct flame_svg *svg, size_t number)
{
	uint32_t function = svg->tree.nodes[number].function;
	if (function == NAMED_NONE)
		fputs("root", svg->stream);
	else if (svg->diff)
		fprintf(svg->stream, "c%u", flame_svg_change_fill(flame_svg_points(svg, number)));
	else
		fprintf(svg->stream, "f%u", flame_svg_fill(svg->profile, function));
}

static void flame_svg_write_node(struct flame_svg *svg, size_t number)
{
	const struct named_profile *profile = svg->profile;
	const struct call_tree_node *node = &svg->tree.nodes[number];
	const struct named_function *function =
		node->function == NAMED_NONE ? NULL : &profile->functions[node->function];
	const char *name = function ? flame_svg_text(svg, function->name) : "all";
	double pixels = flame_svg_pixels(svg, node->total.weight);
	fputs("<svg class=\"", svg->stream);
	flame_svg_write_class(svg, number);
	if (pixels >= min_edge_pixels)
		fputs(" s", svg->stream);
	flame_svg_begin_box(svg, svg->next[node->depth], node->total.weight, node->depth);
	safe_text_print_xml(name, svg->stream);
	if (function && function->module != NAMED_NONE) {
		fputc('\n', svg->stream);
		safe_text_print_xml(flame_svg_text(svg, profile->modules[function->module].name),
				    svg->stream);
	}
	fputs(svg->diff ? "\nnow " : "\n", svg->stream);
	flame_svg_print_total(svg, node->total);
	fputs(", ", svg->stream);
	flame_svg_print_share(svg, node->self.weight, 2);
	fputs(" % in itself", svg->stream);
	if (svg->diff)
		flame_svg_print_change(svg, number);
	fputs("</title><rect width=\"100%\" height=\"100%\"/>", svg->stream);
	bool is_hatched = function && !svg->diff && pixels >= min_hatch_pixels &&
			  (function->kind == FRAME_KERNEL || function->kind == FRAME_JIT ||
			   function->kind == FRAME_MARKER);
	if (is_hatched)
		fprintf(svg->stream,
			"<rect width=\"100%%\" height=\"100%%\" fill=\"url(#hatch%d)\"/>",
			(int)function->kind);
	if (pixels >= min_label_pixels) {
		fprintf(svg->stream, "<text x=\"%d\" y=\"13\">", LABEL_X);
		safe_text_print_xml(name, svg->stream);
		fputs("</text>", svg->stream);
	}
	flame_svg_end_box(svg);
}

/** Behind the callees of the node. */
static void flame_svg_write_rest(struct flame_svg *svg, const struct call_tree_node *node)
{
	uint64_t start = svg->next[node->depth] + node->total.weight - node->self.weight -
			 node->left_out.weight;
	if (!node->left_out.count)
		return;
	fputs("<svg class=\"rest", svg->stream);
	flame_svg_begin_box(svg, start, node->left_out.weight, node->depth + 1);
	fputs(node->depth < MAX_DEPTH ? "too narrow to show\n" : "too deep to show\n", svg->stream);
	flame_svg_print_total(svg, node->left_out);
	fputs("</title><rect width=\"100%\" height=\"100%\"/>", svg->stream);
	flame_svg_end_box(svg);
}

static void flame_svg_write_boxes(struct flame_svg *svg)
{
	fprintf(svg->stream, "<svg id=\"graph\" y=\"%d\">\n", HEAD_HEIGHT);
	for (size_t i = 0; i < svg->tree.num_nodes; i++) {
		const struct call_tree_node *node = &svg->tree.nodes[i];
		svg->next[node->depth + 1] = svg->next[node->depth];
		flame_svg_write_node(svg, i);
		flame_svg_write_rest(svg, node);
		svg->next[node->depth] += node->total.weight;
	}
	fputs("</svg>\n", svg->stream);
}

/** The legend of a comparison, in the words of the page. */
static const struct {
	const char *label;
	uint32_t fill;
} changes[] = {
	{"less than before", 0},
	{"same", FLAME_SVG_NO_CHANGE},
	{"more", FLAME_SVG_NUM_CHANGES - 1},
};

static void flame_svg_write_styles(const struct flame_svg *svg)
{
	struct flame_svg_fills fills = {0};
	for (size_t i = 0; i < svg->tree.num_nodes; i++) {
		uint32_t function = svg->tree.nodes[i].function;
		if (svg->diff)
			fills.changes[flame_svg_change_fill(flame_svg_points(svg, i))] = true;
		else if (function != NAMED_NONE)
			fills.functions[flame_svg_fill(svg->profile, function)] = true;
	}
	for (size_t i = 0; svg->diff && i < ARRAY_SIZE(changes); i++)
		fills.changes[changes[i].fill] = true;
	fputs("<style>\n"
	      "text{font:12px system-ui,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif;"
	      "white-space:pre}\n"
	      "#head .title{width:calc(100% - 200px)}\n"
	      "#head .title>text{font-size:15px;font-weight:bold}\n"
	      ".s>rect{stroke-width:1}\n"
	      ".dim>rect{fill-opacity:.6}\n",
	      svg->stream);
	flame_svg_write_style(&fills, svg->stream);
	fputs("</style>\n", svg->stream);
}

/** How kinds of code are hatched, as on the page, for people who see no difference in hue. */
static void flame_svg_write_hatches(const struct flame_svg *svg)
{
	static const struct {
		enum frame_kind kind;
		const char *path;
	} hatches[] = {
		{FRAME_KERNEL, "M0 6L6 0"},
		{FRAME_JIT, "M0 3L6 3"},
		{FRAME_MARKER, "M0 0L6 6M0 6L6 0"},
	};
	fputs("<defs>\n", svg->stream);
	for (size_t i = 0; i < ARRAY_SIZE(hatches); i++)
		fprintf(svg->stream,
			"<pattern id=\"hatch%d\" width=\"6\" height=\"6\" "
			"patternUnits=\"userSpaceOnUse\"><path class=\"hatch\" d=\"%s\" "
			"stroke-width=\"0.8\" stroke-opacity=\"0.16\"/></pattern>\n",
			(int)hatches[i].kind, hatches[i].path);
	fputs("</defs>\n", svg->stream);
}

/** @x: behind the last one. */
static void flame_svg_write_swatch(const struct flame_svg *svg, const char *class, uint32_t fill,
				   const char *label, size_t *x)
{
	fprintf(svg->stream,
		"<rect class=\"%s%u\" x=\"%zu\" y=\"46\" width=\"10\" height=\"10\"/>"
		"<text class=\"note\" x=\"%zu\" y=\"55\">",
		class, fill, *x, *x + SWATCH_WIDTH);
	safe_text_print_xml(label, svg->stream);
	fputs("</text>\n", svg->stream);
	*x += 2 * SWATCH_WIDTH + LETTER_WIDTH * strlen(label);
}

static void flame_svg_write_change_legend(const struct flame_svg *svg)
{
	size_t x = LABEL_X;
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		flame_svg_write_swatch(svg, "c", changes[i].fill, changes[i].label, &x);
}

/** A swatch for each kind of code that there is, in the colour of a function of that kind. */
static void flame_svg_write_legend(const struct flame_svg *svg)
{
	const char *const labels[FLAME_SVG_NUM_KINDS] = {
		[FRAME_NATIVE] = "native",  [FRAME_KERNEL] = "kernel",
		[FRAME_JIT] = "JIT",        [FRAME_INTERPRETED] = svg->profile->language->name,
		[FRAME_MARKER] = "no code",
	};
	uint32_t examples[FLAME_SVG_NUM_KINDS];
	memset(examples, 0xff, sizeof(examples));
	for (size_t i = svg->tree.num_nodes; i > 0; i--) {
		uint32_t function = svg->tree.nodes[i - 1].function;
		if (function != NAMED_NONE)
			examples[svg->profile->functions[function].kind] = function;
	}
	size_t x = LABEL_X;
	for (size_t kind = 0; kind < FLAME_SVG_NUM_KINDS; kind++) {
		if (examples[kind] == NAMED_NONE)
			continue;
		flame_svg_write_swatch(svg, "f", flame_svg_fill(svg->profile, examples[kind]),
				       labels[kind], &x);
	}
}

/** "cycles: 405 samples of new.data, compared with 270 of old.data" */
static void flame_svg_write_diff_title(const struct flame_svg *svg)
{
	const struct flame_svg_diff *diff = svg->diff;
	const struct named_event *events = svg->profile->events;
	flame_svg_print_event(svg, svg->event);
	fprintf(svg->stream, ": %s samples of ", decimal_grouped(flame_svg_whole(svg).count).text);
	safe_text_print_xml(diff->names[1], svg->stream);
	fprintf(svg->stream, ", compared with %s ", decimal_grouped(svg->before.whole.count).text);
	if (events[diff->events[0]].name != events[diff->events[1]].name) {
		flame_svg_print_event(svg, diff->events[0]);
		fputs(" samples ", svg->stream);
	}
	fputs("of ", svg->stream);
	safe_text_print_xml(diff->names[0], svg->stream);
}

static void flame_svg_write_title(const struct flame_svg *svg)
{
	const struct named_profile *profile = svg->profile;
	if (svg->diff) {
		flame_svg_write_diff_title(svg);
		return;
	}
	flame_svg_print_event(svg, svg->event);
	fprintf(svg->stream, ": %s samples", decimal_grouped(flame_svg_whole(svg).count).text);
	if (profile->command_line) {
		fputs(" of ", svg->stream);
		safe_text_print_xml(flame_svg_text(svg, profile->command_line), svg->stream);
	}
}

/** Of the recording whose graph is drawn. */
static void flame_svg_write_other_events(const struct flame_svg *svg)
{
	const struct named_profile *profile = svg->profile;
	uint32_t num = 0;
	for (uint32_t i = svg->diff ? svg->diff->join->first_event : 0; i < profile->num_events;
	     i++) {
		if (i == svg->event)
			continue;
		fputs(num++ ? ", " : "Other events: ", svg->stream);
		flame_svg_print_event(svg, i);
	}
}

static void flame_svg_write_diff_note(const struct flame_svg *svg)
{
	const struct flame_svg_diff *diff = svg->diff;
	for (size_t i = 0; i < ARRAY_SIZE(diff->names); i++) {
		uint64_t num_lost = diff->join->recordings[i].num_lost;
		if (!num_lost)
			continue;
		fprintf(svg->stream, "%s records of ", decimal_grouped(num_lost).text);
		safe_text_print_xml(diff->names[i], svg->stream);
		fputs(" were LOST. ", svg->stream);
	}
	if (!svg->before.gone.count)
		return;
	fprintf(svg->stream, "%s %% of ",
		decimal_fixed(named_total_percent(svg->before.gone, svg->before.whole), 2).text);
	safe_text_print_xml(diff->names[0], svg->stream);
	fputs(" is in calls that are gone: swap the recordings to see them. ", svg->stream);
}

/** What the picture does not show. */
static void flame_svg_write_note(const struct flame_svg *svg)
{
	const struct named_profile *profile = svg->profile;
	struct named_total left_out = {0};
	for (size_t i = 0; i < svg->tree.num_nodes; i++)
		named_total_add(&left_out, svg->tree.nodes[i].left_out);
	if (left_out.count) {
		fprintf(svg->stream,
			"%s boxes narrower than %s pixels%s are drawn as one per caller: ",
			decimal_grouped(svg->tree.num_left_out).text,
			decimal_short(svg->min_pixels).text,
			svg->max_depth > MAX_DEPTH ? " or deeper than 2,000 calls" : "");
		flame_svg_print_share(svg, left_out.weight, 2);
		fputs(" %. ", svg->stream);
	}
	if (svg->diff)
		flame_svg_write_diff_note(svg);
	else if (profile->num_lost)
		fprintf(svg->stream, "%s records were LOST. ",
			decimal_grouped(profile->num_lost).text);
	flame_svg_write_other_events(svg);
}

static void flame_svg_write_head(const struct flame_svg *svg)
{
	// A long command ends where the script puts the field of the search.
	fprintf(svg->stream,
		"<g id=\"head\"><svg class=\"title\" width=\"83%%\" height=\"28\">"
		"<text x=\"%d\" y=\"19\">",
		LABEL_X);
	flame_svg_write_title(svg);
	fprintf(svg->stream, "</text></svg>\n<text id=\"note\" class=\"note\" x=\"%d\" y=\"36\">",
		LABEL_X);
	flame_svg_write_note(svg);
	fputs("</text>\n", svg->stream);
	if (svg->diff)
		flame_svg_write_change_legend(svg);
	else
		flame_svg_write_legend(svg);
	fputs("</g>\n", svg->stream);
}

static void flame_svg_write_document(struct flame_svg *svg)
{
	fprintf(svg->stream,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\">\n<title>",
		WIDTH, HEAD_HEIGHT + (svg->max_depth + 1) * ROW_HEIGHT);
	flame_svg_write_title(svg);
	fputs("</title>\n", svg->stream);
	flame_svg_write_styles(svg);
	flame_svg_write_hatches(svg);
	fputs("<rect id=\"page\" width=\"100%\" height=\"100%\"/>\n", svg->stream);
	flame_svg_write_head(svg);
	flame_svg_write_boxes(svg);
	fputs("<script><![CDATA[\n", svg->stream);
	fwrite(script, 1, sizeof(script), svg->stream);
	fputs("]]></script>\n</svg>\n", svg->stream);
}

static struct error *flame_svg_draw(struct flame_svg *svg, const char *name)
{
	struct error *err = flame_svg_create_tree(svg);
	if (err)
		return err;
	flame_svg_write_document(svg);
	return output_stream_flush(svg->stream, name);
}

struct error *flame_svg_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			      const char *name)
{
	_cleanup_(flame_svg_deinit) struct flame_svg svg = {
		.profile = profile,
		.event = event == NAMED_NONE ? flame_svg_default_event(profile) : event,
		.stream = stream,
	};
	return flame_svg_draw(&svg, name);
}

struct error *flame_svg_write_diff(const struct named_profile *profile,
				   const struct flame_svg_diff *diff, FILE *stream,
				   const char *name)
{
	_cleanup_(flame_svg_deinit) struct flame_svg svg = {
		.profile = profile,
		.event = diff->events[1],
		.stream = stream,
		.diff = diff,
	};
	return flame_svg_draw(&svg, name);
}

// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "etl_story.h"
#include "record/etl/etl_survey.h"
#include "shared_data.h"

#define KERNEL(offset) (UINT64_C(0xffff800000000000) + (offset))

#define STORY(name)                                        \
	_cleanup_(etl_story_deinit) struct etl_story name; \
	etl_story_begin(&name, false);                     \
	struct etl_bytes *file = &name.file

static void test_a_key_means_what_is_defined_after_it_was_used(void **state)
{
	STORY(story);
	etl_bytes_thread(file, 1001, 3, 10, 11, NULL);
	etl_bytes_key_stack(file, 1900, 34, 0xa, ETL_BYTES_FRAMES(KERNEL(1), KERNEL(0xbad)));
	etl_bytes_sample(file, 2000, KERNEL(1), 11, 0);
	etl_bytes_key_stack(file, 2003, 35, 0xa, ETL_BYTES_FRAMES(KERNEL(1), KERNEL(0xbad)));
	etl_bytes_stack_key(file, 2005, 37, 2000, 10, 11, 0xa);
	etl_bytes_key_stack(file, 2010, 34, 0xa, ETL_BYTES_FRAMES(KERNEL(1), KERNEL(2)));
	etl_bytes_key_stack(file, 2020, 36, 0xa, ETL_BYTES_FRAMES(KERNEL(1), KERNEL(0xbad)));
	assert_string_equal(etl_story_end_about(&story, "cpu-clock"),
			    "2000 cpu-clock 10/11 1000000: k ffff800000000001 ffff800000000002\n");
}

static void test_a_key_may_be_defined_at_the_time_of_its_use(void **state)
{
	STORY(story);
	etl_bytes_key_stack(file, 2005, 34, 0xa, ETL_BYTES_FRAMES(0x401, 0x402));
	etl_story_cpu(&story, 1);
	etl_bytes_sample(file, 2000, 0x401, 11, 0);
	etl_bytes_stack_key(file, 2005, 38, 2000, 10, 11, 0xa);
	etl_bytes_stack_key(file, 2006, 38, 2000, 10, 12, 0xa);
	etl_story_cpu(&story, 2);
	etl_bytes_sample(file, 2000, 0x501, 12, 0);
	etl_bytes_key_stack(file, 2006, 35, 0xa, ETL_BYTES_FRAMES(0x501, 0x502));
	assert_string_equal(etl_story_end_about(&story, "cpu-clock"),
			    "2000 cpu-clock 10/11 1000000: u 401 402\n"
			    "2000 cpu-clock 10/12 1000000: u 501 502\n");
}

static void test_a_key_that_is_never_defined_is_counted(void **state)
{
	STORY(story);
	etl_bytes_key_stack(file, 1900, 35, 0xa, ETL_BYTES_FRAMES(0x401, 0xbad));
	etl_bytes_sample(file, 2000, 0x401, 11, 0);
	etl_bytes_stack_key(file, 2001, 38, 2000, 10, 11, 0xa);
	assert_string_equal(etl_story_end_about(&story, "cpu-clock"),
			    "2000 cpu-clock 10/11 1000000: = 401\n");
	assert_int_equal(etl_reader_notes(story.reader).num_stacks_unknown, 1);
}

// The user part comes when its thread returns to user mode.
static void test_parts_of_a_stack_come_in_any_order_and_from_any_cpu(void **state)
{
	STORY(story);
	etl_bytes_sample(file, 2000, KERNEL(1), 11, 0);
	etl_bytes_stack(file, 2001, 2000, 10, 11, ETL_BYTES_FRAMES(KERNEL(1), KERNEL(2)));
	etl_bytes_sample(file, 2100, KERNEL(3), 11, 0);
	etl_bytes_stack_key(file, 2101, 38, 2100, 10, 11, 0xb);
	etl_bytes_stack(file, 2102, 2100, 10, 11, ETL_BYTES_FRAMES(KERNEL(3), KERNEL(4)));
	etl_bytes_stack(file, 2103, 2050, 10, 11, ETL_BYTES_FRAMES(0xbad)); // of no sample
	etl_story_cpu(&story, 3);
	etl_bytes_stack(file, 9000, 2000, 10, 11, ETL_BYTES_FRAMES(0x401, 0x402));
	etl_bytes_key_stack(file, 9001, 36, 0xb, ETL_BYTES_FRAMES(0x403));
	assert_string_equal(etl_story_end_about(&story, "cpu-clock"),
			    "2000 cpu-clock 10/11 1000000: k ffff800000000001 ffff800000000002"
			    " u 401 402\n"
			    "2100 cpu-clock 10/11 1000000: k ffff800000000003 ffff800000000004"
			    " u 403\n");
	assert_int_equal(etl_reader_notes(story.reader).num_stacks_unmatched, 1);
}

// Arm64 is said to write them so.
static void test_one_part_may_have_both_modes(void **state)
{
	STORY(story);
	etl_bytes_sample(file, 2000, KERNEL(1), 11, 0);
	etl_bytes_stack(file, 2001, 2000, 10, 11,
			ETL_BYTES_FRAMES(KERNEL(1), KERNEL(2), 0x401, 0x402));
	assert_string_equal(etl_story_end_about(&story, "cpu-clock"),
			    "2000 cpu-clock 10/11 1000000: k ffff800000000001 ffff800000000002"
			    " u 401 402\n");
}

static void test_kernel_part_at_a_sample_of_user_mode_is_of_another_event(void **state)
{
	STORY(story);
	etl_bytes_sample(file, 2000, 0x401, 11, 0);
	etl_bytes_stack(file, 2001, 2000, 10, 11, ETL_BYTES_FRAMES(KERNEL(1), KERNEL(2)));
	etl_bytes_stack(file, 2002, 2000, 10, 11, ETL_BYTES_FRAMES(0x401, 0x402));
	assert_string_equal(etl_story_end_about(&story, "cpu-clock"),
			    "2000 cpu-clock 10/11 1000000: u 401 402\n");
}

static void test_address_of_the_sample_is_the_leaf(void **state)
{
	STORY(story);
	etl_bytes_sample(file, 2000, 0x400, 11, 0);
	etl_bytes_stack(file, 2001, 2000, 10, 11, ETL_BYTES_FRAMES(0x401, 0x402));
	etl_bytes_sample(file, 2100, KERNEL(1), 11, 0);
	etl_bytes_stack(file, 2101, 2100, 10, 11, ETL_BYTES_FRAMES(0x401));
	assert_string_equal(etl_story_end_about(&story, "cpu-clock"),
			    "2000 cpu-clock 10/11 1000000: u 400 401 402\n"
			    "2100 cpu-clock 10/11 1000000: k ffff800000000001 u 401\n");
}

static void test_addresses_of_32_bit_kernels_are_in_the_upper_half(void **state)
{
	_cleanup_(etl_story_deinit) struct etl_story story;
	etl_story_begin(&story, true);
	struct etl_bytes *file = &story.file;
	etl_bytes_process(file, 1001, 3, 10, 4, "old.exe");
	etl_bytes_thread(file, 1002, 3, 10, 11, NULL);
	etl_bytes_image(file, 1003, 3, 0,
			&(struct etl_bytes_file){0x82000000, 0x1000, 1, "\\SystemRoot\\a.sys"});
	etl_bytes_sample(file, 2000, 0x82000010, 11, 0);
	etl_bytes_stack(file, 2001, 2000, 10, 11, ETL_BYTES_FRAMES(0x82000010, 0x82000020));
	etl_bytes_stack(file, 2002, 2000, 10, 11, ETL_BYTES_FRAMES(0x401));
	assert_string_equal(etl_story_end(&story),
			    "1000 name 10/10 old.exe\n"
			    "1000 begin 10/11 of 10\n"
			    "1000 kernel map ffffffff82000000+1000 C:\\Windows\\a.sys\n"
			    "2000 cpu-clock 10/11 1000000: k ffffffff82000010 ffffffff82000020"
			    " u 401\n");
}

static void test_numbers_of_threads_are_used_again(void **state)
{
	STORY(story);
	etl_bytes_sample(file, 2000, 0x401, 11, 0);
	etl_bytes_thread(file, 2001, 2, 10, 11, NULL);
	etl_bytes_sample(file, 2002, 0x401, 11, 0);
	etl_bytes_thread(file, 2003, 1, 20, 11, NULL);
	etl_bytes_sample(file, 2004, 0x401, 11, 0);
	etl_bytes_thread(file, 2005, 4, 20, 11, NULL);
	etl_bytes_thread(file, 2006, 4, 30, 31, NULL);
	etl_bytes_sample(file, 2007, 0x401, 31, 0);
	assert_string_equal(etl_story_end(&story), "1000 begin 10/11 of 10\n"
						   "1000 begin 30/31 of 30\n"
						   "2000 cpu-clock 10/11 1000000: = 401\n"
						   "2001 end 10/11\n"
						   "2002 cpu-clock 10/11 1000000: = 401\n"
						   "2003 begin 20/11 of 20\n"
						   "2004 cpu-clock 20/11 1000000: = 401\n"
						   "2007 cpu-clock 30/31 1000000: = 401\n");
}

static void test_names_of_processes_and_threads(void **state)
{
	STORY(story);
	etl_bytes_process(file, 1001, 3, 10, 4, "there.exe");
	etl_bytes_thread(file, 1002, 3, 10, 11, "worker");
	etl_bytes_process(file, 2000, 1, 20, 10, "new.exe");
	etl_bytes_thread(file, 2001, 1, 20, 21, "first");
	etl_bytes_thread_name(file, 2002, 20, 21, "second");
	etl_bytes_thread(file, 2003, 2, 20, 21, NULL);
	etl_bytes_process(file, 2004, 2, 20, 10, "new.exe");
	assert_string_equal(etl_story_end(&story), "1000 name 10/10 there.exe\n"
						   "1000 begin 10/11 of 10\n"
						   "1000 name 10/11 worker\n"
						   "2000 begin 20/20 of 10\n"
						   "2000 exec 20/20 new.exe\n"
						   "2001 begin 20/21 of 20\n"
						   "2001 name 20/21 first\n"
						   "2002 name 20/21 second\n"
						   "2003 end 20/21\n"
						   "2004 end 20/20\n");
}

// A thread without a name has the one of its process at its begin.
static void test_processes_of_the_start_come_before_their_threads(void **state)
{
	STORY(story);
	etl_bytes_stack(file, 2000, 2000, 10, 11, ETL_BYTES_FRAMES(0x401));
	etl_bytes_thread(file, 9000, 4, 10, 12, NULL);
	etl_bytes_process(file, 9001, 4, 10, 4, "there.exe");
	assert_string_equal(etl_story_end(&story), "1000 name 10/10 there.exe\n"
						   "1000 begin 10/11 of 10\n"
						   "1000 begin 10/12 of 10\n");
}

static void test_idle_cpus_are_only_counted(void **state)
{
	STORY(story);
	etl_bytes_sample(file, 2000, KERNEL(1), 0, 0);
	etl_bytes_sample(file, 2001, KERNEL(2), 0, 1);
	etl_bytes_sample(file, 2002, KERNEL(3), 0, 2);
	assert_string_equal(etl_story_end(&story),
			    "2001 cpu-clock 0/0 1000000: = ffff800000000002\n"
			    "2002 cpu-clock 0/0 1000000: = ffff800000000003\n");
	assert_int_equal(etl_reader_notes(story.reader).num_idle, 1);
}

static void test_samples_stand_for_the_interval_of_their_source(void **state)
{
	STORY(story);
	etl_bytes_counter_sample(file, 2000, 0x401, 11, 29);
	etl_bytes_counter_sample(file, 2001, 0x402, 11, 30);
	etl_bytes_sample(file, 2002, 0x403, 11, 0);
	etl_bytes_interval(file, 2003, 72, 29, 5000, "LLCMisses");
	etl_bytes_counter_sample(file, 2004, 0x404, 11, 29);
	etl_bytes_interval(file, 2005, 74, 0, 1221, "Timer");
	etl_bytes_interval(file, 2006, 74, 29, 70000, "LLCMisses");
	assert_string_equal(etl_story_end(&story), "2000 LLCMisses 11/11 5000: = 401\n"
						   "2001 source30 11/11 0: = 402\n"
						   "2002 cpu-clock 11/11 122100: = 403\n"
						   "2004 LLCMisses 11/11 5000: = 404\n");
}

static void test_interval_at_the_begin_counts_from_then_on(void **state)
{
	STORY(story);
	etl_bytes_interval(file, 1500, 73, 29, 65536, "LLCMisses");
	etl_bytes_counter_sample(file, 2000, 0x401, 11, 29);
	etl_bytes_interval(file, 2003, 72, 29, 5000, NULL);
	etl_bytes_counter_sample(file, 2004, 0x404, 11, 29);
	assert_string_equal(etl_story_end(&story), "2000 LLCMisses 11/11 65536: = 401\n"
						   "2004 LLCMisses 11/11 5000: = 404\n");
}

static void story_switch(struct etl_bytes *file, uint64_t ticks, uint32_t old_tid, uint32_t new_tid)
{
	etl_bytes_switch(
		file, ticks,
		&(struct etl_bytes_switch){.new_tid = new_tid, .old_tid = old_tid, .state = 5});
}

// Thread 11 was away from 2000 to 2400 and from 3000 to 3050, on another CPU at last.
static void test_time_away_is_what_the_switches_say(void **state)
{
	STORY(story);
	etl_bytes_thread(file, 1001, 3, 10, 11, NULL);
	etl_bytes_thread(file, 1001, 3, 10, 12, NULL);
	story_switch(file, 2000, 11, 12);
	story_switch(file, 2400, 12, 11);
	etl_bytes_stack(file, 2401, 2400, 10, 11, ETL_BYTES_FRAMES(KERNEL(1)));
	etl_bytes_stack(file, 2402, 2400, 10, 11, ETL_BYTES_FRAMES(0x401));
	story_switch(file, 3000, 11, 0);
	story_switch(file, 3100, 0, 12);
	etl_story_cpu(&story, 1);
	story_switch(file, 2900, 8, 0);
	story_switch(file, 3050, 0, 11);
	assert_string_equal(etl_story_end_about(&story, "offcpu-time"),
			    "2400 offcpu-time 10/11 40000: k ffff800000000001 u 401\n"
			    "3050 offcpu-time 10/11 5000: = 0\n"
			    "3100 offcpu-time 10/12 70000: = 0\n");
}

static void test_nothing_is_said_of_threads_across_lost_switches_and_ends(void **state)
{
	STORY(story);
	story_switch(file, 2000, 11, 12);
	// Lost: 12 left, 13 came.
	story_switch(file, 2200, 13, 12);
	etl_bytes_switch(file, 2300, &(struct etl_bytes_switch){11, 12, 4, {0}, 0});
	etl_bytes_thread(file, 2301, 2, 10, 12, NULL);
	etl_bytes_thread(file, 2302, 1, 20, 12, NULL);
	story_switch(file, 2400, 11, 12);
	assert_string_equal(etl_story_end_about(&story, "offcpu-time"),
			    "2300 offcpu-time 11/11 30000: = 0\n");
}

static void test_counts_between_switches_are_of_the_thread_that_ran(void **state)
{
	STORY(story);
	etl_bytes_begin_perfinfo(file, 15, 48, 2, 1500, NULL, 0);
	etl_bytes_u32(file, 2);
	etl_bytes_utf16(file, "BranchInstructions");
	etl_bytes_utf16(file, "LLCReference");
	etl_bytes_end_event(file);
	etl_bytes_switch(file, 2000, &(struct etl_bytes_switch){11, 0, 2, {100, 7}, 2});
	etl_bytes_switch(file, 2100, &(struct etl_bytes_switch){12, 11, 1, {150, 7}, 2});
	etl_bytes_switch(file, 2200, &(struct etl_bytes_switch){0, 12, 4, {151, 9}, 2});
	etl_bytes_switch(file, 2300, &(struct etl_bytes_switch){13, 0, 2, {900, 900}, 2});
	// Lost: 13 left, 14 came, and nobody knows who counted.
	etl_bytes_switch(file, 2400, &(struct etl_bytes_switch){15, 14, 5, {2000, 2000}, 2});
	etl_bytes_switch(file, 2500, &(struct etl_bytes_switch){0, 15, 5, {2001, 2000}, 2});
	assert_string_equal(etl_story_end(&story), "2100 BranchInstructions 11/11 50: = 0\n"
						   "2200 BranchInstructions 12/12 1: = 0\n"
						   "2200 LLCReference 12/12 2: = 0\n"
						   "2500 BranchInstructions 15/15 1: = 0\n");
}

static void test_wakeups_dpcs_and_interrupts(void **state)
{
	STORY(story);
	etl_bytes_thread(file, 1001, 3, 10, 11, NULL);
	story_switch(file, 2000, 0, 11);
	etl_bytes_ready(file, 2100, 12);
	etl_bytes_stack(file, 2101, 2100, 10, 11, ETL_BYTES_FRAMES(KERNEL(1)));
	etl_bytes_interrupt(file, 2300, 67, 2200, KERNEL(0x10));
	etl_bytes_interrupt(file, 2400, 68, 2320, KERNEL(0x20));
	etl_bytes_interrupt(file, 2500, 69, 2499, KERNEL(0x30));
	etl_bytes_interrupt(file, 2600, 66, 2590, KERNEL(0x40));
	etl_bytes_interrupt(file, 2700, 66, 2701, KERNEL(0xbad)); // began after its end
	assert_string_equal(etl_story_end(&story), "1000 begin 10/11 of 10\n"
						   "2100 wakeups 10/11 1: k ffff800000000001\n"
						   "2300 isr 10/11 10000: = ffff800000000010\n"
						   "2400 dpc 10/11 8000: = ffff800000000020\n"
						   "2500 dpc 10/11 100: = ffff800000000030\n"
						   "2600 dpc 10/11 1000: = ffff800000000040\n");
	assert_int_equal(etl_reader_notes(story.reader).bad_payloads, 1);
}

#define GUID_1 "11223344-5566-7788-99aa-bbccddeeff00"
#define GUID_2 "aabbccdd-eeff-0011-2233-445566778899"

static void test_images_of_the_lists_at_the_start_and_at_the_end(void **state)
{
	static const struct etl_bytes_file start = {0x10000, 0x1000, 5, "\\Device\\D2\\start.dll"};
	static const struct etl_bytes_file end = {0x20000, 0x1000, 5, "\\Device\\D2\\end.dll"};
	static const struct etl_bytes_file gone = {0x30000, 0x1000, 5, "\\Device\\D2\\gone.dll"};
	static const struct etl_bytes_file later = {0x40000, 0x1000, 5, "\\Device\\D2\\later.dll"};
	STORY(story);
	etl_bytes_image(file, 1001, 3, 10, &start);
	etl_bytes_image(file, 2000, 2, 10, &gone);
	etl_bytes_image(file, 2100, 10, 10, &later);
	etl_bytes_image(file, 9000, 4, 10, &start);
	etl_bytes_image(file, 9000, 4, 10, &end);
	etl_bytes_image(file, 9000, 4, 10, &later);
	etl_bytes_volume(file, 9001, "\\Device\\D2\\", "D:\\");
	assert_string_equal(etl_story_end(&story), "1000 map 10 10000+1000 D:\\start.dll\n"
						   "1000 map 10 30000+1000 D:\\gone.dll\n"
						   "1000 map 10 20000+1000 D:\\end.dll\n"
						   "2100 map 10 40000+1000 D:\\later.dll\n");
}

// A new process forgets the maps of its number: those of the list at the end come behind its begin.
static void test_images_of_the_end_are_there_from_the_begin_of_their_process(void **state)
{
	static const struct etl_bytes_file dll = {0x10000, 0x1000, 5, "C:\\a.dll"};
	static const struct etl_bytes_file own = {0x20000, 0x1000, 5, "C:\\own.exe"};
	STORY(story);
	etl_bytes_process(file, 1001, 3, 10, 4, "old.exe");
	etl_bytes_image(file, 1002, 3, 10, &dll);
	etl_bytes_process(file, 2000, 2, 10, 4, "old.exe");
	etl_bytes_process(file, 3000, 1, 10, 4, "new.exe");
	etl_bytes_process(file, 4000, 1, 20, 4, "other.exe");
	etl_bytes_image(file, 4001, 10, 20, &dll);
	etl_bytes_image(file, 9000, 4, 10, &own);
	etl_bytes_image(file, 9000, 4, 10, &dll);
	etl_bytes_image(file, 9000, 4, 20, &dll);
	assert_string_equal(etl_story_end(&story), "1000 name 10/10 old.exe\n"
						   "1000 map 10 10000+1000 C:\\a.dll\n"
						   "2000 end 10/10\n"
						   "3000 begin 10/10 of 4\n"
						   "3000 exec 10/10 new.exe\n"
						   "3000 map 10 10000+1000 C:\\a.dll\n"
						   "3000 map 10 20000+1000 C:\\own.exe\n"
						   "4000 begin 20/20 of 4\n"
						   "4000 exec 20/20 other.exe\n"
						   "4001 map 20 10000+1000 C:\\a.dll\n");
}

// Without the letters of volumes, the one with ntdll.dll is C:, also for what is listed before.
static void test_volume_of_files_that_were_not_merged(void **state)
{
	static const struct etl_bytes_file exe = {0x10000, 0x1000, 7,
						  "\\Device\\HarddiskVolume3\\a\\b.exe"};
	static const struct etl_bytes_file ntdll = {
		0x20000, 0x1000, 8, "\\Device\\HarddiskVolume3\\Windows\\System32\\ntdll.dll"};
	static const struct etl_bytes_file other = {0x30000, 0x1000, 9,
						    "\\Device\\HarddiskVolume4\\c.dll"};
	static const struct etl_bytes_file kernel = {KERNEL(0), 0x1000, 10,
						     "\\SystemRoot\\system32\\k.exe"};
	static const struct etl_bytes_file driver = {KERNEL(0x1000), 0x1000, 10, "\\??\\C:\\d.sys"};
	STORY(story);
	etl_bytes_image(file, 1001, 3, 10, &exe);
	etl_bytes_image(file, 1001, 3, 10, &ntdll);
	etl_bytes_image(file, 1001, 3, 10, &other);
	etl_bytes_image(file, 1001, 3, 0, &kernel);
	etl_bytes_image(file, 2000, 10, 4, &driver);
	assert_string_equal(etl_story_end(&story),
			    "1000 map 10 10000+1000 C:\\a\\b.exe\n"
			    "1000 map 10 20000+1000 C:\\Windows\\System32\\ntdll.dll\n"
			    "1000 map 10 30000+1000 \\Device\\HarddiskVolume4\\c.dll\n"
			    "1000 kernel map ffff800000000000+1000 C:\\Windows\\system32\\k.exe\n"
			    "2000 kernel map ffff800000001000+1000 C:\\d.sys\n");
	const struct perf_data_info *info = etl_reader_info(story.reader);
	assert_int_equal(info->num_pdbs, 5);
	assert_string_equal(info->pdbs[2].path, "C:\\a\\b.exe");
	assert_int_equal(info->pdbs[2].image_time, 7);
	assert_int_equal(info->pdbs[2].image_size, 0x1000);
	assert_null(info->pdbs[2].name);
}

static void test_pdbs_are_those_of_process_and_place(void **state)
{
	static const struct etl_bytes_file first = {0x10000, 0x1000, 7, "C:\\a.dll"};
	static const struct etl_bytes_file second = {0x10000, 0x2000, 8, "C:\\b.dll"};
	static const struct etl_bytes_file kernel = {KERNEL(0), 0x1000, 9, "C:\\k.exe"};
	STORY(story);
	etl_bytes_image(file, 1001, 3, 10, &first);
	etl_bytes_image(file, 1001, 3, 20, &second);
	etl_bytes_image(file, 1001, 3, 0, &kernel);
	etl_bytes_image_pdb(file, 9000, 20, 0x10000, GUID_2, 2, "D:\\build\\b.pdb");
	etl_bytes_image_pdb(file, 9000, 10, 0x10000, GUID_1, 1, "a.pdb");
	etl_bytes_image_pdb(file, 9000, 4, KERNEL(0), GUID_2, 3, "k.pdb");
	assert_string_equal(etl_story_end(&story),
			    "1000 map 10 10000+1000 C:\\a.dll 1122\n"
			    "1000 map 20 10000+2000 C:\\b.dll aabb\n"
			    "1000 kernel map ffff800000000000+1000 C:\\k.exe aabb\n");
	const struct perf_data_info *info = etl_reader_info(story.reader);
	assert_int_equal(info->num_pdbs, 3);
	assert_string_equal(info->pdbs[1].path, "C:\\b.dll");
	assert_string_equal(info->pdbs[1].name, "b.pdb");
	assert_int_equal(info->pdbs[1].age, 2);
	assert_int_equal(info->pdbs[1].image_size, 0x2000);
	assert_int_equal(info->pdbs[2].age, 3);
}

static void test_methods_of_net(void **state)
{
	STORY(story);
	etl_bytes_method(file, 2000, 10, 0x7000, 0x20, "System.String", "Concat", "void  (int)");
	etl_bytes_method(file, 2001, 10, 0x6000, 0x10, "", "stub", "");
	etl_bytes_method(file, 2002, 10, 0x7000, 0x20, "System.String", "Concat", "void  (int)");
	assert_string_equal(etl_story_end(&story), "");
	const struct perf_data_info *info = etl_reader_info(story.reader);
	assert_int_equal(info->num_methods, 2);
	assert_string_equal(info->methods[0].name, "stub");
	assert_string_equal(info->methods[1].name, "System.String.Concat(int)");
	assert_int_equal(info->methods[1].pid, 10);
	assert_int_equal(info->methods[1].start, 0x7000);
	assert_int_equal(info->methods[1].size, 0x20);
}

static void test_lost_events_are_told(void **state)
{
	STORY(story);
	etl_bytes_begin_full(file, ETL_BYTES_LOST, 32, 2, 0, 0, 2000);
	etl_bytes_end_event(file);
	etl_bytes_begin_full(file, ETL_BYTES_LOST, 33, 2, 0, 0, 2001);
	etl_bytes_end_event(file);
	etl_story_end(&story);
	assert_int_equal(etl_reader_notes(story.reader).events_lost, 1);
	assert_int_equal(etl_reader_notes(story.reader).buffers_lost, 1);
}

// 6,320 samples are those of PerfView's baseline; 2,583 stacks are of other events.
static void test_samples_and_stacks_of_a_real_file(void **state)
{
	const char *path = WPERF_SHARED_DIR "/data/etl/net.4.5.2.x64.etl.zip";
	skip_without(path);
	struct etl_stream *stream;
	_cleanup_(etl_reader_destroyp) struct etl_reader *reader = NULL;
	assert_no_error(etl_stream_open(path, false, &stream));
	assert_no_error(etl_reader_create(stream, &reader));
	struct record record;
	bool more;
	size_t samples = 0, stacks = 0;
	for (;;) {
		assert_no_error(etl_reader_next(reader, &record, &more));
		if (!more)
			break;
		samples += record.kind == RECORD_SAMPLE;
		stacks += record.kind == RECORD_SAMPLE && record.sample.chain_length > 1;
	}
	struct etl_reader_notes notes = etl_reader_notes(reader);
	assert_int_equal(samples, 6320);
	assert_int_equal(stacks, 6318);
	assert_int_equal(notes.num_stacks_unmatched, 2583);
	assert_int_equal(notes.num_idle, 79528 - 6320);
	assert_int_equal(notes.bad_payloads, 0);
}

/** Does the part of the sample's own mode begin with its address? Nothing puts it there. */
static bool stack_begins_with(struct etl_stacks *stacks, uint64_t time_ns,
			      const struct etl_sample *sample)
{
	const uint64_t *chain;
	size_t length, i = 0;
	assert_no_error(etl_stacks_find(stacks, time_ns, sample->tid, 0, &chain, &length));
	uint64_t mode =
		record_is_kernel_address(sample->ip) ? RECORD_CONTEXT_KERNEL : RECORD_CONTEXT_USER;
	while (i < length && chain[i] != mode)
		i++;
	return i + 1 < length && chain[i + 1] == sample->ip;
}

// Two samples of this file have stacks that begin at another address of the same function.
static void test_stacks_of_a_real_file_begin_with_the_address_of_their_sample(void **state)
{
	const char *path = WPERF_SHARED_DIR "/data/etl/net.4.5.2.x64.etl.zip";
	skip_without(path);
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = NULL;
	_cleanup_(etl_survey_deinit) struct etl_survey survey = ETL_SURVEY_INIT;
	struct etl_event event;
	struct etl_sample sample;
	bool more;
	size_t num = 0;
	assert_no_error(etl_stream_open(path, false, &stream));
	assert_no_error(etl_survey_walk(&survey, stream));
	assert_no_error(etl_stream_restart(stream));
	for (;;) {
		assert_no_error(etl_stream_next(stream, &event, &more));
		if (!more)
			break;
		if (event.class == ETL_CLASS_PERFINFO && event.opcode == ETL_SAMPLE &&
		    etl_payload_sample(&event, &sample) && !etl_sample_is_idle(&event, &sample))
			num += stack_begins_with(&survey.stacks, event.time_ns, &sample);
	}
	assert_int_equal(num, 6316);
}

int etl_reader_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_key_means_what_is_defined_after_it_was_used),
		cmocka_unit_test(test_a_key_may_be_defined_at_the_time_of_its_use),
		cmocka_unit_test(test_a_key_that_is_never_defined_is_counted),
		cmocka_unit_test(test_parts_of_a_stack_come_in_any_order_and_from_any_cpu),
		cmocka_unit_test(test_one_part_may_have_both_modes),
		cmocka_unit_test(test_kernel_part_at_a_sample_of_user_mode_is_of_another_event),
		cmocka_unit_test(test_address_of_the_sample_is_the_leaf),
		cmocka_unit_test(test_addresses_of_32_bit_kernels_are_in_the_upper_half),
		cmocka_unit_test(test_numbers_of_threads_are_used_again),
		cmocka_unit_test(test_names_of_processes_and_threads),
		cmocka_unit_test(test_processes_of_the_start_come_before_their_threads),
		cmocka_unit_test(test_idle_cpus_are_only_counted),
		cmocka_unit_test(test_samples_stand_for_the_interval_of_their_source),
		cmocka_unit_test(test_interval_at_the_begin_counts_from_then_on),
		cmocka_unit_test(test_time_away_is_what_the_switches_say),
		cmocka_unit_test(test_nothing_is_said_of_threads_across_lost_switches_and_ends),
		cmocka_unit_test(test_counts_between_switches_are_of_the_thread_that_ran),
		cmocka_unit_test(test_wakeups_dpcs_and_interrupts),
		cmocka_unit_test(test_images_of_the_lists_at_the_start_and_at_the_end),
		cmocka_unit_test(test_images_of_the_end_are_there_from_the_begin_of_their_process),
		cmocka_unit_test(test_volume_of_files_that_were_not_merged),
		cmocka_unit_test(test_pdbs_are_those_of_process_and_place),
		cmocka_unit_test(test_methods_of_net),
		cmocka_unit_test(test_lost_events_are_told),
		cmocka_unit_test(test_samples_and_stacks_of_a_real_file),
		cmocka_unit_test(test_stacks_of_a_real_file_begin_with_the_address_of_their_sample),
	};
	return cmocka_run_group_tests_name("etl_reader", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0

#include "session/control/control_channel.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** Both ends of the two pipes of a run. */
struct ends {
	int commands[2], answers[2];
	struct control_channel channel;
};

static struct ends open_pipes(void)
{
	struct ends ends = {.channel = CONTROL_CHANNEL_INIT};
	assert_int_equal(pipe(ends.commands), 0);
	assert_int_equal(pipe(ends.answers), 0);
	char spec[64];
	snprintf(spec, sizeof(spec), "fd:%d,%d", ends.commands[0], ends.answers[1]);
	assert_no_error(control_channel_open(spec, &ends.channel));
	return ends;
}

static void close_pipes(struct ends *ends)
{
	control_channel_close(&ends->channel);
	for (size_t i = 0; i < 2; i++) {
		close(ends->commands[i]);
		close(ends->answers[i]);
	}
}

static void say(struct ends *ends, const char *text, size_t length)
{
	assert_int_equal(write(ends->commands[1], text, length), length);
}

static void expect(struct ends *ends, enum control_verb verb)
{
	struct control_command command;
	bool is_there;
	assert_no_error(control_channel_next(&ends->channel, &command, &is_there));
	assert_true(is_there);
	assert_int_equal(command.verb, verb);
}

static void expect_none(struct ends *ends)
{
	struct control_command command;
	bool is_there;
	assert_no_error(control_channel_next(&ends->channel, &command, &is_there));
	assert_false(is_there);
}

static void expect_answer(struct ends *ends, const char *text)
{
	char answer[128];
	ssize_t length = read(ends->answers[0], answer, sizeof(answer) - 1);
	assert_true(length > 0);
	answer[length] = '\0';
	assert_string_equal(answer, text);
}

static void lines_that_come_together_or_in_pieces(void **state)
{
	struct ends ends = open_pipes();
	expect_none(&ends);
	say(&ends, "enable\n\ndisable\0pi", 18);
	expect(&ends, CONTROL_ENABLE);
	expect(&ends, CONTROL_DISABLE);
	expect_none(&ends);
	say(&ends, "ng\nstop", 7);
	expect(&ends, CONTROL_PING);
	expect_none(&ends);
	close(ends.commands[1]);
	expect(&ends, CONTROL_STOP);
	expect_none(&ends);
	assert_int_equal(ends.channel.fd, -1);
	expect_none(&ends);
	ends.commands[1] = -1;
	close_pipes(&ends);
}

static void a_line_without_end_is_one_unknown_command(void **state)
{
	struct ends ends = open_pipes();
	char noise[3 * CONTROL_LINE_MAX];
	memset(noise, 'a', sizeof(noise));
	say(&ends, noise, sizeof(noise));
	expect(&ends, CONTROL_UNKNOWN);
	expect_none(&ends);
	say(&ends, "\nenable\n", 8);
	expect(&ends, CONTROL_ENABLE);
	close_pipes(&ends);
}

static void answers(void **state)
{
	struct ends ends = open_pipes();
	control_channel_ack(&ends.channel);
	expect_answer(&ends, "ack\n");
	for (int i = 0; i < 2; i++) {
		struct control_command command;
		const char *line = i ? "enabel" : "enable x";
		control_command_parse(line, strlen(line), &command);
		control_channel_refuse(&ends.channel, &command, "no such event");
		expect_answer(&ends, "error: no such event\n");
	}
	assert_int_equal(ends.channel.num_refused, 2);
	assert_string_equal(ends.channel.refused, "enable x");
	assert_int_equal(ends.channel.num_unread, 0);
	close_pipes(&ends);
}

// Neither ends the run.
static void answers_that_nobody_reads_are_counted(void **state)
{
	struct ends ends = open_pipes();
	for (size_t i = 0; i < 70000 && !ends.channel.num_unread; i++)
		control_channel_ack(&ends.channel);
	assert_int_equal(ends.channel.num_unread, 1);
	close(ends.answers[0]);
	ends.answers[0] = -1;
	control_channel_ack(&ends.channel);
	assert_int_equal(ends.channel.num_unread, 2);
	close_pipes(&ends);
}

static void a_socket_is_closed_with_answers_in_it(void **state)
{
	int both[2];
	char spec[64];
	struct ends ends = {.channel = CONTROL_CHANNEL_INIT};
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, both), 0);
	snprintf(spec, sizeof(spec), "fd:%d,%d", both[0], both[0]);
	assert_no_error(control_channel_open(spec, &ends.channel));
	control_channel_ack(&ends.channel);
	close(both[1]);
	expect_none(&ends);
	assert_int_equal(ends.channel.fd, -1);
	control_channel_close(&ends.channel);
	close(both[0]);
}

static void a_fifo(void **state)
{
	char folder[] = "/tmp/control_channel_XXXXXX", path[64], spec[80];
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/commands", folder);
	snprintf(spec, sizeof(spec), "fifo:%s", path);
	struct control_channel channel = CONTROL_CHANNEL_INIT;
	struct error *err = control_channel_open(spec, &channel);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "No such file"));
	error_destroy(err);
	err = control_channel_open("fifo:/dev/null", &channel);
	assert_non_null(err);
	assert_string_equal(err->message, "--control: '/dev/null' is not a FIFO");
	assert_string_equal(err->hint, "create one with mkfifo; commands are written into it");
	error_destroy(err);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_no_error(control_channel_open(spec, &channel));
	// Two writers, one after the other.
	for (int i = 0; i < 2; i++) {
		int fd = open(path, O_WRONLY);
		assert_int_equal(write(fd, "ping\n", 5), 5);
		close(fd);
		struct ends ends = {.channel = channel};
		expect(&ends, CONTROL_PING);
		expect_none(&ends);
		channel = ends.channel;
	}
	control_channel_ack(&channel); // nobody asked for it
	assert_int_equal(channel.num_unread, 0);
	control_channel_close(&channel);
	unlink(path);
	rmdir(folder);
}

static void words_that_are_wrong(void **state)
{
	static const struct {
		const char *spec, *message;
	} cases[] = {
		{"5", "--control does not know '5'"},
		{"pipe:5", "--control does not know 'pipe:5'"},
		{"fd:", "not a file descriptor in --control: ''"},
		{"fd:1x", "not a file descriptor in --control: '1x'"},
		{"fd:99999999999", "not a file descriptor in --control: '99999999999'"},
		{"fd:1,", "not a file descriptor in --control: ''"},
		{"fd:987", "file descriptor 987 of --control is not open"},
		{"fifo:/dev/null", "--control: '/dev/null' is not a FIFO"},
	};
	struct control_channel channel = CONTROL_CHANNEL_INIT;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_error(control_channel_open(cases[i].spec, &channel), ERROR_USAGE,
			     cases[i].message);
}

int control_channel_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_that_come_together_or_in_pieces),
		cmocka_unit_test(a_line_without_end_is_one_unknown_command),
		cmocka_unit_test(answers),
		cmocka_unit_test(answers_that_nobody_reads_are_counted),
		cmocka_unit_test(a_socket_is_closed_with_answers_in_it),
		cmocka_unit_test(a_fifo),
		cmocka_unit_test(words_that_are_wrong),
	};
	return cmocka_run_group_tests_name("control_channel", tests, NULL, NULL);
}

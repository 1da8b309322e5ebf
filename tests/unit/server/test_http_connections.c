// SPDX-License-Identifier: Apache-2.0

#include "server/http/http_connections.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000000)
#define NOW    (1000 * SECOND)

static struct client_address address_of(const char *text)
{
	struct sockaddr_in inet = {.sin_family = AF_INET};
	struct sockaddr_in6 inet6 = {.sin6_family = AF_INET6};
	struct client_address address = {.is_loopback = false};
	if (inet_pton(AF_INET, text, &inet.sin_addr) == 1)
		assert_true(client_address_read((const struct sockaddr *)&inet, sizeof(inet),
						&address));
	else if (inet_pton(AF_INET6, text, &inet6.sin6_addr) == 1)
		assert_true(client_address_read((const struct sockaddr *)&inet6, sizeof(inet6),
						&address));
	else
		fail_msg("not an address: %s", text);
	return address;
}

static void check_same(const char *a, const char *b, bool is_same)
{
	const struct client_address one = address_of(a), other = address_of(b);
	if (client_address_is_same(&one, &other) != is_same)
		fail_msg("%s and %s", a, b);
}

static void check_text(const char *text, const char *wanted)
{
	char found[CLIENT_ADDRESS_TEXT_SIZE];
	const struct client_address address = address_of(text);
	client_address_text(&address, found);
	assert_string_equal(found, wanted);
}

static void test_one_client_has_one_address(void **state)
{
	check_same("192.0.2.1", "192.0.2.1", true);
	check_same("192.0.2.1", "192.0.2.2", false);
	check_same("192.0.2.1", "::ffff:192.0.2.1", true);
	check_same("::ffff:192.0.2.1", "::ffff:192.0.2.2", false);
	check_same("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true);
	check_same("2001:db8:1:2::1", "2001:db8:1:3::1", false);
	assert_true(address_of("127.3.2.1").is_loopback);
	assert_true(address_of("::ffff:127.0.0.1").is_loopback);
	assert_true(address_of("::1").is_loopback);
	assert_false(address_of("::2").is_loopback);
	assert_false(address_of("128.0.0.1").is_loopback);
	check_text("::ffff:192.0.2.1", "192.0.2.1");
	check_text("2001:db8:1:2:3::1", "2001:db8:1:2::/64");
	struct client_address ignored;
	const struct sockaddr other = {.sa_family = AF_UNIX};
	assert_false(client_address_read(&other, sizeof(other), &ignored));
}

static struct http_connection *add(struct http_connections *connections, int fd, const char *text)
{
	const struct client_address address = address_of(text);
	struct http_connection *connection =
		http_connections_add(connections, fd, &address, NOW, NOW + 10 * SECOND);
	assert_non_null(connection);
	return connection;
}

static bool admits(struct http_connections *connections, const char *text, uint64_t now_ns)
{
	const struct client_address address = address_of(text);
	return http_connections_admit(connections, &address, now_ns);
}

static void test_an_address_has_a_limit(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *log = open_memstream(&text, &size);
	struct http_connections connections;
	http_connections_init(&connections,
			      &(struct http_connections_config){
				      .max_connections = 100, .max_per_address = 2, .log = log});
	struct http_connection *one = add(&connections, -1, "192.0.2.1");
	assert_true(admits(&connections, "192.0.2.1", NOW));
	struct http_connection *two = add(&connections, -1, "192.0.2.1");
	assert_false(admits(&connections, "192.0.2.1", NOW));
	assert_false(admits(&connections, "192.0.2.1", NOW + SECOND));
	assert_true(admits(&connections, "192.0.2.2", NOW));
	http_connections_drop(&connections, one);
	assert_true(admits(&connections, "192.0.2.1", NOW));
	http_connections_drop(&connections, two);
	assert_int_equal(http_connections_counts(&connections).num_refused, 2);
	assert_int_equal(http_connections_counts(&connections).num_open, 0);
	http_connections_deinit(&connections);
	fclose(log);
	// One line in a minute.
	assert_non_null(strstr(text, "192.0.2.1 has 2 connections"));
	assert_ptr_equal(strchr(text, '\n'), text + size - 1);
	free(text);
}

static void test_proxies_of_this_machine_have_none(void **state)
{
	for (int limits = 0; limits < 2; limits++) {
		struct http_connections connections;
		http_connections_init(&connections,
				      &(struct http_connections_config){.max_per_address = 1,
									.limits_loopback = limits});
		struct http_connection *one = add(&connections, -1, "127.0.0.1");
		assert_int_equal(admits(&connections, "127.0.0.1", NOW), !limits);
		http_connections_drop(&connections, one);
		http_connections_deinit(&connections);
	}
}

/** Has the other side of a pair of sockets been shut down? */
static bool is_ended(const int pair[2])
{
	char byte;
	return recv(pair[1], &byte, 1, MSG_DONTWAIT) == 0;
}

static void test_silent_clients_go_early_when_it_is_crowded(void **state)
{
	int pairs[3][2];
	struct http_connection *all[3];
	struct http_connections connections;
	http_connections_init(&connections,
			      &(struct http_connections_config){.max_connections = 4});
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]), 0);
	all[0] = add(&connections, pairs[0][0], "192.0.2.1");
	all[1] = add(&connections, pairs[1][0], "192.0.2.1");
	// Two of four: a silent client has its time.
	http_connections_check(&connections, NOW + 9 * SECOND);
	assert_false(is_ended(pairs[0]));
	all[2] = add(&connections, pairs[2][0], "192.0.2.2");
	http_connections_set(&connections, all[1], HTTP_CONNECTION_READS, NOW, NOW + 30 * SECOND);
	http_connections_set(&connections, all[2], HTTP_CONNECTION_IDLE, NOW + 9 * SECOND,
			     NOW + 100 * SECOND);
	http_connections_check(&connections, NOW + 9 * SECOND);
	assert_true(is_ended(pairs[0]));
	assert_false(is_ended(pairs[1]) || is_ended(pairs[2]));
	// It is crowded again, also without the two that are ended by then.
	struct http_connection *busy[2];
	for (size_t i = 0; i < 2; i++) {
		busy[i] = add(&connections, -1, "192.0.2.3");
		http_connections_set(&connections, busy[i], HTTP_CONNECTION_ANSWERS, NOW,
				     UINT64_MAX);
	}
	http_connections_check(&connections, NOW + 31 * SECOND);
	assert_true(is_ended(pairs[1]) && is_ended(pairs[2]));
	http_connections_check(&connections, NOW + 32 * SECOND);
	for (size_t i = 0; i < 2; i++)
		http_connections_drop(&connections, busy[i]);
	const struct http_connections_counts counts = http_connections_counts(&connections);
	assert_int_equal(counts.num_open, 3);
	assert_int_equal(counts.num_slow, 1);
	assert_int_equal(counts.num_crowded, 2);
	for (size_t i = 0; i < 3; i++) {
		http_connections_drop(&connections, all[i]);
		close(pairs[i][0]);
		close(pairs[i][1]);
	}
	http_connections_deinit(&connections);
}

/** Of 14 where 12 are a crowd, three go: the oldest that never sent a request. Then those that did,
 *  when others come. */
static void test_no_more_go_than_it_takes(void **state)
{
	enum { NUM_PAIRS = 10, NUM_BUSY = 4, NUM_ASKED = 6, NUM_MORE = 4 };
	int pairs[NUM_PAIRS][2];
	struct http_connection *all[NUM_PAIRS + NUM_BUSY + NUM_MORE];
	size_t num = 0;
	struct http_connections connections;
	http_connections_init(&connections,
			      &(struct http_connections_config){.max_connections = 16});
	for (; num < NUM_PAIRS; num++) {
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[num]), 0);
		all[num] = add(&connections, pairs[num][0], "192.0.2.1");
		http_connections_set(&connections, all[num],
				     num < NUM_ASKED ? HTTP_CONNECTION_READS : HTTP_CONNECTION_IDLE,
				     NOW, UINT64_MAX);
		http_connections_set(&connections, all[num], HTTP_CONNECTION_IDLE, NOW, UINT64_MAX);
	}
	for (; num < NUM_PAIRS + NUM_BUSY; num++) {
		all[num] = add(&connections, -1, "192.0.2.2");
		http_connections_set(&connections, all[num], HTTP_CONNECTION_ANSWERS, NOW,
				     UINT64_MAX);
	}
	// They are closed by another thread, which may take a while.
	for (int i = 0; i < 3; i++)
		http_connections_check(&connections, NOW + 3 * SECOND);
	for (size_t i = 0; i < NUM_PAIRS; i++)
		assert_int_equal(is_ended(pairs[i]), i >= NUM_ASKED && i < NUM_ASKED + 3);
	assert_int_equal(http_connections_counts(&connections).num_crowded, 3);
	for (size_t i = NUM_ASKED; i < NUM_ASKED + 3; i++) {
		http_connections_drop(&connections, all[i]);
		all[i] = NULL;
	}
	http_connections_check(&connections, NOW + 3 * SECOND);
	assert_int_equal(http_connections_counts(&connections).num_crowded, 3);
	for (; num < NUM_PAIRS + NUM_BUSY + NUM_MORE; num++) {
		all[num] = add(&connections, -1, "192.0.2.3");
		http_connections_set(&connections, all[num], HTTP_CONNECTION_ANSWERS, NOW,
				     UINT64_MAX);
	}
	http_connections_check(&connections, NOW + 3 * SECOND);
	assert_true(is_ended(pairs[NUM_PAIRS - 1]));
	for (size_t i = 0; i < NUM_ASKED; i++)
		assert_int_equal(is_ended(pairs[i]), i < 3);
	assert_int_equal(http_connections_counts(&connections).num_crowded, 7);
	for (size_t i = 0; i < num; i++)
		http_connections_drop(&connections, all[i]);
	for (size_t i = 0; i < NUM_PAIRS; i++) {
		close(pairs[i][0]);
		close(pairs[i][1]);
	}
	http_connections_deinit(&connections);
}

static void test_clients_that_have_gone(void **state)
{
	static const enum http_connection_state states[] = {
		HTTP_CONNECTION_IDLE, HTTP_CONNECTION_READS, HTTP_CONNECTION_ANSWERS};
	for (size_t i = 0; i < 3; i++) {
		int pair[2];
		struct http_connections connections;
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
		http_connections_init(&connections,
				      &(struct http_connections_config){.max_connections = 9});
		struct http_connection *one = add(&connections, pair[0], "192.0.2.1");
		http_connections_set(&connections, one, states[i], NOW, NOW + 10 * SECOND);
		http_connections_check(&connections, NOW + 3 * SECOND);
		assert_false(is_ended(pair));
		// What it has sent is to be read first.
		assert_int_equal(send(pair[1], "x", 1, 0), 1);
		shutdown(pair[1], SHUT_WR);
		http_connections_check(&connections, NOW + 3 * SECOND);
		assert_false(is_ended(pair));
		char byte;
		assert_int_equal(recv(pair[0], &byte, 1, 0), 1);
		http_connections_check(&connections, NOW + SECOND);
		assert_false(is_ended(pair));
		http_connections_check(&connections, NOW + 3 * SECOND);
		// A client that waits for its answer may close its side.
		assert_int_equal(is_ended(pair), states[i] != HTTP_CONNECTION_ANSWERS);
		assert_int_equal(http_connections_counts(&connections).num_slow, 0);
		http_connections_drop(&connections, one);
		http_connections_deinit(&connections);
		close(pair[0]);
		close(pair[1]);
	}
}

int http_connections_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_client_has_one_address),
		cmocka_unit_test(test_an_address_has_a_limit),
		cmocka_unit_test(test_proxies_of_this_machine_have_none),
		cmocka_unit_test(test_silent_clients_go_early_when_it_is_crowded),
		cmocka_unit_test(test_no_more_go_than_it_takes),
		cmocka_unit_test(test_clients_that_have_gone),
	};
	return cmocka_run_group_tests_name("http_connections", tests, NULL, NULL);
}

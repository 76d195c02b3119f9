/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thread.h"

#include <signal.h>

#include "suite.h"

static void *
read_mask(void *data)
{
	pthread_sigmask(SIG_SETMASK, NULL, data);
	return NULL;
}

static void
test_signals(void)
{
	static const int blocked[] = { SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGPIPE, SIGUSR1 };
	static const int open[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	sigset_t mask;
	pthread_t thread;

	CU_ASSERT_EQUAL_FATAL(thread_start(&thread, read_mask, &mask), 0);
	CU_ASSERT_EQUAL(pthread_join(thread, NULL), 0);
	for (size_t i = 0; i < sizeof(blocked) / sizeof(blocked[0]); i++)
		CU_ASSERT_EQUAL(sigismember(&mask, blocked[i]), 1);
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		CU_ASSERT_EQUAL(sigismember(&mask, open[i]), 0);
}

static void
test_own_mask(void)
{
	sigset_t wanted;
	sigset_t mask;
	pthread_t thread;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGUSR2);
	pthread_sigmask(SIG_SETMASK, &wanted, NULL);
	CU_ASSERT_EQUAL_FATAL(thread_start(&thread, read_mask, &mask), 0);
	pthread_join(thread, NULL);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	CU_ASSERT_EQUAL(sigismember(&mask, SIGUSR2), 1);
	CU_ASSERT_EQUAL(sigismember(&mask, SIGTERM), 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a thread gets no signals but those of its own faults", test_signals },
		{ "the mask of whoever starts a thread stays", test_own_mask },
		{ NULL, NULL },
	};

	return suite_run("core/thread", tests);
}

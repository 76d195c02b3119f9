/* SPDX-License-Identifier: Apache-2.0 */
/* fragment.h - what statements of C on the pages use, for tests/docs/sources.py */
#include <limen-client/event_client.h>
#include <limen/limen.h>
#include <limen/module.h>
#include <time.h>

struct cap {
	int64_t min;
	int64_t max;
};

extern limen_engine *engine;
extern limen_diag *diag;
extern const char *event;
extern char *retry_after;
extern int64_t now, wait;
extern int status;
extern limen_event_fate fate;

int post(const char *text, char *answer);

#pragma GCC diagnostic ignored "-Wunused-function"

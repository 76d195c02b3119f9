/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_engine.h - the real engine with the real modules, for fuzzers of what
 * reaches it; and what holds of every decision.
 */
#ifndef LIMEN_TESTS_FUZZ_FUZZ_ENGINE_H
#define LIMEN_TESTS_FUZZ_FUZZ_ENGINE_H

#include <limen/limen.h>

#include "fuzz.h"

/* Tasks: every sort of identifier and limit that asks nobody.  Objects: LimitRanger, EventRateLimit. */
extern const char fuzz_engine_policy[];

/* An engine with that policy in force, made once. */
limen_engine *fuzz_engine(void);

/* An engine without a policy, which does nothing in the background. */
limen_engine *fuzz_engine_idle(void);

/* Decides with everything asked for and holds the decision against what is promised of it. */
void fuzz_engine_decide(limen_engine *engine, const limen_request *req);

/* 'text' is one JSON value. */
void fuzz_engine_check_json(const char *text, size_t length);

#endif

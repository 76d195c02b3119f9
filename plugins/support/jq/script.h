/* SPDX-License-Identifier: Apache-2.0 */
/* script.h - a script as run.c sees it. */
#ifndef LIMEN_SUPPORT_JQ_SCRIPT_H
#define LIMEN_SUPPORT_JQ_SCRIPT_H

#include "jq.h"
#include "pool.h"
#include "program.h"

struct jq_script {
	program program;
	int64_t timeout; /* nanoseconds */
	bool output_raw;
	bool is_remote; /* it runs in processes of its own */
	bool has_hints;
	pool pool;
};

#endif

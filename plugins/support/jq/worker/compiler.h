/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler.h - what limen asks of a template before it forks workers.  Every answer is null, or
 * what is wrong, for the caller to free: a string, an array of jq's messages, or an invalid
 * value when memory is short.
 */
#ifndef LIMEN_SUPPORT_JQ_COMPILER_H
#define LIMEN_SUPPORT_JQ_COMPILER_H

#include <jv.h>

#include "channel.h"
#include "process.h"

/* The longest compilation, on a machine that does much else; usually some milliseconds. */
#define COMPILER_NS ((int64_t)10 * 1000 * 1000 * 1000)

/* Starts the process.  '*has_filter' tells whether the system filters system calls. */
jv compiler_start(process *made, bool needs_filter, bool *has_filter);

/* Compiles 'program'; a process that does not answer properly is ended. */
jv compiler_compile(process *with, const channel_script *head, const char *program);

/* What to say of a process that gave 'result' instead of an answer. */
jv compiler_silence(channel_result result);

#endif

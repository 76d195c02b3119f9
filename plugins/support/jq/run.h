/* SPDX-License-Identifier: Apache-2.0 */
/* run.h - a run in the process of the script (serve.c), where there is no request. */
#ifndef LIMEN_SUPPORT_JQ_RUN_H
#define LIMEN_SUPPORT_JQ_RUN_H

#include "jq.h"

/* As jq_run_each(), with the hints of a request (not consumed; invalid: none). */
jq_outcome run_each(jq_script *script, jv input, jv hints, int64_t deadline,
                    void (*each)(jv output, void *data), void *data, char **error);

#endif

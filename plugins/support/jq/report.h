/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - what the compiler said, at its place in the policy file. */
#ifndef LIMEN_SUPPORT_JQ_REPORT_H
#define LIMEN_SUPPORT_JQ_REPORT_H

#include "program.h"

/* Adds problems for 'messages', an array of strings (not consumed). */
void report_errors(const program *made, const limen_transform *transform, jv messages,
                   limen_diag *diag);

#endif

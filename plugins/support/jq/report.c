/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - turns jq's messages into problems of a policy. */
#include "report.h"

void
report_errors(const program *made, const limen_transform *transform, jv messages,
              limen_diag *diag)
{
	(void)made;
	jv_array_foreach(messages, i, message) {
		limen_diag_add(diag, LIMEN_PROBLEM, transform->where, "%s",
		               jv_string_value(message));
		jv_free(message);
	}
}

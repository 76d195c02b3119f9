/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include "decision_log.h"
#include "metrics.h"

void
record_decision(service *shared, const record *made)
{
	metrics_count_decision(shared->metrics, made);
	decision_log_add(shared->decisions, made);
}

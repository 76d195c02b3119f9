/* SPDX-License-Identifier: Apache-2.0 */
/*
 * service.c - passes each decision to the metrics and to the decision log.
 */
#include "service.h"

void
record_decision(service *shared, const record *made)
{
	metrics_count_decision(shared->metrics, made);
	decision_log_add(shared->decisions, made);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instance_metrics.h - the status and counters of every instance of the policy as
 * samples, whatever modules there are.
 */
#ifndef LIMEND_INSTANCE_METRICS_H
#define LIMEND_INSTANCE_METRICS_H

#include <glib.h>
#include <limen/value.h>

/* 'root' is what limen_engine_describe() says, or none. */
void instance_metrics_write(limen_value root, GString *out);

#endif

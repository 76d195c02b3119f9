/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instance_metrics.h - writes status and counters of all instances of the policy as samples,
 * whatever their modules are.
 */
#ifndef LIMEND_INSTANCE_METRICS_H
#define LIMEND_INSTANCE_METRICS_H

#include <glib.h>
#include <limen/value.h>

/* Writes the samples.  'root' is the parsed text of limen_engine_describe(), or none. */
void instance_metrics_write(limen_value root, GString *out);

#endif

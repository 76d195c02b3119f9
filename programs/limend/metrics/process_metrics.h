/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process_metrics.h - resource usage of the process, under the names that Prometheus client
 * libraries use.
 */
#ifndef LIMEND_PROCESS_METRICS_H
#define LIMEND_PROCESS_METRICS_H

#include <glib.h>

/* Writes the samples.  Values that /proc (proc(5)) does not provide are left out. */
void process_metrics_write(GString *out);

#endif

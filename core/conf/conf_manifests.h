/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conf_manifests.h - files of Kubernetes that a policy takes as they are:
 * LimitRange manifests, EventRateLimit configurations, and the file that tells
 * kube-apiserver about its plugins.  Each document of a file is either one of
 * them or holds sections of limen, never both.
 */
#ifndef LIMEN_CORE_CONF_CONF_MANIFESTS_H
#define LIMEN_CORE_CONF_CONF_MANIFESTS_H

#include "conf_files.h"

/* The name of the plugin that takes these manifests. */
const char *manifest_plugin_name(manifest_plugin which);

/* Is the document a manifest, by its apiVersion and kind? */
bool manifest_is(limen_value root);

/* Sorts a manifest by the plugin it is for; false when memory is short. */
bool manifest_add(conf *files, limen_value root, limen_diag *diag);

/* Reads the files that manifests name, once all others are read. */
int manifests_finish(conf *files, limen_diag *diag);

#endif

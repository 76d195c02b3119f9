# SPDX-License-Identifier: Apache-2.0
# What is kept of a cluster; tests and a fuzzer compile it once more.
cluster_object_sources = plugins/admission/LimitRanger/cluster/cluster.h \
	plugins/admission/LimitRanger/cluster/object.c \
	plugins/admission/LimitRanger/cluster/objects.c \
	plugins/admission/LimitRanger/range/memory.c \
	plugins/admission/LimitRanger/range/resources.c

admission_LTLIBRARIES += plugins/admission/LimitRanger.la
plugins_admission_LimitRanger_la_SOURCES = $(kube_sources) $(http_error_sources) $(cluster_object_sources) \
	plugins/admission/LimitRanger/LimitRanger.c \
	plugins/admission/LimitRanger/pod/annotation.c \
	plugins/admission/LimitRanger/pod/api_rules.c \
	plugins/admission/LimitRanger/pod/api_warnings.c \
	plugins/admission/LimitRanger/cluster/cluster.c \
	plugins/admission/LimitRanger/cluster/options.c \
	plugins/admission/LimitRanger/cluster/state.c \
	plugins/admission/LimitRanger/cluster/watch.c \
	plugins/support/swap.c plugins/support/swap.h \
	plugins/support/unknown_key.c plugins/support/unknown_key.h \
	plugins/admission/LimitRanger/pod/constraint.c \
	plugins/admission/LimitRanger/pod/defaults.c \
	plugins/admission/LimitRanger/pod/patch.c \
	plugins/admission/LimitRanger/pod/enforce.c \
	plugins/admission/LimitRanger/pod/former.c \
	plugins/admission/LimitRanger/pod/item_scope.c \
	plugins/admission/LimitRanger/cluster/lists.c \
	plugins/admission/LimitRanger/range/fields.c \
	plugins/admission/LimitRanger/range/manifests.c \
	plugins/admission/LimitRanger/lint/notes.c \
	plugins/admission/LimitRanger/range/names.c \
	plugins/admission/LimitRanger/pod/origin.c \
	plugins/admission/LimitRanger/pod/read.c \
	plugins/admission/LimitRanger/pod/total.c \
	plugins/admission/LimitRanger/range/annotations.c \
	plugins/admission/LimitRanger/range/bounds.c \
	plugins/admission/LimitRanger/lint/conflicts.c \
	plugins/admission/LimitRanger/range/default.c \
	plugins/admission/LimitRanger/lint/lint.c \
	plugins/admission/LimitRanger/range/prepare.c \
	plugins/admission/LimitRanger/range/read.c \
	plugins/admission/LimitRanger/range/set.c \
	plugins/admission/LimitRanger/range/status.c \
	plugins/admission/LimitRanger/range/validate.c \
	plugins/admission/LimitRanger/range/resources.h \
	plugins/admission/LimitRanger/scope.c \
	plugins/admission/LimitRanger/pod/text.c \
	plugins/admission/LimitRanger/pod/violation.c \
	plugins/admission/LimitRanger/limit_ranger.h \
	plugins/admission/LimitRanger/pod/pod.h \
	plugins/admission/LimitRanger/range/range.h
plugins_admission_LimitRanger_la_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS)
plugins_admission_LimitRanger_la_LIBADD = liblimen.la $(CURL_LIBS) -lpthread
plugins_admission_LimitRanger_la_LDFLAGS = $(MODULE_LDFLAGS)

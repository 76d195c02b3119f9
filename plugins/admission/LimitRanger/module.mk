# What is kept of a cluster; tests and a fuzzer compile it once more.
cluster_object_sources = plugins/admission/LimitRanger/cluster.h \
	plugins/admission/LimitRanger/cluster_collapse.c \
	plugins/admission/LimitRanger/cluster_crowd.c \
	plugins/admission/LimitRanger/cluster_gone.c \
	plugins/admission/LimitRanger/cluster_kept.c \
	plugins/admission/LimitRanger/cluster_listed.c \
	plugins/admission/LimitRanger/cluster_objects.c \
	plugins/admission/LimitRanger/cluster_served.c \
	plugins/admission/LimitRanger/cluster_shares.c \
	plugins/admission/LimitRanger/cluster_shares.h \
	plugins/admission/LimitRanger/cluster_trim.c \
	plugins/admission/LimitRanger/range_memory.c \
	plugins/admission/LimitRanger/resources.c

admission_LTLIBRARIES += plugins/admission/LimitRanger.la
plugins_admission_LimitRanger_la_SOURCES = $(kube_sources) $(cluster_object_sources) \
	plugins/admission/LimitRanger/LimitRanger.c \
	plugins/admission/LimitRanger/annotation.c \
	plugins/admission/LimitRanger/api_rules.c \
	plugins/admission/LimitRanger/api_warnings.c \
	plugins/admission/LimitRanger/claim.c \
	plugins/admission/LimitRanger/cluster.c \
	plugins/admission/LimitRanger/cluster_options.c \
	plugins/admission/LimitRanger/cluster_state.c \
	plugins/admission/LimitRanger/cluster_watch.c \
	plugins/support/swap.c plugins/support/swap.h \
	plugins/admission/LimitRanger/constraint.c plugins/admission/LimitRanger/constraint.h \
	plugins/admission/LimitRanger/container_defaults.c \
	plugins/admission/LimitRanger/default_patch.c \
	plugins/admission/LimitRanger/enforce.c \
	plugins/admission/LimitRanger/fit.c \
	plugins/admission/LimitRanger/former.c plugins/admission/LimitRanger/former.h \
	plugins/admission/LimitRanger/item_scope.c \
	plugins/admission/LimitRanger/manifests.c \
	plugins/admission/LimitRanger/notes.c \
	plugins/admission/LimitRanger/names.c plugins/admission/LimitRanger/names.h \
	plugins/admission/LimitRanger/origin.c \
	plugins/admission/LimitRanger/pod_read.c \
	plugins/admission/LimitRanger/pod_total.c \
	plugins/admission/LimitRanger/range_annotations.c \
	plugins/admission/LimitRanger/range_bounds.c \
	plugins/admission/LimitRanger/range_conflicts.c \
	plugins/admission/LimitRanger/range_default.c \
	plugins/admission/LimitRanger/range_lint.c \
	plugins/admission/LimitRanger/range_prepare.c \
	plugins/admission/LimitRanger/range_read.c plugins/admission/LimitRanger/range_read.h \
	plugins/admission/LimitRanger/range_set.c \
	plugins/admission/LimitRanger/range_status.c \
	plugins/admission/LimitRanger/range_validate.c \
	plugins/admission/LimitRanger/resources.h \
	plugins/admission/LimitRanger/scope.c \
	plugins/admission/LimitRanger/text.c plugins/admission/LimitRanger/text.h \
	plugins/admission/LimitRanger/violation.c \
	plugins/admission/LimitRanger/work.c plugins/admission/LimitRanger/work.h \
	plugins/admission/LimitRanger/unknown_fields.c plugins/admission/LimitRanger/unknown_fields.h \
	plugins/admission/LimitRanger/limit_ranger.h \
	plugins/admission/LimitRanger/pod.h \
	plugins/admission/LimitRanger/range.h
plugins_admission_LimitRanger_la_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS)
plugins_admission_LimitRanger_la_LIBADD = liblimen.la $(CURL_LIBS) -lpthread
plugins_admission_LimitRanger_la_LDFLAGS = $(MODULE_LDFLAGS)

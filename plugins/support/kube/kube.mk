# SPDX-License-Identifier: Apache-2.0
# A client of Kubernetes for modules: add $(kube_sources) and $(http_error_sources) to their sources,
# $(CURL_CFLAGS) to their CPPFLAGS and $(CURL_LIBS) -lpthread to their LIBADD.
kube_sources = plugins/support/kube/kube.h plugins/support/kube/kube_config.c \
	plugins/support/kube/kube_identity.c \
	plugins/support/kube/kube_lines.c \
	plugins/support/kube/kube_list.c plugins/support/kube/kube_reflector.h \
	plugins/support/kube/kube_session.c plugins/support/kube/kube_session.h \
	plugins/support/kube/kube_stream.c plugins/support/kube/kube_target.c \
	plugins/support/kube/kube_text.c plugins/support/refuse.h \
	plugins/support/kube/kube_watch.c

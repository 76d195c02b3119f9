# SPDX-License-Identifier: Apache-2.0
# How limend is run: in Kubernetes, under systemd, in a container.

include deploy/kubernetes/files.mk
deploy_files = deploy/systemd/limend.socket deploy/systemd/tls.conf \
	deploy/systemd/secrets.conf \
	$(kubernetes_files) \
	deploy/container/Dockerfile deploy/container/runtime-packages
EXTRA_DIST += $(deploy_files) deploy/systemd/limend.service.in
CLEANFILES += deploy/systemd/limend.service

if WITH_SYSTEMD_UNITS
systemdsystemunit_DATA = deploy/systemd/limend.socket
nodist_systemdsystemunit_DATA = deploy/systemd/limend.service
endif

# The directories of make hold variables of the shell, which systemd does not know.
deploy/systemd/limend.service: deploy/systemd/limend.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) deploy/systemd && \
		sed 's,[@]sbindir[@],$(sbindir),' $(srcdir)/deploy/systemd/limend.service.in > $@

# How limend is run: in Kubernetes, under systemd, in a container.

deploy_files = deploy/systemd/limend.socket deploy/systemd/tls.conf \
	deploy/systemd/secrets.conf \
	deploy/kubernetes/kustomization.yaml deploy/kubernetes/namespace.yaml \
	deploy/kubernetes/access.yaml deploy/kubernetes/policy.yaml \
	deploy/kubernetes/deployment.yaml deploy/kubernetes/service.yaml \
	deploy/kubernetes/disruption-budget.yaml deploy/kubernetes/certificate.sh \
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

# SPDX-License-Identifier: Apache-2.0
# How limend is run: in Kubernetes, under systemd, in a container; and limen in CI.

include deploy/kubernetes/files.mk
deploy_files = deploy/systemd/limend.socket deploy/systemd/tls.conf \
	deploy/systemd/secrets.conf \
	$(kubernetes_files) \
	deploy/container/Dockerfile deploy/container/runtime-packages \
	deploy/ci/limen deploy/ci/limen-jq-sandbox deploy/ci/README deploy/ci/make-tarball
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

# limen with its loader and libraries, for CI: build-ci/$(ci_tarball).tar.gz.  Its test, which needs
# root, is no part of "make check".
ci_tarball = limen-$(VERSION)-linux-$(host_cpu)
make_ci_tarball = $(SHELL) $(abs_top_srcdir)/deploy/ci/make-tarball $(abs_top_builddir)/build-ci/root \
	'$(bindir)' '$(libdir)' '$(moduledir)' '$(jqdir)' '$(pkglibexecdir)' \
	$(VERSION) $(ci_tarball)
ci-tarball: all
	rm -rf build-ci && $(MKDIR_P) build-ci
	$(MAKE) $(AM_MAKEFLAGS) install DESTDIR='$(abs_top_builddir)/build-ci/root' > build-ci/install.log
	cd build-ci && $(make_ci_tarball)

check-ci-tarball: ci-tarball
	$(MKDIR_P) build-ci/again && cd build-ci/again && umask 077 && $(make_ci_tarball)
	$(SHELL) $(srcdir)/tests/ci/check.sh build-ci/$(ci_tarball).tar.gz build-ci/again/$(ci_tarball).tar.gz

# The image, by docker, podman or "buildah --storage-driver vfs"; what it is built from is what a
# release would hold.
CONTAINER = docker
CONTAINER_FLAGS =
container:
	@test ! -d build-container || chmod -R u+w build-container
	rm -rf build-container && $(MKDIR_P) build-container
	$(MAKE) $(AM_MAKEFLAGS) distdir distdir=build-container/source
	@chmod -R u+w build-container
	$(CONTAINER) build -t limend $(CONTAINER_FLAGS) \
		--label org.opencontainers.image.version='$(VERSION)' \
		--label org.opencontainers.image.revision="`git -C $(srcdir) rev-parse HEAD 2> /dev/null`" \
		-f build-container/source/deploy/container/Dockerfile build-container/source

# With buildah and a Debian that debootstrap makes, which takes long and needs root and a network.
check-container:
	@cd $(srcdir) && PACKAGES='$(PACKAGES)' build-aux/install-packages --deb
	$(SHELL) $(srcdir)/tests/container/check.sh '$(MAKE)' $(SUITE) $(VERSION)

.PHONY: ci-tarball check-ci-tarball container check-container

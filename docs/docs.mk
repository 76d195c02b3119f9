# SPDX-License-Identifier: Apache-2.0
# Documents, examples and the pages of modules are installed in the folders they have in the
# sources, so that links lead somewhere and the commands of a page work there.
doc_files = (cd $(srcdir) && find README.md conf.d docs plugins -type f \( \
	-path 'conf.d/*' -o -path 'docs/examples/*' -o -name '*.md' -o -name '*.png' -o \
	-name '*.svg' -o -name example.json -o -name policy.schema.json \) ! -name '.*' ! -path '*/.*' ! -name '*.l[ao]' \
	! -name '*.o' ! -name '*.so' | LC_ALL=C sort)

top_documents = $(srcdir)/README.md $(srcdir)/NEWS $(srcdir)/NOTICE $(srcdir)/SECURITY.md

install-docs:
	@$(doc_files) > docs-list
	@for folder in `sed -n 's,/[^/]*$$,,p' docs-list | uniq`; do \
		$(MKDIR_P) "$(DESTDIR)$(docdir)/$$folder" && \
		(cd $(srcdir) && $(INSTALL_DATA) `grep -x "$$folder/[^/]*" \
			$(abs_builddir)/docs-list` "$(DESTDIR)$(docdir)/$$folder") || exit 1; \
	done
	@$(INSTALL_DATA) $(top_documents) "$(DESTDIR)$(docdir)"
	@rm -f docs-list

uninstall-docs:
	@$(doc_files) | (cd "$(DESTDIR)$(docdir)" 2> /dev/null && xargs rm -f NEWS NOTICE SECURITY.md) || :
	@for folder in conf.d docs plugins; do \
		find "$(DESTDIR)$(docdir)/$$folder" -depth -type d -exec rmdir {} \; 2> /dev/null || :; \
	done
	@rmdir "$(DESTDIR)$(docdir)" 2> /dev/null || :

install-data-local: install-docs
uninstall-local: uninstall-docs
.PHONY: install-docs uninstall-docs

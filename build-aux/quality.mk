# SPDX-License-Identifier: Apache-2.0
# The tests and the sources seen by other tools: valgrind, sanitizers, another
# compiler, coverage, analysers of sources, mutations.  docs/testing.md says when.

valgrind = valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
	--errors-for-leak-kinds=definite --suppressions=$(abs_top_srcdir)/tests/valgrind.supp

# Scripts whose limen, limend and limend-lab are under valgrind.  Each program takes seconds to
# start then: a script belongs here once it has been seen to end well.  Those that bound time,
# memory, files or system calls of the programs, or load or kill daemons for long, cannot.
valgrind_scripts = tests/cli/check.sh tests/cli/lint.sh
check-valgrind: all
	@command -v valgrind > /dev/null || { echo 'valgrind is not installed: build-aux/install-packages --bench' >&2; exit 1; }
	$(MAKE) $(AM_MAKEFLAGS) check \
		script_tests='$(valgrind_scripts)' \
		LOG_COMPILER='env LIMEN_ALWAYS_MALLOC=1 timeout -k 10 3600 $(valgrind)' \
		SH_LOG_COMPILER='env VALGRIND="$(valgrind)" timeout -k 10 3600 \
			$(abs_top_srcdir)/build-aux/script-under-valgrind $(SHELL)'

# Each variant is built from a copy of what a release would hold, in a directory
# of its own, since a configured source tree cannot be configured elsewhere too.
# clang finds undefined behaviour that GCC does not, such as an offset that leaves an array,
# and its warnings are seen on the way.
check-asan:
	$(MAKE) $(AM_MAKEFLAGS) check-variant variant=build-asan $(sanitized) \
		variant_flags='CC=clang --enable-werror --enable-sanitizers=address,undefined'

check-ubsan:
	$(MAKE) $(AM_MAKEFLAGS) check-variant variant=build-ubsan $(sanitized) \
		variant_flags='CC=clang --enable-werror --enable-sanitizers=undefined'

check-tsan:
	$(MAKE) $(AM_MAKEFLAGS) check-variant variant=build-tsan $(sanitized) \
		variant_flags='--enable-sanitizers=thread'

# Scripts that read sources or compile headers, and run nothing in which a sanitizer could find
# something: "make check" alone has them.
plain_scripts = tests/meta/failures.sh tests/meta/metrics.sh tests/meta/needs.sh \
	tests/meta/places.sh tests/headers/headers.sh tests/abi/exports.sh tests/python/hints.sh
sanitized = left_out='$(plain_scripts)'
left_out =

check-clang:
	$(MAKE) $(AM_MAKEFLAGS) check-variant variant=build-clang \
		variant_flags='CC=clang --enable-werror'

# Do the core and the modules compile with musl?  Nothing is linked: the headers of other libraries
# are those of this system, which are compiled for glibc.
MUSL_CC = musl-gcc
musl_flags = -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -D_GNU_SOURCE -I$(abs_top_builddir)/include \
	-Iinclude -iquote core $(place_cppflags) -DLIMEN_JQDIR='""' -DLIMEN_JQ_SANDBOX='""' \
	`echo '$(JANSSON_CFLAGS) $(PCRE2_CFLAGS) $(YAML_CFLAGS) $(GLIB_CFLAGS) $(CURL_CFLAGS) \
		$(CARES_CFLAGS) $(HIREDIS_CFLAGS) $(JQ_CFLAGS) $(SECCOMP_CFLAGS) -I/usr/include' | \
		sed -E 's/-(I|isystem) */-idirafter /g'` -idirafter /usr/include/`$(CC) -print-multiarch`
check-musl:
	@command -v $(MUSL_CC) > /dev/null || { echo 'musl is not installed: build-aux/install-packages --ci' >&2; exit 1; }
	cd $(srcdir) && find core plugins -name '*.c' | LC_ALL=C sort | xargs -P 2 -n 10 $(MUSL_CC) $(musl_flags)

# Does the library alone build and install, where pkg-config finds nothing but what it needs, and
# load a policy for a module of the program's own?  So does a program that is linked statically with
# what "pkg-config --static" says.  Without identifiers every task is refused: 1.
alone_flags = --prefix=/usr --libdir=/usr/lib --disable-programs --enable-static --disable-lto CFLAGS=-O0
alone_program = $(CC) -DLIMEN_MODULE_SYMBOL=cap_module -Iroot/usr/include \
	source/tests/embed/built_in.c source/docs/examples/cap/cap.c
alone_policy = {"limits": [{"name": "n", "description": "", "type": "cap", "data": {"path": "/n", "max": 1}}]}
check-alone:
	@$(MKDIR_P) build-alone/pkgconfig
	@for name in jansson libpcre2-8 yaml-0.1; do \
		ln -sf `$(PKG_CONFIG) --variable=pcfiledir $$name`/$$name.pc build-alone/pkgconfig || exit 1; \
	done
	$(MAKE) $(AM_MAKEFLAGS) make-variant variant=build-alone \
		variant_flags='$(alone_flags) PKG_CONFIG_LIBDIR=$(abs_builddir)/build-alone/pkgconfig'
	cd build-alone && $(MAKE) $(AM_MAKEFLAGS) install DESTDIR=`pwd`/root
	cd build-alone && $(alone_program) -Lroot/usr/lib -Wl,-rpath,`pwd`/root/usr/lib -llimen -o built_in
	cd build-alone && $(alone_program) -static `PKG_CONFIG_LIBDIR=root/usr/lib/pkgconfig:pkgconfig \
		PKG_CONFIG_SYSROOT_DIR="$$PWD"/root $(PKG_CONFIG) --static --libs limen` -o built_in_static
	cd build-alone && echo '$(alone_policy)' > policy.json && for program in ./built_in ./built_in_static; do \
		$$program policy.json '{}'; test $$? = 1 || exit 1; \
	done

variant_dirs = build-asan build-ubsan build-tsan build-clang build-coverage build-lint \
	build-analyzer build-mutations build-alone

make-variant:
	@$(MKDIR_P) $(variant)
	$(MAKE) $(AM_MAKEFLAGS) distdir distdir=$(variant)/source
	@chmod -R u+w $(variant)/source
	cd $(variant) && { test -f config.status || source/configure $(variant_flags); }

check-variant: make-variant
	cd $(variant) && $(MAKE) $(AM_MAKEFLAGS) check \
		script_tests='$(filter-out $(left_out),$(script_tests))'

# How much of the core, of the modules and of the programs the tests run.  What ends by a signal
# does not count.  It fails if they run less than coverage_floor percent of the lines of a program.
# tree.c is compiled twice, with other functions, which gcovr cannot merge.
coverage_floor = 90
coverage_cflags = --coverage -fprofile-update=atomic
coverage:
	@cd $(srcdir) && PACKAGES='$(PACKAGES)' build-aux/install-packages --lint
	$(MAKE) $(AM_MAKEFLAGS) make-variant variant=build-coverage \
		variant_flags='--disable-hardening --disable-lto CFLAGS="-O0 -g"'
	find build-coverage -name '*.gcda' -exec rm -f {} +
	cd build-coverage && $(MAKE) $(AM_MAKEFLAGS) -k check SANITIZE_CFLAGS='$(coverage_cflags)' || \
		echo 'some tests failed; what they ran counts all the same' >&2
	@$(MKDIR_P) build-coverage/report
	cd build-coverage && gcovr --root source --object-directory . \
		--filter 'source/core/' --filter 'source/plugins/' --exclude-unreachable-branches \
		--html-details report/index.html --txt report/summary.txt --print-summary \
		core plugins
	cd build-coverage && for program in limen limend common; do \
		echo "programs/$$program" && \
		gcovr --root source --object-directory . --filter "source/programs/$$program/" \
			--exclude source/programs/common/tree.c --exclude-unreachable-branches \
			--txt report/$$program.txt --print-summary --fail-under-line $(coverage_floor) \
			programs installed || exit 1; \
	done
	@echo 'by file: build-coverage/report/*.txt, line by line: build-coverage/report/index.html'

# What analysers of sources find: clang-tidy (.clang-tidy), cppcheck, GCC's own.  The
# first two need no build, only to know how each file would be compiled.
lint: lint-tidy lint-cppcheck lint-analyzer

lint_made = programs/limen/cli/look.c programs/limen/module/skeletons.c \
	programs/limend/endpoint/ui_assets.c
lint-commands:
	@cd $(srcdir) && PACKAGES='$(PACKAGES)' build-aux/install-packages --lint
	$(MAKE) $(AM_MAKEFLAGS) make-variant variant=build-lint variant_flags=CC=clang
	cd build-lint && $(MAKE) $(AM_MAKEFLAGS) $(lint_made)
	cd build-lint && $(MAKE) $(AM_MAKEFLAGS) -n V=1 all > commands && \
		source/build-aux/compile-commands < commands > compile_commands.json

lint-tidy: lint-commands
	cd build-lint && run-clang-tidy -quiet -p . '/(core|plugins|programs)/'

lint-cppcheck: lint-commands
	cd build-lint && cppcheck --project=compile_commands.json --quiet --error-exitcode=1 \
		--enable=warning,performance,portability --inline-suppr \
		--suppressions-list=source/build-aux/cppcheck.supp

# It loses sight of what is kept in a list, or some bytes behind its start; leaks are what
# the tests look for with the address sanitizer.
analyzer_cflags = -O1 -g -fanalyzer -Wno-analyzer-malloc-leak
lint-analyzer:
	$(MAKE) $(AM_MAKEFLAGS) make-variant variant=build-analyzer \
		variant_flags='CC=gcc --enable-werror --disable-lto CFLAGS="$(analyzer_cflags)"'
	cd build-analyzer && $(MAKE) $(AM_MAKEFLAGS) -k all

# Which wrong tokens of the decision logic no test notices (tests/meta/mutate.py).  With
# the address sanitizer, so that one step too far is noticed.  MUTANTS names files, or
# numbers.
mutate = python3 $(abs_top_srcdir)/tests/meta/mutate.py
mutations = $(abs_top_srcdir)/tests/meta/mutations.txt
check-mutations:
	$(MAKE) $(AM_MAKEFLAGS) make-variant variant=build-mutations \
		variant_flags='--enable-sanitizers=address,undefined'
	$(mutate) rewrite $(mutations) build-mutations/source > build-mutations/rewritten
	cd build-mutations && $(MAKE) $(AM_MAKEFLAGS) make-mutants \
		mutants_tests="`$(mutate) programs $(mutations)`"
	cd build-mutations && $(MAKE) $(AM_MAKEFLAGS) -s try-mutants \
		MUTANTS='$(MUTANTS)' mutants_of='$(abs_top_srcdir)'

# These two are made in the build of the mutants.  The memory of one may not grow for ever.
make-mutants: all $(check_LTLIBRARIES) $(mutants_tests)

try-mutants:
	@$(test_environment) ASAN_OPTIONS="$$ASAN_OPTIONS:hard_rss_limit_mb=2000"; \
		$(mutate) run $(mutations) '$(mutants_of)' $(MUTANTS)

.PHONY: check-mutations make-mutants try-mutants check-valgrind check-asan check-ubsan check-tsan check-clang check-musl check-alone make-variant check-variant \
	coverage lint lint-tidy lint-cppcheck lint-analyzer lint-commands

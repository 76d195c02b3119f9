# SPDX-License-Identifier: Apache-2.0
# Sources that tests share.
suite_sources = tests/kit/suite.c tests/kit/suite_main.c tests/kit/suite.h tests/kit/sanitizers.h

# The kit for authors of modules; it is installed.
lib_LTLIBRARIES += liblimen-testkit.la
pkgconfig_DATA += limen-testkit.pc
liblimen_testkit_la_SOURCES = tests/kit/testkit.c
liblimen_testkit_la_LIBADD = liblimen.la
liblimen_testkit_la_LDFLAGS = -version-info 0:0:0 -no-undefined $(HARDEN_LDFLAGS) \
	$(NO_UNDEFINED_LDFLAGS) -Wl,--version-script=$(srcdir)/tests/kit/testkit.map $(KIT_RUNPATH)
liblimen_testkit_la_DEPENDENCIES = liblimen.la tests/kit/testkit.map
EXTRA_DIST += tests/kit/testkit.map

# Tables of cases for modules, on top of that kit.
check_LTLIBRARIES += libplugintest.la
libplugintest_la_SOURCES = tests/kit/plugin.c tests/kit/plugin.h \
	tests/kit/local_net.c tests/kit/local_net.h tests/kit/server_parts.h \
	tests/kit/fake_dns.c tests/kit/fake_dns.h tests/kit/knot_suite.c \
	tests/kit/kube_server.c tests/kit/kube_server.h \
	tests/kit/redis_server.c tests/kit/redis_server.h
libplugintest_la_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
libplugintest_la_LDFLAGS =
plugin_ldadd = libplugintest.la libwebtest.la liblimen-testkit.la $(engine_ldadd) -lpthread

# Servers for tests: name servers and web servers that behave, and a web server
# that does not; for tests and for programs that are none.
check_LTLIBRARIES += libwebtest.la
libwebtest_la_SOURCES = tests/kit/http_server.c tests/kit/http_server.h \
	tests/kit/knot.c tests/kit/knot.h tests/kit/lab.c tests/kit/lab.h \
	tests/kit/nginx.c tests/kit/nginx.h tests/kit/remove_tree.c tests/kit/remove_tree.h
libwebtest_la_LDFLAGS =
web_ldadd = $(plugin_ldadd)
test_helpers += tests/kit/serve
tests_kit_serve_LDADD = libwebtest.la -lpthread

# Disks that fail: what the program's own objects ask of files can be refused.
fail_io_sources = tests/kit/fail_io.c tests/kit/fail_io.h
fail_io_wraps = -Wl,--wrap=open -Wl,--wrap=read -Wl,--wrap=__read_chk -Wl,--wrap=write \
	-Wl,--wrap=send -Wl,--wrap=fwrite -Wl,--wrap=fflush -Wl,--wrap=fsync \
	-Wl,--wrap=ftruncate -Wl,--wrap=rename

# Calls of jq expressions, for tests of what scripts may import.
check_LTLIBRARIES += libjqtest.la
libjqtest_la_SOURCES = tests/kit/jq_call.c tests/kit/jq_call.h
libjqtest_la_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS) $(JQ_CFLAGS)
libjqtest_la_LDFLAGS =
EXTRA_DIST += tests/kit/kube_server.py

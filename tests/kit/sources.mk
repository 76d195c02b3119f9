# What the tests share.
suite_sources = tests/kit/suite.c tests/kit/suite.h

# The kit for authors of modules; it is installed.
lib_LTLIBRARIES += liblimen-testkit.la
pkgconfig_DATA += limen-testkit.pc
liblimen_testkit_la_SOURCES = tests/kit/testkit.c
liblimen_testkit_la_LIBADD = liblimen.la
liblimen_testkit_la_LDFLAGS = -version-info 0:0:0 -no-undefined $(HARDEN_LDFLAGS) \
	$(NO_UNDEFINED_LDFLAGS)

# Tables of cases for modules, on top of that kit.
check_LTLIBRARIES += libplugintest.la
libplugintest_la_SOURCES = tests/kit/plugin.c tests/kit/plugin.h \
	tests/kit/local_net.c tests/kit/local_net.h \
	tests/kit/fake_dns.c tests/kit/fake_dns.h tests/kit/knot.c tests/kit/knot.h
libplugintest_la_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
libplugintest_la_LDFLAGS =
plugin_ldadd = libplugintest.la liblimen-testkit.la $(engine_ldadd)

# Web servers for tests: one that behaves and one that does not.
check_LTLIBRARIES += libwebtest.la
libwebtest_la_SOURCES = tests/kit/http_server.c tests/kit/http_server.h \
	tests/kit/nginx.c tests/kit/nginx.h
libwebtest_la_LDFLAGS =
web_ldadd = libwebtest.la $(plugin_ldadd) -lpthread
test_helpers += tests/kit/serve
tests_kit_serve_LDADD = libwebtest.la -lpthread

# Calls of jq expressions, for tests of what scripts may import.
check_LTLIBRARIES += libjqtest.la
libjqtest_la_SOURCES = tests/kit/jq_call.c tests/kit/jq_call.h
libjqtest_la_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS) $(JQ_CFLAGS)
libjqtest_la_LDFLAGS =

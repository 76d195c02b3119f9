# SPDX-License-Identifier: Apache-2.0
limit_LTLIBRARIES += plugins/limit/pass-fail.la
plugins_limit_pass_fail_la_SOURCES = plugins/limit/pass-fail/pass-fail.c
plugins_limit_pass_fail_la_LIBADD = liblimen.la
plugins_limit_pass_fail_la_LDFLAGS = $(MODULE_LDFLAGS)

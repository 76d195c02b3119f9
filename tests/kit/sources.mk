# What the tests share.
suite_sources = tests/kit/suite.c tests/kit/suite.h

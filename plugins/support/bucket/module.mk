# SPDX-License-Identifier: Apache-2.0
# Buckets in memory, which the stores share.  Linked into each of them, since they
# share no state.
noinst_LTLIBRARIES += plugins/support/bucket/libbucket.la
plugins_support_bucket_libbucket_la_SOURCES = \
	plugins/support/bucket/bucket.c plugins/support/bucket/bucket.h \
	plugins/support/bucket/key_hash.c plugins/support/bucket/key_hash.h \
	plugins/support/bucket/pages.c \
	plugins/support/bucket/shard.c plugins/support/bucket/shard.h \
	plugins/support/bucket/table.c plugins/support/bucket/table.h \
	plugins/support/bucket/spin.h \
	plugins/support/bucket/take.c

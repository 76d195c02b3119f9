# Manual pages: part of a release as they are.
dist_man_MANS = docs/man/limen.1
dist_man_MANS += docs/man/limen-audit.1
dist_man_MANS += docs/man/limen-buckets.1
dist_man_MANS += docs/man/limen-check.1
dist_man_MANS += docs/man/limen-describe.1
dist_man_MANS += docs/man/limen-explain.1
dist_man_MANS += docs/man/limen-get.1
dist_man_MANS += docs/man/limen-graph.1
dist_man_MANS += docs/man/limen-module.1
dist_man_MANS += docs/man/limen-replay.1
dist_man_MANS += docs/man/limen-suggest.1
dist_man_MANS += docs/man/limen-test.1
dist_man_MANS += docs/man/limen-top.1
dist_man_MANS += docs/man/limen-validate.1
dist_man_MANS += docs/man/limen-webhook-config.1
dist_man_MANS += docs/man/limend.8
dist_man_MANS += docs/man/limen-policy.5

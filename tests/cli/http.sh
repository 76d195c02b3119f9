#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# HTTP requests of options, batch lines, tests and logs.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

cat > api.yaml << 'END'
identifiers:
  - { name: internal, type: ip-cidr-list, data: { cidrs: [ 10.0.0.0/8 ] } }
  - { name: app, type: header, data: { name: X-Client, prefix: mobile/ } }
limits:
  - { name: per-token, type: rate, data: { rate: 1/min, key: [ "header:authorization", requester ] } }
applications: [ { identifier: internal, apply: [] }, { identifier: app, apply: [] }, { apply: [ per-token ] } ]
END

run check --policy api.yaml --method GET --path '/users?x=1' --client 10.0.0.1
prints 'a client of an internal network' 0 << 'END'
admitted: application 1 passes
END
run check --policy api.yaml --method GET --path / --client 192.0.2.1 --header 'X-Client: mobile/1' --format json
mentions 'a header in any case' out '"classifiers":["app"]'
run check --policy api.yaml --method GET --path / --client 192.0.2.1 --header X-Client:mobile/1 --header x-client:no -q
mentions 'a header that came twice' out "header 'x-client' came several times"
ended 'is malformed' 1
run check --policy api.yaml --method GET --path /
mentions 'the policy wants an address' out 'the address of the client is not known'
while read -r options; do
	read -r message
	# shellcheck disable=SC2086
	run check --policy api.yaml $options
	complains "wrong usage: $options" 2 << END
limen: $message
Try 'limen check --help'.
END
done << 'END'
--method GET --path x --client ::1
--path takes a path in UTF-8 that begins with '/', not 'x'
--method GET --path / --client 192.0.2.256
--client takes an IP address, not '192.0.2.256'
--method GET --path / --header a:b --header ab
--header takes NAME:VALUE, not 'ab'
--method= --path /
--method takes a method such as GET, not ''
--client ::1
--method and --path belong together; --header and --client need both
END
for options in '--method GET' '--path /' '--header a:b' '--client ::1' '--method GET --path / task.json' \
	'--method GET --path / --batch -' '--method GET --path / --task'; do
	# shellcheck disable=SC2086
	run check --policy api.yaml $options
	ended "wrong usage: $options" 2
done

run check --policy api.yaml --method GET --path "$(printf '/\377')"
ended 'a path that is not UTF-8' 2

cat > lines << 'END'
{"id":1,"time":0,"http":{"method":"GET","path":"/","client":"192.0.2.1","headers":{"authorization":"secret"}}}
{"id":2,"time":1,"http":{"method":"GET","path":"/","client":"192.0.2.1","headers":{"authorization":"secret"}}}
{"id":3,"time":1,"http":{"method":"GET","path":"/","client":"192.0.2.1","headers":{"authorization":"other"}}}
{"id":4,"time":1,"http":{"method":"GET"}}
END
run check --policy api.yaml --batch lines
mentions 'a line is admitted' out '{"id":1,"admitted":true'
mentions 'another is not' out '{"id":2,"admitted":false,"code":429'
mentions 'another token is' out '{"id":3,"admitted":true'
mentions 'one is malformed' out "{\"id\":4,\"error\":{\"message\":\"'path' must begin with '/'\""
ok 'the token is not shown' sh -c '! grep -q secret out'

cat > api.test.yaml << 'END'
policy: api.yaml
tests:
- name: one a minute
  http: { method: GET, path: /, client: 192.0.2.1, headers: { authorization: a } }
  time: 0
  steps:
  - { expect: { verdict: admitted } }
  - { expect: { verdict: refused, code: 429, entry: per-token } }
  - { http: { method: GET, path: /, client: 10.0.0.1 }, expect: { classifiers: [ internal ] } }
- { name: malformed, http: { method: GET, path: / }, expect: { verdict: refused, code: 400 } }
END
run test api.test.yaml
ended 'a test file' 0

cat > log << 'END'
{"time":"1970-01-01T00:00:00Z","endpoint":"/v1/gate/forward","subject":"http","requester":"192.0.2.1","verdict":"admitted","code":200,"hints":{"requester":"192.0.2.1"},"http":{"method":"GET","path":"/","headers":{"authorization":"sha256:1"}}}
{"time":"1970-01-01T00:00:01Z","endpoint":"/v1/gate/forward","subject":"http","requester":"192.0.2.1","verdict":"admitted","code":200,"hints":{"requester":"192.0.2.1"},"http":{"method":"GET","path":"/","headers":{"authorization":"sha256:1"}}}
{"time":"1970-01-01T00:00:02Z","endpoint":"/v1/gate/forward","subject":"http","requester":"192.0.2.1","verdict":"admitted","code":200}
END
run replay --policy api.yaml --format json log
mentions 'a decision log' out '"code":429'
run replay --policy api.yaml --against api.yaml lines
ended 'questions' 0

finish

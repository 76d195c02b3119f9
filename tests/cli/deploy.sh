#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# deploy.sh - what deploys limend, as far as it can be looked at without a cluster,
# a service manager or a builder of images.  "make check-kubernetes" applies the
# manifests to a real API server.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

: "${LIMEN_BUILDDIR:?}" "${LIMEND:?}"
manifests=$LIMEN_SRCDIR/deploy/kubernetes

# ---- Kubernetes ----

KUBERNETES_SERVICE_HOST=192.0.2.1
KUBERNETES_SERVICE_PORT=443
export KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT
events=$manifests/components/events/events.yaml
limits=$manifests/components/limits/limits.yaml
for policy in "$manifests"/components/*/events.yaml "$manifests"/components/*/limits.yaml; do
	run validate "$policy"
	ended "${policy##*/} is a policy" 0
done
run validate --format json "$events" "$limits" "$manifests/components/redis/store.yaml"
ended 'they combine, with a store' 0

for ranges in kubernetes/limits.yaml webhook/limits.yaml; do
	run check --policy "$LIMEN_SRCDIR/docs/examples/$ranges" "$manifests/base/deployment.yaml"
	ended "the pods are admitted by the LimitRanges of $ranges" 0
	ok '  without a warning' test ! -s err
	ok '  and were looked at' grep -q 'memory *64Mi (given) *1Gi (given)' out
done

for directory in "$manifests/base" "$manifests"/components/*/; do
	for file in "$directory"/*.*; do
		name=${file##*/}
		[ "$name" = kustomization.yaml ] || ok "$name is in the kustomization beside it" \
			grep -q "\(- \|- path: \)$name\$" "$directory/kustomization.yaml"
	done
done

for component in events limits workload-warnings; do
	directory=$manifests/components/$component
	case $component in
	workload-warnings) run webhook-config --policy "$directory/limits.yaml" --only-workloads ;;
	*) run webhook-config --policy "$directory/$component.yaml" "--only-$component" ;;
	esac
	sed '/^#/d' "$directory/webhooks.yaml" > expected
	ok "the webhooks of $component are those that its policy needs" diff expected out
done

ok 'the policies of limits and workload-warnings are one' cmp \
	"$manifests/components/limits/limits.yaml" "$manifests/components/workload-warnings/limits.yaml"

run webhook-config --format json
ok 'limen webhook-config names the Service there is' python3 - "$manifests" << 'END'
import json, re, sys
service = json.load(open("out"))["items"][0]["webhooks"][0]["clientConfig"]["service"]
text = open(sys.argv[1] + "/base/service.yaml").read()
assert re.search(r"^  name: %s$" % service["name"], text, re.M), service
assert re.search(r"^  namespace: %s$" % service["namespace"], text, re.M), service
assert re.search(r"^    port: %d$" % service["port"], text, re.M), service
END

# ---- its certificate ----

cat > kubectl << 'END'
#!/bin/sh
if [ "$1" = apply ]; then
	cat > applied
	exit
fi
while [ $# -gt 0 ]; do
	case $1 in
	--cert) cp "$2" tls.crt ;;
	--key) cp "$2" tls.key ;;
	esac
	shift
done
END
chmod +x kubectl
made() {
	COMPONENT=$work KUBECTL=$work/kubectl sh "$manifests/certificate.sh" ca > out 2>&1
}
ok 'certificate.sh makes a certificate' made
cat ca/ca.crt > first.ca
cat tls.crt > first.crt
ok 'for the Service' openssl verify -x509_strict -purpose sslserver -verify_hostname limend.limen.svc \
	-CAfile ca/ca.crt tls.crt
ok 'and for nothing else' sh -c \
	'! openssl verify -verify_hostname localhost -CAfile ca/ca.crt tls.crt'
ok 'that limen webhook-config takes' "$LIMEN" webhook-config --ca-file ca/ca.crt
# trusts FILE...: webhooks.yaml has these certificates as the caBundle
trusts() {
	cat "$@" > expected
	sed -n 's/^  value: //p' webhooks.yaml | base64 -d > found
	cmp expected found
}
ok 'and that webhooks.yaml has' trusts ca/ca.crt
ok 'which others may read' test "$(stat -c %a webhooks.yaml)" = 644
ok 'whose key nobody else can read' test "$(stat -c %a ca/ca.key)" = 600
ok 'and another one' made
ok 'of the same authority' cmp ca/ca.crt first.ca
ok 'with another serial number' sh -c '! cmp -s tls.crt first.crt'
ok 'that fits its key' test "$(openssl x509 -in tls.crt -noout -pubkey)" = \
	"$(openssl pkey -in tls.key -pubout)"

rm tls.crt
ok 'an authority alone' env DRY_RUN=1 TRUST=ca/ca.crt COMPONENT="$work" KUBECTL="$work/kubectl" \
	sh "$manifests/certificate.sh" other
ok '  is trusted beside another' trusts other/ca.crt ca/ca.crt
ok '  changes nothing in the cluster' test -s other/ca.crt -a ! -e tls.crt
mkdir failing
printf '#!/bin/sh\necho "no more chance" >&2\nexit 1\n' > failing/openssl
chmod +x failing/openssl
PATH=$work/failing:$PATH COMPONENT=$work KUBECTL=$work/kubectl sh "$manifests/certificate.sh" third > out 2> err
ok 'what openssl says is told if it fails' test $? = 1 -a "$(cat err)" = 'no more chance'
mkdir told
# tell ARGUMENT...: runs it where nothing is
tell() {
	(cd told && COMPONENT=$work/told KUBECTL=false sh "$manifests/certificate.sh" "$@") > out 2> err
}
for option in --help -h; do
	tell $option
	ok "certificate.sh $option explains it" test $? = 0 -a ! -s err
	ok '  with its usage' grep -q '^usage: certificate.sh ' out
done
for option in --dry-run -n ''; do
	tell "$option"
	ok "certificate.sh '$option' is refused" test $? = 2
	ok '  with its usage' grep -q '^usage: certificate.sh ' err
done
tell one two
ok 'so are two directories' test $? = 2
ok 'and nothing is made' test -z "$(ls -A told)"

# ---- systemd ----

unit=$LIMEN_BUILDDIR/deploy/systemd/limend.service
ok 'the unit starts what is installed' grep -q '^ExecStart=/[^ $]*/limend ' "$unit"
sleep 60 &
waited=$!
reload=$(sed -n 's/^ExecReload=//p' "$unit" | sed 's/\$\$/$/g')
ok 'what reloads it sends the signal' env MAINPID=$waited sh -c "$reload"
wait "$waited"
ok '  which is SIGHUP' test "$(kill -l $?)" = HUP
ok 'it has no more than a share of the memory' grep -q '^MemoryMax=[0-9]*%$' "$unit"
ok '  and starts again when it had that' sh -c 'grep -qx Restart=on-failure "$1" &&
	grep -qx OOMPolicy=continue "$1"' sh "$unit"
if command -v systemd-analyze > /dev/null; then
	mkdir -p units/limend.service.d
	# What is installed is not.
	sed "s,^ExecStart=[^ ]*,ExecStart=$LIMEND," "$unit" > units/limend.service
	cp "$LIMEN_SRCDIR/deploy/systemd/limend.socket" units
	# With what is a comment until it is wanted.
	sed 's/^#\([A-Z][A-Za-z]*=\)/\1/' "$LIMEN_SRCDIR/deploy/systemd/secrets.conf" \
		> units/limend.service.d/secrets.conf
	cp "$LIMEN_SRCDIR/deploy/systemd/tls.conf" units/limend.service.d
	SYSTEMD_UNIT_PATH=$work/units: systemd-analyze verify --man=no units/limend.service \
		units/limend.socket > out 2>&1
	report $? 'systemd takes the units' out
	# It fails for mistakes and warns of others, such as unknown keys.
	ok '  without a warning' sh -c '! grep units/ out'
	systemd-analyze security --offline=true --threshold=15 units/limend.service > out 2>&1
	report $? 'which are exposed by 1.5 of 10 at most' out
else
	skip 'systemd takes the units' 'there is no systemd-analyze'
fi

# ---- the container ----

# All of them are installed here, where this build runs.
are_installed() {
	while read -r package; do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" | grep -q '^installed$' || return 1
	done < packages
}

if [ -n "${SANITIZE_CFLAGS:-}" ] || ! command -v objdump > /dev/null ||
	! command -v dpkg > /dev/null; then
	skip 'the image has every library' 'sanitizers, or no objdump or dpkg'
else
	container=$LIMEN_SRCDIR/deploy/container
	sh "$container/runtime-packages" "$LIMEN_BUILDDIR/.libs" "$LIMEN_BUILDDIR/plugins" > packages
	report $? 'programs and modules need packages' packages
	ok '  of libraries' grep -q '^libjq1$' packages
	ok '  not of limen itself' sh -c '! grep limen packages'
	ok '  that exist' are_installed
	ok '  and the image installs them' grep -q 'install .* < /runtime-packages' "$container/Dockerfile"
	mkdir none
	sh "$container/runtime-packages" none > out 2> err
	ok 'a directory without programs is refused' test $? = 1 -a ! -s out -a -s err
fi

finish

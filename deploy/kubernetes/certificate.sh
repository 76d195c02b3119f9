#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# certificate.sh - makes the certificate that limend shows to API servers, and puts it
# into the cluster as the Secret limend-tls.  Writes webhooks.yaml, by which the webhooks
# trust its authority, into the component "certificate".  Run again it renews the
# certificate, which limend loads without a restart.  It needs openssl and kubectl.
#
#	certificate.sh [DIRECTORY]
#
# DIRECTORY, "limen-ca" if not given, keeps the authority: ca.crt, and ca.key, which
# never goes into the cluster, for the next certificate.
set -eu

usage="usage: certificate.sh [DIRECTORY]
Makes the certificate of limend, puts it into the cluster as the Secret limend-tls, and
writes webhooks.yaml.  DIRECTORY (limen-ca) keeps the authority.  Variables:
  DAYS (365)           how long the certificate is valid
  NAMESPACE (limen)    namespace of limend
  SERVICE (limend)     its Service
  COMPONENT            directory for webhooks.yaml (components/certificate beside the script)
  TRUST                certificates of further authorities, for webhooks.yaml
  KUBECTL (kubectl)    command
  DRY_RUN=1            make the authority and webhooks.yaml, but no Secret"
case ${1-} in
-h | --help)
	echo "$usage"
	exit 0
	;;
esac
case $#,${1-} in
0, | 1,[!-]*) ;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac

directory=${1:-limen-ca}
namespace=${NAMESPACE:-limen}
service=${SERVICE:-limend}
kubectl=${KUBECTL:-kubectl}
component=${COMPONENT:-$(dirname "$0")/components/certificate}

umask 077
mkdir -p "$directory"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# openssl tells what it does, which is of interest only if it fails.
quietly() {
	"$@" 2> "$made/errors" || {
		cat "$made/errors" >&2
		exit 1
	}
}

if [ ! -e "$directory/ca.key" ]; then
	quietly openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
		-keyout "$directory/ca.key" -out "$directory/ca.crt" -days 3650 \
		-subj "/CN=limend webhook authority" \
		-addext basicConstraints=critical,CA:TRUE \
		-addext keyUsage=critical,keyCertSign,cRLSign
fi

# shellcheck disable=SC2086 # TRUST may name several files
bundle=$(cat "$directory/ca.crt" ${TRUST:-} | base64 | tr -d '\n')
cat > "$made/webhooks.yaml" << END
# Written by certificate.sh: API servers verify limend with this authority.
- op: add
  path: /webhooks/0/clientConfig/caBundle
  value: $bundle
END
# It has no secrets, and others may run kubectl.
chmod 644 "$made/webhooks.yaml"
mv "$made/webhooks.yaml" "$component/webhooks.yaml"
echo "$component/webhooks.yaml written"
[ -z "${DRY_RUN:-}" ] || exit 0

host=$service.$namespace.svc
quietly openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
	-keyout "$made/tls.key" -out "$made/tls.csr" -subj "/CN=$service"
cat > "$made/extensions" << END
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=serverAuth
authorityKeyIdentifier=keyid
subjectAltName=DNS:$host,DNS:$host.cluster.local
END
# A serial number at random: two certificates of one authority must differ in it.
quietly openssl x509 -req -in "$made/tls.csr" -CA "$directory/ca.crt" -CAkey "$directory/ca.key" \
	-set_serial "0x$(openssl rand -hex 16)" -days "${DAYS:-365}" \
	-extfile "$made/extensions" -out "$made/tls.crt"

# shellcheck disable=SC2086 # KUBECTL may hold options
$kubectl get namespace "$namespace" > "$made/namespace" 2>&1 ||
	$kubectl create --save-config namespace "$namespace"
# shellcheck disable=SC2086
$kubectl create secret tls limend-tls --namespace "$namespace" --cert "$made/tls.crt" \
	--key "$made/tls.key" --dry-run=client -o yaml | $kubectl apply -f -

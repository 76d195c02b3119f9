#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# nginx.sh DIRECTORY HTTP HTTPS OTHER OLD - writes what the nginx of a test needs
# into DIRECTORY: an authority, certificates, and nginx.conf for these four ports of
# 127.0.0.1.  The program tests/kit/nginx.c runs it.
set -eu
umask 077
cd "$1"
mkdir -p files temp

make_key() {
	openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"
}

# The certificates are made by "ca", the only command that takes dates.
cat > ca.conf <<END
[ca]
default_ca = test
[test]
database = ca.index
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = anything
certificate = ca.pem
private_key = ca.key
copy_extensions = copy
unique_subject = no
[anything]
commonName = supplied
END
: > ca.index

make_key ca
openssl req -x509 -new -key ca.key -sha256 -days 2 -subj "/CN=limen test authority" \
	-addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign \
	-out ca.pem

# make_certificate NAME SUBJECT-ALTERNATIVE-NAMES START END
make_certificate() {
	make_key "$1"
	openssl req -new -key "$1.key" -subj "/CN=$1" -addext "subjectAltName=$2" -out "$1.csr"
	openssl ca -batch -notext -config ca.conf -in "$1.csr" -out "$1.pem" \
		-startdate "$3" -enddate "$4"
}

make_certificate right DNS:localhost,IP:127.0.0.1 20200101000000Z 20991231235959Z
make_certificate other DNS:elsewhere.example 20200101000000Z 20991231235959Z
make_certificate old DNS:localhost,IP:127.0.0.1 20200101000000Z 20200201000000Z

printf '\377\376 not UTF-8' > files/latin1
printf '{"passed": true, "message": "a\000b"}' > files/nul.json
printf '{"passed": true}' > files/passed.json
head -c 2097152 /dev/zero | tr '\0' ' ' > files/two-mib
printf '{"passed": true}' | gzip -n > files/passed.gz

# server PORT [ssl CERTIFICATE]
server() {
	cat <<END
	server {
		listen 127.0.0.1:$1 ${2-};
		${3:+ssl_certificate $3.pem;}
		${3:+ssl_certificate_key $3.key;}
		include answers.conf;
	}
END
}

cat > answers.conf <<END
default_type application/json;
root .;
location /files/ { }
location = /passed { return 200 '{"passed": true, "message": "OK"}'; }
location = /failed { return 200 '{"passed": false, "message": "Not today"}'; }
location = /echo { return 200 '{"passed": true, "message": "\$request_uri|\$http_x_test|\$http_authorization|\$http_user_agent|\$http_accept_encoding"}'; }
location = /status/200 { return 200 ''; }
location = /status/201 { return 201 '{"passed": true}'; }
location = /status/204 { return 204; }
location = /status/403 { return 403 'no'; }
location = /status/404 { return 404 'missing'; }
location = /status/500 { return 500 'broken'; }
location = /status/503 { return 503 'later'; }
location = /redirect/passed { return 302 /passed; }
location = /redirect/status { return 302 /status/404; }
location = /redirect/loop { return 302 /redirect/loop; }
location = /redirect/file { return 302 file:///etc/hostname; }
location = /redirect/ftp { return 302 ftp://127.0.0.1/x; }
location = /redirect/http { return 302 http://127.0.0.1:$2/passed; }
location = /redirect/https { return 302 https://localhost:$3/passed; }
location = /slow { limit_rate 1024; alias files/two-mib; }
location = /json/text { return 200 'hello'; }
location = /json/list { return 200 '[true]'; }
location = /json/string { return 200 '"passed"'; }
location = /json/no-passed { return 200 '{"message": "hm"}'; }
location = /json/odd-passed { return 200 '{"passed": "true"}'; }
location = /json/null { return 200 'null'; }
location = /json/comment { return 200 '{"#": "no", "#passed": false, "passed": true}'; }
location = /gzip { default_type application/json; add_header Content-Encoding gzip; alias files/passed.gz; }
END

# Root may read these files and nobody else, so it has to serve them too.
user=
[ "$(id -u)" -ne 0 ] || user="user $(id -un) $(id -gn);"

cat > nginx.conf <<END
daemon off;
worker_processes 1;
$user
pid nginx.pid;
error_log error.log;
events { worker_connections 256; }
http {
	access_log requests.log;
	client_body_temp_path temp;
	proxy_temp_path temp;
	fastcgi_temp_path temp;
	uwsgi_temp_path temp;
	scgi_temp_path temp;
	keepalive_requests 1000000;
$(server "$2")
$(server "$3" ssl right)
$(server "$4" ssl other)
$(server "$5" ssl old)
}
END

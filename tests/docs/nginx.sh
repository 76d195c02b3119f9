#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# nginx.sh FRONT LIMEND SERVER - for docs/gateways/nginx.md: nginx with the folder $WORK/etc/nginx/conf.d,
# and a server that stands for an API. The examples get these addresses, and a rate of ten an
# hour in place of ten a minute: a slow machine does not fill the bucket again.
set -eu
cd docs/examples/gateways
sed -i -e "s/listen 80;/listen $1;/" -e "s/127\.0\.0\.1:8443/$2/" -e "s/127\.0\.0\.1:8000/$3/" nginx.conf
sed -i 's|10/min|10/h|' limits.yaml
mkdir -p "$WORK/etc/nginx/conf.d" "$WORK/nginx" "$WORK/web"
: > "$WORK/web/index.html"
cd "$WORK/nginx"
user=
[ "$(id -u)" -ne 0 ] || user='user root;'
folders=
for kind in client_body proxy fastcgi uwsgi scgi; do
	folders="$folders ${kind}_temp_path $WORK/nginx/$kind;"
done
cat > nginx.conf << END
$user daemon off; pid nginx.pid; error_log nginx.log; worker_processes 1;
events { }
http { access_log off; $folders include $WORK/etc/nginx/conf.d/*.conf; server { listen $3; root $WORK/web; } }
END
nginx=$(command -v nginx)
cat > "$WORK/bin/nginx" << END
#!/bin/sh
$nginx -p $WORK/nginx -c nginx.conf -e nginx.log "\$@" || exit
case \$* in *reload) ;; *) exit ;; esac
until python3 -c 'import socket; socket.create_connection(("127.0.0.1", ${1#*:}))' 2> /dev/null; do sleep 0.05; done
END
chmod +x "$WORK/bin/nginx"
"$WORK/bin/nginx" &
until [ -s nginx.pid ]; do sleep 0.05; done

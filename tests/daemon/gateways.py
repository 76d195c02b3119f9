# SPDX-License-Identifier: Apache-2.0
"""Real proxies with the files of docs/gateways, in front of a server that tells what it was sent."""
import http.server
import threading

from gate_kit import *

EXAMPLES = os.path.join(os.environ["LIMEN_SRCDIR"], "docs/examples/gateways")


def example(name):
    with open(os.path.join(EXAMPLES, name)) as file:
        return file.read()


def replace(text, *pairs):
    for old, new in pairs:
        if old not in text:
            raise SystemExit("the example has no %r" % old)
        text = text.replace(old, str(new))
    return text


class Server(http.server.BaseHTTPRequestHandler):
    """Tells what a proxy passed on; an upgrade is agreed to."""
    protocol_version = "HTTP/1.1"
    # HAProxy 2.6 sometimes keeps back a body that follows its head in a packet of its own.
    wbufsize = 65536

    def read_body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return len(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        total = 0
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            total += len(self.rfile.read(size))
            self.rfile.readline()
            if size == 0:
                return total

    def answer(self):
        body = json.dumps({"method": self.command, "uri": self.path, "body": self.read_body(),
                           "headers": [[name.lower(), value] for name, value in
                                       self.headers.items()]}).encode()
        upgrade = self.headers.get("Upgrade")
        self.send_response(101 if upgrade else 200)
        if upgrade:
            self.send_header("Upgrade", upgrade)
            self.send_header("Connection", "Upgrade")
            # RFC 6455, 1.3: the answer to KEY.
            self.send_header("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            self.end_headers()
            self.close_connection = True
            return
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = answer

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer.handle_error = lambda *_: None
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
backend = "127.0.0.1:%d" % server.server_port


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def write_nginx(name, port, limend, text):
    folders = "".join("%s_temp_path %s/nginx-%s; " % (kind, work, kind) for kind in
                      ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return write(name, "%spid %s.pid; error_log %s.log; daemon off; worker_processes 1;\n"
                 "events { }\nhttp { access_log off; %s\n%s\n}\n" %
                 ("user root; " if os.getuid() == 0 else "", name, name, folders,
                  replace(text, ("listen 80;", "listen 127.0.0.1:%d;" % port),
                          ("127.0.0.1:8000", backend), *limend)))


def start_nginx(name, port, limend, is_open=False, by_socket=False):
    text = example("nginx.conf")
    if is_open:
        at = text.index("    location @limen_away")
        text = text[:at] + example("nginx-open.conf") + "}\n"
    if by_socket:
        at = text.index("}\n") + 2
        text = example("nginx-unix.conf") + text[at:]
        limend = [("/run/limend/gate.sock", os.path.join(work, "gate.sock"))]
    else:
        limend = [("127.0.0.1:8443", "127.0.0.1:%d" % limend)]
    return ["nginx", "-p", work, "-c", write_nginx(name, port, limend, text)]


def start_caddy(name, port, limend, is_open=False):
    text = replace(example("Caddyfile-open" if is_open else "Caddyfile"),
                   ("api.example.com {", "http://:%d {\n\tbind 127.0.0.1" % port),
                   ("127.0.0.1:8443", "127.0.0.1:%d" % limend), ("127.0.0.1:8000", backend))
    return ["caddy", "run", "--adapter", "caddyfile", "--config",
            write(name, "{\n\tadmin off\n\tauto_https off\n}\n" + text)]


def start_haproxy(name, port, limend, is_open=False):
    script = write(name + ".lua", replace(example("limen.lua"), ("127.0.0.1:8443",
                                                                 "127.0.0.1:%d" % limend)))
    text = replace(example("haproxy.cfg"), ("/etc/haproxy/limen.lua", script),
                   ("bind :80", "bind 127.0.0.1:%d" % port), ("127.0.0.1:8000", backend))
    if is_open:
        text = replace(text, ("    http-request return status 503 hdr Retry-After 1 if "
                              "{ var(txn.limen) -m int 503 }\n", ""),
                       ("unless { var(txn.limen) -m int 200 }",
                        "unless { var(txn.limen) -m int 200 503 }"))
    return ["haproxy", "-f", write(name, text)]


class Proxy:
    def __init__(self, start, limend, **more):
        self.port = free_port()
        self.name = "%s%d" % (start.__name__[6:], self.port)
        with open(self.name + ".out", "w") as log:
            self.process = subprocess.Popen(start(self.name, self.port, limend, **more), stderr=log,
                                            stdout=log, env=dict(os.environ, HOME=work))
        running.append(self.process)
        wait_for(self.answers, 10)

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1):
                return True
        except OSError:
            return False

    def connect(self, client):
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE, (client, 0))

    def ask(self, client, target="/a", method="GET", headers=(), host="api.example.com", text=None):
        with self.connect(client) as connection:
            connection.sendall(text or request(method, target, None, headers, host=host))
            return read_answer(connection, head=method == "HEAD")

    def end(self):
        self.process.terminate()
        self.process.wait()


def got(answer, name):
    """The values of a field that the server got."""
    sent = answer.json() if answer else None
    return [value for key, value in (sent or {"headers": []})["headers"] if key == name]


def passes(name, answer, classifiers, **wanted):
    sent = answer.json() if answer else None
    return is_true(name, answer and answer.status == 200 and sent and
                   got(answer, "x-limen-classifiers") == [classifiers] and
                   all(sent[key] == value for key, value in wanted.items()), answer)


SPOOFED = ["X-Forwarded-For: " + STAFF, "X-Forwarded-Uri: /a", "X-Forwarded-Method: GET",
           "X-Forwarded-Host: h", "X-Original-URI: /a", "X-Original-Method: GET",
           "X-Real-IP: " + STAFF, "X-User: boss", "X-Limen-Classifiers: boss",
           "X-Limen-Status: 200"]
UPGRADE = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
HARMFUL = ["X-Forwarded-For: " + BANNED, "X-Forwarded-Uri: /admin/x", "X-Forwarded-Method: PUT",
           "X-Original-URI: /admin/x", "X-Original-Method: PUT", "X-Real-IP: " + BANNED]


# limend refuses these before it reads the question, and the last --max-url has no room for: a proxy
# that fails open must not take limend for away.
BROKEN = [["X-A: a\x01b"], ["Content-LengthX: 0"], ["X-A%d: %s" % (i, "a" * 7000) for i in range(4)]]


def shown_fields(kind):
    """Names of the fields of the refusal that its page shows."""
    with open(os.path.join(os.environ["LIMEN_SRCDIR"], "docs/gateways/%s.md" % kind)) as file:
        shown = file.read().split("\nHTTP/1.1 429 Too Many Requests\n")[1].split("```")[0].split("\n\n")[0]
    return {line.split(":")[0].lower() for line in shown.splitlines()}


def look_at(kind, start, tells_body, tells_pass, upgrades, **more):
    limend = Daemon("--gate-from", "127.0.0.1", "--gate-unix", "gate.sock", "--max-url", "4096",
                    program=LIMEND, policy=POLICY)
    proxy = Proxy(start, limend.port, **more)
    first = proxy.ask(STAFF)
    if not passes(kind + ": a pass", first, "staff, all", method="GET", uri="/a"):
        with open(proxy.name + ".out") as file:
            print("# " + file.read().replace("\n", "\n# "))
    is_equal(kind + ": a refusal", proxy.ask(BANNED).status, 403)
    found = [proxy.ask(SOMEBODY) for _ in range(4)]
    is_equal(kind + ": a rate", [one.status for one in found], [200, 200, 200, 429])
    is_limited(kind + ": what is told of it", found[3], tells_body)
    # Caddy tells of HTTP/3 where it has TLS.
    is_equal(kind + ": its page shows these fields", set(found[3].headers),
             shown_fields(kind.split()[0]) - {"alt-svc"})
    if tells_pass:
        is_equal(kind + ": what is told before", dict(parse_list(found[0].headers["ratelimit"]))[
            "per-client"]["r"], 2)
    is_equal(kind + ": an ambiguous path", proxy.ask(STAFF, "/a%2Fb").status, 400)

    sent = proxy.ask(STAFF, headers=["X-Limen-Classifiers: boss", "X-Limen-Priority: 9"])
    passes(kind + ": the client's own classifiers do not arrive", sent, "staff, all")
    is_equal(kind + ": nor its priority", got(sent, "x-limen-priority"), [])
    passes(kind + ": Origin and Sec-Fetch-Site", proxy.ask(STAFF, headers=[
        "Origin: https://evil.example", "Sec-Fetch-Site: cross-site"]), "staff, all")
    passes(kind + ": a foreign host", proxy.ask(STAFF, host="evil.example"), "staff, all")
    passes(kind + ": a coding of the body", proxy.ask(STAFF, method="POST", headers=[
        "Content-Encoding: gzip", "Content-Type: a/b", "Content-Length: 0"]), "staff, all")
    passes(kind + ": OPTIONS", proxy.ask(STAFF, method="OPTIONS"), "staff, all", method="OPTIONS")
    passes(kind + ": a query", proxy.ask(STAFF, "/x?nginx=1&requester=9.9.9.9"), "staff, all",
           uri="/x?nginx=1&requester=9.9.9.9")
    is_equal(kind + ": which changes no verdict", proxy.ask(
        BANNED, "/x?requester=%s&X-Real-IP=%s" % (STAFF, STAFF)).status, 403)
    chunks = b"".join(b"%x\r\n%s\r\n" % (50000, b"x" * 50000) for _ in range(20)) + b"0\r\n\r\n"
    passes(kind + ": 1 MB in chunks with Expect", proxy.ask(STAFF, text=request(
        "POST", "/a", None, ["Expect: 100-continue", "Transfer-Encoding: chunked"]) + chunks),
        "staff, all", method="POST", body=1000000)
    is_equal(kind + ": an upgrade", proxy.ask(STAFF, headers=UPGRADE).status,
             101 if upgrades else 200)
    opened = Proxy(start, limend.port, is_open=True, **more)
    for headers in BROKEN:
        found = [one.ask(BANNED, headers=headers) for one in (proxy, opened)]
        is_true("%s: %.20s is never passed" % (kind, headers[0]),
                all(one and one.status in (400, 403, 431) for one in found), found)
    opened.end()
    is_equal(kind + ": a refused upgrade", proxy.ask(BANNED, headers=UPGRADE).status, 403)

    is_equal(kind + ": what a client says of itself helps nobody",
             [proxy.ask(one, headers=SPOOFED).status for one in (BANNED, SOMEBODY)], [403, 429])
    is_equal(kind + ": nor of its path", [proxy.ask(
        STAFF, "/admin/x", method, SPOOFED).status for method in ("GET", "PUT")], [403, 403])
    passes(kind + ": and harms nobody", proxy.ask(STAFF, headers=HARMFUL), "staff, all")

    limend.process.kill()
    limend.process.wait()
    found = proxy.ask(STAFF)
    is_equal(kind + ": limend is dead", found and (found.status, found.headers.get("retry-after")),
             (503, "1"))
    opened = Proxy(start, limend.port, is_open=True, **more)
    found = opened.ask(STAFF, headers=["X-Limen-Classifiers: boss"])
    is_equal(kind + ": fail open", found and (found.status, got(found, "x-limen-classifiers")),
             (200, []))
    proxy.end()
    opened.end()


for kind, start, tells_body, tells_pass, upgrades, more in (
        ("nginx", start_nginx, False, True, False, {}),
        ("nginx by a unix socket", start_nginx, False, True, False, {"by_socket": True}),
        ("caddy", start_caddy, True, False, True, {}),
        ("haproxy", start_haproxy, False, True, True, {})):
    if shutil.which(kind.split()[0]) is None:
        skip(kind, "there is no %s" % kind.split()[0])
    else:
        look_at(kind, start, tells_body, tells_pass, upgrades, **more)
finish()

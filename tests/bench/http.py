#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""limend beside nginx, libmicrohttpd alone, and haproxy where it is installed.

    make bench-http

Every server has one core, h2load and wrk another; the servers take turns.  What is
told is the processor time of the server for a request, which a busy machine changes
little, and times of answers as wrk sees them on one connection.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import machine

SECONDS = float(os.environ.get("BENCH_TIME", "2"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
GATE_ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
CONNECTIONS = 32
# In what would be a second of a slow server: of so many a handshake is no part to speak of.
REQUESTS = 10000
HERE = pathlib.Path(os.environ["LIMEN_SRCDIR"]) / "tests" / "bench"
LIMEND = os.environ["LIMEND"]
FLOOR = pathlib.Path(os.environ["LIMEN_BUILDDIR"]) / "tests" / "bench" / "http_floor"
REPLY = "x" * 330
HAPROXY = "haproxy, ACL and stick-table"
# nginx takes URLs of 8 KiB, haproxy of 16 KiB; none of the requests has a long one.
LIMEND_OPTIONS = ["--max-url", "4096"]


def skip(why):
    print(f"SKIP: {why}")
    sys.exit(0)


def show_progress(done, of):
    """If somebody is looking."""
    if sys.stderr.isatty():
        bar = "#" * (40 * done // of)
        sys.stderr.write(f"\r{'http':<12} [{bar:.<40}]" if done < of else "\r\033[K")
        sys.stderr.flush()


def free_ports(count):
    import socket

    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def make_certificate(where):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", where / "key.pem",
         "-out", where / "cert.pem"], check=True, stderr=subprocess.DEVNULL)


def networks():
    return [f"{10 + i // 65536}.{i // 256 % 256}.{i % 256}.0/24" for i in range(0, 20000, 2)]


def write_policies(where):
    ranger = json.loads((HERE / "policies" / "ranger.json").read_text())
    (where / "ranger").mkdir()
    (where / "ranger" / "policy.conf").write_text(json.dumps(ranger))
    (where / "decide").mkdir()
    (where / "decide" / "policy.conf").write_text(json.dumps({
        "schema": 4,
        "identifiers": [{"name": "known", "description": "", "type": "ip-cidr-list",
                         "data": {"cidrs": ["127.0.0.0/8"] + networks()}}],
        "classifiers": [{"name": "known", "description": "", "identifiers": ["known"]}],
        "limits": [{"name": "rate", "description": "", "type": "rate",
                    "data": {"key": ["requester"], "rate": "1000000/PT1S"}}],
        "applications": [{"description": "", "classifier": "known",
                          "apply": [{"require": "all", "limits": ["rate"]}]}]}))


def nginx_conf(where, http, https):
    listed = "\n".join(f"{one} 1;" for one in ["127.0.0.0/8"] + networks())
    (where / "geo.conf").write_text(listed)
    (where / "nginx.conf").write_text(f"""
daemon off;
worker_processes 1;
error_log {where}/nginx.log error;
pid {where}/nginx.pid;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {where}/body;
    proxy_temp_path {where}/proxy;
    fastcgi_temp_path {where}/fastcgi;
    uwsgi_temp_path {where}/uwsgi;
    scgi_temp_path {where}/scgi;
    keepalive_requests 100000000;
    geo $known {{ default 0; include {where}/geo.conf; }}
    limit_req_zone $binary_remote_addr zone=all:10m rate=1000000r/s;
    server {{
        listen 127.0.0.1:{http};
        listen 127.0.0.1:{https} ssl;
        ssl_certificate {where}/cert.pem;
        ssl_certificate_key {where}/key.pem;
        root {where};
        location /fixed {{ return 200 "{REPLY}"; }}
        location /v1/decide {{
            if ($known = 0) {{ return 403; }}
            limit_req zone=all burst=1000000 nodelay;
            error_page 405 =200 @granted;
        }}
        location @granted {{ return 200 "{REPLY}"; }}
    }}
}}
""")
    (where / "v1").mkdir()
    (where / "v1" / "decide").write_text("")


def program(name):
    """Its path; where servers are is not on every PATH."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


def haproxy_conf(where, http, https):
    (where / "both.pem").write_text(
        (where / "cert.pem").read_text() + (where / "key.pem").read_text())
    (where / "networks").write_text("\n".join(["127.0.0.0/8"] + networks()) + "\n")
    (where / "haproxy.cfg").write_text(f"""
global
    nbthread 1
defaults
    mode http
    timeout client 30s
    timeout server 30s
    timeout connect 5s
frontend all
    bind 127.0.0.1:{http}
    bind 127.0.0.1:{https} ssl crt {where}/both.pem
    stick-table type ip size 1m expire 10s store http_req_rate(1s)
    http-request track-sc0 src
    http-request deny unless {{ src -f {where}/networks }}
    http-request deny deny_status 429 if {{ sc_http_req_rate(0) gt 1000000 }}
    http-request return status 200 content-type application/json string "{REPLY}"
""")


class Server:
    """A process on the first core, and all its children."""

    def __init__(self, name, command, log):
        self.name = name
        self.process = subprocess.Popen(["taskset", "-c", "0", *map(str, command)],
                                        stdout=open(log, "w"), stderr=subprocess.STDOUT)

    def ids(self):
        own = self.process.pid
        children = pathlib.Path(f"/proc/{own}/task/{own}/children").read_text().split()
        return [own] + [int(child) for child in children]

    def processor_time(self):
        total = 0
        # In nanoseconds: the ticks of /proc/PID/stat are half a microsecond of a request.
        for one in self.ids():
            for thread in pathlib.Path(f"/proc/{one}/task").iterdir():
                total += int((thread / "schedstat").read_text().split()[0])
        return total / 1e9

    def stop(self):
        self.process.terminate()
        self.process.wait()


def start_limend(where, policy, *options):
    address = where / f"{policy}{len(options)}.address"
    server = Server("limend", [LIMEND, "--policy", where / policy, "--listen", "127.0.0.1:0",
                               "--address-file", address, *LIMEND_OPTIONS, *options],
                    where / "limend.log")
    for _ in range(100):
        if address.exists() and address.read_text():
            server.url = address.read_text().split()[0]
            return server
        if server.process.poll() is not None:
            break
        time.sleep(0.1)
    sys.exit((where / "limend.log").read_text())


class Ask:
    """A request: its header, and the file of its body if it is a POST."""

    def __init__(self, header, body=None):
        self.header = header
        self.body = body


# What a Caddy sends on the same host.
GATE = Ask({"x-forwarded-method": "GET", "x-forwarded-uri": "/v1/things?page=2",
            "x-forwarded-host": "api.example.com", "x-forwarded-for": "127.0.0.1"})


def post(body):
    return Ask({"content-type": "application/json"}, body)


def h2load(url, ask, requests):
    header = [word for name, value in ask.header.items() for word in ("-H", f"{name}: {value}")]
    return subprocess.run(
        ["taskset", "-c", "1", "h2load", "--h1", "-t1", f"-c{CONNECTIONS}", f"-n{requests}",
         *(["-d", ask.body] if ask.body else []), *header, url],
        capture_output=True, text=True).stdout


def load(server, url, ask):
    """Processor time of the server for one request, in microseconds."""
    before = server.processor_time()
    out = h2load(url, ask, int(SECONDS * REQUESTS))
    spent = server.processor_time() - before
    found = re.search(r"(\d+) succeeded, (\d+) failed", out)
    good = re.search(r"status codes: (\d+) 2xx", out)
    if not found or not good or int(good.group(1)) == 0 or int(found.group(2)) > CONNECTIONS:
        sys.exit(f"{server.name} does not answer {url}:\n{out}")
    return spent * 1e6 / int(good.group(1))


def trace_calls(server, url, ask, where, requests):
    """System calls of the server for so many requests on new connections; None: it cannot tell."""
    counts = where / "calls"
    tracer = subprocess.Popen([program("strace"), "-f", "-c", "-o", counts,
                               *(word for one in server.ids() for word in ("-p", str(one)))],
                              stderr=subprocess.DEVNULL)
    time.sleep(1)
    h2load(url, ask, requests)
    tracer.send_signal(signal.SIGINT)
    tracer.wait()
    found = re.search(r"^100\.\S+\s+\S+\s+(?:\d+\s+)?(\d+)\s.*total$", counts.read_text(), re.M)
    return int(found.group(1)) if found else None


def count_calls(server, url, ask, where):
    """System calls for one request on an open connection; None without strace."""
    if program("strace") is None:
        return None
    few, many = 50 * CONNECTIONS, 450 * CONNECTIONS
    before, after = (trace_calls(server, url, ask, where, count) for count in (few, many))
    return None if before is None or after is None else (after - before) / (many - few)


def latency(server, url, ask, where):
    """The median and the slowest hundredth on one connection, in microseconds."""
    script = where / "ask.lua"
    header = "\n".join(f"wrk.headers[{json.dumps(name)}] = {json.dumps(value)}"
                       for name, value in ask.header.items())
    body = "" if ask.body is None else f"""
wrk.method = "POST"
local file = io.open("{ask.body}", "rb")
wrk.body = file:read("*a")
file:close()
"""
    script.write_text(f"""{header}{body}
done = function(summary, latency)
  print(string.format("figures %f %f", latency:percentile(50), latency:percentile(99)))
end
""")
    out = subprocess.run(["taskset", "-c", "1", "wrk", "-t1", "-c1", f"-d{max(1, int(SECONDS))}s",
                          "-s", script, url], capture_output=True, text=True).stdout
    found = re.search(r"figures ([\d.]+) ([\d.]+)", out)
    return (float(found.group(1)), float(found.group(2))) if found else (0.0, 0.0)


def judge(value, most, what):
    return f"{what} {most:.1f} us: " + ("met" if value <= most else f"{value / most:.2f} x")


def find_verdict(name, title, goals, cost, p99):
    """On the row of limend: how it stands with its goals; on others: beside limend."""
    if name != "limend":
        return f"limend takes {cost['limend'] / cost[name]:.2f} times this" + (
            f", its p99 {p99['limend'] / p99[name]:.2f}" if p99[name] > 0 else "")
    told = [judge(cost[name], goals["goal"], "goal")] if "goal" in goals else []
    for key, of, what in (("peer", cost, "goal"), ("p99_peer", p99, "goal of p99")):
        peer = goals.get(key, "").removeprefix(f"{title}: ")
        if of.get(peer, 0) > 0:
            told.append(judge(of[name], goals[key.replace("peer", "times")] * of[peer], what))
    return ", ".join(told)


def compare(title, goals, rows, ask, where, results, times=ROUNDS, calls=False):
    """'rows' are servers and URLs; limend first, whose goals are as in the report."""
    costs = {name: [] for name, _, _ in rows}
    waits = {name: [] for name, _, _ in rows}
    for number in range(times):
        for place, (name, server, url) in enumerate(rows):
            show_progress(number * len(rows) + place, times * len(rows))
            costs[name].append(load(server, url, ask))
            waits[name].append(latency(server, url, ask, where))
    show_progress(1, 1)
    told = {name: count_calls(server, url, ask, where) if calls else None
            for name, server, url in rows}
    cost = {name: statistics.median(rounds) for name, rounds in costs.items()}
    p50, p99 = ({name: statistics.median(one[place] for one in rounds)
                 for name, rounds in waits.items()} for place in (0, 1))
    for name, _, _ in rows:
        print(f"{title + ': ' + name:<52} {cost[name]:7.1f} us   {1e6 / cost[name]:8.0f}/s   "
              f"p50 {p50[name]:6.0f} us   p99 {p99[name]:6.0f} us   "
              f"{'' if told[name] is None else f'{told[name]:.2f} system calls   '}"
              f"{find_verdict(name, title, goals, cost, p99)}", flush=True)
        results.append({"name": f"{title}: {name}", "unit": "us", "median": cost[name],
                        "low": min(costs[name]), "high": max(costs[name]), "p50": p50[name],
                        "p99": p99[name],
                        **({} if told[name] is None else {"calls": told[name]}), **(goals if name == "limend" else {})})


def wait_for(port):
    import socket

    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit(f"nobody listens on port {port}")


def main():
    for tool in ("h2load", "wrk", "nginx", "taskset", "openssl"):
        if program(tool) is None:
            skip(f"{tool} is not installed (build-aux/install-packages --bench)")
    if len(os.sched_getaffinity(0)) < 2:
        skip("there is one core: a client on the same would be measured, too")
    results, servers = [], []
    with tempfile.TemporaryDirectory() as directory:
        where = pathlib.Path(directory)
        where.chmod(0o755)
        http, https, floor, floor_tls, *others = free_ports(6)
        make_certificate(where)
        write_policies(where)
        nginx_conf(where, http, https)
        tls = ("--tls-certificate", where / "cert.pem", "--tls-key", where / "key.pem")
        review = post(HERE / "reviews" / "pod-large.json")
        task = post(where / "task.json")
        task.body.write_text('{"task": {"test": {"type": "rtt", "spec": {"dest": "ps.example.org"}}}}')
        try:
            nginx = Server("nginx", [program("nginx"), "-c", where / "nginx.conf", "-e",
                                     where / "nginx.log"], where / "nginx.out")
            servers.append(nginx)
            wait_for(http)
            plain, secure = start_limend(where, "ranger"), start_limend(where, "ranger", *tls)
            servers += [plain, secure]
            gate = ("--gate-from", "127.0.0.1")
            decide, decide_tls = (start_limend(where, "decide", *gate),
                                  start_limend(where, "decide", *gate, *tls))
            servers += [decide, decide_tls]
            bare = Server("libmicrohttpd", [FLOOR, floor], where / "floor.log")
            bare_tls = Server("libmicrohttpd", [FLOOR, floor_tls, where / "cert.pem",
                                                where / "key.pem"], where / "floor.log")
            servers += [bare, bare_tls]
            wait_for(floor)
            wait_for(floor_tls)
            path = "/admission/mutate"
            title = "HTTPS, review of 4.9 KB"
            compare(title, {"goal": 21, "p99_times": 2, "p99_peer": f"{title}: nginx, fixed reply"},
                    [("limend", secure, secure.url + path),
                     ("libmicrohttpd, fixed reply", bare_tls,
                      f"https://127.0.0.1:{floor_tls}/"),
                     ("nginx, fixed reply", nginx, f"https://127.0.0.1:{https}/fixed")],
                    review, where, results)
            compare("HTTP, review of 4.9 KB", {"goal": 15},
                    [("limend", plain, plain.url + path),
                     ("libmicrohttpd, fixed reply", bare, f"http://127.0.0.1:{floor}/"),
                     ("nginx, fixed reply", nginx, f"http://127.0.0.1:{http}/fixed")],
                    review, where, results)
            plain_rows = [("limend", decide, decide.url + "/v1/decide"),
                          ("nginx, geo and limit_req", nginx,
                           f"http://127.0.0.1:{http}/v1/decide")]
            secure_rows = [("limend", decide_tls, decide_tls.url + "/v1/decide"),
                           ("nginx, geo and limit_req", nginx,
                            f"https://127.0.0.1:{https}/v1/decide")]
            if program("haproxy") is None:
                print("haproxy: SKIP: it is not installed (build-aux/install-packages --bench)")
            else:
                haproxy_conf(where, *others)
                haproxy = Server("haproxy", [program("haproxy"), "-f", where / "haproxy.cfg"],
                                 where / "haproxy.out")
                servers.append(haproxy)
                wait_for(others[0])
                for rows, scheme, port in ((plain_rows, "http", others[0]),
                                           (secure_rows, "https", others[1])):
                    rows.append((HAPROXY, haproxy,
                                 f"{scheme}://127.0.0.1:{port}/v1/decide"))
            for scheme, rows in (("HTTP", plain_rows), ("HTTPS", secure_rows)):
                title = f"{scheme}, 10,000 networks and a rate"
                goals = {"times": 1, "peer": f"{title}: {HAPROXY}"} if len(rows) > 2 else {}
                compare(title, goals, rows, task, where, results)
            for scheme, rows, server, times in (
                    ("HTTP", plain_rows, (bare, f"http://127.0.0.1:{floor}/"), 1),
                    ("HTTPS", secure_rows, (bare_tls, f"https://127.0.0.1:{floor_tls}/"), 1.05)):
                title = f"{scheme}, gate: 10,000 networks and a rate"
                goals = {"times": times, "peer": f"{title}: {HAPROXY}"} if len(rows) > 2 else {}
                compare(title, goals,
                        [("limend", rows[0][1], rows[0][2].replace("decide", "gate/forward")),
                         ("libmicrohttpd, fixed reply", *server), *rows[2:]],
                        GATE, where, results, GATE_ROUNDS, calls=True)
        finally:
            for server in servers:
                server.stop()
    if len(sys.argv) > 1:
        pathlib.Path(sys.argv[1]).write_text(json.dumps(
            {"program": "http", **machine.describe(), "rows": results}, indent=2) + "\n")


main()

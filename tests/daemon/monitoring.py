# SPDX-License-Identifier: Apache-2.0
"""Prometheus scrapes limend with the rules and the dashboard of deploy/kubernetes.

Everything that an alert is for is made to happen, and every expression must have data.  Of the
API server's own metrics, which are not limend's, a page as API servers have it rises.
"""
import http.server
import threading
import urllib.parse
import urllib.request

from kit import *

MONITORING = os.path.join(os.environ["LIMEN_SRCDIR"], "deploy/kubernetes/components/monitoring")
API_SERVER = """apiserver_admission_webhook_fail_open_count{name="events.limend.limen.svc",type="validating"} %d
apiserver_admission_webhook_rejection_count{error_type="calling_webhook_error",name="limits.limend.limen.svc",operation="CREATE",rejection_code="0",type="admit"} %d
"""

for program in ("prometheus", "promtool", "openssl"):
    if shutil.which(program) is None:
        print("1..0 # SKIP there is no %s" % program)
        sys.exit(0)
try:
    import yaml
except ImportError:
    print("1..0 # SKIP there is no python3-yaml")
    sys.exit(0)


class Page(http.server.BaseHTTPRequestHandler):
    scrapes = 0

    def do_GET(self):
        Page.scrapes += 1
        text = API_SERVER % (Page.scrapes, Page.scrapes) if self.path == "/metrics" \
            else "192.0.2.0/24\n"
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
threading.Thread(target=pages.serve_forever, daemon=True).start()
PAGES = "127.0.0.1:%d" % pages.server_address[1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# ---- three daemons ----

def limited(**data):
    return dict(PASSING, limits=[{"name": "l", "type": "verdict", "data": {"verdict": "pass", **data}}],
                applications=[{"classifier": "all", "apply": [{"require": "all", "limits": ["l"]}]}])


write("kubeconfig", {
    "apiVersion": "v1", "kind": "Config", "current-context": "c",
    "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
    "users": [{"name": "c", "user": {"token": "t"}}],
    "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]})
subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-nodes", "-keyout", "key.pem", "-out", "crt.pem", "-days", "5", "-subj",
                "/CN=limend"], check=True, stderr=subprocess.DEVNULL)
ENTRIES = {
    "identifiers": [{"name": "list", "type": "ip-cidr-list-url", "description": "", "data": {
        "source": "http://%s/list" % PAGES, "update": "PT1H", "retry": "PT1M",
        "fail-state": False}}],
    "admission": [
        {"name": "rates", "plugin": "EventRateLimit", "data": {"limits": [
            {"type": "User", "qps": 1, "burst": 1, "cacheSize": 1}]}},
        {"name": "stricter", "plugin": "EventRateLimit", "enforce": "audit", "data": {"limits": [
            {"type": "Server", "qps": 1, "burst": 1}]}},
        {"name": "ranges", "plugin": "LimitRanger", "data": {
            "cluster": {"kubeconfig": os.path.join(work, "kubeconfig")}}}],
}
OPTIONS = ("--health-listen", "127.0.0.1:0")
good = Daemon(*OPTIONS, "--tls-certificate", "crt.pem", "--tls-key", "key.pem", "--decision-log",
              "/dev/full", "--cache-dir", work, program=LIMEND, policy=ENTRIES)
slow = Daemon(*OPTIONS, program=LIMEND, policy=limited(sleep="PT0.2S"))
hanging = Daemon(*OPTIONS, "--timeout", "0.3", "--drain-timeout", "0.1", program=LIMEND,
                 policy=limited(sleep="PT600S"))
is_true("limend runs", good.urls and slow.urls and hanging.urls, good.said())
metrics = [one.urls[1].split("//")[1] for one in (good, slow, hanging)]


def review(kind, resource, name, user):
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "u", "kind": {"group": "", "version": "v1", "kind": kind},
        "resource": {"group": "", "version": "v1", "resource": resource}, "operation": "CREATE",
        "namespace": "shop", "name": name, "userInfo": {"username": user},
        "object": {"apiVersion": "v1", "kind": kind, "metadata": {"name": name},
                   "spec": {"containers": [{"name": "c", "image": "i"}]}}}}


def post(url, body):
    asked = urllib.request.Request(url, json.dumps(body).encode(),
                                   {"Content-Type": "application/json"})
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with urllib.request.urlopen(asked, timeout=PATIENCE,
                                context=context if url.startswith("https") else None) as answer:
        return answer.read()


def provoke(number):
    """A pod that cannot be judged, events of two users that evict each other, a slow task."""
    post(good.urls[0] + "/admission/validate", review("Pod", "pods", "p", "u"))
    for user in ("one", "one", "two"):
        post(good.urls[0] + "/admission/validate", review("Event", "events", "e%d" % number, user))
    post(slow.urls[0] + "/v1/decide", {"task": {"test": {"type": "rtt", "spec": {}}}})


# ---- Prometheus ----

with open(os.path.join(MONITORING, "rules.yaml")) as file:
    rules = yaml.safe_load(file)["spec"]
write("rules.yaml", rules)
done = subprocess.run(["promtool", "check", "rules", "rules.yaml"], stdout=subprocess.PIPE,
                      stderr=subprocess.STDOUT, text=True)
is_true("promtool accepts the rules", done.returncode == 0, done.stdout)
alerts = [one for group in rules["groups"] for one in group["rules"]]
for one in alerts:
    one.pop("for", None)  # nothing lasts that long here
    one["expr"] = one["expr"].replace("> 86400", "> 0")
write("rules.yaml", rules)
write("prometheus.yaml", {
    "global": {"scrape_interval": "500ms", "scrape_timeout": "400ms",
               "evaluation_interval": "500ms"},
    "rule_files": ["rules.yaml"],
    "scrape_configs": [
        {"job_name": "limend", "static_configs": [
            {"targets": metrics + ["127.0.0.1:1"]}]},
        {"job_name": "apiservers", "static_configs": [{"targets": [PAGES]}]}]})
PROMETHEUS = "127.0.0.1:%d" % free_port()
log = open("prometheus.log", "w")
prometheus = subprocess.Popen(
    ["prometheus", "--config.file=prometheus.yaml", "--storage.tsdb.path=data",
     "--web.listen-address=" + PROMETHEUS], stdout=log, stderr=log)
atexit.register(prometheus.wait)
atexit.register(prometheus.terminate)


def ask(path, **arguments):
    try:
        with urllib.request.urlopen("http://%s/api/v1/%s?%s" % (
                PROMETHEUS, path, urllib.parse.urlencode(arguments)), timeout=PATIENCE) as answer:
            return json.loads(answer.read())["data"]
    except OSError:
        return {}


def values(expression):
    return ask("query", query=expression).get("result", [])


is_true("Prometheus scrapes all three", wait_for(lambda: len(values("up == 1")) == 4), values("up"))
hung = hanging.connect()
hung.sendall(request("POST", "/v1/decide", b'{"task": {"test": {"type": "rtt", "spec": {}}}}',
                     ["Content-Type: application/json"]))
write("policy1.conf", "{")
good.signal(signal.SIGHUP)
names = {one["alert"] for one in alerts}
seen = set()
turns = iter(range(10**6))


def all_fire():
    provoke(next(turns))
    seen.update(one["labels"]["alertname"] for one in ask("alerts").get("alerts", [])
                if one["state"] == "firing")
    return names <= seen


wait_for(all_fire)
for name in sorted(names):
    is_true("%s fires" % name, name in seen)

# ---- the dashboard ----

with open(os.path.join(MONITORING, "limend.json")) as file:
    panels = json.load(file)["panels"]
for panel in panels:
    for target in panel["targets"]:
        expression = target["expr"].replace("$__rate_interval", "30s").replace("$__range", "1m")
        is_true("%s: %s has data" % (panel["title"], target["legendFormat"]),
                wait_for(lambda: values(expression)), expression)
hung.close()
hanging.process.kill()
finish()

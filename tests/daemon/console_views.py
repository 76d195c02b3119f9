# SPDX-License-Identifier: Apache-2.0
"""The views of the console under load: counts, the reason of a refusal, and every width and theme.

Rules for readers with disabilities are those of axe-core, which npm has: LIMEN_AXE is the path of
axe.min.js, else it is looked for where "npm install -g axe-core" puts it.  With LIMEN_PICTURES, a
directory, the views are left there as PNG.
"""
import shutil
import threading

from browser import *
from kit import *

HOSTILE = "<img src=x onerror='document.title=\"hit\"'>" + "x" * 200
VIEWS = ["now", "decisions", "policy", "buckets", "playground"]
RANGE = {"apiVersion": "v1", "kind": "LimitRange"}
POLICY = {
    "schema": 4,
    "identifiers": [{"name": "everybody", "type": "always"},
                    {"name": "partners", "type": "ip-cidr-list", "data": {"cidrs": ["198.51.100.0/24"]}}],
    "classifiers": [{"name": "all", "identifiers": ["everybody", "partners"]}],
    "limits": [{"name": "five", "type": "rate", "data": {"rate": "5/PT1S"}}],
    "applications": [{"classifier": "all", "apply": [{"require": "all", "limits": ["five"]}]}],
    "admission": [
        {"name": "memory", "plugin": "LimitRanger", "data": {"manifests": [
            dict(RANGE, metadata={"name": "mem", "namespace": "team-%d" % i}, spec={"limits": [
                {"type": "Container", "max": {"memory": "1Gi"}, "default": {"memory": "1Gi"}}]})
            for i in range(20)]}},
        {"name": "trial", "plugin": "LimitRanger", "enforce": "warn", "data": {"manifests": [
            dict(RANGE, metadata={"name": "cpu", "namespace": "team-%d" % i}, spec={"limits": [
                {"type": "Container", "max": {"cpu": "1"}, "default": {"cpu": "1"}}]})
            for i in range(20)]}},
        {"name": "event-rates", "plugin": "EventRateLimit", "data": {"limits": [
            {"type": "Namespace", "qps": 1, "burst": 10}]}}]}
REVIEWS, REFUSED, WOULD = 10000, 37, 12


def review(number):
    memory = "2Gi" if number < REFUSED else "512Mi"
    cpu = "2" if REFUSED <= number < REFUSED + WOULD else "500m"
    namespace = "team-%d" % (number % 20)
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-%d" % number, "namespace": namespace},
           "spec": {"containers": [{"name": "app", "image": "a", "resources": {"limits": {"cpu": cpu, "memory": memory}}}]}}
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": str(number), "name": "web-%d" % number, "kind": {"group": "", "version": "v1", "kind": "Pod"}, "namespace": namespace,
        "resource": {"group": "", "version": "v1", "resource": "pods"}, "operation": "CREATE",
        "userInfo": {"username": "alice"}, "object": pod}}


def send(path, bodies):
    """Sends all over one connection, without waiting for each answer."""
    bodies = [json.dumps(body).encode() for body in bodies]
    with daemon.connect() as connection:
        def write_all():
            for body in bodies:
                connection.sendall(request("POST", path, body, ["Content-Type: application/json"]))
        writer = threading.Thread(target=write_all)
        writer.start()
        read = connection.makefile("rb")
        for _ in bodies:
            length = 0
            for line in iter(read.readline, b"\r\n"):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            read.read(length)
        writer.join()


def send_events():
    send("/admission/validate", [{
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
            "uid": "e%d" % i, "kind": {"group": "", "version": "v1", "kind": "Event"}, "operation": "CREATE",
            "resource": {"group": "", "version": "v1", "resource": "events"}, "namespace": "quiet",
            "userInfo": {"username": "kubelet"}, "object": {
                "apiVersion": "v1", "kind": "Event", "metadata": {"name": "e%d" % i, "namespace": "quiet"},
                "involvedObject": {"kind": "Pod", "name": "p", "namespace": "quiet"}}}} for i in range(12)])


browser = browse("the views in a browser")

daemon = Daemon("--threads", "2", "--ui-listen", "127.0.0.1:0", "--recent-documents", "--module-path",
                os.path.join(os.environ["LIMEN_BUILDDIR"], "plugins"), policy=POLICY, program=LIMEND)
order = sorted(range(REVIEWS), key=lambda number: number * 7919 % REVIEWS)
send("/admission/validate", [review(number) for number in order])
send_events()
send("/v1/decide", [{"task": {"test": {"type": "rtt", "spec": {"dest": HOSTILE}}}}] * 5)
base = daemon.urls[-1]


def view(name):
    browser.run("location.hash = arguments[0]", name)
    return browser.wait_for("return !document.getElementById(arguments[0]).hidden", name)


# ---- counts, and the reason of a refusal ----

browser.open(base + "/#decisions")
is_true("the page loads", browser.wait_for("return document.getElementById('health-text').textContent === 'Serving'"),
        browser.text("#health-text"))
is_true("decisions are there", browser.wait_for("return document.querySelector('#namespaces tbody tr') !== null"))
ROWS = "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
rows = {row[0]: row[1:4] for row in browser.run(ROWS, "#namespaces")}
wanted = {}
for number in range(REFUSED + WOULD):
    counts = wanted.setdefault("team-%d" % (number % 20), [0, 0, 0])
    counts[number >= REFUSED] += 1
found = {name: [int(text) for text in row] for name, row in rows.items() if name.startswith("team-")}
is_equal("counts by namespace", found, wanted)
browser.set("#filter", "team-3 refused web-23")
browser.run("document.getElementById('filter').dispatchEvent(new Event('input'))")
is_equal("the filter finds one", browser.run("return document.querySelectorAll('#decision-table tr.entry').length"), 1)
browser.click("#decision-table button.opens")
opened = browser.text("#decision-table tr.details")
is_true("its reason", opened and "maximum memory usage per Container is 1Gi, but limit is 2Gi" in opened, opened)
is_true("where the rule stands", "policy%d.conf:" % Daemon.number in opened and 'LimitRange "mem"' in opened, opened)
is_true("what would pass", "Would pass: spec.containers[0].resources.limits[memory] at most 1Gi" in opened, opened)
browser.click("#decision-table tr.details button")
verdict = browser.wait_for("return document.getElementById('verdict').textContent")
is_true("it is tried again in the playground", verdict and verdict.startswith("Refused (403)"), verdict)
view("decisions")
browser.set("#filter", "")
for key, groups in (("rule", 3), ("namespace", 21), ("owner", 3)):
    browser.click("#by-" + key)
    found = browser.run(ROWS, "#groups")
    is_true("groups by " + key, len(found) >= groups - 1 and
            sum(int(row[1]) for row in found) >= REFUSED, found)
browser.click("#by-owner")
browser.click("#pause")
before = browser.text("#decisions-note")
send("/v1/decide", [{"task": {"test": {"type": "rtt", "spec": {}}}}] * 6)
time.sleep(1.5)
is_equal("a pause holds what is shown", browser.text("#decisions-note"), before)
browser.click("#pause")
is_true("until it ends", browser.wait_for("return document.getElementById('decisions-note').textContent !== arguments[0]", before))

# ---- figures ----

view("now")
is_true("three charts with axes", browser.wait_for(
    "const charts = [...document.querySelectorAll('.chart')].filter((chart) => !chart.hidden);"
    "return charts.length === 3 && charts.every((chart) =>"
    "chart.querySelectorAll('svg path').length > 1 && chart.querySelectorAll('svg text').length > 3)"))
browser.run("document.querySelectorAll('.chart details').forEach((one) => { one.open = true; })")
is_true("a table of 120 seconds for readers", browser.wait_for(
    "return document.querySelectorAll('#chart-verdicts tbody tr').length === 120"))
browser.click("#span-minutes")
is_true("or of 60 minutes", browser.wait_for("return document.querySelectorAll('#chart-verdicts tbody tr').length === 60"))
view("policy")
texts = browser.run("return [...document.querySelectorAll('#graph g.node')].map((one) => one.textContent)")
is_true("counts of an entry", any("memory" in text and "%d of 10,012 refused" % REFUSED in text for text in texts), texts)
is_true("and of a trial", any("trial" in text and "would refuse %d of " % WOULD in text for text in texts), texts)
browser.run("[...document.querySelectorAll('#graph g.node')].find((one) => one.textContent.includes('LimitRanger')).dispatchEvent(new Event('click'))")
is_true("its ranges by namespace", "team-7" in browser.text("#detail") and "max memory 1Gi" in browser.text("#detail"),
        browser.text("#detail"))
send_events()
view("buckets")
found = browser.wait_for("const rows = [...document.querySelectorAll('#bucket-table tbody tr')].map((row) => row.textContent);"
                         "return rows.some((row) => row.includes('quiet')) && rows")
is_true("rates in words", found and any("1 a second, burst 10" in row for row in found), found)

# ---- every view at every width in both themes ----


def find_axe():
    if os.environ.get("SANITIZE_CFLAGS", "").strip():
        return None  # what it reads is the same, and takes the browser long
    places = [os.environ.get("LIMEN_AXE", ""), "/usr/share/nodejs/axe-core/axe.min.js"]
    if shutil.which("npm"):
        root = subprocess.run(["npm", "root", "-g"], capture_output=True, text=True, check=False).stdout.strip()
        places.append(os.path.join(root, "axe-core", "axe.min.js"))
    return next((place for place in places if os.path.isfile(place)), None)


axe = find_axe()
if axe is not None:
    with open(axe) as file:
        browser.run(file.read())
pictures = os.environ.get("LIMEN_PICTURES")
view("playground")
browser.set("#request", "test: {type: rtt, spec: {dest: \"" + "y" * 300 + "\"}}")
browser.click("#try button[type=submit]")
browser.wait_for("return document.getElementById('verdict').textContent")
for scheme in ("light", "dark"):
    browser.devtools("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])
    for width in (320, 1440, 3840):
        browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        for name in VIEWS:
            view(name)
            is_true("%s, %d, %s: nothing is wider than the window" % (name, width, scheme), browser.run(
                "return document.documentElement.scrollWidth <= innerWidth"))
            if pictures:
                time.sleep(1)
                with open(os.path.join(pictures, "%s-%d-%s.png" % (name, width, scheme)), "wb") as file:
                    file.write(browser.picture())
            if axe is None:
                continue
            found = browser.post("/execute/async", {"args": [], "script":
                "axe.run(document, {resultTypes: ['violations'], rules: {'label-content-name-mismatch': {enabled: true}}})"
                ".then((found) => arguments[0](found.violations.filter((one) => /serious|critical/.test(one.impact))"
                ".map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' ').slice(0, 300))))"})
            is_equal("  no violation that is serious", found, [])
if axe is None:
    skip("rules of axe-core", "npm install -g axe-core, or set LIMEN_AXE")
daemon.signal(signal.SIGHUP)
view("policy")
is_true("a reload says that the counts began anew", browser.wait_for(
    "return document.getElementById('policy-text').textContent.includes('Load 2 set the counts of the rules to zero')"),
    browser.text("#policy-text"))
is_true("names are texts and nothing else", browser.run(
    "return document.querySelector('img') === null && document.title.startsWith('limen: ')"))
browser.devtools("Emulation.setEmulatedMedia", media="print")
is_true("in print there is no navigation", browser.run(
    "return getComputedStyle(document.querySelector('nav')).display === 'none'"))

outside = [url for url in browser.requests() if not url.startswith((base + "/", "data:", "chrome:"))]
is_equal("nothing is asked of others", outside, [])
is_equal("no error and no violation of the policy", browser.messages(), [])
browser.end()
daemon.end()
finish()

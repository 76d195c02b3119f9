# SPDX-License-Identifier: Apache-2.0
"""Reviews that wait for the list of their namespace hold up no others."""
from kit import *

WAITING = 40
KNOWN = 100

directory = os.path.join(work, "cluster")
os.mkdir(directory)
server = subprocess.Popen(
    [sys.executable, os.path.join(os.environ["LIMEN_SRCDIR"], "tests/kit/kube_server.py"), directory],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
atexit.register(server.kill)
port = int(server.stdout.readline().split()[-1])


def tell(command):
    server.stdin.write(command + "\n")
    server.stdin.flush()
    return server.stdout.readline().strip()


def lists():
    return json.loads(tell("counts"))["lists"]


def review(namespace):
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": namespace},
           "spec": {"containers": [{"name": "c", "resources": {"limits": {"cpu": "2"},
                                                               "requests": {"cpu": "2"}}}]}}
    kind = {"group": "", "version": "v1", "kind": "Pod"}
    return request("POST", "/admission/validate", json.dumps({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
            "uid": "u", "kind": kind, "resource": {"group": "", "version": "v1", "resource": "pods"},
            "name": "p", "namespace": namespace, "operation": "CREATE",
            "userInfo": {"username": "ann"}, "object": pod}}).encode(),
        ["Content-Type: application/json"])


def allowed(answer):
    return answer and answer.json()["response"]["allowed"]


tell("reset")
tell('put known a {"spec":{"limits":[{"type":"Pod","max":{"cpu":"1"}}]}}')
write("cluster/config", {
    "apiVersion": "v1", "kind": "Config", "current-context": "x",
    "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:%d" % port,
                                           "certificate-authority": "ca.crt"}}],
    "users": [{"name": "u", "user": {"tokenFile": "token"}}],
    "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}]})
daemon = Daemon("--timeout", "60", program=LIMEND, policy={"schema": 4, "admission": [
    {"name": "limits", "plugin": "LimitRanger",
     "data": {"cluster": {"kubeconfig": directory + "/config"}}}]})
is_equal("a namespace with LimitRanges", allowed(ask(daemon, review("known"))), False)
wait_for(lambda: json.loads(tell("counts"))["watching"] == 1)
tell("crowd fresh 1")
is_equal("the first LimitRange of a namespace, which no watch tells",
         allowed(ask(daemon, review("fresh"))), False)

before = lists()
tell("deaf on")
waiting = [daemon.connect() for _ in range(WAITING)]
for i, connection in enumerate(waiting):
    connection.sendall(review("slow-%d" % (i % 8)))
is_true("four lists are begun", wait_for(lambda: lists() == before + 4), tell("counts"))
answers = [allowed(ask(daemon, review("known"))) for _ in range(KNOWN)]
is_equal("others are decided", answers, [False] * KNOWN)
for connection in waiting:
    connection.setblocking(False)
early = 0
for connection in waiting:
    try:
        connection.recv(1)
        early += 1
    except BlockingIOError:
        connection.settimeout(PATIENCE)
is_equal("while those still wait", early, 0)
tell("deaf off")
is_equal("all are answered", [allowed(read_answer(connection)) for connection in waiting],
         [True] * WAITING)
is_equal("after one list for each namespace", lists(), before + 8)
is_equal("the daemon ends", daemon.end(), 0)
finish()

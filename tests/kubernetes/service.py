# SPDX-License-Identifier: Apache-2.0
"""limend behind its Service, as the manifests have it, with the certificate of certificate.sh."""
from gate import *
from limits import NOTHING


def own_address():
    """An address of this machine that Endpoints may hold, which loopback may not; or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: this only asks for the way there.
            probe.connect(("198.51.100.1", 9))
        except OSError:
            return None
        address = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def check(subject, policy):
    address = own_address()
    if address is None:
        skip("a Service", "this machine has no address beside loopback")
        return
    put("service")
    gate = Gate(policy, address)
    gate.trust = ssl.create_default_context(cafile="authority/ca.crt")
    gate.trust.check_hostname = False
    gate.start()
    known = gate.objects()
    subject.apply({"apiVersion": "v1", "kind": "Endpoints",
                   "metadata": {"name": "limend", "namespace": "limen"},
                   "subsets": [{"addresses": [{"ip": address}],
                                "ports": [{"name": "https", "port": gate.port}]}]})
    subject.apply(webhook_config("--ca-file", "authority/ca.crt"))
    subject.apply(objects(namespace("served"), limit_range(
        "served", {"type": "Container", "max": {"cpu": "1"}})))
    wait_for(lambda: gate.knows(known + 1))

    def ask():
        status, body = subject.create("served", "pods", pod("p", NOTHING), "?dryRun=All")
        return status, body["spec"]["containers"][0]["resources"] if status == 201 else body
    wanted = {"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}
    is_true("limend answers behind its Service", wait_for(lambda: ask() == (201, wanted)), ask())
    large = pod("p", {"limits": {"cpu": "2"}})
    body = subject.create("served", "pods", large)[1]
    is_equal("and refuses", body["message"], 'admission webhook "limits.limend.limen.svc" denied '
             "the request: maximum cpu usage per Container is 1, but limit is 2")
    # Nothing schedules this pod; what counts is that nobody is asked about it.
    gate.kill()
    is_equal("its own namespace needs no limend",
             subject.create("limen", "pods", pod("limend-0", NOTHING))[0], 201)
    is_equal("others do", subject.create("served", "pods", large)[0], 500)

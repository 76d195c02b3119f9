# SPDX-License-Identifier: Apache-2.0
"""deploy/kubernetes on a real API server: what it takes, and what the account may do."""
from gate import *

# A copy, since certificate.sh writes into it.
DEPLOY = os.path.join(work, "kubernetes")
OVERLAY = os.path.join(DEPLOY, "overlays", "limits")


def certificate(subject, **more):
    """Runs certificate.sh."""
    environment = dict(os.environ, KUBECTL="%s/kubectl --kubeconfig %s" % (
        BINARIES, subject.kubeconfig), **more)
    return subprocess.run([os.path.join(DEPLOY, "certificate.sh"), "authority"], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def build(overlay):
    """What kustomize makes of an overlay, for this API server."""
    done = subprocess.run([KUBECTL, "kustomize", overlay], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    is_equal("kustomize makes %s" % os.path.basename(overlay), (done.returncode, done.stderr),
             (0, ""))
    # The only manifest for 1.21 and newer.
    return done.stdout.replace("apiVersion: policy/v1\n", "apiVersion: policy/v1beta1\n")


def apply_manifests(subject):
    text = build(OVERLAY)
    for title, options in (("would take them", ["--dry-run=server"]), ("takes them", [])):
        done = subject.kubectl("apply", *options, "-f", "-", given=text)
        is_equal("an API server " + title,
                 (done.returncode, "deployment.apps/limend" in done.stdout, done.stderr),
                 (0, True, ""))
    done = subject.kubectl("apply", "--dry-run=server", "--validate=true", "-f", "-", given=text)
    is_equal("and finds nothing to change after that",
             [line for line in done.stdout.splitlines() if " created" in line], [])


def make_secret(subject):
    """certificate.sh, twice: the second time it renews."""
    secrets = []
    for title in ("makes a Secret", "renews it"):
        done = certificate(subject)
        secrets.append(subject.ask("GET", "/api/v1/namespaces/limen/secrets/limend-tls")[1])
        is_true("certificate.sh " + title, done.returncode == 0 and "tls.key" in
                secrets[-1].get("data", {}), done.stdout)
    is_true("with another key", secrets[0]["data"]["tls.key"] != secrets[1]["data"]["tls.key"])
    for key in ("tls.crt", "tls.key"):
        write("service." + key[4:], base64.b64decode(secrets[1]["data"][key]).decode())
    done = subprocess.run(["openssl", "verify", "-purpose", "sslserver", "-verify_hostname",
                           "limend.limen.svc", "-CAfile", "authority/ca.crt", "service.crt"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    is_equal("that is right for the Service", done.stdout, "service.crt: OK\n")


def make_policy(subject):
    """The policy of the ConfigMap, with the account of the manifests from outside the cluster."""
    answer = subject.ask("POST", "/api/v1/namespaces/limen/serviceaccounts/limend/token",
                         {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
                          "spec": {"expirationSeconds": 7200}})
    is_equal("the account has a token", answer[0], 201)
    token = answer[1]["status"]["token"]
    for path, wanted in (("/api/v1/limitranges", 200), ("/api/v1/secrets", 403),
                         ("/api/v1/pods", 403)):
        is_equal("with which %s is %d" % (path, wanted), subject.ask("GET", path, token=token)[0],
                 wanted)
    write("token", token)
    write("limend.kubeconfig", {
        "apiVersion": "v1", "kind": "Config", "current-context": "c",
        "clusters": [{"name": "c", "cluster": {
            "server": "https://127.0.0.1:%d" % subject.port,
            "certificate-authority": os.path.join(subject.state, "pki", "ca.crt")}}],
        "users": [{"name": "c", "user": {"tokenFile": os.path.join(work, "token")}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]})
    configs = subject.ask("GET", "/api/v1/namespaces/limen/configmaps")[1]["items"]
    config = next(one for one in configs if one["metadata"]["name"].startswith("limen-policy-"))
    text = config["data"]["limits.yaml"]
    is_equal("the policy asks the cluster", text.count("cluster: true"), 1)
    return text.replace("cluster: true", "cluster: {kubeconfig: %s/limend.kubeconfig}" % work)


def check(subject):
    shutil.copytree(os.path.join(SOURCE, "deploy", "kubernetes"), DEPLOY)
    make_secret(subject)
    apply_manifests(subject)
    return make_policy(subject)

# SPDX-License-Identifier: Apache-2.0
"""Connections to Redis with TLS, and a user of Redis who may do no more than limen needs."""
from fleet_kit import *

trusted, stranger = Authority("trusted"), Authority("stranger")
own = trusted.issue("client")


def serve_tls(*options):
    """A Redis with TLS alone; limend's store in it."""
    port = free_port()
    server = Server("--tls-port", str(port), "--tls-auth-clients", "no", *options)
    return server, {"url": "rediss://localhost:%d" % port, "ca-file": trusted.ca}


def says(name, said, store):
    status, errors = check(**store)
    is_true(name, status == 0 and "cannot be used now" in errors and said in errors, errors)


server, store = serve_tls(*trusted.issue("right"))
daemon = start(**store)
is_equal("Redis serves over TLS", codes(daemon, "one", BURST + 1), FULL + [429])
is_true("by a long answer, too", all(codes(daemon, "w%d" % i, 1) == [200] for i in range(500))
        and "w499" in subprocess.run(
            ["limen", "buckets", "-n", "1000", "--policy", os.path.join(work, "policy%d.conf" % Daemon.number)],
            stdout=subprocess.PIPE, text=True, env=dict(
                os.environ, PATH=os.environ["LIMEN_BUILDDIR"] + ":" + os.environ["PATH"])).stdout)
leases = start(**store, mode="lease")
is_true("and leases tokens", wait_for(lambda: codes(leases, "two", 1) == [200]))
leases.end()
daemon.end()
says("an authority that is not known is not trusted", "issuer is unknown",
     {**store, "ca-file": stranger.ca})
says("nor is it without an authority", "issuer is unknown", {"url": store["url"]})
says("a name that the certificate has not is not trusted", "does not match",
     {**store, "server-name": "example.org"})
is_equal("the address may be in the certificate", check(**{
    **store, "url": store["url"].replace("localhost", "127.0.0.1")})[0], 0)
is_true("and is then good", "cannot be used" not in check(**{
    **store, "url": store["url"].replace("localhost", "127.0.0.1")})[1])
says("a server without TLS is none", "TLS: ", {**store, "url": "rediss://" + server.address})
server.kill()
server, store = serve_tls(*trusted.issue("wrong", "DNS:example.org"))
says("a wrong certificate is not trusted", "does not match", store)
is_true("unless its name is told", "cannot be used" not in check(
    **store, **{"server-name": "example.org"})[1])
server.kill()
server, store = serve_tls(*trusted.issue("expired", days="0"))
time.sleep(1.1)  # it is good up to the end of this second
says("an expired certificate is not trusted", "expired", store)
server.kill()
server, store = serve_tls("--tls-auth-clients", "yes", *trusted.issue("strict"))
says("a server that wants a certificate gets none unasked", "TLS: ", store)
store.update({"certificate": own[1], "key": own[3]})
is_true("and one that is told", "cannot be used" not in check(**store)[1], check(**store)[1])
server.kill()

# ---- Sentinel with TLS ----

over_tls = ["--tls-replication", "yes", "--tls-auth-clients", "no", *trusted.issue("both")]
port, watched = free_port(), free_port()
server = Server("--tls-port", str(port), *over_tls)
watch = Server("--tls-port", str(watched), *over_tls,
               sentinel="sentinel monitor counts 127.0.0.1 %d 1\n" % port)
store = {"sentinels": ["localhost:%d" % watched], "master": "counts", "tls": True,
         "ca-file": trusted.ca}
daemon = start(**store)
is_equal("Sentinels and their master are asked over TLS", codes(daemon, "one", 1), [200])
says("a Sentinel that is not trusted is not asked", "the Sentinel localhost:%d: TLS: " % watched,
     {**store, "ca-file": stranger.ca})
daemon.end()
watch.kill()
server.kill()

# ---- the commands of a user in Redis, and in a cluster with TLS ----

with open(os.path.join(os.environ["LIMEN_SRCDIR"], "plugins/store/redis/redis.md")) as file:
    USER = re.search(r"^ACL (SETUSER .*)$", file.read(), re.M)[1].replace("PASSWORD", "pass").split()
user = {"username": "limen", "password-file": write("pass", "pass")}


def make_user(server, *more):
    server.ask("ACL", *USER, *("+" + command for command in more))


server = Server()
make_user(server)
daemon = start(port=server.port, **user)
is_equal("a user with the commands of the page is enough", codes(daemon, "one", BURST + 1),
         FULL + [429])
is_equal("it ends in order", daemon.end(), 0)
server.kill()
port = free_port()
server = Server("--tls-port", str(port), "--tls-cluster", "yes", "--tls-auth-clients", "no",
                "--cluster-enabled", "yes", *trusted.issue("node"))
server.ask("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
make_user(server, "cluster|slots", "asking")
daemon = start(cluster=["localhost:%d" % port], tls=True, **user, **{"ca-file": trusted.ca})
is_equal("and one with two more in a cluster, over TLS", codes(daemon, "one", BURST + 1), FULL + [429])
is_equal("which ends in order, too", daemon.end(), 0)
server.kill()

# ---- a server redirects to another one, over TLS ----

BOTH = "DNS:localhost,IP:127.0.0.1"


def redirect(names):
    """limends with one node of two have taken tokens of keys whose slot the other has now, with these names."""
    cluster = SecureCluster(trusted, BOTH, names)
    store = {"cluster": ["localhost:%d" % cluster.servers[0].secure_port], "tls": True, "ca-file": trusted.ca}
    daemons = [start(**store), start(**store, mode="lease"), start(**store, **{"server-name": "localhost"})]
    is_equal("the first node counts", codes(daemons[0], "mover", 4), [200] * 4)
    cluster.move(cluster.slot("mover"), cluster.servers[1])
    return cluster, daemons


def end(cluster, daemons):
    is_equal("they end in order", [daemon.end() for daemon in daemons], [0] * len(daemons))
    cluster.kill()


cluster, daemons = redirect(BOTH)
is_equal("a redirection over TLS is followed, and keeps counts", codes(daemons[0], "mover", BURST),
         [200] * 6 + [429] * 4)
beside, other = cluster.beside("mover", 2)
is_true("leases follow it, too", wait_for(lambda: codes(daemons[1], beside, 1) == [200]))
end(cluster, daemons)
cluster, daemons = redirect("DNS:localhost")
is_equal("but not to a server whose certificate does not name it", codes(daemons[0], "mover", 2), [500] * 2)
is_true("which the log tells", "Redis is unavailable: 127.0.0.1:%d: TLS: " % cluster.servers[1].secure_port
        in daemons[0].said() and "does not match" in daemons[0].said(), daemons[0].said())
is_equal("the first node counts on", codes(daemons[0], "stays", BURST + 1), FULL + [429])
beside, other = cluster.beside("mover", 2)
is_true("leases do not follow it either", wait_for(lambda: codes(daemons[1], beside, 1) == [500]))
is_equal("a name that is told is the name of all nodes", codes(daemons[2], "mover", BURST), [200] * 6 + [429] * 4)
end(cluster, daemons)
finish(by_status=LONG)

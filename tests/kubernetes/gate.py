# SPDX-License-Identifier: Apache-2.0
"""limend in front of an API server: certificates, registration, starts and ends."""
import base64
import ssl
import urllib.request

from cluster import *


def openssl(*arguments):
    subprocess.run(("openssl",) + arguments, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def make_authority(name):
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", name + ".key", "-out", name + ".crt", "-days", "30", "-subj", "/CN=" + name,
            "-addext", "basicConstraints=critical,CA:TRUE",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign")


ECDSA = ("ec", "-pkeyopt", "ec_paramgen_curve:P-256")


def make_certificate(name, authority, names="IP:127.0.0.1", key=ECDSA):
    openssl("req", "-newkey", *key, "-nodes", "-keyout", name + ".key", "-out", name + ".csr",
            "-subj", "/CN=limend")
    with open(name + ".ext", "w") as file:
        file.write("subjectAltName=%s\nextendedKeyUsage=serverAuth\n"
                   "authorityKeyIdentifier=keyid\n" % names)
    openssl("x509", "-req", "-in", name + ".csr", "-CA", authority + ".crt", "-CAkey",
            authority + ".key", "-set_serial", "0x" + os.urandom(15).hex(), "-out", name + ".crt",
            "-days", "20", "-extfile", name + ".ext")


def put(source, target="used"):
    """Replaces a certificate and its key as an operator would, one after the other."""
    for end in (".key", ".crt"):
        shutil.copy(source + end, target + end + ".new")
        os.rename(target + end + ".new", target + end)


class Gate:
    """limend on a port that stays the same, with the certificate in used.crt."""

    def __init__(self, policy, address="127.0.0.1", options=()):
        self.port = free_ports(1)[0]
        self.address = address
        self.policy = policy
        self.options = options
        self.daemon = None
        self.trust = ssl.create_default_context(cafile="authorities.crt")

    @property
    def url(self):
        return "https://%s:%d" % (self.address, self.port)

    def start(self):
        self.daemon = Daemon("--policy", self.policy, "--listen",
                             "%s:%d" % (self.address, self.port), "--tls-certificate", "used.crt",
                             "--tls-key", "used.key", *self.options, program=LIMEND, policy=None,
                             listen=False)
        if not wait_for(lambda: self.get("/readyz")[0] == 200):
            print("Bail out! limend is not ready: " + self.daemon.said().replace("\n", "; "))
            sys.exit(1)

    def kill(self):
        self.daemon.signal(signal.SIGKILL)
        self.daemon.wait()

    def request(self, path, body=None):
        asked = urllib.request.Request(self.url + path, body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE, context=self.trust) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError as error:
            return None, str(error)

    def get(self, path):
        return self.request(path)

    def metric(self, text):
        """The value of the metric whose line begins with 'text', or None."""
        for line in self.get("/metrics")[1].splitlines():
            if line.startswith(text):
                return float(line.rsplit(" ", 1)[1])
        return None

    def objects(self):
        """How many LimitRanges of the cluster it knows."""
        return self.metric('limend_instance_status{section="admission",entry="limit-ranges",'
                           'type="LimitRanger",field="objects"}')

    def knows(self, number):
        return self.objects() == number

    def serial(self):
        with socket.create_connection((self.address, self.port), PATIENCE) as made:
            with self.trust.wrap_socket(made, server_hostname=self.address) as connection:
                return connection.getpeercert()["serialNumber"]


def webhook_config(*options):
    """What "limen webhook-config" prints."""
    return subprocess.run([LIMEN, "webhook-config"] + list(options), check=True,
                          stdout=subprocess.PIPE, text=True).stdout

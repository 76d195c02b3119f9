# SPDX-License-Identifier: Apache-2.0
"""Certificates for tests, made with openssl."""
import ssl

from kit import *


def openssl(*arguments):
    subprocess.run(("openssl",) + arguments, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def make_authority(name):
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", name + ".key", "-out", name + ".crt", "-days", "30", "-subj", "/CN=" + name,
            "-addext", "basicConstraints=critical,CA:TRUE",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign")


def make_certificate(name, authority, days="20", usage="serverAuth"):
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
            name + ".key", "-out", name + ".csr", "-subj", "/CN=" + name)
    with open(name + ".ext", "w") as file:
        file.write("subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=%s\n"
                   "authorityKeyIdentifier=keyid\n" % usage)
    openssl("x509", "-req", "-in", name + ".csr", "-CA", authority + ".crt", "-CAkey",
            authority + ".key", "-CAcreateserial", "-out", name + ".crt", "-days", days,
            "-extfile", name + ".ext")


def make_brief_certificate(name, authority, seconds):
    """One of a client that expires so soon."""
    make_certificate(name, authority, usage="clientAuth")
    write("brief.txt", "")
    write("brief.serial", "01\n")
    write("brief.cnf", "[ca]\ndefault_ca=c\n[c]\ndatabase=brief.txt\nnew_certs_dir=.\n"
          "serial=brief.serial\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n")
    end = time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + seconds))
    openssl("ca", "-batch", "-notext", "-config", "brief.cnf", "-cert",
            authority + ".crt", "-keyfile", authority + ".key", "-in", name + ".csr", "-out",
            name + ".crt", "-startdate", "20200101000000Z", "-enddate", end, "-extfile",
            name + ".ext")


def client_of(authority="root", least=None, most=None, certificate=None):
    made = ssl.create_default_context(cafile=authority + ".crt")
    if least:
        made.minimum_version = least
    if most:
        made.maximum_version = most
    if certificate:
        made.load_cert_chain(certificate + ".crt", certificate + ".key")
    return made

# SPDX-License-Identifier: Apache-2.0
"""Servers with HTTPS on this machine, and programs that trust them."""
import os
import shutil
import ssl
import subprocess

CERTIFICATES = "/etc/ssl/certs"  # where libcurl looks


def certificate(folder, *more):
    """A key and a certificate that it signed itself; the file with the latter ends with .crt."""
    pem = folder / "self.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1",
                    "-days", "1", "-keyout", pem, "-out", f"{pem}.crt", *more],
                   check=True, capture_output=True)
    return pem


def secure(server, pem):
    """The server speaks HTTPS from now on."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{pem}.crt", pem)
    server.socket = context.wrap_socket(server.socket, server_side=True)


def trusting(folder):
    """A certificate for 127.0.0.1, and words before a command that make it trust that; None: not here.

    The command has a mount namespace of its own, in which the system trusts nothing else.
    """
    if not shutil.which("openssl") or not shutil.which("unshare") or not os.path.isdir(CERTIFICATES):
        return None
    pem = certificate(folder, "-addext", "subjectAltName=IP:127.0.0.1")
    trusted = folder / "trusted"
    trusted.mkdir()
    shutil.copy(f"{pem}.crt", trusted / "ca-certificates.crt")
    words = ["unshare", "-m" if os.geteuid() == 0 else "-Urm", "sh", "-c",
             f'mount --bind "$0" {CERTIFICATES} && exec "$@"', str(trusted)]
    done = subprocess.run([*words, "true"], capture_output=True, check=False)
    return (pem, words) if done.returncode == 0 else None

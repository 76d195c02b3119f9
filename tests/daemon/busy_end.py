# SPDX-License-Identifier: Apache-2.0
"""limend ends in order while its threads are busy, however the main thread is scheduled."""
import threading

from kit import *

if os.environ.get("SANITIZE_CFLAGS", "").strip():
    print("1..0 # SKIP sanitizers must be loaded first")
    sys.exit()

READY = request("GET", "/readyz")
ended = threading.Event()


def ask_on(daemon):
    """Asks over one connection after the other until limend ends; returns when it does."""
    while not ended.is_set():
        try:
            with daemon.connect() as connection:
                for _ in range(50):
                    connection.sendall(READY)
                    if not connection.recv(4096):
                        break
        except OSError:
            pass


library = os.path.join(os.environ["LIMEN_BUILDDIR"], "tests/daemon/.libs/late_epoll.so")
daemon = Daemon(program=LIMEND, env={**os.environ, "LD_PRELOAD": library})
clients = [threading.Thread(target=ask_on, args=(daemon,)) for _ in range(4)]
for client in clients:
    client.start()
is_true("limend is asked", wait_for(lambda: ask(daemon, READY).status == 200))
daemon.signal(signal.SIGTERM)
wait_for(lambda: "shutting down" in daemon.said())
time.sleep(1)
ended.set()
is_equal("threads that stop to listen by themselves end nothing", daemon.wait(), 0)
for client in clients:
    client.join()
is_true("and nothing is told", "atal" not in daemon.said(), daemon.said())
finish()

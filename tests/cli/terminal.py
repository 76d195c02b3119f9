# SPDX-License-Identifier: Apache-2.0
"""terminal.py COLUMNS COMMAND... - shows what limen prints on a terminal of that width."""
import os
import pty
import subprocess
import sys


def read_all(parent, text=b""):
    """What is still to be read from the terminal, up to its end, behind 'text'."""
    try:
        while piece := os.read(parent, 65536):
            text += piece
    except OSError:
        pass  # the other end is closed
    return text.decode().replace("\r\n", "\n")


def main(columns, *command):
    parent, child = pty.openpty()
    process = subprocess.Popen([os.environ["LIMEN"], *command, "--color", "never"], stdout=child,
                               stderr=child, stdin=subprocess.DEVNULL,
                               env=dict(os.environ, COLUMNS=columns))
    os.close(child)
    text = read_all(parent)
    process.wait()
    sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    main(*sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# kube_server.py - an API server that keeps LimitRanges, for tests of what watches
# them: lists in pages, watches with bookmarks, and everything that goes wrong.
#
# usage: kube_server.py DIRECTORY [PORT]
#
# Listens on 127.0.0.1 with TLS and a certificate of its own (DIRECTORY/ca.crt),
# takes commands from standard input and answers each with one line.  Requests need
# the token in DIRECTORY/token, or any client certificate DIRECTORY/client.crt.
import json
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse


class State:
    def __init__(self):
        self.lock = threading.Condition()
        self.turn = 0  # how often everything was reset
        self.objects = {}
        self.version = 100
        self.floor = 0
        self.log = []
        self.watches = set()
        self.tokens = {'first'}
        self.page = 0
        self.pad = 0
        self.padded = 0
        self.limits = []
        self.failures = []
        self.down = False
        self.deaf = False
        self.counts = {'lists': 0, 'watches': 0, 'refused': 0, 'connections': 0}
        self.last = ''

    def change(self, kind, key, obj):
        self.version += 1
        obj['metadata']['resourceVersion'] = str(self.version)
        if kind == 'DELETED':
            self.objects.pop(key, None)
        else:
            self.objects[key] = obj
        self.log.append((self.version, kind, json.loads(json.dumps(obj))))
        self.lock.notify_all()


state = State()


def status(code, message):
    return {'kind': 'Status', 'apiVersion': 'v1', 'status': 'Failure', 'message': message,
            'code': code}


def pad(obj, index):
    if state.pad == 0 or index >= state.padded:
        return obj
    return dict(obj, metadata=dict(obj['metadata'], annotations={'pad': 'x' * state.pad}))


class Connection(threading.Thread):
    def __init__(self, sock):
        super().__init__(daemon=True)
        self.raw = sock
        self.sock = None
        self.wake = []
        self.turn = state.turn

    def run(self):
        try:
            self.sock = context.wrap_socket(self.raw, server_side=True)
            self.sock.settimeout(None)
            while self.serve():
                pass
        except (OSError, ValueError):
            pass
        finally:
            with state.lock:
                state.watches.discard(self)
            (self.sock or self.raw).close()

    def read_head(self):
        head = b''
        while b'\r\n\r\n' not in head:
            more = self.sock.recv(65536)
            if not more:
                return None
            head += more
        return head.decode('latin-1').split('\r\n')

    def answer(self, code, body, extra=''):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.sock.sendall(('HTTP/1.1 %d X\r\nContent-Type: application/json\r\n%s'
                           'Content-Length: %d\r\n\r\n' % (code, extra, len(body))).encode()
                          + body)
        return True

    def serve(self):
        lines = self.read_head()
        if lines is None:
            return False
        target = urllib.parse.urlsplit(lines[0].split(' ')[1])
        query = dict(urllib.parse.parse_qsl(target.query))
        headers = {k.lower(): v.strip() for k, v in
                   (line.split(':', 1) for line in lines[1:] if ':' in line)}
        with state.lock:
            if self.turn != state.turn:  # of a test that is over: the next one does not see it
                return False
            state.last = lines[0]
            allowed = (self.sock.getpeercert(True) is not None or
                       headers.get('authorization') in {'Bearer ' + t for t in state.tokens})
            failure = state.failures.pop(0) if state.failures else None
            deaf = state.deaf
            kind = 'watches' if query.get('watch') else 'lists'
            state.counts[kind] += 1
            if not allowed:
                state.counts['refused'] += 1
        while deaf:
            time.sleep(0.05)
            with state.lock:
                deaf = state.deaf
        if not allowed:
            return self.answer(401, status(401, 'Unauthorized'))
        if failure is not None:
            return self.fail(failure)
        parts = target.path.strip('/').split('/')
        namespace = parts[3] if len(parts) == 5 else None
        if parts[:2] != ['api', 'v1'] or parts[-1] != 'limitranges':
            return self.answer(404, status(404, 'not found'))
        if query.get('watch'):
            return self.watch(query, namespace)
        return self.list(query, namespace)

    def fail(self, failure):
        code, body = failure
        if code == 0:
            return False
        if body is not None:
            return self.answer(code, body.encode())
        extra = 'Retry-After: 1\r\n' if code == 429 else ''
        return self.answer(code, status(code, 'it is what the test wants'), extra)

    def list(self, query, namespace):
        with state.lock:
            keys = sorted(k for k in state.objects if namespace in (None, k[0]))
            start = int(query.get('continue', '0/0').split('/')[0])
            size = state.page or int(query.get('limit', '500'))
            state.limits.append(query.get('limit', 'none'))
            items = [pad(state.objects[k], i)
                     for i, k in enumerate(keys[start:start + size], start)]
            meta = {'resourceVersion': str(state.version)}
            if start + size < len(keys):
                meta['continue'] = '%d/+ &=' % (start + size)
            body = json.dumps({'kind': 'LimitRangeList', 'apiVersion': 'v1', 'metadata': meta,
                               'items': items or None})
        return self.answer(200, body.encode())

    def send(self, data):
        self.sock.sendall(b'%x\r\n%s\r\n' % (len(data), data))

    def watch(self, query, namespace):
        version = int(query['resourceVersion'])
        end = time.monotonic() + int(query.get('timeoutSeconds', '60'))
        with state.lock:
            if self.turn != state.turn:
                return False
            state.watches.add(self)
            gone = version < state.floor
        self.sock.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
                          b'Transfer-Encoding: chunked\r\n\r\n')
        if gone:
            self.send(json.dumps({'type': 'ERROR', 'object':
                                  status(410, 'too old resource version')}).encode() + b'\n')
            self.sock.sendall(b'0\r\n\r\n')
            return True
        while time.monotonic() < end:
            events, extra, version = self.wait(version, namespace)
            for event in events:
                self.send(event)
            for what, data in extra:
                if what == 'raw':
                    self.send(data.encode())
                elif what == 'kill':
                    return False
                elif what == 'end':
                    self.sock.sendall(b'0\r\n\r\n')
                    return True
        self.sock.sendall(b'0\r\n\r\n')
        return True

    def wait(self, version, namespace):
        with state.lock:
            if not self.wake and not any(e[0] > version for e in state.log):
                state.lock.wait(0.2)
            events = []
            for number, kind, obj in state.log:
                if number <= version:
                    continue
                version = number
                if namespace in (None, obj['metadata']['namespace']):
                    events.append(json.dumps({'type': kind, 'object': obj}).encode() + b'\n')
            extra, self.wake = self.wake, []
        return events, extra, version


def tell_watches(what, data=None):
    for watch in state.watches:
        watch.wake.append((what, data))
    state.lock.notify_all()


def put(words):
    namespace, name, spec = words.split(' ', 2)
    key = (namespace, name)
    obj = {'metadata': {'name': name, 'namespace': namespace,
                        'creationTimestamp': '2026-01-01T00:00:00Z'}}
    given = json.loads(spec)
    obj['metadata'].update(given.pop('metadata', {}))
    obj.update(given)
    state.change('MODIFIED' if key in state.objects else 'ADDED', key, obj)


def delete(words):
    key = tuple(words.split(' '))
    if key in state.objects:
        state.change('DELETED', key, json.loads(json.dumps(state.objects[key])))


def command(line):
    verb, _, rest = line.partition(' ')
    if verb == 'put':
        put(rest)
    elif verb == 'fill':  # COUNT: so many LimitRanges in namespaces of their own
        for i in range(int(rest)):
            put('ns-%d limits {"spec":{"limits":[{"type":"Pod","max":{"cpu":"%d"}}]}}' % (i, i + 1))
    elif verb == 'crowd':  # NAMESPACE COUNT: so many LimitRanges in one, which no watch tells
        namespace, number = rest.split(' ')
        for i in range(int(number)):
            put('%s limits-%05d {"spec":{"limits":[{"type":"Pod","max":{"cpu":"1"}}]}}'
                % (namespace, i))
        state.log = []
    elif verb == 'empty':  # NAMESPACE: without any, which no watch tells
        state.objects = {key: one for key, one in state.objects.items() if key[0] != rest}
        state.version += 1
    elif verb == 'delete':
        delete(rest)
    elif verb == 'token':  # the only one that counts from now on
        state.tokens = {rest}
    elif verb == 'fail':  # COUNT CODE [BODY]: the next requests; code 0 closes
        count, code, *body = rest.split(' ', 2)
        state.failures += [(int(code), body[0] if body else None)] * int(count)
    elif verb == 'mend':
        state.failures = []
    elif verb == 'reset':  # as it was, but for the version
        tell_watches('kill')
        state.turn += 1
        state.objects, state.log, state.failures = {}, [], []
        state.tokens, state.page, state.pad, state.deaf = {'first'}, 0, 0, False
        state.watches, state.limits = set(), []
        with open(os.path.join(directory, 'token'), 'w') as out:
            out.write('first\n')
    elif verb == 'page':
        state.page = int(rest)
    elif verb == 'pad':  # BYTES [COUNT]: each object of a list, or the first ones, is longer
        size, *count = rest.split(' ')
        state.pad, state.padded = int(size), int(count[0]) if count else sys.maxsize
    elif verb == 'limits':  # how many objects were asked for at a time
        return ' '.join(state.limits)
    elif verb == 'compact':
        state.floor = state.version + 1
        state.version += 1
    elif verb == 'forget':  # changes that no watch will ever tell
        state.log = []
    elif verb == 'bookmark':
        state.version += 1
        tell_watches('raw', json.dumps({'type': 'BOOKMARK', 'object': {
            'kind': 'LimitRange', 'metadata': {'resourceVersion': str(state.version)}}}) + '\n')
        return str(state.version)
    elif verb == 'raw':
        tell_watches('raw', rest + '\n')
    elif verb == 'part':  # no end of line
        tell_watches('raw', rest)
    elif verb == 'big':
        tell_watches('raw', '"' + 'x' * int(rest))
    elif verb in ('kill', 'end'):
        tell_watches(verb)
    elif verb == 'deaf':
        state.deaf = rest == 'on'
    elif verb == 'counts':
        return json.dumps(dict(state.counts, watching=len(state.watches)))
    elif verb == 'last':
        return state.last
    else:
        return 'what?'
    return 'ok'


def make_certificates(directory):
    run = lambda *words: subprocess.run(('openssl',) + words, cwd=directory, check=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    new = ('-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes')
    run('req', '-x509', *new, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2',
        '-subj', '/CN=kube-test')
    for name, extension in (('server', 'subjectAltName=IP:127.0.0.1'),
                            ('client', 'extendedKeyUsage=clientAuth')):
        with open(os.path.join(directory, 'ext'), 'w') as out:
            out.write(extension)
        run('req', *new, '-keyout', name + '.key', '-out', name + '.csr', '-subj', '/CN=' + name)
        run('x509', '-req', '-in', name + '.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key',
            '-CAcreateserial', '-days', '2', '-extfile', 'ext', '-out', name + '.crt')


def accept(listener):
    while True:
        sock, _ = listener.accept()
        with state.lock:
            state.counts['connections'] += 1
            connection = Connection(sock)
        connection.start()


directory = sys.argv[1]
if not os.path.exists(os.path.join(directory, 'client.crt')):
    make_certificates(directory)
with open(os.path.join(directory, 'token'), 'w') as token_file:
    token_file.write('first\n')
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(os.path.join(directory, 'server.crt'),
                        os.path.join(directory, 'server.key'))
context.load_verify_locations(os.path.join(directory, 'ca.crt'))
context.verify_mode = ssl.CERT_OPTIONAL
listener = socket.create_server(('127.0.0.1', int(sys.argv[2]) if len(sys.argv) > 2 else 0))
threading.Thread(target=accept, args=(listener,), daemon=True).start()
print(listener.getsockname()[1], flush=True)
for text in sys.stdin:
    with state.lock:
        said = command(text.rstrip('\n'))
    print(said, flush=True)

# SPDX-License-Identifier: Apache-2.0
"""Functions as modules: verdicts, options, changes, threads, reloads and processes."""
import concurrent.futures
import datetime
import gc
import json
import logging
import os
import signal
import sys
import threading
import time
import unittest
import unittest.mock
import weakref

import kit
import limen

UTC = datetime.timezone.utc
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {}}


def policy(data=None, kind="limit", name="own"):
    """A policy with one entry of this kind."""
    entry = {"name": "it", "description": "", "type": name, "data": data or {}}
    if kind == "identifier":
        return json.dumps(dict(kit.EVERYBODY, identifiers=[dict(entry, name="all")]))
    if kind == "limit":
        return json.dumps(dict(kit.EVERYBODY, limits=[dict(entry, name="rtt")]))
    if kind == "admission":
        return json.dumps({"schema": 4, "admission": [
            {"name": "it", "plugin": name, "data": data or {}}]})
    section = {"rewriter": "rewrite", "prioritizer": "priority"}[kind]
    return json.dumps(dict(kit.EVERYBODY, **{section: dict(data or {}, type=name)}))


class Base(unittest.TestCase):
    def setUp(self):
        logging.getLogger("limen").disabled = True

    def engine(self, *modules, text=None, **options):
        engine = limen.Engine(modules=modules, module_path=kit.MODULES, **options)
        self.addCleanup(engine.close)
        if text is not None:
            engine.load_text(text)
        return engine

    def answer(self, value, kind=limen.limit, **changes):
        """Decide with a module that returns this value, or raises it."""
        def call(_request, _options):
            if isinstance(value, BaseException):
                raise value
            return value

        name = kind.__name__
        return self.engine(kind("own", call), text=policy(kind=name)).decide(kit.RTT, **changes)


class Verdicts(Base):
    def test_limit(self):
        """a limit passes, fails with and without a reason, or has no opinion"""
        self.assertTrue(self.answer(True))
        self.assertTrue(self.answer(limen.SKIP))
        self.assertEqual((403, "application 'Round trips' fails: limit 'rtt' failed: too \u20ac ?"),
                         (lambda found: (found.code, found.reason))(self.answer("too \u20ac \0")))
        for value in (False, ""):
            self.assertEqual(403, self.answer(value).code)

    def test_identifier(self):
        """an identifier identifies or does not"""
        self.assertTrue(self.answer(True, limen.identifier))
        for value in (False, "no", limen.SKIP):
            self.assertEqual((403, []), (lambda found: (found.code, found.identifiers))(
                self.answer(value, limen.identifier)))

    def test_exception(self):
        """an exception is "cannot tell" with its text, which is never inverted"""
        class Odd(Exception):
            def __str__(self):
                raise RuntimeError

        for error, text in ((KeyError("test"), "KeyError: 'test'"), (ValueError(), "ValueError"),
                            (Odd(), "Odd: <"), (MemoryError(), "MemoryError")):
            found = self.answer(error)
            self.assertEqual(500, found.code)
            self.assertIn(text, found.reason)

    def test_other_values(self):
        """so is any other value, and None above all"""
        for value in (None, 1, 0, [], {"a": 1}, b"no"):
            found = self.answer(value)
            self.assertEqual(500, found.code)
            self.assertIn("TypeError: the function returned %r, not True" % (value,), found.reason)

    def test_interrupt(self):
        """KeyboardInterrupt ends decide()"""
        with self.assertRaises(KeyboardInterrupt):
            self.answer(KeyboardInterrupt())
        self.assertTrue(self.answer(True))

    def test_logging_fails(self):
        """an exception while another is told is "cannot tell", too"""
        class Broken(logging.Handler):
            def emit(self, record):
                raise KeyError("broken")

        broken, lost = Broken(), []
        logging.getLogger("limen").disabled = False
        logging.getLogger("limen").addHandler(broken)
        self.addCleanup(logging.getLogger("limen").removeHandler, broken)
        with unittest.mock.patch("sys.unraisablehook", lost.append):
            self.assertEqual(500, self.answer(ZeroDivisionError()).code)
        self.assertEqual([], lost)

    def test_log(self):
        """an exception is logged with its traceback"""
        logging.getLogger("limen").disabled = False
        with self.assertLogs("limen", "ERROR") as logs:
            self.answer(ZeroDivisionError("here"))
        self.assertIn("in call\n", logs.output[0])


class Changes(Base):
    def decide(self, module, document, **options):
        kind = "admission" if options.get("subject") == "object" else module.kind
        return self.engine(module, text=policy(kind=kind)).decide(document, **options)

    def test_rewriter(self):
        """a rewriter returns the new task, or leaves it, or rejects it"""
        def add(request, _options):
            if "reject" in request.document:
                return "rejected"
            if "leave" in request.document:
                return True
            return dict(request.document, added=[1, "\u20ac"])

        module = limen.rewriter("own", add)
        self.assertEqual([1, "\u20ac"], self.decide(module, kit.RTT).rewritten["added"])
        self.assertTrue(self.decide(module, dict(kit.RTT, leave=1)))
        found = self.decide(module, dict(kit.RTT, reject=1))
        self.assertEqual(403, found.code)
        self.assertIn("rejected", found.reason)

    def test_admission(self):
        """an admission plugin changes the object, and then checks it"""
        def mutate(request, _options):
            document = request.document
            document["spec"]["added"] = request.field("namespace")
            return document

        def validate(request, _options):
            self.assertEqual("shop", request.document["spec"]["added"])
            self.assertEqual({}, request.original["spec"])
            return [limen.Violation("invalid", "spec.added", "it is there"),
                    limen.Violation("invalid", None, "and\nwrong", "why")]

        fields = {"namespace": "shop", "operation": "CREATE"}
        found = self.decide(limen.admission("own", mutate=mutate, validate=validate), POD,
                            subject="object", fields=fields)
        self.assertEqual((422, ["it is there", "and\nwrong"], "spec.added"),
                         (found.code, found.messages, found.violations[0].field))
        found = self.decide(limen.admission("own", validate=lambda _r, _o: "never"), POD,
                            subject="object", fields=fields)
        self.assertEqual((403, ["never"]), (found.code, found.messages))
        for good in (True, [], limen.SKIP):
            self.assertTrue(self.decide(limen.admission("own", validate=lambda _r, _o: good), POD,
                                        subject="object", fields=fields))
        found = self.decide(limen.admission("own", validate=lambda _r, _o: [
            limen.Violation("odd", None, "text")]), POD, subject="object", fields=fields)
        self.assertIn("violation_class cannot be 'odd'", found.reason)
        with self.assertRaises(TypeError):
            limen.admission("own")

    def test_prioritizer(self):
        """a prioritizer gets a priority and returns one"""
        run = ("2026-01-01T00:00:00Z", "PT1M")
        module = limen.prioritizer("own", lambda request, options, initial:
                                   initial + options["add"], options=[
                                       limen.option("add", float, required=True)])
        engine = self.engine(module, text=policy({"add": 2.5}, "prioritizer"))
        self.assertEqual(2.5, engine.decide(kit.RTT, run=run).priority)
        for wrong in (True, "9", None):
            module = limen.prioritizer("own", lambda _r, _o, _i: wrong)
            found = self.engine(module, text=policy(kind="prioritizer")).decide(kit.RTT, run=run)
            self.assertEqual(500, found.code)


class Options(Base):
    ROWS = [limen.option("word", help="A word"), limen.option("number", int, minimum=0),
            limen.option("most", int, maximum=5), limen.option("real", float, default=1.5),
            limen.option("flag", bool, default=True),
            limen.option("words", list, default=["a", "b"], pattern="[a-z]"),
            limen.option("wait", datetime.timedelta, default=datetime.timedelta(seconds=90),
                         maximum=datetime.timedelta(hours=1)),
            limen.option("color", choices=["red", "blue"]),
            limen.option("any", object, default={"a": [1]}),
            limen.option("password", secret=True)]

    def show(self, data):
        seen = []
        self.engine(limen.limit("own", lambda _request, options: seen.append(dict(options)),
                                options=self.ROWS), text=policy(data)).decide(kit.RTT)
        return seen[0]

    def test_defaults(self):
        """options have their defaults"""
        self.assertEqual({"word": None, "number": 0, "most": 0, "real": 1.5, "flag": True,
                          "words": ["a", "b"], "wait": datetime.timedelta(seconds=90),
                          "color": "red", "any": {"a": [1]}, "password": None}, self.show({}))

    def test_values(self):
        """or the values of the policy"""
        data = {"word": "\u20ac", "number": 2 ** 62, "most": -7, "real": 2, "flag": False,
                "words": ["z"], "wait": "PT1H", "color": "blue", "any": None, "password": "x"}
        self.assertEqual(dict(data, wait=datetime.timedelta(hours=1)), self.show(data))

    def test_problems(self):
        """the library checks them, and says where they are wrong"""
        for data, place, text in (
                ({"number": -1}, "/limits/0/data/number", "-1 is less than the minimum of 0"),
                ({"most": 6}, "/limits/0/data/most", "6 is greater than the maximum of 5"),
                ({"words": ["a", "B"]}, "/limits/0/data/words/1", "'B' does not match '[a-z]'"),
                ({"wait": "PT2H"}, "/limits/0/data/wait", "'PT2H' is too long"),
                ({"color": "green"}, "/limits/0/data/color", "'green' is not one of")):
            with self.assertRaises(limen.PolicyError) as caught:
                self.show(data)
            problem = caught.exception.problems[0]
            self.assertEqual(place, problem.pointer)
            self.assertIn(text, problem.text)

    def test_open(self):
        """'open' makes what functions get, or says what is wrong"""
        def start(options):
            if options["from"] > options["to"]:
                raise ValueError("from is after to")
            return range(options["from"], options["to"])

        rows = [limen.option("from", int), limen.option("to", int)]
        module = limen.limit("own", lambda _request, hours: 3 in hours, options=rows, open=start)
        engine = self.engine(module, text=policy({"from": 1, "to": 4}))
        self.assertTrue(engine.decide(kit.RTT))
        with self.assertRaises(limen.PolicyError) as caught:
            engine.load_text(policy({"from": 5, "to": 4}))
        self.assertEqual(["from is after to"],
                         [one.text for one in caught.exception.problems])
        self.assertTrue(engine.decide(kit.RTT))

    def test_rows(self):
        """a mistake in a row refuses the module"""
        def call(_request, _options):
            return True

        for rows, text in (([limen.option("a"), limen.option("a")], "'key' is that of option 1"),
                           ([limen.option("a", pattern="(")], "Invalid regular expression"),
                           ([limen.option("a", int, default="x")], "'fallback'"),
                           ([limen.option("#a")], "'#'")):
            with self.assertRaises(limen.PolicyError) as caught:
                self.engine(limen.limit("own", call, options=rows))
            self.assertIn(text, str(caught.exception))
        for wrong in (lambda: limen.option("a", dict), lambda: limen.limit("own", None),
                      lambda: self.engine("own")):
            self.assertRaises(TypeError, wrong)
        with self.assertRaises(limen.PolicyError):
            self.engine(limen.limit("a/b", call))


class Requests(Base):
    def test_request(self):
        """a function sees the request, for the time of the call"""
        seen = []

        def look(request, _options):
            seen.append(request)
            return repr((request.subject, request.document["test"]["type"], request.old,
                         request.hints, request.now, request.time_left > 5, request.dry_run,
                         request.field("user"), request.has_classifier("all")))

        engine = self.engine(limen.limit("own", look), text=policy())
        found = engine.decide(kit.RTT, hints={"requester": "192.0.2.1"}, time=1e9, timeout=10,
                              dry_run=True, fields={"user": "ann"})
        self.assertIn(repr(("task", "rtt", None, {"requester": "192.0.2.1"},
                            datetime.datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC), True, True,
                            "ann", True)), found.reason)
        for read in ("original", "subject", "now", "time_left"):
            self.assertRaisesRegex(limen.Error, "the call is over", getattr, seen[0], read)
        self.assertEqual(kit.RTT, seen[0].document)

    def test_at_once(self):
        """threads read their requests at once, without a lock that a fork could copy"""
        barrier = threading.Barrier(2)
        read = limen.modules.read_value

        def wait(*arguments):
            barrier.wait(5)
            return read(*arguments)

        engine = self.engine(limen.limit("own", lambda request, _options:
                                         "test" in request.document), text=policy())
        with unittest.mock.patch("limen.modules.read_value", wait), \
                concurrent.futures.ThreadPoolExecutor(2) as pool:
            for found in pool.map(engine.decide, [kit.RTT] * 2):
                self.assertTrue(found, found.reason)

    def test_unreadable(self):
        """a document that Python cannot read is an error of the call"""
        engine = self.engine(limen.limit("own", lambda request, _options:
                                         request.document is not None), text=policy())
        found = engine.decide(b'{"a": 1%s}' % (b"0" * 5000))
        if sys.version_info >= (3, 11):
            self.assertEqual(500, found.code)
            self.assertIn("the document cannot be read", found.reason)

    def test_engines(self):
        """a function must not use an engine, and may close it"""
        holder = []

        def use(_request, _options):
            try:
                holder[0].decide(kit.RTT)
            except limen.Error as error:
                holder[0].close()
                return str(error)

        holder.append(self.engine(limen.limit("own", use), text=policy()))
        self.assertIn("a function of a module must not use an engine",
                      holder[0].decide(kit.RTT).reason)
        self.assertRaisesRegex(limen.Error, "closed", holder[0].decide, kit.RTT)


class Policies(Base):
    """The policies of docs/module-policies.md, by functions."""

    def decide(self, kind, module, document, **options):
        engine = self.engine(module)
        engine.load("%s/docs/examples/module-policies/%s.yaml" % (kit.SOURCE, kind))
        return engine.decide(document, **options)

    def test_all(self):
        """a policy for each kind decides by functions of these names"""
        rows = [limen.option("hint"), limen.option("values", list)]
        found = self.decide("identifier", limen.identifier(
            "hint-list", lambda request, options:
            request.hints["user"] in options["values"], options=rows), {}, hints={"user": "ann"})
        self.assertEqual(["staff"], found.identifiers)
        rows = [limen.option("object"), limen.option("key"), limen.option("value", object)]
        found = self.decide("rewriter", limen.rewriter(
            "fill-in", lambda request, options:
            {"test": {"spec": {options["key"]: options["value"]}}}, options=rows), kit.RTT)
        self.assertEqual({"test": {"spec": {"count": 10}}}, found.rewritten)
        rows = [limen.option("path"), limen.option("max", int)]
        found = self.decide("limit", limen.limit(
            "at-most", lambda request, options:
            request.document["n"] <= options["max"] or "too many", options=rows), {"n": 61})
        self.assertIn("limit 'few' failed: too many", found.reason)
        found = self.decide("admission", limen.admission(
            "replica-cap", validate=lambda request, options: "no more than %d" % options["max"],
            options=[limen.option("max", int)]), POD, subject="object",
            fields={"operation": "CREATE", "resource": "deployments"})
        self.assertEqual(["no more than 10"], found.messages)
        rows = [limen.option("hint"), limen.option("steps", object)]
        found = self.decide("prioritizer", limen.prioritizer(
            "by-hint", lambda request, options, initial: initial + options["steps"][0]["add"],
            options=rows), kit.RTT, prioritize=True)
        self.assertEqual(15, found.priority)


class Lives(Base):
    def test_names(self):
        """two of one name are refused; a file of that name is hidden"""
        def never(_request, _options):
            return "never"

        with self.assertRaisesRegex(ValueError, "two modules are the limit 'own'"):
            self.engine(limen.limit("own", never), limen.limit("own", never))
        engine = self.engine(limen.limit("test-type", never), limen.identifier("own", never))
        engine.load_text(policy(name="test-type"))
        self.assertIn("never", engine.decide(kit.RTT).reason)

    def test_engines(self):
        """several engines share a module, each with its own options"""
        module = limen.limit("own", lambda _request, options: options["say"],
                             options=[limen.option("say")])
        first, second = (self.engine(module, text=policy({"say": say})) for say in "ab")
        self.assertIn("failed: a", first.decide(kit.RTT).reason)
        self.assertIn("failed: b", second.decide(kit.RTT).reason)
        for engine in (first, second):
            engine.close()
        self.assertEqual({}, module._states)

    def test_reload(self):
        """an unchanged entry keeps its state; a changed one is opened anew, the old is closed"""
        opened = []

        def start(options):
            opened.append(options["say"])
            return [options["say"], 0]

        def count(_request, state):
            state[1] += 1
            return "%s %d" % tuple(state)

        module = limen.limit("own", count, options=[limen.option("say")], open=start)
        engine = self.engine(module, text=policy({"say": "a"}))
        engine.decide(kit.RTT)
        engine.reload()
        self.assertIn("a 2", engine.decide(kit.RTT).reason)
        engine.load_text(policy({"say": "b"}))
        self.assertIn("b 1", engine.decide(kit.RTT).reason)
        self.assertEqual(["a", "b"], opened)
        end = time.monotonic() + 60
        while len(module._states) > 1 and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(1, len(module._states))

    def test_garbage(self):
        """an engine with functions that is forgotten is freed"""
        engine = limen.Engine(modules=[limen.limit("own", lambda _r, _o: True)],
                              module_path=kit.MODULES)
        engine.load_text(policy())
        known = weakref.ref(engine)
        del engine
        gc.collect()
        self.assertIsNone(known())

    def test_threads(self):
        """threads decide while others load"""
        wrong = []
        module = limen.limit("own", lambda request, options:
                             request.hints["n"] % options["by"] == 0 or "odd",
                             options=[limen.option("by", int, default=2)])
        engine = self.engine(module, text=policy())

        def decide(number):
            for i in range(200):
                if engine.decide(kit.RTT, hints={"n": number + i}).admitted != \
                        ((number + i) % 2 == 0):
                    wrong.append(number + i)

        def load():
            for _ in range(30):
                engine.load_text(policy({"by": 2}))
                engine.load_text(policy())

        threads = [threading.Thread(target=decide, args=(n,)) for n in range(6)]
        threads.append(threading.Thread(target=load))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], wrong)

    def test_blocking(self):
        """a function that blocks runs on a worker, and is given up"""
        here = []

        def wait(_request, _options):
            here.append(threading.get_ident())
            time.sleep(0.3)
            return True

        engine = self.engine(limen.identifier("own", wait, blocking=True),
                             text=policy(kind="identifier"))
        self.assertTrue(engine.may_block)
        self.assertTrue(engine.decide(kit.RTT))
        self.assertNotEqual(threading.get_ident(), here[0])
        self.assertEqual(500, engine.decide(kit.RTT, timeout=0.1).code)

    def test_fork(self):
        """a module made before a fork works in an engine made after it"""
        module = limen.limit("own", lambda _request, _options: "child %d" % os.getpid())
        parent = self.engine(module, text=policy())
        child = os.fork()
        if child == 0:
            status = 1
            try:
                said = self.engine(module, text=policy()).decide(kit.RTT).reason
                status = 0 if said.endswith("child %d" % os.getpid()) else 2
                parent.decide(kit.RTT)
                status = 3
            except limen.Error:
                pass
            finally:
                os._exit(status)
        self.assertEqual(0, os.waitpid(child, 0)[1])
        self.assertIn("child %d" % os.getpid(), parent.decide(kit.RTT).reason)

    @unittest.skipIf("address" in os.environ.get("SANITIZE_CFLAGS", ""),
                     "a fork may leave the lock of AddressSanitizer's malloc() taken")
    def test_fork_meanwhile(self):
        """a process forks while another thread loads, and its child loads and decides"""
        module = limen.limit("own", lambda _request, _options: True)
        text = json.dumps(dict(kit.EVERYBODY, limits=[
            {"name": "rtt", "type": "jq", "data": {"script": "true"}}]))
        ended = threading.Event()

        def load():
            while not ended.is_set():
                limen.Engine(modules=[module], module_path=kit.MODULES).load_text(text)

        thread = threading.Thread(target=load)
        thread.start()
        try:
            for _ in range(20):
                child = os.fork()
                if child == 0:
                    signal.alarm(60)
                    status = 1
                    try:
                        status = int(not self.engine(module, text=text).decide(kit.RTT))
                    finally:
                        os._exit(status)
                self.assertEqual(0, os.waitpid(child, 0)[1])
        finally:
            ended.set()
            thread.join()

    def test_processor(self):
        """LimitProcessor takes modules, too"""
        processor = limen.LimitProcessor(policy(), module_path=kit.MODULES,
                                         modules=[limen.limit("own", lambda _r, _o: "no")])
        self.addCleanup(processor.close)
        passed, diags, _, _ = processor.process(kit.RTT, {})
        self.assertFalse(passed)
        self.assertIn("Limit 'rtt' failed: no", diags)


if __name__ == "__main__":
    kit.main()

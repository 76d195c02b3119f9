#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutate.py - do the tests of the decision logic notice when it is wrong?

    mutate.py programs LIST            prints which test programs must be built
    mutate.py rewrite LIST TREE        puts mutants into the sources in TREE
    mutate.py run LIST TREE            runs the tests of each, prints who survives;
                                       TREE holds the sources without mutants

tests/meta/mutations.txt (LIST) names the files and, for each, the tests that are to
notice.  A mutant is one wrong token: a comparison that takes or leaves its bound,
"&&" for "||", a "+ 1" that is missing, another verdict, "true" for "false".  All of
them are compiled into one build, and the environment variable LIMEN_MUTANT says
which of them is alive in a process, so that trying one is only running its tests.

"run" works in the directory of that build.  First it runs each test without a mutant,
to learn which mutants it comes by at all (LIMEN_MUTANTS_SEEN); then, for each mutant,
these tests until one fails.  Names of files and numbers (7, or 7-9) as
further arguments take some of them only.
"""
import collections
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

TOKEN = re.compile(r'''
    (?P<word>[A-Za-z_]\w*) | (?P<number>\d[\w.]*) |
    (?P<mark><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
''', re.VERBOSE)
BLANKS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|'
                    r'^[ \t]*\#(?:\\\n|[^\n])*', re.DOTALL | re.MULTILINE)
SWAPS = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==',
         '&&': '||', '||': '&&', 'true': 'false', 'false': 'true',
         'LIMEN_PASS': 'LIMEN_FAIL', 'LIMEN_FAIL': 'LIMEN_PASS',
         'LIMEN_ERROR': 'LIMEN_PASS', 'LIMEN_SKIP': 'LIMEN_FAIL'}
ASSIGNMENTS = {'=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='}
OPENERS = {'(': ')', '[': ']', '{': '}'}

# What every file begins with.  A destructor writes what was come by, so that it is
# known of modules that are unloaded, too.
PRELUDE = '''\
#include <stdio.h>
#include <stdlib.h>
static int mutant_alive;
static unsigned char mutants_seen[{count} + 1];
__attribute__((constructor)) static void
read_mutant(void)
{{
	const char *text = getenv("LIMEN_MUTANT");

	mutant_alive = text == NULL ? 0 : atoi(text);
}}
__attribute__((destructor)) static void
write_mutants_seen(void)
{{
	const char *path = getenv("LIMEN_MUTANTS_SEEN");
	FILE *file = path == NULL ? NULL : fopen(path, "a");

	for (int i = 1; file != NULL && i <= {count}; i++)
		if (mutants_seen[i])
			fprintf(file, "%d\\n", {first} + i);
	if (file != NULL)
		fclose(file);
}}
static inline int
is_mutant(int number)
{{
	mutants_seen[number - {first}] = 1;
	return mutant_alive == number;
}}
#line 1
'''

Token = collections.namedtuple('Token', 'text start end')
Mutant = collections.namedtuple('Mutant', 'number file line function text change')


def read_list(path):
    """The files of the list with their tests, and the mutants that are no faults."""
    files, equivalent = collections.OrderedDict(), {}
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            line = line.strip()
            if line.startswith('= '):
                name, function, text, change, reason = line[2:].split(' | ')
                equivalent[(name, function, text, change)] = reason
            elif line and not line.startswith('#'):
                name, tests = line.split(':', 1)
                files.setdefault(name, []).extend(tests.split())
    return files, equivalent


def read_tokens(text):
    # A literal is an operand, a comment is nothing.
    masked = BLANKS.sub(lambda match: re.sub(
        r'[^\n]', '_' if match.group()[0] in '"\'' else ' ', match.group()), text)
    return [Token(match.group(), match.start(), match.end())
            for match in TOKEN.finditer(masked) if not match.group().isspace()]


def pair_brackets(tokens):
    """The index of what closes each opening bracket, and the other way round."""
    pairs, stack = {}, []
    for i, token in enumerate(tokens):
        if token.text in OPENERS:
            stack.append(i)
        elif token.text in OPENERS.values():
            pairs[i] = stack.pop()
            pairs[pairs[i]] = i
    return pairs


def list_functions(tokens, pairs):
    """(first token, last token, name) of each body of a function."""
    functions, i = [], 0
    while i < len(tokens):
        if tokens[i].text == '{' and i > 0 and tokens[i - 1].text == ')':
            functions.append((i, pairs[i], tokens[pairs[i - 1] - 1].text))
        i = pairs[i] + 1 if tokens[i].text in OPENERS else i + 1
    return functions


def find_region(tokens, pairs, at):
    """The expression around a token: the first and the last of its tokens, or None."""
    first = at
    while True:
        before = tokens[first - 1].text
        if before in OPENERS or before in ASSIGNMENTS or before in (';', ',', 'return', 'else'):
            break
        if before == 'case' or before == '}' or before == ':' and is_label(tokens, first - 1):
            return None
        first = pairs[first - 1] if before in (')', ']') else first - 1
    last = at
    while tokens[last + 1].text not in (';', ',', ')', ']', '}'):
        if tokens[last + 1].text in ASSIGNMENTS:
            return None
        last = pairs[last + 1] if tokens[last + 1].text in OPENERS else last + 1
    size = tokens[first - 1].text == '[' and not any(
        re.match(r'[a-z]', token.text) for token in tokens[first:last + 1])
    static = is_static(tokens, first)
    return None if size or static else (first, last)


def is_label(tokens, colon):
    """Does a colon end a label of a switch?"""
    at = colon
    while tokens[at].text not in (';', '{', '}', '?'):
        if tokens[at].text in ('case', 'default'):
            return True
        at -= 1
    return False


def is_static(tokens, at):
    """Is it in an initialiser of a static variable, which must be constant?"""
    while tokens[at - 1].text not in (';', '}'):
        at -= 1
        if tokens[at].text == 'static':
            return True
        if tokens[at].text == '{' and tokens[at - 1].text in (')', 'else', 'do'):
            return False
    return False


def list_changes(tokens, first, last):
    """(index of the token, what comes in its place) for the tokens of a function."""
    for i in range(first, last):
        text, before, after = tokens[i].text, tokens[i - 1].text, tokens[i + 1].text
        compared = before in ('==', '!=') or after in ('==', '!=')
        binary = before != 'return' and re.match(r'[\w)\]]', before)
        if text in '+-' and binary and after == '1' and tokens[i + 2].text not in ('<<', '*'):
            yield i + 1, '0'
        elif text in ('++', '--', 'case'):
            continue
        elif text in SWAPS and not (compared and text[0].isalpha()):
            yield i, SWAPS[text]


class Source:
    """One file, its mutants, and its text with them."""

    def __init__(self, name, text, first):
        self.name, self.text, self.first = name, text, first
        self.tokens = read_tokens(text)
        self.pairs = pair_brackets(self.tokens)
        self.mutants, self.left_out = [], 0
        self.regions = collections.OrderedDict()
        for begin, end, function in list_functions(self.tokens, self.pairs):
            for at, becomes in list_changes(self.tokens, begin, end):
                self.add(function, at, becomes)

    def add(self, function, at, becomes):
        region = find_region(self.tokens, self.pairs, at)
        if region is None:
            self.left_out += 1
            return
        start = self.tokens[at].start
        line = self.text.count('\n', 0, start) + 1
        was = self.tokens[at].text
        if becomes == '0':
            was, becomes = self.tokens[at - 1].text + ' 1', self.tokens[at - 1].text + ' 0'
        text = ' '.join(self.text.split('\n')[line - 1].split())
        change = '%s -> %s' % (was, becomes)
        same = sum(1 for other in self.mutants
                   if (other.line, other.change.split(' (')[0]) == (line, change))
        mutant = Mutant(self.first + len(self.mutants) + 1, self.name, line, function, text,
                        change if same == 0 else '%s (%d)' % (change, same + 1))
        self.mutants.append(mutant)
        where = (self.tokens[region[0]].start, self.tokens[region[1]].end)
        self.regions.setdefault(where, []).append(
            (mutant.number, start, self.tokens[at].end, becomes.split()[-1]))

    def rewrite(self, start, end):
        """The text from start to end with the mutants of every region within."""
        inner = sorted((where for where in self.regions
                        if start <= where[0] and where[1] <= end and where != (start, end)),
                       key=lambda where: (where[0], -where[1]))
        parts, at = [], start
        for where in inner:
            if where[0] >= at:
                parts += [self.text[at:where[0]], self.switch(where)]
                at = where[1]
        return ''.join(parts) + self.text[at:end]

    def switch(self, where):
        parts = ['(']
        for number, start, end, becomes in self.regions[where]:
            parts.append('is_mutant(%d) ? (%s%s%s) : ' % (
                number, self.text[where[0]:start], becomes, self.text[end:where[1]]))
        return ''.join(parts) + '(' + self.rewrite(*where) + '))'

    def mutated(self):
        prelude = PRELUDE.format(first=self.first, count=len(self.mutants))
        return prelude + self.rewrite(0, len(self.text))


def read_sources(root, files):
    sources, first = [], 0
    for name in files:
        with open(os.path.join(root, name), encoding='utf-8') as file:
            sources.append(Source(name, file.read(), first))
        first += len(sources[-1].mutants)
    return sources


def command(test):
    """How a test of the list is run in the directory of the build."""
    if test.startswith('cases/'):
        return ['tests/cases/run_cases', test[len('cases/'):]]
    if test.endswith('.sh'):
        return ['sh', os.path.join(os.environ['LIMEN_SRCDIR'], test)]
    if test.endswith('.c'):
        return [os.path.join(os.path.dirname(test), 'run'), test]
    return [test]


def run_test(test, limit, **environment):
    """Does the test pass, and how long did it take?"""
    begun = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command(test), stdout=output, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, start_new_session=True,
                                   env=dict(os.environ, **environment))
        try:
            status = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        output.seek(0)
        failed = re.search(rb'^not ok', output.read(), re.MULTILINE)
    return status == 0 and not failed, time.monotonic() - begun


def explore(tests):
    """For each test, how long it takes and which mutants it comes by."""
    known = {}
    for test in tests:
        with tempfile.NamedTemporaryFile('r') as seen:
            passed, seconds = run_test(test, 600, LIMEN_MUTANTS_SEEN=seen.name)
            if not passed:
                sys.exit('%s fails without a mutant' % test)
            known[test] = (seconds, {int(line) for line in seen})
    return known


def name_mutant(mutant):
    return '%d: %s:%d: %s | %s | %s' % (mutant.number, mutant.file, mutant.line,
                                        mutant.function, mutant.text, mutant.change)


def try_mutant(mutant, tests, known):
    """"caught", "survived" or, where no test comes by, "not run"."""
    reaching = sorted((known[test][0], test) for test in tests if mutant.number in known[test][1])
    for seconds, test in reaching:
        passed, _ = run_test(test, 10 + 20 * seconds, LIMEN_MUTANT=str(mutant.number))
        if not passed:
            return 'caught'
    return 'survived' if reaching else 'not run'


def is_wanted(mutant, arguments):
    """Is it one of the numbers, as 7 or 7-9, or in one of the files?"""
    for argument in arguments:
        first, _, last = argument.partition('-')
        if argument == mutant.file or first.isdigit() and \
                int(first) <= mutant.number <= int(last or first):
            return True
    return not arguments


def run(list_path, root, arguments):
    files, equivalent = read_list(list_path)
    sources = read_sources(root, files)
    wanted = [mutant for source in sources for mutant in source.mutants
              if is_wanted(mutant, arguments)]
    known = explore(sorted({test for mutant in wanted for test in files[mutant.file]}))
    totals, unused = collections.Counter(), dict(equivalent)
    for mutant in wanted:
        key = (mutant.file, mutant.function, mutant.text, mutant.change)
        if key in equivalent:
            unused.pop(key, None)
            totals['no fault'] += 1
            continue
        result = try_mutant(mutant, files[mutant.file], known)
        totals[result] += 1
        if result != 'caught':
            print('%s: %s' % (result, name_mutant(mutant)), flush=True)
    if not arguments:
        for key in unused:
            totals['unknown'] += 1
            print('no such mutant: %s' % ' | '.join(key))
    print(', '.join('%d %s' % (totals[name], name) for name in
                    ('caught', 'survived', 'not run', 'no fault')))
    return 1 if totals['survived'] + totals['not run'] + totals['unknown'] else 0


def rewrite(list_path, root):
    files, _ = read_list(list_path)
    for source in read_sources(root, files):
        path = os.path.join(root, source.name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(source.mutated())
        print('%s: %d mutants, %d places left out' % (source.name, len(source.mutants),
                                                     source.left_out))
    return 0


def programs(list_path):
    files, _ = read_list(list_path)
    tests = {command(test)[0] for tests in files.values() for test in tests}
    print(' '.join(sorted(tests - {'sh'})))
    return 0


def main():
    if len(sys.argv) == 3 and sys.argv[1] == 'programs':
        return programs(sys.argv[2])
    if len(sys.argv) == 4 and sys.argv[1] == 'rewrite':
        return rewrite(sys.argv[2], sys.argv[3])
    if len(sys.argv) >= 4 and sys.argv[1] == 'run':
        return run(sys.argv[2], sys.argv[3], sys.argv[4:])
    sys.exit(__doc__)


if __name__ == '__main__':
    sys.exit(main())

// Programs whose fuel is used up on purpose, and that can be run again in the same session: in each another part of the
// language or its library does the work. Those with `before` find a session with a history and run without it, too.
import type { Spender } from './fuel.ts'

const plain: readonly string[] = [
  // Loops.
  'total = 0\nfor i in range(30_000):\n    total += i\nprint(total)',
  'n = 0\nwhile n < 20_000:\n    n += 1',
  'for a in range(120):\n    for b in range(120):\n        a * b',
  'sum(i * i for i in range(20_000))',
  '[i for i in range(20_000) if i % 3 == 0]',
  '{i: str(i) for i in range(8_000)}',
  '{i % 97 for i in range(20_000)}',
  'n, steps = 97, 0\nwhile n != 1 or steps < 3_000:\n    n = 3 * n + 1 if n % 2 else max(1, n // 2)\n    steps += 1',
  'sieve = [True] * 20_000\nfor i in range(2, 141):\n    if sieve[i]:\n        sieve[i * i::i] = [False] * len(sieve[i * i::i])',
  'for pair in zip(range(20_000), range(20_000, 40_000)):\n    pass',
  'list(map(lambda i: i + 1, range(10_000)))',
  'try:\n    for i in range(5_000):\n        try:\n            1 / 0\n        except ZeroDivisionError:\n            pass\nfinally:\n    pass',
  // Recursion and calls.
  'def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nprint(fib(16))',
  'def down(n):\n    return 0 if n == 0 else 1 + down(n - 1)\nfor _ in range(20):\n    down(400)',
  'def hanoi(n, a, b, c):\n    return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)\nhanoi(10, 1, 2, 3)',
  'def ack(m, n):\n    return n + 1 if m == 0 else ack(m - 1, 1) if n == 0 else ack(m - 1, ack(m, n - 1))\nack(2, 12)',
  'def perms(rest, done=()):\n    return 1 if not rest else sum(perms(rest - {x}, done + (x,)) for x in rest)\nperms(frozenset(range(6)))',
  'class Node:\n    def __init__(self, n):\n        self.next = Node(n - 1) if n else None\nfor _ in range(10):\n    Node(30)',
  'def walk(tree):\n    return sum(walk(x) if isinstance(x, list) else x for x in tree)\ntree = [1]\nfor _ in range(10):\n    tree = [tree, tree, 1]\nwalk(tree)',
  // Texts.
  "text = ''\nfor i in range(5_000):\n    text += str(i)\nprint(len(text))",
  "print(len(','.join(str(i) for i in range(10_000))))",
  "('ab c,' * 5_000).replace('b', 'xx').upper().split(',')",
  "for i in range(5_000):\n    f'{i:>8.2f}|{i!r}'",
  "for i in range(5_000):\n    '%05d %s' % (i, 'x')",
  "text = 'the cat and the dog ' * 400\ncounts = {}\nfor word in text.split():\n    counts[word] = counts.get(word, 0) + 1",
  "''.join(sorted('zebra apple' * 500)).title()[::-1]",
  "('ä€' * 4_000).encode().decode().casefold()",
  "for i in range(300):\n    'a' * i in 'a' * 500 + 'b'",
  'for i in range(300):\n    bytes(range(256)).hex()',
  // Numbers.
  'n = 1\nfor i in range(1, 400):\n    n *= i\nprint(n)',
  'pow(7, 30_000) % 1_000_007',
  'x = 0.0\nfor i in range(1, 15_000):\n    x += (-1) ** i / i',
  "int('7' * 1_500) ** 2",
  // Data.
  'sorted((i * 7919) % 5_003 for i in range(5_000))',
  'rows = [(i % 7, -i) for i in range(4_000)]\nrows.sort(key=lambda row: (row[0], row[1]))',
  'data = list(range(3_000))\nwhile len(data) > 1:\n    data.pop(0)',
  'grid = [[0] * 60 for _ in range(60)]\nfor y in range(60):\n    for x in range(60):\n        grid[y][x] = sum(grid[y][max(0, x - 2):x]) + 1',
  'class P:\n    def __init__(self, x):\n        self.x = x\n    @property\n    def twice(self):\n        return 2 * self.x\nsum(P(i).twice for i in range(5_000))',
  'def numbers(n):\n    for i in range(n):\n        yield i\nmax(numbers(15_000))',
  // Imports and the library.
  'import json\njson.dumps([{"i": i, "t": "x" * 5} for i in range(500)])',
  'import json\nfor _ in range(200):\n    json.loads(\'{"a": [1, 2, {"b": null}], "c": "\\\\u00e4"}\')',
  "import re\nre.findall(r'(\\w+)@(\\w+)\\.com', 'ann@mail.com, ben at home ' * 200)",
  "import re\nfor i in range(30):\n    re.compile(f'(a{i}|b)+c?').match('ab' * 10)",
  "import re\nre.match(r'(a+)+b', 'a' * 14)",
  'import math\nsum(math.sqrt(i) * math.sin(i) for i in range(8_000))',
  'import collections\ncollections.Counter(i % 13 for i in range(8_000)).most_common(3)',
  'import itertools\nsum(1 for _ in itertools.permutations(range(7)))',
  'import functools\n@functools.cache\ndef ways(n):\n    return 1 if n < 2 else ways(n - 1) + ways(n - 2)\nways(40)',
  'import random\nrandom.seed(1)\n[random.random() for _ in range(5_000)]',
  'import datetime\nday = datetime.date(2026, 1, 1)\nfor _ in range(3_000):\n    day += datetime.timedelta(days=1)',
  'import decimal\nsum(decimal.Decimal(i) / 7 for i in range(1, 300))',
  'import statistics\nstatistics.stdev(range(500))',
  'import csv, io\nlist(csv.reader(io.StringIO("a,b,c\\n" * 1_500)))',
  'import hashlib\nfor i in range(100):\n    hashlib.sha256(bytes(i)).hexdigest()',
  'import base64\nbase64.b64decode(base64.b64encode(bytes(60_000)))',
  'import textwrap\ntextwrap.fill("some words of a text " * 60)',
  'import dataclasses\n@dataclasses.dataclass\nclass Row:\n    a: int\n    b: str\n[Row(i, "x") for i in range(500)]',
  'import heapq\nheap = []\nfor i in range(3_000):\n    heapq.heappush(heap, -i % 501)',
  'import tabulate\ntabulate.tabulate([[i, i * i] for i in range(40)])',
  'import fractions\nsum(fractions.Fraction(1, i) for i in range(1, 60))',
  // Files.
  "with open('out.txt', 'w') as file:\n    for i in range(3_000):\n        file.write(f'{i}\\n')\nprint(sum(1 for _ in open('out.txt')))",
  "import os\nfor i in range(40):\n    open(f'f{i}.txt', 'w').write('x' * 200)\nprint(len(os.listdir()))",
  "import pathlib\nfor i in range(20):\n    pathlib.Path(f'p{i}.txt').write_text('y' * 50)\nsorted(pathlib.Path('.').glob('p*.txt'))",
]

const withHistory: readonly Spender[] = [
  {
    before: ['import json, csv, decimal'],
    code: 'import json, csv, decimal\njson.dumps(list(range(1_000)))',
  },
  { before: ['import re'], code: "import re\nre.sub(r'[aeiou]', '', 'some words ' * 500)" },
  { before: ['import tabulate'], code: 'import tabulate\nprint(tabulate.tabulate([[1, 2]]))' },
  { before: ['import dataclasses, typing, enum'], code: 'import dataclasses, typing, enum\nlist(range(100))' },
  {
    before: ['rows = list(range(3_000))'],
    code: 'rows = globals().get("rows") or list(range(3_000))\nsorted(rows, key=str)',
  },
  {
    before: ['def heavy():\n    return sum(range(20_000))'],
    code: 'if "heavy" not in globals():\n    def heavy():\n        return sum(range(20_000))\nfor _ in range(3):\n    heavy()',
  },
  { before: ['x = 1', 'x += 1', 'print(x)'], code: 'x = globals().get("x", 0)\nfor _ in range(10_000):\n    x += 1' },
  {
    before: ["open('data.txt', 'w').write('line\\n' * 2_000)"],
    code: "import os\nif not os.path.exists('data.txt'):\n    open('data.txt', 'w').write('line\\n' * 2_000)\nprint(len(open('data.txt').readlines()))",
  },
  { before: ['1'], code: '1' },
  { before: ['print("a")'], code: 'print("hello")' },
  // What it does grows from run to run.
  { before: [], code: 'log = globals().get("log", [])\nlog.extend(range(2_000))\nsum(log)' },
  {
    before: [],
    code: 'import os\nopen("log.txt", "a").write("x\\n" * 500)\nprint(len(open("log.txt").read().split()))',
  },
]

export const pythonSpenders: readonly Spender[] = [...plain.map((code) => ({ code, before: [] })), ...withHistory]

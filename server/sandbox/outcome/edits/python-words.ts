// Names that Python 3.12 has, and what names of other languages and of Python 2 are called there.

import { Vocabulary } from '../../../errors/nearest.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s{1,20}/)
const vocabulary = (text: string): Vocabulary => new Vocabulary(words(text))

export const pythonKeywords = vocabulary(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case',
)

export const pythonBuiltins = vocabulary(
  `abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict dir divmod enumerate filter float format
  frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len list locals map max memoryview min next
  object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type
  vars zip Exception ValueError TypeError KeyError IndexError AttributeError RuntimeError StopIteration ZeroDivisionError
  FileNotFoundError NotImplementedError OSError ImportError NameError ArithmeticError AssertionError`,
)

/** Modules of the standard library that load in the sandbox. */
export const pythonModules = vocabulary(
  `abc argparse array ast asyncio base64 binascii bisect bz2 calendar cmath codecs collections colorsys configparser contextlib
  contextvars copy csv dataclasses datetime decimal difflib dis email enum errno fnmatch fractions functools gc getopt glob graphlib
  gzip hashlib heapq hmac html importlib inspect io ipaddress itertools json keyword linecache locale logging math mimetypes
  numbers operator os pathlib pickle pkgutil platform pprint queue quopri random re reprlib sched secrets shelve shlex shutil
  sqlite3 stat statistics string stringprep struct sys tarfile tempfile textwrap time timeit token tokenize tomllib traceback types
  typing unicodedata unittest urllib uuid warnings weakref xml zipfile zlib zoneinfo`,
)

/** A word of another language, or of Python 2, and what Python calls it. */
export const pythonWords: Readonly<Record<string, string>> = {
  true: 'True',
  TRUE: 'True',
  false: 'False',
  FALSE: 'False',
  null: 'None',
  NULL: 'None',
  nil: 'None',
  none: 'None',
  undefined: 'None',
  xrange: 'range',
  raw_input: 'input',
  unicode: 'str',
  basestring: 'str',
  unichr: 'chr',
  long: 'int',
  inf: 'float("inf")',
  nan: 'float("nan")',
  NaN: 'float("nan")',
  Infinity: 'float("inf")',
  array: 'list',
  string: 'str',
  boolean: 'bool',
  integer: 'int',
  this: 'self',
}

/** Where a name that is often forgotten to import comes from. */
const members: Readonly<Record<string, string>> = {
  collections: 'defaultdict Counter deque namedtuple OrderedDict ChainMap',
  math: 'sqrt pi ceil floor gcd lcm log log2 log10 exp sin cos tan atan2 hypot factorial comb perm isclose inf prod isqrt radians degrees',
  datetime: 'datetime timedelta date timezone',
  dataclasses: 'dataclass field asdict',
  pathlib: 'Path PurePath',
  typing:
    'Optional List Dict Tuple Set Any Union Callable Iterable Iterator TypedDict NamedTuple Generator Sequence Mapping TypeVar Generic Protocol',
  functools: 'partial reduce lru_cache cache wraps cached_property singledispatch total_ordering',
  itertools:
    'chain product permutations combinations groupby islice accumulate zip_longest cycle repeat count pairwise starmap takewhile',
  random: 'randint choice shuffle sample uniform randrange',
  decimal: 'Decimal getcontext',
  fractions: 'Fraction',
  statistics: 'mean median stdev mode variance',
  enum: 'Enum IntEnum auto',
  abc: 'ABC abstractmethod',
  io: 'StringIO BytesIO',
  contextlib: 'contextmanager suppress redirect_stdout',
  copy: 'deepcopy',
  pprint: 'pprint',
  heapq: 'heappush heappop heapify nlargest nsmallest',
  bisect: 'bisect_left bisect_right insort',
  operator: 'itemgetter attrgetter mul',
  textwrap: 'dedent',
  string: 'ascii_lowercase ascii_uppercase ascii_letters digits punctuation',
  time: 'perf_counter sleep',
  uuid: 'uuid4',
}

const homes: ReadonlyMap<string, string> = new Map(
  Object.entries(members).flatMap(([module, names]) => words(names).map((name) => [name, module] as const)),
)

/** The module that a name is usually imported from. */
export const homeOf = (name: string): string | undefined => homes.get(name)

/** Modules under names that they had, or have elsewhere. */
export const movedModules: Readonly<Record<string, string>> = {
  StringIO: 'io',
  cPickle: 'pickle',
  ConfigParser: 'configparser',
  Queue: 'queue',
  urllib2: 'urllib.request',
  simplejson: 'json',
  ujson: 'json',
  orjson: 'json',
  tomli: 'tomllib',
  regex: 're',
  sets: 'collections',
}

/** Methods that are called otherwise in other languages, by type. */
export const pythonMethods: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  list: {
    push: 'append',
    add: 'append',
    addAll: 'extend',
    concat: 'extend',
    indexOf: 'index',
    unshift: 'insert',
    update: 'extend',
    appendleft: 'insert',
    delete: 'remove',
  },
  set: { append: 'add', push: 'add', extend: 'update', insert: 'add', has: '__contains__', delete: 'discard' },
  dict: {
    iteritems: 'items',
    itervalues: 'values',
    iterkeys: 'keys',
    entries: 'items',
    add: 'update',
    has_key: '__contains__',
    push: 'update',
    remove: 'pop',
  },
  str: {
    toUpperCase: 'upper',
    toLowerCase: 'lower',
    trim: 'strip',
    indexOf: 'index',
    startsWith: 'startswith',
    endsWith: 'endswith',
    includes: '__contains__',
    contains: '__contains__',
    replaceAll: 'replace',
    to_upper: 'upper',
    to_lower: 'lower',
    trimEnd: 'rstrip',
    trimStart: 'lstrip',
    len: '__len__',
    length: '__len__',
  },
  deque: { push: 'append', push_back: 'append', push_front: 'appendleft', shift: 'popleft', pop_left: 'popleft' },
  int: { toString: '__str__' },
}

/** Names inside a module that has the same name as one of them. */
export const calledModules: Readonly<Record<string, string>> = {
  datetime: 'datetime',
  time: 'time',
  random: 'random',
  copy: 'copy',
  glob: 'glob',
  pprint: 'pprint',
  decimal: 'Decimal',
  fractions: 'Fraction',
  heapq: 'heapify',
  string: 'Formatter',
}

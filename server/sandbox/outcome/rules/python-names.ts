// What CPython 3.12 says of names, modules and attributes that are not there, nearer rules before general ones.
import { rulesOf, type Rule } from './rule.ts'

/** Rules for names and attributes. */
export const pythonNameRules: readonly Rule[] = rulesOf('python', [
  {
    id: 'py.undefined_name',
    type: 'undefined_name',
    raised: ['NameError'],
    pattern: /^name '(?<name>[^']{1,200})' is not defined/,
    cause: '`{name}` is read here, and nothing of that name was defined or imported before.',
    steps: [
      'Correct the spelling of `{name}`, define it before this line, or import it.',
      'A session keeps what earlier calls defined; a call without `session_id` begins with nothing.',
    ],
    edit: 'python-name',
    matches: ["NameError: name 'x' is not defined", "NameError: name 'pritn' is not defined. Did you mean: 'print'?"],
    others: ["NameError: cannot access free variable 'x' where it is not associated with a value in enclosing scope"],
  },
  {
    id: 'py.unbound_local',
    type: 'unbound_local',
    raised: ['UnboundLocalError', 'NameError'],
    pattern: /^(?:cannot access (?:local|free) variable|local variable|free variable) '(?<name>[^']{1,200})'/,
    cause: 'A function that assigns to `{name}` has a `{name}` of its own, which has no value yet on this line.',
    steps: [
      'Give `{name}` a value before it is read, or pass it in as an argument.',
      'Where the one of the module is meant, write `global {name}` as the first line of the function.',
    ],
    example: ['def add():\n    total += 1', 'def add():\n    global total\n    total += 1'],
    edit: 'python-global',
    matches: ["UnboundLocalError: cannot access local variable 'n' where it is not associated with a value"],
    others: ["NameError: name 'n' is not defined"],
  },
  {
    id: 'py.missing_module',
    type: 'missing_module',
    raised: ['ModuleNotFoundError', 'ImportError'],
    pattern: /^No module named '?(?<name>[\w.]{1,200})/,
    cause: 'There is no module `{name}` in this sandbox: it has the standard library and a few pure-Python packages.',
    steps: [
      'Call list_available_packages to see what ships; nothing can be installed from inside.',
      'Use the standard library instead where it will do: statistics and lists for numpy, csv for pandas.',
    ],
    example: ['import pandas as pd', 'import csv'],
    edit: 'python-module',
    matches: ["ModuleNotFoundError: No module named 'numpy'"],
    others: ["ImportError: cannot import name 'x' from 'math' (unknown location)"],
  },
  {
    id: 'py.circular_import',
    type: 'circular_import',
    raised: ['ImportError', 'AttributeError'],
    pattern: /partially initialized module '(?<name>[^']{1,200})'/,
    cause:
      '`{name}` imports itself, directly or by another file; often a file of the workspace has the name of a module.',
    steps: ['Rename the file of the workspace that is called like `{name}`, and import again.'],
    matches: [
      "AttributeError: partially initialized module 'json' has no attribute 'loads' (most likely due to a circular import)",
    ],
    others: ["ImportError: cannot import name 'x' from 'math' (unknown location)"],
  },
  {
    id: 'py.missing_export',
    type: 'missing_export',
    raised: ['ImportError'],
    pattern: /^cannot import name '(?<name>[^']{1,200})' from '(?<module>[^']{1,200})'/,
    cause: 'The module `{module}` has nothing called `{name}`.',
    steps: ['Correct the name, or print(dir({module})) to see what it has.'],
    edit: 'python-export',
    matches: ["ImportError: cannot import name 'sqr' from 'math' (unknown location). Did you mean: 'sqrt'?"],
    others: ["ModuleNotFoundError: No module named 'math2'"],
  },
  {
    id: 'py.null_access',
    type: 'null_access',
    raised: ['AttributeError', 'TypeError'],
    pattern:
      /^(?:'NoneType' object (?:has no attribute '(?<name>[^']{1,200})'|is not (?:subscriptable|iterable|callable)|does not support item assignment)|cannot unpack non-iterable NoneType object)/,
    cause:
      'A value is None here: a function without `return`, a method that changes in place (`sort`, `append`), or a search that found nothing.',
    steps: [
      'Find where this value comes from, and give it a result; methods that change in place return None.',
      'Where None is to be expected, ask first: `if value is not None:`.',
    ],
    example: ['items = items.sort()', 'items.sort()'],
    edit: 'python-in-place',
    matches: [
      "AttributeError: 'NoneType' object has no attribute 'group'",
      "TypeError: 'NoneType' object is not subscriptable",
      'TypeError: cannot unpack non-iterable NoneType object',
    ],
    others: ["AttributeError: 'list' object has no attribute 'push'", "TypeError: 'int' object is not iterable"],
  },
  {
    id: 'py.missing_attribute',
    type: 'missing_attribute',
    raised: ['AttributeError'],
    pattern:
      /^(?:type object )?(?:module )?'(?<owner>[^']{1,200})'(?: object)? has no attribute '(?<name>[^']{1,200})'/,
    cause: '`{owner}` has nothing called `{name}`.',
    steps: ['Correct the name, or print what there is with dir(…).'],
    edit: 'python-attribute',
    matches: [
      "AttributeError: 'list' object has no attribute 'push'",
      "AttributeError: module 'math' has no attribute 'sqr'. Did you mean: 'sqrt'?",
      "AttributeError: type object 'A' has no attribute 'b'",
    ],
    others: ["AttributeError: can't set attribute"],
  },
  {
    id: 'py.read_only',
    type: 'read_only',
    raised: ['AttributeError', 'TypeError'],
    pattern:
      /(?:can't set attribute|has no setter|object does not support item (?:assignment|deletion)|cannot assign to field|attribute .{1,100} of .{1,100} objects is not writable|attributes of built-in)/,
    cause: 'This value cannot be changed in place: a string, a tuple, or a property without a setter.',
    steps: ['Build a new value, or use a list or a dict, which can be changed.'],
    example: ["name[0] = 'A'", "name = 'A' + name[1:]"],
    matches: [
      "TypeError: 'str' object does not support item assignment",
      "AttributeError: property 'x' of 'A' object has no setter",
    ],
    others: ["AttributeError: 'list' object has no attribute 'push'"],
  },
  {
    id: 'py.frozen',
    type: 'read_only',
    raised: ['FrozenInstanceError'],
    pattern: /^cannot (?:assign to|delete) field '(?<name>[^']{1,200})'/,
    cause: 'The dataclass is frozen, so `{name}` cannot be changed.',
    steps: ['Make a changed copy with dataclasses.replace(…), or leave out frozen=True.'],
    matches: ["dataclasses.FrozenInstanceError: cannot assign to field 'x'"],
    others: ["AttributeError: can't set attribute"],
  },
])

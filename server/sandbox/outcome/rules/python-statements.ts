// What CPython 3.12 says of statements that are written as Python does not have them; the general rule is the last.
import { rulesOf, type Rule } from './rule.ts'

const raised = ['SyntaxError']

/** Rules for the forms of statements. */
export const pythonStatementRules: readonly Rule[] = rulesOf('python', [
  {
    id: 'py.outside_function',
    type: 'outside_of_block',
    raised,
    pattern:
      /^(?:'(?<word>return|yield|await|break|continue|async [a-z]{1,20}|yield from)' (?:outside|not properly)|asynchronous comprehension outside)/,
    cause: '`{word}` stands outside of what it belongs to: a function, or a loop.',
    steps: ['Indent it into its function or loop; at the top level print the result instead of returning it.'],
    edit: 'python-return',
    matches: ["SyntaxError: 'return' outside function", "SyntaxError: 'break' outside loop"],
    others: ['SyntaxError: invalid syntax'],
  },
  {
    id: 'py.try_without_except',
    type: 'try_without_except',
    raised,
    pattern: /^expected 'except' or 'finally' block/,
    cause: 'A `try` has no `except` and no `finally` after it.',
    steps: ['Write `except Exception as error:` with what to do then.'],
    edit: 'python-except-typo',
    matches: ["SyntaxError: expected 'except' or 'finally' block"],
    others: ['SyntaxError: invalid syntax'],
  },
  {
    id: 'py.except_list',
    type: 'except_list',
    raised,
    pattern: /^multiple exception types must be parenthesized/,
    cause: 'Several kinds of error after `except` stand in parentheses.',
    steps: ['Write `except (A, B) as error:`.'],
    edit: 'python-except-list',
    matches: ['SyntaxError: multiple exception types must be parenthesized'],
    others: ["SyntaxError: expected 'except' or 'finally' block"],
  },
  {
    id: 'py.import_form',
    type: 'import_form',
    raised,
    pattern:
      /^(?:Did you mean to use 'from \.\.\. import \.\.\.' instead\?|trailing comma not allowed without|from __future__ imports must|future feature (?<name>\S{1,60}) is not defined|not a chance|import \* only allowed)/,
    cause: 'The import is not written as Python has it.',
    steps: ['Write `import module` or `from module import name, other`.'],
    example: ['import sqrt from math', 'from math import sqrt'],
    edit: 'python-import-form',
    matches: [
      "SyntaxError: Did you mean to use 'from ... import ...' instead?",
      'SyntaxError: trailing comma not allowed without surrounding parentheses',
    ],
    others: ['SyntaxError: invalid syntax'],
  },
  {
    id: 'py.comprehension',
    type: 'comprehension_form',
    raised,
    pattern:
      /^(?:did you forget parentheses around the comprehension target\?|Generator expression must be parenthesized|expected 'else' after 'if' expression|iterable unpacking cannot be used in comprehension|dict unpacking cannot be used)/,
    cause:
      'A comprehension has one value before `for`; several stand in parentheses, and `if` without `else` comes last.',
    steps: ['Write [(a, b) for …] and [x for x in items if ready].'],
    edit: 'python-comprehension',
    matches: ['SyntaxError: did you forget parentheses around the comprehension target?'],
    others: ['SyntaxError: invalid syntax'],
  },
  {
    id: 'py.argument_order',
    type: 'argument_order',
    raised,
    pattern:
      /(?:positional argument follows keyword|parameter without a default follows|non-default argument follows|arguments cannot follow|must follow bare \*|may appear only once|must be ahead of \*|duplicate argument|keyword argument repeated|parameters cannot be parenthesized|parameters must be|bare \* has|follows keyword argument unpacking)/,
    cause: 'Parameters and arguments stand in an order that Python does not have, or one stands there twice.',
    steps: ['Write them so: positional, with defaults, *args, keyword-only, **kwargs; in a call the named ones last.'],
    edit: 'python-argument-order',
    matches: [
      'SyntaxError: positional argument follows keyword argument',
      "SyntaxError: duplicate argument 'a' in function definition",
      'SyntaxError: Lambda expression parameters cannot be parenthesized',
    ],
    others: ['SyntaxError: invalid syntax'],
  },
  {
    id: 'py.scope_words',
    type: 'scope_declaration',
    raised,
    pattern: /(?:global declaration|nonlocal|is parameter and global|can't be (?:global|nonlocal))/,
    cause:
      '`global` and `nonlocal` stand before the first use of a name, inside a function that does not have it as a parameter.',
    steps: ['Move the declaration to the first line of the function, or take it out.'],
    matches: [
      "SyntaxError: name 'x' is used prior to global declaration",
      "SyntaxError: no binding for nonlocal 'ab' found",
    ],
    others: ['SyntaxError: invalid syntax'],
  },
  {
    id: 'py.dict_value',
    type: 'dict_form',
    raised,
    pattern: /^(?:':' expected after dictionary key|expression expected after dictionary key)/,
    cause: 'An entry of a dict has no value.',
    steps: ['Write key: value for every entry, or use a set where there are no values.'],
    matches: ["SyntaxError: ':' expected after dictionary key"],
    others: ["SyntaxError: expected ':'"],
  },
  {
    id: 'py.nested_too_deeply',
    type: 'nested_too_deeply',
    raised: ['SyntaxError', 'MemoryError', 'RecursionError'],
    pattern:
      /^(?:too many (?:nested|statically)|s_push: parser stack overflow|too complex|.{0,60}during (?:compilation|ast construction))/,
    cause: 'The program is nested more deeply than Python reads.',
    steps: ['Use variables for parts of the expression, and functions for inner loops.'],
    matches: ['SyntaxError: too many nested parentheses', 'SyntaxError: too many statically nested blocks'],
    others: ['SyntaxError: invalid syntax'],
  },
  {
    id: 'py.null_bytes',
    type: 'bad_character',
    raised: ['SyntaxError', 'ValueError'],
    pattern:
      /source code (?:string )?cannot contain null bytes|surrogates not allowed|unknown encoding|encoding problem/,
    cause: 'The program has bytes that are no text.',
    steps: ['Send plain text.'],
    matches: ['SyntaxError: source code cannot contain null bytes'],
    others: ['SyntaxError: invalid syntax'],
  },
  {
    id: 'py.syntax',
    type: 'syntax_error',
    raised: ['SyntaxError', 'IndentationError'],
    pattern: /^(?<what>.{0,100})/,
    cause: 'Python cannot read this line: {what}.',
    steps: [
      'Look at the place under the ^, and at the end of the line before it: often a bracket or a comma is missing there.',
    ],
    edit: 'python-invalid-syntax',
    general: true,
    matches: ['SyntaxError: invalid syntax'],
    others: ['NameError: invalid syntax'],
  },
])

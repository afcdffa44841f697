// Of a third of the programs that do not compile CPython 3.12 says "invalid syntax" and no more. What is wrong is then read from
// the line that it shows: its first word, or signs that stand nowhere in Python.
import { rulesOf, type Rule } from './rule.ts'

const raised = ['SyntaxError']
const pattern = /^invalid syntax$/
/** The same edit is tried for each; the class says more than the message does. */
const edit = 'python-invalid-syntax'

/** How CPython shows the line. */
const shownAs = (line: string): string => `    ${line}\n    ^\nSyntaxError: invalid syntax`

/** Rules for lines that Python cannot read and says nothing of. */
export const pythonLineRules: readonly Rule[] = rulesOf('python', [
  {
    id: 'py.line_console',
    type: 'console_text',
    raised,
    pattern,
    shown: /^(?:>>>|\$ |pip3? (?:install|uninstall|list|show)\b|python3? (?:-|\S{1,100}\.py\b))/,
    cause: 'This line is from a console or a shell, and is no line of a program.',
    steps: [
      'Take out prompts (`>>>`, `$`) and what the console answered; commands of a shell do not run here.',
      'What `pip install` would bring is here only if list_available_packages names it.',
    ],
    edit,
    matches: [shownAs('>>> print("Hello World!")'), shownAs('pip install friendly'), shownAs('python -i friendly')],
    others: [shownAs('pip = install friendly')],
  },
  {
    id: 'py.line_operators',
    type: 'operator_form',
    raised,
    pattern,
    shown: /===|=<|=>|<>|\*\*\*|\*\/|\/\*|&&|\|\||[-+*/%<>=&|] [*/%<>=&|]|, ?,|\+\+|--/,
    cause: 'Signs stand together that Python does not have together.',
    steps: [
      'Compare with `==`, `<=`, `>=` and `!=`; write `and`, `or`, `n += 1`; one operator or comma between two values.',
    ],
    example: ['if a =< 3 && b:', 'if a <= 3 and b:'],
    edit,
    matches: [
      shownAs('a =< 3'),
      shownAs('x = y === z'),
      shownAs('3 */ 4'),
      shownAs('print(1 , , 2)'),
      shownAs('a = 2 * * 5'),
    ],
    others: [shownAs('a = b c')],
  },
  {
    id: 'py.line_branch',
    type: 'outside_of_block',
    raised,
    pattern,
    shown: /^(?:elif|else|except|finally)\b/,
    cause: 'Above this line no block is open that it belongs to.',
    steps: [
      'Give it the indentation of its `if`, `for`, `while` or `try`, and let nothing else stand between the two.',
    ],
    example: ['if ready:\n    go()\n    else:', 'if ready:\n    go()\nelse:'],
    edit,
    matches: [shownAs('else:'), shownAs('elif True:'), shownAs('except Exception:'), shownAs('finally:')],
    others: [shownAs('elseif True:')],
  },
  {
    id: 'py.line_condition',
    type: 'missing_condition',
    raised,
    pattern,
    shown: /^(?:(?:if|while|for) ?:|for \w{1,100} in ?:)/,
    cause: 'The line begins a block, and does not say when or for what it runs.',
    steps: ['Write the condition, or what is gone through, before the colon: `while n < 10:`, `for item in items:`.'],
    edit,
    matches: [shownAs('if:'), shownAs('while:'), shownAs('for x in:')],
    others: [shownAs('for x in range:(3)')],
  },
  {
    id: 'py.line_head_bracket',
    type: 'unclosed_bracket',
    raised,
    pattern,
    shown: /^(?:async )?(?:def|class) \w{1,100} ?\([^()]{0,300}: ?$/,
    cause: 'The bracket that opens in the head of this function or class is not closed.',
    steps: ['Write `)` before the colon.'],
    edit,
    matches: [shownAs('def apply(function, values, scale=1:')],
    others: [shownAs('def apply(1):')],
  },
  {
    id: 'py.line_head_comma',
    type: 'missing_comma',
    raised,
    pattern,
    shown: /^(?:async )?def \w{1,100} ?\((?:[^()]{0,300}[ ,])?\w{1,100} \w/,
    cause: 'Two parameters stand beside each other with nothing between them.',
    steps: ['Write a comma between them.'],
    edit,
    matches: [shownAs('def a(b, c d):'), shownAs('def deposit(self amount):')],
    others: [shownAs('def f(1):')],
  },
  {
    id: 'py.line_definition',
    type: 'definition_form',
    raised,
    pattern,
    shown: /^(?:async )?(?:def|class)(?! ?=)\b/,
    cause:
      'The head of a function or a class has its name, and in parentheses names with commas between them; no values, no keywords of Python.',
    steps: ['Write `def name(first, second=None):` or `class Name:`; a value belongs behind the `=` of a parameter.'],
    example: ['def area(1, b):', 'def area(a, b):'],
    edit,
    matches: [shownAs('def f(1):'), shownAs('class:'), shownAs('def pass():')],
    others: [shownAs('def = 2')],
  },
  {
    id: 'py.line_import',
    type: 'import_form',
    raised,
    pattern,
    shown: /^(?:import|from) /,
    cause: 'The import is not written as Python has it.',
    steps: ['Write `import module` or `from module import name, other`: names have commas between them.'],
    example: ['from math import sin and cos', 'from math import sin, cos'],
    edit,
    matches: [shownAs('from math import sin and cos')],
    others: [shownAs('important math')],
  },
  {
    id: 'py.line_keyword',
    type: 'keyword_as_name',
    raised,
    pattern,
    shown:
      /^(?:False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield) ?=(?!=)|\.(?:False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)\b/,
    cause: 'A word of Python itself is used as a name.',
    steps: ['Take another name, or write an underscore behind it: `class_`.'],
    edit,
    matches: [shownAs('def = 2'), shownAs('a.pass = 2')],
    others: [shownAs('pass_ = 2 3')],
  },
])

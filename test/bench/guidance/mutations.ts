// One mistake in a program that runs: what is changed, and which classes of error name it. A seed decides where.
import { seeded } from '../../kit/seeded.ts'

export interface Mutant {
  readonly language: 'python' | 'javascript'
  readonly mistake: string
  readonly code: string
  /** The program as it ran before. */
  readonly original: string
  /** Classes that are right. */
  readonly types: readonly string[]
}

interface Mutation {
  readonly mistake: string
  readonly types: readonly string[]
  /** Places where it can be made: text that is found, and what stands there then. */
  readonly find: RegExp
  readonly replace: (found: readonly string[], random: () => number) => string
}

/** A word with two letters swapped, one left out, or one twice. */
function typo(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2))
  const kind = Math.floor(random() * 3)
  if (kind === 0) return word.slice(0, at) + word.slice(at + 1)
  if (kind === 1) return word.slice(0, at) + word[at] + word.slice(at)
  return word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2)
}

const not = (...words: readonly string[]): string => `(?!(?:${words.join('|')})\\b)`
const pythonWord = not(
  'def',
  'class',
  'for',
  'in',
  'if',
  'else',
  'elif',
  'return',
  'while',
  'import',
  'from',
  'try',
  'except',
  'as',
  'with',
  'open',
  'not',
  'and',
  'or',
  'is',
  'None',
  'True',
  'False',
  'global',
  'lambda',
  'del',
  'print',
)

const unread = ['syntax_error', 'unexpected_token', 'missing_semicolon']

const python: readonly Mutation[] = [
  {
    mistake: 'a name misspelt',
    types: ['undefined_name', 'unbound_local'],
    find: new RegExp(
      `(?<=^[^"'#\\n]*[(=+*/ ])(?<![.\\w])${pythonWord}([a-z]{4,})(?=[)\\],:*+ \\n])(?! ?(?:=|in\\b|,.*\\bin\\b))`,
      'gm',
    ),
    replace: ([word = ''], random) => typo(word, random),
  },
  {
    mistake: 'a method misspelt',
    types: ['missing_attribute', 'system_unavailable'],
    find: /(?<=\.)([a-z_]{4,})(?=\()/g,
    replace: ([word = ''], random) => typo(word, random),
  },
  {
    mistake: 'a key misspelt',
    types: ['missing_key'],
    find: /(?<=\w\[")(\w{3,})(?="\])/g,
    replace: ([word = ''], random) => typo(word, random),
  },
  {
    mistake: 'a module misspelt',
    types: ['missing_module'],
    find: /(?<=^(?:import|from) )(\w{4,})/gm,
    replace: ([word = ''], random) => typo(word, random),
  },
  {
    mistake: 'an imported name misspelt',
    types: ['missing_export', 'undefined_name'],
    find: /(?<=^from \w+ import )(\w{4,})/gm,
    replace: ([word = ''], random) => typo(word, random),
  },
  {
    mistake: 'a forgotten import',
    types: ['undefined_name'],
    find: /^(?:import \w+|from \w+ import \w+)\n/gm,
    replace: () => '',
  },
  {
    mistake: 'a keyword misspelt',
    types: [
      ...unread,
      'undefined_name',
      'missing_comma',
      'missing_colon',
      'outside_of_block',
      'indentation',
      'bad_assignment_target',
      'try_without_except',
      'unmatched_bracket',
    ],
    find: /(?<=^ *)(for|while|return|import|from|elif|else|except|with|class|def)(?=[ :])/gm,
    replace: ([word = ''], random) => typo(word, random),
  },
  {
    mistake: 'a colon missing',
    types: ['missing_colon'],
    find: /(?<=^ *(?:if|for|while|def|class|else|elif|try|with|except)\b.*):(?=\n)/gm,
    replace: () => '',
  },
  {
    mistake: 'a bracket not closed',
    types: [
      'unclosed_bracket',
      'syntax_error',
      'missing_comma',
      'unmatched_bracket',
      'missing_colon',
      'equals_sign',
      'bad_assignment_target',
    ],
    find: /[)\]}](?=:?\n)/g,
    replace: () => '',
  },
  { mistake: 'a bracket too many', types: ['unmatched_bracket'], find: /\)(?=\n)/g, replace: () => '))' },
  { mistake: 'the wrong bracket', types: ['unmatched_bracket'], find: /\](?=\n)/g, replace: () => ')' },
  {
    mistake: 'a quotation mark missing',
    types: ['unterminated_string', 'syntax_error', 'missing_comma'],
    find: /(?<=print\("[^"\n]*)"/g,
    replace: () => '',
  },
  { mistake: 'no indentation', types: ['indentation'], find: /(?<=:\n) {4}(?=\S)/g, replace: () => '' },
  {
    mistake: 'too much indentation',
    types: ['indentation'],
    find: /(?<=\n)(?=(?:print|total|numbers|account|names|prices|end|scaled)\b)/g,
    replace: () => '    ',
  },
  {
    mistake: 'an odd indentation',
    types: ['indentation'],
    find: /(?<=\n {8}.*\n) {8}(?=\S)/g,
    replace: () => '      ',
  },
  {
    mistake: 'print without brackets',
    types: ['print_statement', ...unread],
    find: /(?<=^ *)print\((.*)\)$/gm,
    replace: ([, inner = '']) => `print ${inner}`,
  },
  {
    mistake: '= for ==',
    types: ['equals_sign', ...unread],
    find: /(?<=^ *(?:if|elif|while) .*)==/gm,
    replace: () => '=',
  },
  {
    mistake: '&& for and',
    types: [...unread, 'operator_form'],
    find: / (?:and|or) (?=.*:\n)/g,
    replace: ([word = '']) => (word.includes('and') ? ' && ' : ' || '),
  },
  {
    mistake: 'else if',
    types: ['missing_colon', ...unread],
    find: /\belif\b/g,
    replace: () => 'else if',
  },
  {
    mistake: 'a comma missing',
    types: ['missing_comma', ...unread, 'unclosed_bracket'],
    find: /,(?= \w+[,)\]])(?=[^\n]*[)\]])/g,
    replace: () => '',
  },
  {
    mistake: 'a comma of a list missing at the end of its line',
    types: ['missing_comma', ...unread, 'unclosed_bracket', 'not_subscriptable', 'index_type'],
    find: /(?<=\}),(?=\n)/g,
    replace: () => '',
  },
  {
    mistake: 'typographic quotation marks',
    types: ['bad_character'],
    find: /"([^"\n]*)"(?=[,)])/g,
    replace: ([, inner = '']) => `“${inner}”`,
  },
  {
    mistake: 'text plus number',
    types: ['text_plus_number'],
    find: /str\((self\.balance|total)\)/g,
    replace: ([, inner = '']) => inner,
  },
  {
    mistake: 'lower-case constants',
    types: ['undefined_name'],
    find: /\b(?:True|False|None)\b/g,
    replace: ([word = '']) => (word === 'None' ? 'null' : word.toLowerCase()),
  },
  {
    mistake: 'a range one too far',
    types: ['index_out_of_range'],
    find: /range\(len\((\w+)\)\)/g,
    replace: ([, inner = '']) => `range(len(${inner}) + 1)`,
  },
  { mistake: 'a column too many', types: ['index_out_of_range'], find: /(?<=\w\[)-?[01](?=\])/g, replace: () => '99' },
  { mistake: 'no self', types: ['argument_count'], find: /(?<=def (?!__)\w+\()self(?:, )?/g, replace: () => '' },
  { mistake: 'no global', types: ['unbound_local'], find: /^ +global \w+\n/gm, replace: () => '' },
  {
    mistake: 'a dict without items()',
    types: ['unpack_count', 'not_iterable'],
    find: /\.items\(\)/g,
    replace: () => '',
  },
  {
    mistake: 'a dict changed in its loop',
    types: ['changed_while_read'],
    find: /(?<= in )list\((\w+)\)(?=:)/g,
    replace: ([, inner = '']) => inner,
  },
  {
    mistake: 'brackets of a call',
    types: ['not_subscriptable'],
    find: /\b(len|print|sum|sorted|str)\((\w+)\)/g,
    replace: ([, name = '', inner = '']) => `${name}[${inner}]`,
  },
  {
    mistake: 'brackets of an element',
    types: ['not_callable'],
    find: /(?<![\w.])(names|numbers|lines|prices|scores)\[([-\w]+)\]/g,
    replace: ([, name = '', inner = '']) => `${name}(${inner})`,
  },
  {
    mistake: 'the result of sort',
    types: ['null_access'],
    find: /(\w+) = sorted\((\w+)\.keys\(\)\)/g,
    replace: ([, name = '', inner = '']) => `${name} = list(${inner})\n${name} = ${name}.sort()`,
  },
  {
    mistake: 'JSON in single quotes',
    types: ['json_decode'],
    find: /'(\{"name".*\})'/g,
    replace: ([, inner = '']) => `"${inner.replaceAll('"', "'")}"`,
  },
  {
    mistake: 'a number in a loop',
    types: ['not_iterable'],
    find: /(?<= in )range\((\d+)\)/g,
    replace: ([, inner = '']) => inner,
  },
  { mistake: 'another format of a date', types: ['date_parse'], find: /2024-03-05/g, replace: () => '05/03/2024' },
  {
    mistake: 'an argument too few',
    types: ['argument_count'],
    find: /(?<=^(?!def|from|class).*\b(?:mean|apply|parse|push|increment|is_prime|fibonacci)\()[^()\n]+(?=\))/gm,
    replace: () => '',
  },
  {
    mistake: 'an argument misspelt',
    types: ['unexpected_keyword'],
    find: /\b(scale)(?==10)/g,
    replace: ([word = ''], random) => typo(word, random),
  },
  {
    mistake: 'a leading zero',
    types: ['bad_number'],
    find: /(?<=[ (])[1-9](?=[,)])/g,
    replace: ([digit = '']) => `0${digit}`,
  },
  { mistake: 'division by zero', types: ['division_by_zero'], find: /\/ len\(\w+\)/g, replace: () => '/ 0' },
  {
    mistake: 'a brace of an f-string missing',
    types: ['f_string', ...unread, 'unterminated_string'],
    find: /(?<=f".*\{\w+)\}/g,
    replace: () => '',
  },
  {
    mistake: 'a file that was written to be read',
    types: ['closed_file'],
    find: /open\("notes\.txt"\)/g,
    replace: () => 'open("notes.txt", "a")',
  },
  { mistake: 'another file', types: ['file_not_found'], find: /(?<=open\("notes)\.txt(?="\))/g, replace: () => '.tx' },
  {
    mistake: 'a module that does not ship',
    types: ['missing_module'],
    find: /^import statistics\n/gm,
    replace: () => 'import statistics\nimport numpy as np\n',
  },
]

const scriptWord = not(
  'const',
  'let',
  'for',
  'of',
  'if',
  'else',
  'return',
  'function',
  'class',
  'new',
  'this',
  'await',
  'async',
  'true',
  'false',
  'super',
  'console',
  'extends',
  'constructor',
)

const javascript: readonly Mutation[] = [
  {
    mistake: 'a name misspelt',
    types: ['undefined_name'],
    find: new RegExp(
      `(?<=^[^"'\`\\n]*[(=+*\\[ ])(?<![.\\w])(?<!(?:const|let|function|class) )(?<!\\()${scriptWord}([a-zA-Z]{4,})(?=[)\\];*. ])(?! =|:|, \\w+\\) =>|\\) =>)`,
      'gm',
    ),
    replace: ([word = ''], random) => typo(word, random),
  },
  {
    mistake: 'a method misspelt',
    types: ['not_callable'],
    find: /(?<=\.)([a-zA-Z]{4,})(?=\()/g,
    replace: ([word = ''], random) => typo(word, random),
  },
  {
    mistake: 'a method of another language',
    types: ['not_callable'],
    find: /(?<=\.)(?:push|includes|toUpperCase|startsWith)(?=\()/g,
    replace: ([word = '']) =>
      ({ push: 'append', includes: 'contains', toUpperCase: 'upper', startsWith: 'startswith' })[word] ?? word,
  },
  {
    mistake: 'a property misspelt',
    types: ['null_access'],
    find: /(?<=\.)(address|name)(?=\.)/g,
    replace: ([word = ''], random) => typo(word, random),
  },
  { mistake: 'length as a function', types: ['not_callable'], find: /\.length(?![\w(])/g, replace: () => '.length()' },
  {
    mistake: 'a bracket not closed',
    types: ['unclosed_bracket', ...unread, 'unmatched_bracket', 'bad_pattern'],
    find: /[)\]](?=;\n|\) \{\n| \{\n)/g,
    replace: () => '',
  },
  {
    mistake: 'a brace not closed',
    types: ['unclosed_bracket', ...unread, 'unmatched_bracket'],
    find: /(?<=\n)\s*\}(?=\n)/g,
    replace: () => '',
  },
  {
    mistake: 'a bracket too many',
    types: ['unmatched_bracket', ...unread, 'missing_semicolon'],
    find: /\)(?=;\n)/g,
    replace: () => '))',
  },
  {
    mistake: 'a brace too many',
    types: ['unmatched_bracket', ...unread],
    find: /(?<=\n)\}(?=\n$)/g,
    replace: () => '}\n}',
  },
  {
    mistake: 'a quotation mark missing',
    types: ['unterminated_string', ...unread, 'unclosed_bracket'],
    find: /(?<=console\.log\("[^"\n]*)"/g,
    replace: () => '',
  },
  {
    mistake: 'const that changes',
    types: ['read_only'],
    find: /\blet(?= (?:total|largest) )/g,
    replace: () => 'const',
  },
  {
    mistake: 'const without a value',
    types: ['missing_value'],
    find: /let total = 0;\n/g,
    replace: () => 'const total;\ntotal = 0;\n',
  },
  {
    mistake: 'declared twice',
    types: ['redeclared'],
    find: /(?<=\n)(?=const (average|names|cities|sum|square|person|sorted) = )/g,
    replace: ([, name = '']) => `let ${name} = null;\n`,
  },
  { mistake: 'no new', types: ['missing_new'], find: /\bnew (?=Account|Square)/g, replace: () => '' },
  { mistake: 'no super', types: ['missing_super'], find: / *super\(.*\);\n/g, replace: () => '' },
  { mistake: 'no async', types: unread, find: /async (?=function run)/g, replace: () => '' },
  {
    mistake: 'an object in a loop',
    types: ['not_iterable'],
    find: /Object\.entries\((\w+)\)/g,
    replace: ([, inner = '']) => inner,
  },
  {
    mistake: 'JSON in single quotes',
    types: ['json_decode'],
    find: /'(\{"name".*\})'/g,
    replace: ([, inner = '']) => `"${inner.replaceAll('"', "'")}"`,
  },
  {
    mistake: 'Python’s constants',
    types: ['undefined_name'],
    find: /\b(?:true|false)\b/g,
    replace: ([word = '']) => (word === 'true' ? 'True' : 'False'),
  },
  {
    mistake: 'Python’s print',
    types: unread,
    find: /console\.log\(([^()\n]*)\)/g,
    replace: ([, inner = '']) => `print ${inner}`,
  },
  { mistake: 'def for function', types: unread, find: /(?<=^|\n)function(?= )/g, replace: () => 'def' },
  {
    mistake: 'a keyword misspelt',
    types: [...unread, 'undefined_name', 'unclosed_bracket', 'outside_of_block', 'unmatched_bracket'],
    find: /(?<=\n *)(const|for|return|function|class|else)(?= )/g,
    replace: ([word = ''], random) => typo(word, random),
  },
  {
    mistake: 'typographic quotation marks',
    types: ['bad_character', ...unread],
    find: /"([^"\n]*)"(?=[,);])/g,
    replace: ([, inner = '']) => `“${inner}”`,
  },
  {
    mistake: 'a comma missing',
    types: ['missing_comma', ...unread, 'unclosed_bracket'],
    find: /,(?= \w+[,)\]])/g,
    replace: () => '',
  },
  {
    mistake: 'no brackets around a condition',
    types: unread,
    find: /if \((\w+ [<>=]+ \w+)\) \{/g,
    replace: ([, inner = '']) => `if ${inner} {`,
  },
  {
    mistake: 'nothing to take apart',
    types: ['destructuring', 'not_iterable'],
    find: /(?<=const \[first, second\] = )users/g,
    replace: () => 'users.pop().missing',
  },
  {
    mistake: 'require',
    types: ['host_api_unavailable'],
    find: /^(?=function|const|class)/g,
    replace: () => 'const fs = require("fs");\n',
  },
  {
    mistake: 'a module',
    types: ['missing_module', 'unexpected_token', 'syntax_error', 'missing_semicolon'],
    find: /^(?=function|const|class)/g,
    replace: () => 'import fs from "fs";\n',
  },
]

/** Up to `each` mutants of every mutation in every program: the same for the same seed. */
export function mutants(
  programs: readonly string[],
  language: Mutant['language'],
  seed: number,
  each: number,
): readonly Mutant[] {
  const random = seeded(seed)
  return (language === 'python' ? python : javascript).flatMap(({ mistake, types, find, replace }) =>
    programs.flatMap((original) => {
      const places = [...original.matchAll(find)]
      const chosen = places.toSorted(() => random() - 0.5).slice(0, each)
      return chosen.flatMap((place) => {
        const made = replace([...place], random)
        const code = original.slice(0, place.index) + made + original.slice(place.index + place[0].length)
        return code === original ? [] : [{ language, mistake, types, original, code }]
      })
    }),
  )
}

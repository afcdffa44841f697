// What is said of the sandbox to agents, once: descriptions of tools are made of it, and `list_runtimes` repeats it as data,
// for clients that cut descriptions.
import type { Language, RuntimeInfo } from '../../sandbox/sandbox.ts'

/** How much the descriptions of the sandbox's tools say. */
export type DescriptionLength = 'full' | 'minimal'

/** Facts that programs rely on, by language. */
export interface LanguageWords {
  /** What a program can use, as lines of code with what they do. */
  readonly patterns: readonly string[]
  /** What goes wrong most often, each with what to do instead. */
  readonly pitfalls: readonly string[]
}

export const languageWords: Readonly<Record<Language, LanguageWords>> = {
  python: {
    patterns: [
      'print(value): only what is printed comes back; the value of the last line does not.',
      'open("data.csv"): files of the workspace, by relative path.',
      'import json, csv, statistics, sqlite3, datetime: the standard library of Python 3.12.',
    ],
    pitfalls: [
      'No network, no subprocess, no threads, and no packages with C extensions (numpy, pandas): use statistics, csv and sqlite3.',
      'input() finds no text: send data as `files` or in the code.',
      'The clock does not show today: send dates that the program needs.',
    ],
  },
  javascript: {
    patterns: [
      'console.log(value): only what is printed comes back.',
      'readFile("data.json"), writeFile("out.txt", text), listFiles(): files of the workspace, by relative path.',
      'await works at the top level.',
    ],
    pitfalls: [
      'No require, import, fetch, process or DOM: it is the language alone (QuickJS, ES2023), with timers that take no time.',
      'Write `await main()`: an error of a promise that nobody awaits ends the program before its timers run.',
      'The clock does not show today: send dates that the program needs.',
    ],
  },
}

/** Whether to use a session, as questions in their order. */
export const sessionTree: readonly string[] = [
  'One program, and nothing of it is needed later: call `execute_code` without `session_id`.',
  'A later call needs variables, imports or files of this one: `create_session` once, then `session_id` in each call.',
  'A package with a large first import (see `list_available_packages`): a session pays it once.',
  'Another language: another session; a session speaks one language.',
  'Done: `destroy_session`. Whoever forgets it loses the session after its idle time.',
]

/** The description of a tool: its first sentence, and the rest where there is room for it. */
export const descriptionOf = (length: DescriptionLength, first: string, ...more: readonly string[]): string =>
  length === 'minimal' ? first : [first, ...more].join('\n')

/** Patterns and pitfalls of the languages that are there. */
export const languageLines = (runtimes: readonly RuntimeInfo[]): readonly string[] =>
  runtimes
    .filter(({ available }) => available)
    .flatMap(({ language }) => [
      `${language === 'python' ? 'Python' : 'JavaScript'}: ${languageWords[language].patterns.join(' ')}`,
      languageWords[language].pitfalls.join(' '),
    ])

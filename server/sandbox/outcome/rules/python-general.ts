// What is left of CPython's errors: the kind is known, and nothing nearer.
import type { ProgramErrorType } from '../../../errors/related-docs.ts'
import { rulesOf, type Rule } from './rule.ts'

const kinds: readonly (readonly [type: ProgramErrorType, name: string, cause: string, step: string])[] = [
  [
    'type_error',
    'TypeError',
    'A value has a type that this operation does not take.',
    'Print type(value) of each part of this line.',
  ],
  [
    'value_error',
    'ValueError',
    'A value has the right type and is none that this operation takes.',
    'Print the value before this line.',
  ],
  [
    'attribute_error',
    'AttributeError',
    'An object does not have what is asked of it.',
    'Print dir(value) before this line.',
  ],
  ['name_error', 'NameError', 'A name is used that has no value here.', 'Define it before this line.'],
  ['import_error', 'ImportError', 'A module cannot be loaded.', 'Call list_available_packages to see what ships.'],
  [
    'os_error',
    'OSError',
    'A file or another part of the system does not do what was asked.',
    'Work with files of the workspace only.',
  ],
  ['lookup_error', 'LookupError', 'Something is looked for that is not there.', 'Look what there is first.'],
  [
    'runtime_error',
    'RuntimeError',
    'The program did something that cannot be done at this point.',
    'Read the message: it says what.',
  ],
]

/** Rules for errors of which only the kind is known. */
export const pythonGeneralRules: readonly Rule[] = rulesOf(
  'python',
  kinds.map(([type, name, cause, step]) => ({
    id: `py.${type}`,
    type,
    raised: [name],
    pattern: /^/,
    cause,
    steps: [step],
    general: true,
    matches: [`${name}: something else`],
    others: ['Mistake: something else'],
  })),
)

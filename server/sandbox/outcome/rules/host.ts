// What the host saw: how a run was ended from outside. Certain, because nothing that a program prints has a part in it.
import type { ProgramErrorType } from '../../../errors/related-docs.ts'
import type { Ended } from '../facts.ts'

export interface HostEnding {
  readonly type: ProgramErrorType
  readonly message: string
  readonly cause: string
  readonly steps: readonly string[]
  readonly example?: readonly [before: string, after: string]
}

/** One ending for each way in which a host ends a run. */
export const hostEndings: { readonly [E in Exclude<Ended, 'finished' | 'error'>]: HostEnding } = {
  out_of_fuel: {
    type: 'out_of_fuel',
    message: 'The program was ended because it used up its budget.',
    cause: 'Every instruction costs fuel, and this call had no more; a loop without an end uses up any budget.',
    steps: [],
    example: ['while True:\n    step()', 'for _ in range(1000):\n    step()'],
  },
  out_of_memory: {
    type: 'out_of_memory',
    message: 'The program was ended because it asked for more memory than it may have.',
    cause: 'The memory of the sandbox has a limit that no argument changes.',
    steps: ['Work through the data piece by piece, with generators, and let go of what is done.'],
    example: ['rows = [parse(line) for line in lines]', 'rows = (parse(line) for line in lines)'],
  },
  timeout: {
    type: 'timeout',
    message: 'The program was ended because it took longer than it may.',
    cause:
      'The clock on the wall ran out before the budget did: a slow machine, or work that costs time and little fuel.',
    steps: ['Pass a larger `timeout_ms`, or do less in one call.'],
  },
  output_limit: {
    type: 'output_limit',
    message: 'The program was ended because it printed more than an answer carries.',
    cause: 'stdout and stderr have a limit each.',
    steps: ['Write the long part into a file of the workspace, and print a summary of it.'],
    example: ['print(rows)', 'print(len(rows), rows[:5])'],
  },
  crashed: {
    type: 'runtime_crashed',
    message: 'The runtime broke while it ran the program.',
    cause: 'The program brought the interpreter itself down; very deep nesting and very deep recursion do so.',
    steps: ['Make the program smaller, or give its recursion a limit. The next call begins with a fresh runtime.'],
  },
}

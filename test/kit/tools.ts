// Tools of tests. A contract has to say much that most tests are not about; here that is said once.
import type { Contract, Failures, ReadContract, WriteContract } from '../../server/tools/contract.ts'
import { defineTool } from '../../server/tools/define-tool.ts'

type Own<C extends ReadContract | WriteContract> = Partial<C> & Pick<C, 'name' | 'input' | 'output' | 'run'>

const locked = { locked: { effect: 'none', guidance: 'Unlock the thing first.' } } as const

/** A write of medium risk, but for what its test says of it. */
export const writeTool = <I, O, const F extends Failures = typeof locked>(own: Own<WriteContract<I, O, F>>): Contract =>
  defineTool<I, O, Failures>({
    title: 'Change a thing',
    description: 'Changes a thing.',
    noun: 'the change',
    operation: 'write',
    risk: 'medium',
    failures: locked,
    sideEffects: [{ what: 'The thing changes.', onRepeat: 'It changes again.' }],
    idempotency: 'plan',
    preview: () => ({ title: 'Change a thing', summary: 'Changes a thing.', confirmLabel: 'Change it' }),
    ...own,
  })

/** A read of low risk, but for what its test says of it. */
export const readTool = <I, O, const F extends Failures = Failures>(own: Own<ReadContract<I, O, F>>): Contract =>
  defineTool<I, O, Failures>({
    title: 'Look at a thing',
    description: 'Looks at a thing.',
    operation: 'read',
    risk: 'low',
    failures: {},
    ...own,
  })

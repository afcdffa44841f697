// Several writes as one decision: `plan_bundle` previews them on one card, `apply_bundle` runs them in their order once a person
// has confirmed that card (docs/adr/0086). What every server has of it is here; what one call does depends on the plans that it
// names, so `bundle-tool.ts` makes the contract of each call from this one.
import { z } from 'zod'
import { cardLanguages, cardWords } from '../../cards/card-words.ts'
import type { Plan } from '../../model/plan-store.ts'
import type { Contract } from '../../tools/contract.ts'
import { defineOwnTool } from '../../tools/define-tool.ts'
import { UnreadArguments } from '../../errors/unread-arguments.ts'
import { coaching } from '../../tools/rail-words.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { CallRequest } from '../engine.ts'

export const applyBundleName = 'apply_bundle'
export const planBundleName = 'plan_bundle'

export const planBundleTitle = 'Preview several changes as one decision'

export const planBundleDescription = `Shows several writes that belong together on one card, for one Confirm. They run in order, each at most once. ${coaching}`

/** As many as a person can judge on one card. */
export const mostSteps = 20

const call = z.strictObject({ tool: z.string().min(1).max(128), arguments: z.record(z.string(), z.unknown()) })

export const bundleInput = z.strictObject({
  plans: z
    .array(z.union([z.string().min(1).max(64), call]))
    .min(2)
    .max(mostSteps)
    .describe(
      'In the order in which they run: a plan_id of a preview, or a call {tool, arguments}, which may take a value of an earlier step: {"$ref": "/0/result/id"}.',
    ),
  title: z.string().min(1).max(200).describe('What they are for together.'),
  on_failure: z
    .enum(['stop', 'continue'])
    .optional()
    .describe('After a step that fails: stop (default), or go on with the next.'),
})

export type BundleInput = z.infer<typeof bundleInput>

/** The plans that a plan's run would apply: those of the steps that a bundle names by them, and none of any other plan. */
export function plansOfSteps({ tool, args }: Pick<Plan, 'tool' | 'args'>): readonly string[] {
  const bundle = tool === applyBundleName ? bundleInput.safeParse(JSON.parse(args)).data : undefined
  return (bundle?.plans ?? []).filter((entry) => typeof entry === 'string')
}

const stepState = z.enum(['applied', 'failed', 'not_run', 'not_known'])

const step = z.strictObject({
  /** Absent where it takes a value of a step that has not run. */
  plan_id: z.string().optional(),
  tool: z.string(),
  title: z.string(),
  state: stepState,
  /** What its tool answered. */
  result: z.unknown().optional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
})

/** What became of one of the plans of a bundle. */
export type BundleStep = z.infer<typeof step>

export const bundleOutput = z.strictObject({ applied: z.int(), steps: z.array(step) })

export type BundleOutput = z.infer<typeof bundleOutput>

/** What a person reads of a failure, in each language but English. */
const says = (name: 'bundleNotShown' | 'bundleUnclear' | 'bundleNothing'): Readonly<Record<string, string>> =>
  Object.fromEntries(
    cardLanguages.filter((language) => language !== 'en').map((language) => [language, cardWords(language)[name]]),
  )

const madeForEachCall = (): never => {
  throw new Error('A bundle is described and run by the contract of its own call.')
}

/** `apply_bundle`, on every server whose writes a person confirms. */
const bundleContract = (): Contract =>
  defineOwnTool({
    name: 'apply.bundle',
    title: 'Apply several changes together',
    noun: 'these changes',
    description: `Runs what one card of ${planBundleName} has shown, step by step, each at most once. Preview with ${planBundleName}.`,
    category: 'help',
    // Which of them a card is in, its steps say.
    languages: cardLanguages,
    operation: 'destructive',
    external: true,
    risk: { atMost: 'critical', of: () => 'critical' },
    input: bundleInput,
    output: bundleOutput,
    failures: {
      not_bundled: {
        effect: 'none',
        guidance: `Change the list, or preview that step by itself, and call ${planBundleName} again.`,
        says: says('bundleNotShown'),
      },
      unclear: {
        effect: 'unknown',
        guidance: 'Repeat this same call: it then says what its steps have found out, and runs none of them again.',
        says: says('bundleUnclear'),
      },
      nothing_applied: {
        effect: 'none',
        guidance: `Settle what the step says, then call ${planBundleName} again with the same plans.`,
        says: says('bundleNothing'),
      },
    },
    sideEffects: [
      { what: 'Those of its steps, as each shows them.', onRepeat: 'Each step runs at most once, by its own plan.' },
    ],
    idempotency: 'plan',
    cancellable: true,
    auditEvent: 'bundle.applied',
    preview: madeForEachCall,
    basis: madeForEachCall,
    run: madeForEachCall,
    reconcile: madeForEachCall,
    undo: madeForEachCall,
    rest: madeForEachCall,
  })

/** The tool that applies bundles, where there is what a bundle could hold: writes that a person confirms. */
export const bundlesFor = (contracts: readonly Contract[], isGateway: boolean): readonly Contract[] =>
  isGateway ||
  contracts.some(
    ({ operation, ...contract }) => operation !== 'read' && !('autonomous' in contract && contract.autonomous === true),
  )
    ? [bundleContract()]
    : []

/** Whether a tool is the one that applies bundles. */
export const isBundleTool = ({ wireName }: Pick<Tool, 'wireName'>): boolean => wireName === applyBundleName

/** `plan_bundle` is the preview of `apply_bundle` under a name of its own. */
export function asBundlePreview<R extends Pick<CallRequest, 'tool' | 'args'>>(request: R): R {
  if (request.tool !== planBundleName) return request
  const { args = {} } = request
  const isRead = typeof args === 'object' && args !== null && !Array.isArray(args) && !(args instanceof UnreadArguments)
  return { ...request, tool: applyBundleName, args: isRead ? { ...args, preview: true } : args }
}

/** The places of secrets in the calls that a bundle is asked for, as JSON Pointers. */
export function secretsOfCalls(args: unknown, find: (wireName: string) => Tool | undefined): readonly string[] {
  const parsed = z.object({ plans: z.array(z.unknown()) }).safeParse(args)
  if (!parsed.success) return []
  return parsed.data.plans.flatMap((entry, at) => {
    const named = z.object({ tool: z.string() }).safeParse(entry)
    if (!named.success) return []
    const tool = find(named.data.tool)
    // Of a tool that is not known yet nobody can say which of its arguments are secret.
    if (tool === undefined) return [`/plans/${at}/arguments`]
    return (tool.contract.secrets?.arguments ?? []).map((pointer) => `/plans/${at}/arguments${pointer}`)
  })
}

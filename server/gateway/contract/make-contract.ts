// The contract in front of an upstream tool, for one call tool: made for a call and for whoever lists it, and let go afterwards.
import { z } from 'zod'
import type { ReadContract } from '../../tools/contract.ts'
import { riskAtMost } from '../../tools/define-tool.ts'
import { inputSchemaOf } from './argument-check.ts'
import type { Variant } from '../call-tools/call-with.ts'
import { basisOf, isClosed, previewTool, runTool, type Asks, type Called } from './called-tool.ts'
import { createDryRun } from './dry-run.ts'
import { qualifiedName } from '../upstream/qualified-name.ts'
import { unfitToRunUnasked } from '../call-tools/refusals.ts'
import { assess, mayRunAlone, possibleAssessments, riskOfTool } from '../rating/assess.ts'
import { atLeast } from '../rating/evidence.ts'
import { secretRead } from '../rating/secret-answers.ts'
import { rulesFor } from '../rules/tool-overrides.ts'
import { describe, listedOf, readOf, repeatsOf, successOf, titleOf } from './tool-words.ts'
import { upstreamFailures } from '../upstream/connection/upstream-call.ts'
import type { RawResult } from '../upstream/upstream.ts'
import { createBefore } from '../profiles/before.ts'
import { secretPointers } from '../profiles/secret-arguments.ts'
import { revisedBy } from '../profiles/revise.ts'
import { undoneBy, verifiedBy } from '../profiles/after.ts'
import { knownErrors } from '../profiles/known-errors.ts'
import { reportedIn } from './answered.ts'
import { onlyReads, questionOf, whyNotReadIn, type Siblings } from './why-not-read.ts'
import { hiddenViews, isForModel } from '../passthrough/views.ts'
import type { UpstreamContract, UpstreamTool, UpstreamToolOptions } from './upstream-contracts.ts'

/** Makes it. With `siblings`, the tools of the same server, which it may read before a person has agreed. */
export function makeContract(
  tool: UpstreamTool,
  variant: Variant,
  options: UpstreamToolOptions,
  siblings: Siblings,
): UpstreamContract {
  const { upstream, definition, profile } = tool
  const question = questionOf(tool, variant)
  const whyNotRead = whyNotReadIn(siblings, upstream.config)
  const knows = knownErrors(tool, { siblings, whyNotRead, wireName: options.wireName })
  const called: Called = { tool, question, options, knows }
  const possible = possibleAssessments(question)
  const operation = possible.map((assessed) => assessed.operation).reduce(atLeast)
  const risk = riskOfTool(question)
  const override = rulesFor(upstream.config.tools, definition.name)
  const rules = [...(override?.when ?? []), ...(profile?.when ?? [])]
  const { promises } = tool
  const secrets = secretPointers(profile?.show)
  const common = {
    name: tool.name,
    wire: options.wireName?.(definition.name) ?? tool.name,
    passes: true,
    sparing: definition.annotations?.destructiveHint === false,
    pinned: tool.digest,
    listed: listedOf(definition),
    title: titleOf(definition),
    description: describe(definition, upstream),
    category: upstream.name,
    permissions: [...upstream.config.permissions, ...(override?.permissions ?? profile?.permissions ?? [])],
    external: definition.annotations?.openWorldHint !== false,
    ...(options.cheatsheet === undefined ? {} : { cheatsheet: options.cheatsheet }),
    input: inputSchemaOf(definition.inputSchema, tool.check, rules, unfitToRunUnasked(question, options)),
    reported: (output: unknown, input: unknown) => reportedIn(called, output as RawResult, input),
    // Whatever the upstream answers is passed on as the same value: no schema of ours looks at it.
    output: z.unknown().meta({ type: 'object' }),
    prepare: () => tool.prepare(),
    ...(promises === undefined ? {} : { promises }),
    ...(secrets.length === 0 ? {} : { secrets: { arguments: secrets } }),
    // A view does not know our parameters, and what only it may call is called by nobody else.
    ...(isForModel(definition) ? {} : { rationale: 'optional' as const }),
  } as const
  const view = (options.views ?? hiddenViews).tool(definition)
  const isRelaxed = upstream.config.rationale === 'optional' || view?.visibility?.includes('model') === false
  const readAt = (rated: ReadContract['risk']): ReadContract & typeof common => ({
    ...common,
    operation: 'read',
    risk: rated,
    failures: upstreamFailures(true),
    ...(isRelaxed && riskAtMost(rated) === 'low' ? { rationale: 'optional' } : {}),
    ...(view === undefined ? {} : { ui: view }),
    run: (input, ctx) => runTool(called, true, input, ctx),
    cards: { result: (input, output) => readOf(tool, input, output as RawResult, options.wireName !== undefined) },
  })
  if (operation === 'read') return readAt(risk)
  // Where nothing above low is applied through the reading call tool, nothing is asked of the server there either.
  const asked =
    tool.dryRun === undefined || isClosed(called) ? undefined : createDryRun(upstream, definition.name, tool.dryRun)
  // What a dry run says of a file of secrets is what stands in it.
  const dryRun: Asks['dryRun'] =
    asked && ((input, ctx) => (secretRead(definition, input) === undefined ? asked(input, ctx) : undefined))
  const steps = (profile?.before ?? []).filter(
    (step) => siblings.has(step.call) || 'rows_of' in step || step.optional !== true,
  )
  const before =
    steps.length === 0 || isClosed(called)
      ? undefined
      : createBefore(upstream, steps, whyNotRead, definition.inputSchema)
  const asks = { dryRun, before }
  const alone = mayRunAlone(question, override?.autonomous === true)
  return {
    ...common,
    operation,
    risk,
    failures: upstreamFailures(
      false,
      override?.error_effect ?? (profile?.lowers === true ? profile.error_effect : undefined),
    ),
    noun: `the call of ${tool.name}`,
    autonomous: alone,
    // What is previewed is shown on our card; only where nobody is asked is there nothing to show but the result.
    ...(possible.every((each) => each.operation === 'read' || each.onlyAnswers === true) ? { onlyAnswers: true } : {}),
    ...(view === undefined || (alone !== true && isForModel(definition)) ? {} : { ui: view }),
    sideEffects: [
      {
        what: `Whatever ${definition.name} does on ${upstream.name}.`,
        onRepeat: repeatTexts[repeatsOf(tool)],
      },
    ],
    idempotency: 'plan',
    ...(dryRun === undefined || tool.dryRun === undefined ? {} : { dryRun: tool.dryRun }),
    preview: (input, ctx) => previewTool(called, asks, input, ctx),
    basis: async (input, ctx) => basisOf(called, asks, input, ctx),
    run: (input, ctx) => runTool(called, false, input, ctx),
    ...(possible.some(onlyReads)
      ? { reading: { when: (input) => onlyReads(assess(question, input)), contract: readAt('low') } }
      : {}),
    ...revisedBy(profile),
    ...verifiedBy(tool, whyNotRead),
    ...undoneBy(tool, options.wireName ?? ((name) => qualifiedName(upstream.name, name))),
    cards: { success: (input, output) => successOf(tool, input, output as RawResult, options.wireName !== undefined) },
  }
}

const repeatTexts: Readonly<Record<ReturnType<typeof repeatsOf>, string>> = {
  harmless: 'A repeat has no further effect.',
  again: 'A repeat does it a second time.',
  'said harmless': 'Its server says that a repeat has no further effect.',
  unknown: 'A repeat may do it a second time.',
}

// Guidance on what another service answered. Only the rail knows what the call was and what it may have left behind, so here
// the meaning of the error meets that: whoever may have written something is told to look, and never to repeat it.
import { showInvisible } from '../../cards/invisible-characters.ts'
import { unmarked } from '../../cards/unmarked.ts'
import { explainAnswer, unexplainedRule, type Explained } from '../../errors/explain/explain-answer.ts'
import type { Answered, KnownError, StatedField } from '../../errors/explain/stated.ts'
import type { Failure } from '../../errors/failure.ts'
import { glimpse } from '../../errors/glimpse.ts'
import type { ErrorGuidance, FieldError, Fix } from '../../errors/guidance.ts'
import { toPointer, valueAt } from '../../errors/pointer.ts'
import { upstreamDocs } from '../../errors/related-docs.ts'
import { docsUri } from '../../model/docs.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { Noticed } from '../call-context.ts'
import type { Caller, Engine, Spelling } from '../engine.ts'
import { wouldRead } from '../preview/suggested-calls.ts'
import { argumentsAtDoor } from './argument-order.ts'
import { hiderOf } from '../record/marked-values.ts'
import { hiddenValue } from './hide-secrets.ts'

/** The call whose answer is explained. */
interface ExplainedCall {
  readonly engine: Engine
  readonly tool?: Tool | undefined
  readonly request?:
    | { readonly args?: unknown; readonly caller?: Caller; readonly spelling?: Spelling | undefined }
    | undefined
  /** Where it is written down what nothing explains. */
  readonly noticed?: Noticed
}

/** The same guidance with what the answer means; unchanged where the failure rests on no answer of another service. */
export function explainedGuidance(call: ExplainedCall, failure: Failure, declared: ErrorGuidance): ErrorGuidance {
  if ((failure.kind !== 'tool-failed' && failure.kind !== 'outcome-unknown') || failure.answered === undefined)
    return declared
  const explained = explain(call, failure.answered)
  return failure.kind === 'outcome-unknown'
    ? afterUnknown(call, explained, declared)
    : withoutEffect(call, explained, declared)
}

/** The guidance on an answer that a read hands on as it is. */
export function reportedGuidance(call: ExplainedCall & { readonly tool: Tool }, answered: Answered): ErrorGuidance {
  return withoutEffect(call, explain(call, answered), {
    error_type: 'upstream_error',
    category: 'upstream',
    message: `${call.tool.wireName} reports an error.`,
    cause: '',
    actionable_guidance: ['Change the call as the message of the server says.'],
    fix: [],
    retryable: 'after_change',
    field_errors: [],
    related_docs: [],
    code_examples: [],
    evidence: { source: 'upstream', rule: '', confidence: 'likely' },
  })
}

/** In characters, of what a server said: enough to tell errors apart. */
const longestSaid = 2000

function explain({ noticed }: ExplainedCall, answered: Answered): Explained {
  const explained = explainAnswer(answered, quoted)
  if (noticed !== undefined && explained.rule === unexplainedRule) {
    const said = answered.text?.trim() || (JSON.stringify(answered.structured) ?? '')
    if (said !== '') noticed.said = hiderOf({ noticed }).hide(said).slice(0, longestSaid)
  }
  return explained
}

/** The rule by which it was known, and how sure that is. */
const evidenceOf = ({ rule, confidence }: Explained) => ({ source: 'upstream', rule, confidence }) as const

const longWaitQuestion = 'The server asks to wait for longer than an hour. Should it be tried then, or in another way?'

/** Nothing was changed: what the call lacked may be put right, and the call made again. */
function withoutEffect(call: ExplainedCall, explained: Explained, declared: ErrorGuidance): ErrorGuidance {
  const { type, cause, wait, question, fields } = explained
  const own = call.tool?.contract.passes !== true
  // What the contract of a tool of our own declares is explained by that.
  const evidence = own && type === undefined ? declared.evidence : evidenceOf(explained)
  if (type === undefined && wait === undefined && fields.length === 0)
    return { ...declared, cause: declared.cause || cause, evidence }
  const { named, others } = placed(call, fields)
  const steps = [...named.map(({ pointer, allowed }) => `Change ${pointer}: ${allowed}`), ...explained.steps]
  const waiting =
    wait === undefined
      ? []
      : [
          wait.isCut
            ? `Tell the person that the server asks to wait for more than ${wait.seconds / 60} minutes.`
            : `Wait ${wait.seconds} s, as the server asks, before the next try.`,
        ]
  const fix: readonly Fix[] = [
    ...knownCall(call, explained.fix),
    ...named.map(({ pointer, allowed }): Fix => ({ kind: 'edit_arguments', pointer, why: allowed })),
    ...(wait === undefined
      ? []
      : [
          wait.isCut
            ? ({ kind: 'ask_person', question: longWaitQuestion } as const)
            : ({ kind: 'wait', seconds: wait.seconds, why: 'the server asks for it' } as const),
        ]),
    ...(question === undefined || wait !== undefined ? [] : [{ kind: 'ask_person', question } as const]),
  ]
  // What the author of a tool of our own says goes first; of another server's tool nobody has said anything nearer.
  const isDeclared = own || declared.error_type === 'dry_run_failed'
  return {
    ...declared,
    ...(type === undefined ? {} : { error_type: type, category: own ? declared.category : 'upstream' }),
    cause: [...(own ? [declared.cause] : []), cause, ...others.map(inWords)].join(' '),
    actionable_guidance: [...(isDeclared ? declared.actionable_guidance : []), ...waiting, ...steps],
    fix: [...declared.fix, ...fix],
    retryable: own && wait === undefined ? declared.retryable : explained.retryable,
    ...(wait === undefined ? {} : { retry_after_seconds: wait.seconds }),
    field_errors: [...declared.field_errors, ...named],
    ...(type === undefined ? {} : { related_docs: [...besides(declared), ...upstreamDocs(type)] }),
    evidence,
  }
}

/** Something may have been changed: looking comes first, and what was wrong is for a new preview. */
function afterUnknown(call: ExplainedCall, explained: Explained, declared: ErrorGuidance): ErrorGuidance {
  const { type, cause, fields, steps } = explained
  const { named, others } = placed(call, fields)
  const own = call.tool?.contract.passes !== true
  const evidence = own && type === undefined ? declared.evidence : evidenceOf(explained)
  if (type === undefined) return { ...declared, field_errors: named, evidence }
  return {
    ...declared,
    error_type: type,
    category: 'upstream',
    cause: [declared.cause, cause, ...others.map(inWords)].join(' '),
    actionable_guidance: [
      ...declared.actionable_guidance,
      // Neither waiting nor trying again is advice here.
      ...(explained.retryable === 'after_wait' ? [] : steps.map((step) => `Before a new preview: ${step}`)),
    ],
    fix: [...declared.fix, ...knownCall(call, explained.fix)],
    field_errors: named,
    related_docs: [...declared.related_docs, ...upstreamDocs(type)],
    evidence,
  }
}

/** What is to be read beside our own page of errors: cheatsheets. */
const besides = ({ related_docs: docs }: ErrorGuidance): readonly string[] =>
  docs.filter((address) => !address.startsWith(docsUri))

/** In characters, of what a server wrote, inside of a sentence of ours. */
const longestQuote = 160

/** What a server wrote, between marks that cannot stand in it, on one line, with what is invisible made visible. */
export function quoted(foreign: string): string {
  const visible = unmarked(
    showInvisible(
      foreign
        .slice(0, longestQuote * 2)
        .toWellFormed()
        .replace(/\s+/g, ' '),
    ),
  ).replace(/[“”]/g, "'")
  return `“${visible.length > longestQuote ? `${visible.slice(0, longestQuote).toWellFormed()}…` : visible}”`
}

const inWords = ({ path, said }: StatedField): string => `Its words on ${quoted(path.join('.'))}: ${quoted(said)}.`

/** More would be a list that nobody reads. */
const mostNamed = 8

/** The fields that are arguments of this call, and those that are only the server's own. */
function placed(
  { tool, request }: ExplainedCall,
  fields: readonly StatedField[],
): { readonly named: readonly FieldError[]; readonly others: readonly StatedField[] } {
  const known = fields.slice(0, mostNamed)
  const isArgument = ({ path: [first] }: StatedField): boolean =>
    tool !== undefined && first !== undefined && tool.parameters.includes(first)
  return {
    named: known.filter(isArgument).map(({ path, said }) => {
      const pointer = toPointer(path)
      const value = valueAt(request?.args, path)
      return {
        pointer,
        ...(value === undefined ? {} : { received: glimpse(hiddenValue(tool, pointer, value)) }),
        allowed: `the server says ${quoted(said)}`,
      }
    }),
    others: known.filter((field) => !isArgument(field)),
  }
}

/** A call of a read that its profile proposes, spelt as this caller can make it; nothing where it could not be made. */
function knownCall({ engine, request }: ExplainedCall, fix: KnownError['fix']): readonly Fix[] {
  if (fix === undefined || request?.caller === undefined) return []
  const { arguments: own, why } = fix
  const { caller, spelling: door } = request
  const meant = door?.read?.(fix.tool)
  const tool = door === undefined ? engine.catalog.find(fix.tool) : meant?.tool
  if (tool === undefined) return []
  const whole = { ...own, [tool.reserved.rationale]: why }
  if (!wouldRead(engine, caller, tool, whole)) return []
  const call =
    meant === undefined
      ? { tool: tool.wireName, arguments: whole }
      : {
          tool: meant.spelling.tool,
          arguments: { ...Object.fromEntries(argumentsAtDoor(meant.spelling, Object.entries(own))), rationale: why },
        }
  return [{ kind: 'call_tool', ...call, why }]
}

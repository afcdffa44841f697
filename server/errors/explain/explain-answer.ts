// What an error of another server means. Its structured forms come first, because they are promises; then its sentences. The words
// of the server are data: they choose what is said, and never become an instruction.
import { isGeneral, templateOf, type Template, type UpstreamErrorType } from './classes.ts'
import { typeOfStatus } from './codes.ts'
import { statedIn } from './forms/forms.ts'
import { jsonInText } from './json-in-text.ts'
import { waitInText, waitOf, type Wait } from './retry-after.ts'
import { filled, mostRead, ruleName } from './rule.ts'
import { ruleForText, type FoundRule } from './rules/find-rule.ts'
import type { Answered, KnownError, Stated, StatedField } from './stated.ts'

/** The rule of an answer that nothing explains. */
export const unexplainedRule = 'upstream.unexplained'

export interface Explained {
  /** Absent where nothing explains it. */
  readonly type?: UpstreamErrorType
  readonly rule: string
  readonly confidence: 'certain' | 'likely'
  /** Sentences of ours, in which what the server wrote stands between marks. */
  readonly cause: string
  readonly steps: readonly string[]
  readonly retryable: 'no' | 'after_change' | 'after_wait'
  readonly wait?: Wait | undefined
  readonly question?: string | undefined
  readonly fields: readonly StatedField[]
  readonly fix?: KnownError['fix']
}

/** Shows a piece of foreign text inside of a sentence of ours: short, on one line, and marked as a quotation. */
export type Quote = (foreign: string) => string

/** Characters in which a wait is looked for: it stands in the error's own sentence. */
const mostReadOfWaits = 2000

/** Explains an answer that says that it failed. */
export function explainAnswer(answered: Answered, quote: Quote): Explained {
  const { text = '', status, rpcCode, known } = answered
  // Unlike a program's output, an error says what happened at its beginning.
  const beginning = text.slice(0, mostRead)
  const stated = statedIn(answered.structured) ?? statedIn(jsonInText(beginning))
  // A structured sentence may be vague ("Operation failed") where the text beside it is exact.
  const texts = stated?.said === undefined ? [text] : [stated.said, text]
  const wait = waitOf(
    answered.retryAfter ??
      stated?.retryAfterSeconds ??
      texts.map((each) => waitInText(each.slice(0, mostReadOfWaits))).find((seconds) => seconds !== undefined),
  )
  const fields = stated?.fields ?? fieldsInText(beginning)
  if (known !== undefined) return ofKnown(known, fields, wait)
  const facts = { stated, fields, wait, quote }
  const byForm = stated?.type
  if (stated !== undefined && byForm !== undefined && !isGeneral(byForm))
    return explained(byForm, ruleName({ id: stated.form, version: 1 }), 'certain', facts)
  // What a form says of arguments is exact; the words around it are of something else.
  const found = nearestRule(byForm === undefined || byForm === 'upstream_fault' ? texts : texts.slice(0, 1))
  if (found !== undefined && !(byForm !== undefined && isGeneral(found.rule.type))) {
    const { rule, groups } = found
    const name = Object.values(groups).find((group) => group !== undefined)
    const cause = rule.cause === undefined || name === undefined ? undefined : filled(rule.cause, { name }, quote)
    return explained(rule.type, ruleName(rule), 'likely', { ...facts, cause })
  }
  if (stated !== undefined && byForm !== undefined)
    return explained(byForm, ruleName({ id: stated.form, version: 1 }), 'certain', facts)
  const byStatus = status === undefined ? undefined : typeOfStatus(status)
  if (byStatus !== undefined) return explained(byStatus, 'http.status/1', 'certain', facts)
  if (rpcCode === -32602) return explained('upstream_invalid_arguments', 'rpc.code/1', 'certain', facts)
  return {
    rule: unexplainedRule,
    confidence: 'likely',
    cause: 'The server reports an error that is not known here.',
    steps: [],
    retryable: wait === undefined ? 'after_change' : 'after_wait',
    wait,
    fields,
  }
}

/** The rule that knows the first of these texts; one that says no more than whose side it is on comes last. */
function nearestRule(texts: readonly string[]): FoundRule | undefined {
  let general: FoundRule | undefined
  for (const text of texts) {
    const found = ruleForText(text)
    if (found !== undefined && !isGeneral(found.rule.type)) return found
    general ??= found
  }
  return general
}

interface Facts {
  readonly cause?: string | undefined
  readonly stated: Stated | undefined
  readonly fields: readonly StatedField[]
  readonly wait: Wait | undefined
  readonly quote: Quote
}

function explained(
  type: UpstreamErrorType,
  rule: string,
  confidence: Explained['confidence'],
  { cause, stated, fields, wait, quote }: Facts,
): Explained {
  const template = templateOf(type)
  const code =
    stated?.code === undefined || stated.code.length > 60 ? '' : ` Its own word for it is ${quote(stated.code)}.`
  return {
    type,
    rule,
    confidence,
    cause: `${cause ?? template.cause}${code}`,
    steps: template.steps,
    ...whetherAgain(template, wait),
    question: template.question,
    fields,
  }
}

/** A wait that the server names is a promise that waiting helps, except where nothing of the call does. */
const whetherAgain = ({ retryable }: Template, wait: Wait | undefined): Pick<Explained, 'retryable' | 'wait'> =>
  wait === undefined || retryable === 'no' ? { retryable } : { retryable: 'after_wait', wait }

const ofKnown = (
  { rule, type, guidance, fix }: KnownError,
  fields: readonly StatedField[],
  wait: Wait | undefined,
): Explained => {
  const template = templateOf(type)
  return {
    type,
    rule,
    confidence: 'likely',
    cause: template.cause,
    steps: guidance === undefined ? template.steps : [guidance],
    ...whetherAgain(template, wait),
    question: template.question,
    fields,
    ...(fix === undefined ? {} : { fix }),
  }
}

const sdkIssue = /^(?<said>[^\n]{1,300}?)(?: at |\n {0,4}→ at )(?<place>[\w$.[\]-]{1,200})$/gm

/** What the MCP SDK says of arguments in words: "Invalid input: expected string, received undefined at path". */
function fieldsInText(text: string): readonly StatedField[] {
  const start = text.search(/\bInvalid arguments for tool\b/)
  if (start === -1) return []
  const body = text
    .slice(start, start + 2000)
    .replace(/^Invalid arguments for tool "?[\w.:/-]{1,100}"?:\s{0,3}(?:✖ )?/, '')
  return [...body.matchAll(sdkIssue)].slice(0, 20).flatMap(({ groups }) =>
    groups?.['place'] === undefined
      ? []
      : [
          {
            path: groups['place'].split(/[.[\]]{1,2}/).filter((key) => key !== ''),
            said: (groups['said'] ?? '').replace(/^✖ /, ''),
          },
        ],
  )
}

// What only the contract knows to be a secret has no look of its own: a PIN is a number like any other. So the values of the
// arguments that it marks are sought in whatever is written down of a call, in each form in which they get into a text.
import { fromPointer, valuesAt } from '../../errors/pointer.ts'
import { boundedArguments } from '../../errors/unread-arguments.ts'
import { redacted } from '../../policy/redact.ts'
import type { CallContext, ParsedCall, ToolCall } from '../call-context.ts'
import { seeking } from './sought-forms.ts'

/** Hides the marked values of a call. */
export interface Hider {
  /** Whether this is a marked value as a whole. */
  readonly isMarked: (text: string) => boolean
  /** The text without them. */
  readonly hide: (text: string) => string
}

export const hidesNothing: Hider = { isMarked: () => false, hide: (text) => text }

/** Notes what stands in the arguments that the contract marks, as they were sent and as the tool gets them. */
export function noteMarked(call: ParsedCall): void {
  if (marksOf(call).length > 0) note(call, [JSON.parse(call.canonical), call.input])
}

/** Notes what stands there in arguments that nobody has checked, whatever they are. Those past a limit come to no schema. */
export function noteGiven(call: ToolCall, args: unknown): void {
  if (marksOf(call).length > 0) note(call, [boundedArguments(args)])
}

const marksOf = ({ tool }: ToolCall): readonly string[] => tool.contract.secrets?.arguments ?? []

function note(call: ToolCall, given: readonly unknown[]): void {
  for (const path of marksOf(call).map(fromPointer))
    noteSecrets(
      call,
      given.flatMap((args) => valuesAt(args, path)),
    )
}

/** Notes values that are secret for another reason than that they were sent. */
export function noteSecrets({ noticed }: Pick<CallContext, 'noticed'>, values: readonly unknown[]): void {
  for (const leaf of values.flatMap((value) => leaves(value))) noticed.marked.add(leaf)
}

/** By the values that they hide, and how many of them there were. */
const made = new WeakMap<ReadonlySet<string>, { readonly of: number; readonly hider: Hider }>()

/** Hides the marked arguments of a call in what is written down of it; of a bundle those of all its steps. */
export function hiderOf({ noticed: { marked } }: Pick<CallContext, 'noticed'>): Hider {
  if (marked.size === 0) return hidesNothing
  const known = made.get(marked)
  if (known?.of === marked.size) return known.hider
  const hider = hiding(new Set(marked))
  made.set(marked, { of: marked.size, hider })
  return hider
}

function hiding(values: ReadonlySet<string>): Hider {
  const find = seeking(values)
  const isMarked = (text: string): boolean => values.has(text)
  return {
    isMarked,
    hide(text) {
      if (isMarked(text)) return redacted
      const spans = find(text)
      if (spans.length === 0) return text
      const between = [...spans, [text.length] as const].map(([from], at) => text.slice(spans[at - 1]?.[1] ?? 0, from))
      return between.join(redacted)
    },
  }
}

/** Whether something is switched on, or how often it was 0, is no secret, and would hide every other such word. */
function leaves(value: unknown, around: readonly object[] = []): readonly string[] {
  if (typeof value === 'object' && value !== null)
    // What a program has read may lead back to itself.
    return around.includes(value) ? [] : Object.values(value).flatMap((each) => leaves(each, [...around, value]))
  if (value === 0 || value === 0n || value === '') return []
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? [String(value)] : []
}

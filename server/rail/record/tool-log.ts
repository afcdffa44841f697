// What a tool writes into the server's log says of which call it is. The log hides what looks like a secret; what only the
// contract knows to be one is hidden here, in a sentence as in a field.
import { fromPointer } from '../../errors/pointer.ts'
import { redact, redacted } from '../../policy/redact.ts'
import type { LogFields, ToolLog } from '../../tools/tool-log.ts'
import type { ParsedCall } from '../call-context.ts'
import type { Engine } from '../engine.ts'

/** Shorter values stand in other words by chance. */
const shortestSecret = 4

/** The log as one call's tool has it. */
export function toolLog(call: ParsedCall): ToolLog {
  const { engine, tool, row } = call
  const plan = 'plan' in call ? (call.plan as { readonly id: string }).id : undefined
  const about = {
    tool: tool.wireName,
    ...(row === undefined ? {} : { call: row.id }),
    ...(plan === undefined ? {} : { plan }),
  }
  return logAbout(engine, about, () => markedValues(call))
}

/** The log, each line of which says these things. `secrets`: texts that no line may have. */
export function logAbout(
  engine: Pick<Engine, 'log'>,
  about: Readonly<Record<string, string>>,
  secretsOf: () => readonly string[] = () => [],
): ToolLog {
  const write =
    (level: keyof ToolLog) =>
    (message: string, fields: LogFields = {}): void => {
      if (engine.log === undefined) return
      const secrets = secretsOf()
      const hide = (text: string): string => secrets.reduce((shown, each) => shown.replaceAll(each, redacted), text)
      const shown = Object.entries(redact(fields) as LogFields).map(([name, value]) => [
        name,
        typeof value === 'number' || typeof value === 'boolean'
          ? value
          : hide(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))),
      ])
      engine.log[level](hide(message), { ...Object.fromEntries(shown), ...about })
    }
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') }
}

/** The texts and numbers that stand in arguments which the contract marks, longest first. */
function markedValues({ tool, canonical }: ParsedCall): readonly string[] {
  const pointers = tool.contract.secrets?.arguments ?? []
  if (pointers.length === 0) return []
  const args: unknown = JSON.parse(canonical)
  return pointers
    .flatMap((pointer) => valuesAt(args, fromPointer(pointer)).flatMap(leaves))
    .filter((value) => value.length >= shortestSecret)
    .toSorted((a, b) => b.length - a.length)
}

/** What stands at a path in which `*` is any key or index. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): readonly unknown[] {
  if (key === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  const inside =
    key === '*' ? Object.values(value) : Object.hasOwn(value, key) ? [Reflect.get(value, key) as unknown] : []
  return inside.flatMap((each) => valuesAt(each, rest))
}

const leaves = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leaves)
    : typeof value === 'string' || typeof value === 'number'
      ? [String(value)]
      : []

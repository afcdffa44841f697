// What a tool writes into the server's log says of which call it is. The log hides what looks like a secret; what only the
// contract knows to be one is hidden here, in a sentence as in a field. And it never throws: in a run that would make an effect
// uncertain for the sake of a line.
import { redact } from '../../policy/redact.ts'
import type { LogFields, ToolLog } from '../../tools/tool-log.ts'
import type { ParsedCall } from '../call-context.ts'
import type { Engine } from '../engine.ts'
import { loggable } from './loggable.ts'
import { hiderOf, hidesNothing, type Hider } from './marked-values.ts'

/** The log as one call's tool has it. */
export function toolLog(call: ParsedCall): ToolLog {
  const { engine, tool, row } = call
  const plan = 'plan' in call ? (call.plan as { readonly id: string }).id : undefined
  const about = {
    tool: tool.wireName,
    ...(row === undefined ? {} : { call: row.id }),
    ...(plan === undefined ? {} : { plan }),
  }
  return logAbout(engine, about, () => hiderOf(call))
}

/** The log, each line of which says these things. `hiderOf`: hides what no line may have. */
export function logAbout(
  engine: Pick<Engine, 'log'>,
  about: Readonly<Record<string, string>>,
  hiderOf: () => Hider = () => hidesNothing,
): ToolLog {
  const write =
    (level: keyof ToolLog) =>
    (message: unknown, fields?: unknown): void => {
      if (engine.log === undefined) return
      try {
        const hider = hiderOf()
        const given = { ...(message instanceof Error ? { error: message } : {}), ...fieldsOf(fields) }
        engine.log[level](hider.hide(sentence(message, hider)), { ...shownFields(given, hider), ...about })
      } catch (error) {
        unwritten(engine.log, error, about)
      }
    }
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') }
}

/** A program without types may hand over anything as a message. */
function sentence(message: unknown, hider: Hider): string {
  if (typeof message === 'string') return message
  if (message instanceof Error) return `${message.name}: ${message.message}`
  const plain = loggable(message, hider)
  return typeof plain === 'string' ? plain : (JSON.stringify(plain) ?? String(plain))
}

/** And as fields. */
function fieldsOf(fields: unknown): LogFields {
  if (fields === undefined || fields === null) return {}
  if (fields instanceof Error) return { error: fields }
  return typeof fields === 'object' && !Array.isArray(fields) ? (fields as LogFields) : { value: fields }
}

function shownFields(fields: LogFields, hider: Hider): Readonly<Record<string, string | number | boolean>> {
  const plain = redact(loggable(fields, hider))
  if (typeof plain !== 'object' || plain === null) return { fields: String(plain) }
  return Object.fromEntries(
    Object.entries(plain).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean'
        ? value
        : hider.hide(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))),
    ]),
  )
}

function unwritten(log: NonNullable<Engine['log']>, error: unknown, about: Readonly<Record<string, string>>): void {
  try {
    log.warn('A line of a tool could not be written.', {
      why: error instanceof Error ? error.name : 'unknown',
      ...about,
    })
  } catch {
    // A log that cannot be written says nothing of it either.
  }
}

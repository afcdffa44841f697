// The server's log: JSON for a machine that collects lines, sentences for a person at a terminal. Always on stderr, because
// stdout belongs to the protocol. Secrets are hidden by the function that is handed in, and invisible characters are
// shown, because a line break in a quoted name would otherwise forge a line.
import { pino, stdTimeFunctions } from 'pino'
import { showInvisible, showInvisibleInLines } from '../../cards/invisible-characters.ts'
import { requestId } from './request-id.ts'
import { traceApi } from './trace-api.ts'
import { surroundings } from '../../model/surroundings.ts'

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof logLevels)[number]

/** Values beside the sentence. */
type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

type Say = (message: string, fields?: LogFields) => void

export interface Log {
  readonly error: Say
  readonly warn: Say
  readonly info: Say
  readonly debug: Say
}

interface LogOptions {
  /** `info` when absent. */
  readonly level?: LogLevel | undefined
  /** Where lines go; stderr when absent. */
  readonly stream?: { write(line: string): unknown } | undefined
  /** Sentences instead of JSON; when stderr is a terminal, when absent. */
  readonly readable?: boolean | undefined
  /** Hides secrets in a text. */
  readonly redact: (text: string) => string
}

/** Opens a log. Each line has its time, its level, its process, its request and its trace. */
export function createLog({ level = 'info', stream, readable, redact }: LogOptions): Log {
  const { stderr } = surroundings()
  // Read at each line, because a test or a host may replace `process.stderr.write`.
  const out = stream ?? { write: (line: string) => stderr.write(line) }
  const asSentences = readable ?? (stream === undefined && stderr.isTTY === true)
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => origin(redact),
    },
    asSentences ? { write: (line: string) => out.write(sentence(line)) } : out,
  )
  const at =
    (name: keyof Log): Say =>
    (message, fields = {}) => {
      if (!logger.isLevelEnabled(name)) return
      const shown = Object.entries(fields).map(([key, value]) => [
        key,
        typeof value === 'string' ? (key === 'stack' ? showInvisibleInLines : showInvisible)(redact(value)) : value,
      ])
      logger[name](Object.fromEntries(shown), showInvisible(redact(message)))
    }
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

/** The request and the trace that a line belongs to. The names of the trace's fields are OpenTelemetry's (logging.md, "Trace Context"). */
function origin(redact: LogOptions['redact']): object {
  const request = requestId()
  const span = traceApi()?.trace.getActiveSpan()?.spanContext()
  return {
    ...(request === undefined ? {} : { request: redact(request) }),
    ...(span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }),
  }
}

const unsaid = new Set(['level', 'time', 'pid', 'msg', 'request', 'trace_id', 'span_id', 'stack'])

/** A line for a person: what happened, then what it names. */
function sentence(line: string): string {
  const { msg, level, stack, ...rest } = JSON.parse(line) as Readonly<Record<string, unknown>>
  const fields = Object.entries(rest).filter(([key]) => !unsaid.has(key))
  const named = fields.map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const mark = level === 'info' ? '' : `${String(level)}: `
  return `countersign: ${mark}${String(msg)}${named.join('')}\n${typeof stack === 'string' ? `${stack}\n` : ''}`
}

// Programs that speak no MCP take the same engine through a plain POST: the arguments as the body, the same envelope back.
// The HTTP status says what kind of answer it is, and nothing that is not in the body too:
//   200 ok, previewed, applied, replayed · 202 awaiting approval, running · 400 arguments · 403 permission · 404 unknown
//   tool · 409 mismatch, stale, a confirmation that cannot be used · 422 a failure that the tool declares · 423 frozen ·
//   429 too many calls · 500 a fault of the tool or the server, an outcome that is not known · 503 no database, or a server
//   behind that is not there
import { Hono } from 'hono'
import { call } from '../rail/call.ts'
import { asBundlePreview } from '../rail/bundles/bundle-contract.ts'
import { withKnownTool } from '../rail/intake/await-tool.ts'
import { bodyOf, envelopeOf } from '../rail/answers/envelope.ts'
import { traceHeaders } from '../rail/record/observer.ts'
import { deprecationWarning, graceNote, graceUntil, lacksRationale } from '../rail/intake/rationale-grace.ts'
import { declaredGuidance, toldGuidance, type Answer } from '../rail/answers/outcome.ts'
import type { CallRequest, Engine } from '../rail/engine.ts'
import { parseArguments } from '../errors/unread-arguments.ts'
import type { Identify } from '../mcp/identity.ts'
import { withAdvice } from '../mcp/result.ts'
import type { Store } from '../store/store.ts'

/** The header in which a caller says its name: a label, no more. */
const clientHeader = 'x-countersign-client'

export interface ToolsApiOptions {
  readonly engine: Engine
  readonly grace: Store['grace']
  readonly identify: Identify
  /** Writes a warning into the server's log. */
  readonly warn: (message: string, fields: Readonly<Record<string, string>>) => void
  /** Headers for a caller who lacks permissions. */
  readonly challenge?: (missing: readonly string[]) => Readonly<Record<string, string>>
}

/** The app below `/api/v1/tools`. */
export function createToolsApp({ engine, grace, identify, warn, challenge }: ToolsApiOptions): Hono {
  return new Hono()
    .post('/:tool', async (c) => {
      const identified = await identify(c.req.raw)
      if (!identified.ok) {
        const { status, code, message, next, headers } = identified.failure
        return plainError(status, code, `${message} ${next}`, headers)
      }
      const { principal, permissions, claims } = identified.value
      const body = await readJson(c.req.raw)
      if (!body.ok)
        return plainError(400, 'validation_error', 'The body is not JSON. Send the arguments as one JSON object.')
      const client = (c.req.header(clientHeader) ?? c.req.header('user-agent') ?? 'rest').slice(0, 100)
      const { tool, args } = asBundlePreview({ tool: c.req.param('tool'), args: body.value })
      const until = lacksRationale(engine, { tool, args }) ? graceUntil(engine, 'rest') : undefined
      if (until !== undefined && engine.catalog.find(tool) !== undefined) {
        const isFirstToday = await grace.note({ principal, client, tool })
        if (isFirstToday) {
          const { tenant, subject } = principal
          warn(deprecationWarning(until), { tenant, subject, client, tool })
        }
      }
      const headers = traceHeaders(c.req.raw.headers)
      const asked: CallRequest = {
        tool,
        args,
        caller: {
          principal,
          permissions,
          ...(claims === undefined ? {} : { claims }),
          request: c.req.raw,
          client,
          cards: 'no',
          trusted: false,
          ...(headers === undefined ? {} : { headers }),
        },
        signal: c.req.raw.signal,
        source: 'rest',
        ...(until === undefined ? {} : { notes: [graceNote(until)] }),
      }
      const answer = await withKnownTool(engine, asked, (known) => call(engine, known))
      return toResponse(answer, until, answer.missing === undefined ? undefined : challenge?.(answer.missing))
    })
    .all('/:tool', () => plainError(405, 'method_not_allowed', 'A tool is called with POST.', { allow: 'POST' }))
}

async function readJson(request: Request): Promise<{ ok: true; value: unknown } | { ok: false }> {
  const text = await request.text()
  try {
    return { ok: true, value: text.trim() === '' ? {} : parseArguments(text) }
  } catch {
    return { ok: false }
  }
}

function toResponse(answer: Answer, until: string | undefined, more: Readonly<Record<string, string>> = {}): Response {
  const retry = (toldGuidance(answer) ?? declaredGuidance(answer))?.retry_after_seconds
  const body = restBody(answer)
  // The answer of a waiting call is exactly what the design says, so there the headers alone tell.
  const inBody = until !== undefined && answer.outcome !== 'awaiting_approval'
  return Response.json(
    inBody && !Object.hasOwn(body, 'deprecation')
      ? { ...body, deprecation: { code: 'rationale_missing', message: graceNote(until), until } }
      : body,
    {
      status: statusOf(answer),
      headers: {
        ...more,
        ...(retry === undefined ? {} : { 'retry-after': String(retry) }),
        // RFC 9745 and RFC 8594: what is deprecated ends at this moment.
        ...(until === undefined
          ? {}
          : { deprecation: `@${Math.floor(Date.parse(until) / 1000)}`, sunset: new Date(until).toUTCString() }),
      },
    },
  )
}

/** A read's output as its contract declares it, or a server's own answer as MCP carries it; everything else is the envelope. */
function restBody(answer: Answer): Record<string, unknown> {
  if (answer.outcome === 'ok')
    return answer.contract?.passes === true ? withAdvice(answer) : (answer.result as Record<string, unknown>)
  return answer.contract === undefined ? envelopeOf(answer) : bodyOf(answer)
}

const byError: Readonly<Record<string, number>> = {
  validation_error: 400,
  unknown_tool: 404,
  permission_denied: 403,
  too_many_calls: 429,
  frozen: 423,
  store_unavailable: 503,
  upstream_unavailable: 503,
  upstream_login_required: 503,
}

/** The HTTP status of an answer. */
function statusOf(answer: Answer): number {
  const guidance = declaredGuidance(answer)
  const { outcome } = answer
  switch (outcome) {
    case 'ok':
    case 'previewed':
    case 'applied':
    case 'replayed':
      return 200
    case 'awaiting_approval':
    case 'running':
      return 202
    case 'mismatch':
    case 'stale':
      return 409
    case 'outcome_unknown':
      return 500
    case 'refused':
      // A name that may be a tool of a server which is not there yet is not gone.
      if (guidance?.error_type === 'unknown_tool' && guidance.retryable === 'after_wait') return 503
      return byError[guidance?.error_type ?? ''] ?? 409
    case 'failed':
      return byError[guidance?.error_type ?? ''] ?? (guidance?.category === 'server' ? 500 : 422)
    default:
      return outcome satisfies never
  }
}

const plainError = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json({ status: 'refused', error: { code, message } }, { status, headers })

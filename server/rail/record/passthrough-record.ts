// What passes through to an upstream is no call of a tool, but it is work there, in somebody's name. So it is checked against
// the same permissions, counted against the same limits, and stands in the record as a row with the method's name.
import { redactText } from '../../policy/redact.ts'
import { missingOf } from '../authorize/missing-permissions.ts'
import { noCall, noVerdict, type ActivityCompletion } from '../../model/activity.ts'
import { recordable } from './activity-row.ts'
import type { Caller, Engine } from '../engine.ts'

interface PassthroughRequest {
  /** `resources/read` */
  readonly method: string
  readonly params: unknown
  readonly caller: Caller
}

/** The requester: whom the work asks what they may do, and tells that their request was sent. */
interface Requester {
  /** Whether they have all of these permissions now. */
  may(permissions: readonly string[]): boolean
  /** To be called when the request goes on to a server that they may use. */
  readonly onSent: () => void
}

/** What the row says of a request that was not answered. `refused`: the upstream was not asked. */
export interface PassthroughTrouble {
  readonly outcome: 'refused' | 'failed'
  readonly code: string
  readonly message: string
}

/**
 * Does the work of one request that passes through with a row around it; `troubleOf` reads what the work threw. Where permissions
 * were missing and no server was sent the request, the row says that it was refused, and for the lack of which.
 * @throws whatever the work throws, and the activity log's error where no row can be written.
 */
export function withPassthroughRow<T>(
  engine: Engine,
  request: PassthroughRequest,
  work: (requester: Requester) => Promise<T>,
  troubleOf: (error: unknown) => PassthroughTrouble,
): Promise<T> {
  const whole = withRow(engine, request, work, troubleOf)
  engine.running?.(whole.catch(() => undefined))
  return whole
}

async function withRow<T>(
  engine: Engine,
  request: PassthroughRequest,
  work: Parameters<typeof withPassthroughRow<T>>[2],
  troubleOf: Parameters<typeof withPassthroughRow<T>>[3],
): Promise<T> {
  const denied = new Set<string>()
  let sent = false
  const may = (permissions: readonly string[]): boolean => {
    const missing = missingOf(engine, request.caller, permissions)
    for (const one of missing) denied.add(one)
    return missing.length === 0
  }
  const started = engine.now()
  const row = await engine.activityLog?.begin(() => entryOf(request), 'none')
  const end = (told: Pick<ActivityCompletion, 'outcome' | 'result' | 'error'>): void => {
    if (row === undefined) return
    const durationMs = Math.max(0, engine.now() - started)
    const ending = engine.activityLog?.complete(row, { ...noVerdict, durationMs, ...told }, 'idle')
    const kept = ending?.catch((error: unknown) => void engine.report(error, 'completing an activity row'))
    if (kept !== undefined) engine.running?.(kept)
  }
  try {
    const answer = await work({ may, onSent: () => void (sent = true) })
    end({
      outcome: 'ok',
      result: request.method.endsWith('/list') ? undefined : recordable(answer, undefined),
      error: undefined,
    })
    return answer
  } catch (error) {
    const { outcome, code, message } = troubleOf(error)
    const told = (of: string): string => redactText(of).slice(0, 2000)
    if (sent || denied.size === 0) end({ outcome, result: undefined, error: { code, message: told(message) } })
    else {
      const missing = `Missing: ${[...denied].join(', ')}. Told: ${message}`
      end({ outcome: 'refused', result: undefined, error: { code: 'permission_denied', message: told(missing) } })
    }
    throw error
  }
}

const entryOf = ({ method, params, caller }: PassthroughRequest) => ({
  principal: caller.principal,
  client: redactText(caller.client).slice(0, 200),
  source: 'mcp' as const,
  tool: method,
  ...noCall,
  operation: 'read' as const,
  operationSource: 'derived' as const,
  auditEvent: method,
  args: recordable(params ?? {}, undefined),
  notes: [],
})

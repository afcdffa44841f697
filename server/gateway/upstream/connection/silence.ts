// How long a server may be silent: not how long its work takes, and not how long a person thinks whom it asks.
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { codes } from './call-failure.ts'

/** Aborts with the caller, or once nothing was heard for so long; the time in which somebody is asked does not count. */
export function watchSilence(timeoutMs: number, isAsking: () => boolean, caller: AbortSignal | undefined) {
  const control = new AbortController()
  const leave = (): void => control.abort(caller?.reason)
  if (caller?.aborted === true) leave()
  caller?.addEventListener('abort', leave, { once: true })
  let since = performance.now()
  let timer = setTimeout(look, timeoutMs)
  let afterwards: NodeJS.Immediate | undefined
  const left = (): number => {
    if (isAsking()) since = performance.now()
    return since + timeoutMs - performance.now()
  }
  // Timers run before what came in is read: what a busy or suspended process has not read yet was no silence.
  function look(): void {
    const ms = left()
    // Asked for once: what is left may be gone a moment later, and Node warns of a timer with a negative time.
    if (ms > 0) timer = setTimeout(look, ms)
    else afterwards = setImmediate(giveUp)
  }
  function giveUp(): void {
    if (left() > 0) look()
    else control.abort(new McpError(codes.timedOut, 'Request timed out'))
  }
  return {
    signal: control.signal,
    broken: () => void (since = performance.now()),
    end: () => {
      clearTimeout(timer)
      clearImmediate(afterwards)
      caller?.removeEventListener('abort', leave)
    },
  }
}

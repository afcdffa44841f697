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
  function look(): void {
    if (isAsking()) since = performance.now()
    const left = since + timeoutMs - performance.now()
    if (left <= 0) control.abort(new McpError(codes.timedOut, 'Request timed out'))
    else timer = setTimeout(look, left)
  }
  return {
    signal: control.signal,
    broken: () => void (since = performance.now()),
    end: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', leave)
    },
  }
}

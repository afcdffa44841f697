// Everything that can go wrong between this page and the server ends here as one sentence and one next step.

export interface Trouble {
  readonly message: string
  readonly next: string
  /** The page itself must be loaded again. */
  readonly reload: boolean
  /** What a server that crashed said last. */
  readonly output?: string
}

const gone: Trouble = {
  message: 'The server does not answer.',
  next: 'Start it again as before (`npm start` in a checkout), then reload this page. A plan that was being applied keeps its outcome there.',
  reload: true,
}

const sessionLost: Trouble = {
  message: 'The server no longer knows this session.',
  next: 'Reload this page: the cards come back and ask the server where they stand.',
  reload: true,
}

const partMissing: Trouble = {
  message: 'A part of this page did not arrive.',
  next: 'Reload this page: its server may have been replaced by another version since it was opened.',
  reload: true,
}

/** What Chromium, Firefox and Safari say where an import fails; none of them asks for that address again in this page. */
const importFailed = /dynamically imported module|Importing a module script failed/i

/** What an exception of the MCP client means to a person. */
export function troubleOf(error: unknown): Trouble {
  const message = error instanceof Error ? error.message : String(error)
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (importFailed.test(message)) return partMissing
  // fetch() rejects with a TypeError when there is nobody at the other end.
  if (error instanceof TypeError || message === 'Connection closed') return gone
  const door = doorRefusal(message) ?? refusalIn(message, error)
  if (door?.code?.startsWith('server-') === true) return { ...door, reload: false }
  if (code === 404) return sessionLost
  if (door !== undefined) return { ...door, reload: code === 403 }
  if (code === -32001)
    return { message: 'The server took too long.', next: 'Ask for its state with a read tool.', reload: false }
  return { message: message.replace(/^MCP error -?\d+: /, ''), next: 'Check the call and try again.', reload: false }
}

type Refusal = Pick<Trouble, 'message' | 'next' | 'output'> & { readonly code?: string }

/** Our own web door puts the next step into the body of a refusal, which the SDK appends to its message. */
function doorRefusal(message: string): Refusal | undefined {
  try {
    const body = JSON.parse(message.slice(message.indexOf('{'))) as { error?: { message?: string; data?: unknown } }
    return body.error?.message === undefined ? undefined : refusalIn(body.error.message, body.error)
  } catch {
    return undefined
  }
}

/** The same of an error of JSON-RPC, where the next step stands in its data. */
function refusalIn(message: string, error: unknown): Refusal | undefined {
  const { data } = (typeof error === 'object' && error !== null ? error : {}) as { readonly data?: unknown }
  const { code, next, output } = (typeof data === 'object' && data !== null ? data : {}) as Readonly<
    Record<'code' | 'next' | 'output', unknown>
  >
  if (typeof next !== 'string') return undefined
  return {
    message: message
      .replace(/^MCP error -?\d+: /, '')
      .replace(next, '')
      .trim(),
    next,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof output === 'string' ? { output } : {}),
  }
}

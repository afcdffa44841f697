// Everything that can go wrong between this page and the server ends here as one sentence and one next step.

export interface Trouble {
  readonly message: string
  readonly next: string
  /** The page itself must be loaded again. */
  readonly reload: boolean
}

const gone: Trouble = {
  message: 'The server does not answer.',
  next: 'Start it again with `npm start`, then reload this page. A plan that was being applied keeps its outcome there.',
  reload: true,
}

const sessionLost: Trouble = {
  message: 'The server no longer knows this session.',
  next: 'Reload this page: the cards come back and ask the server where they stand.',
  reload: true,
}

/** What an exception of the MCP client means to a person. */
export function troubleOf(error: unknown): Trouble {
  const message = error instanceof Error ? error.message : String(error)
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  // fetch() rejects with a TypeError when there is nobody at the other end.
  if (error instanceof TypeError || message === 'Connection closed') return gone
  if (code === 404) return sessionLost
  const door = doorRefusal(message)
  if (door !== undefined) return { ...door, reload: code === 403 }
  if (code === -32001)
    return { message: 'The server took too long.', next: 'Ask for its state with a read tool.', reload: false }
  return { message: message.replace(/^MCP error -?\d+: /, ''), next: 'Check the call and try again.', reload: false }
}

/** Our own web door puts the next step into the body of a refusal, which the SDK appends to its message. */
function doorRefusal(message: string): { message: string; next: string } | undefined {
  try {
    const body = JSON.parse(message.slice(message.indexOf('{'))) as { error?: { message?: string; data?: unknown } }
    const next = (body.error?.data as { next?: unknown } | undefined)?.next
    if (typeof next !== 'string' || body.error?.message === undefined) return undefined
    return { message: body.error.message.replace(next, '').trim(), next }
  } catch {
    return undefined
  }
}

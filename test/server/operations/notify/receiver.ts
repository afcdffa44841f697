// Somebody who is to be told: a web server of a test's own, which answers as the test wants and keeps what it got.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { onTestFinished } from 'vitest'
import { listening } from '../../../kit/listening.ts'

export interface Got {
  readonly headers: IncomingHttpHeaders
  /** As it came, to the byte. */
  readonly text: string
  readonly body: {
    readonly text: string
    readonly blocks: readonly unknown[]
    readonly type: string
    readonly timestamp: string
    readonly data: Readonly<Record<string, unknown>>
  }
}

export type Reaction = number | { readonly status: number; readonly headers: Readonly<Record<string, string>> } | 'hang'

export type Receiver = Awaited<ReturnType<typeof openReceiver>>

/** Listens on this machine until the test is over. */
export async function openReceiver(first: Reaction = 200) {
  const got: Got[] = []
  const waiting: { readonly count: number; readonly resolve: (all: readonly Got[]) => void }[] = []
  let reaction = first
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      got.push({ headers: request.headers, text, body: JSON.parse(text) as Got['body'] })
      for (const each of waiting) if (got.length >= each.count) each.resolve(got)
      if (reaction === 'hang') return
      const { status, headers } = typeof reaction === 'number' ? { status: reaction, headers: {} } : reaction
      response.writeHead(status, headers).end('ok')
    })
  })
  const origin = await listening(server)
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return {
    url: `${origin}/services/T0/B0/the-secret-of-the-channel`,
    got,
    /** What it answers from now on. */
    react: (how: Reaction) => {
      reaction = how
    },
    /** Resolves with this many deliveries, whenever they come. */
    until: (count: number): Promise<readonly Got[]> =>
      got.length >= count ? Promise.resolve(got) : new Promise((resolve) => waiting.push({ count, resolve })),
  }
}

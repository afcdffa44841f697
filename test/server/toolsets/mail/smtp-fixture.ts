// A real mail server on this machine, which does what a test tells it to and keeps what arrived.
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface Arrived {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: Buffer
  readonly mail: Email
}

export interface SmtpBehaviour {
  readonly options?: SMTPServerOptions
  /** Answers a recipient with an error: `[550, 'No such user']`. */
  readonly recipient?: (address: string) => readonly [code: number, text: string] | undefined
  /** What is done with a mail that was received whole: taken when absent. */
  readonly data?: (arrived: Arrived) => Promise<'take' | 'drop' | readonly [code: number, text: string]>
}

const refusal = ([responseCode, text]: readonly [number, string]): Error =>
  Object.assign(new Error(text), { responseCode })

/** Starts one; it ends with its test. */
export async function smtpServer({ options = {}, recipient, data }: SmtpBehaviour = {}) {
  const arrived: Arrived[] = []
  const connections: string[] = []
  /** Loses the connection of this session. */
  const hangUp = (id: string): void => {
    for (const connection of server.connections) if (connection.id === id) connection._socket.destroy()
  }
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    // Connections of a pool that is still open.
    closeTimeout: 1,
    onConnect(session, done) {
      connections.push(session.id)
      done()
    },
    onRcptTo({ address }, _session, done) {
      const refused = recipient?.(address)
      done(refused === undefined ? null : refusal(refused))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void (async () => {
          if (stream.sizeExceeded) return done(refusal([552, 'Too big for this server']))
          const raw = Buffer.concat(chunks)
          const { mailFrom, rcptTo } = session.envelope
          const mail: Arrived = {
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            raw,
            mail: await PostalMime.parse(raw),
          }
          const answer = (await data?.(mail)) ?? 'take'
          if (typeof answer !== 'string') return done(refusal(answer))
          arrived.push(mail)
          if (answer === 'take') return done(null, `OK queued as ${arrived.length}`)
          hangUp(session.id)
        })()
      })
    },
    ...options,
  })
  // A connection that is lost on purpose is an error here.
  server.on('error', () => undefined)
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  onTestFinished(close)
  return { url: `smtp://127.0.0.1:${port}`, port, arrived, connections, hangUp, close }
}

/** A mail server that takes no mail before `answer` is called. */
export async function holdingSmtpServer() {
  const answer = Promise.withResolvers<'take'>()
  const reached = Promise.withResolvers<void>()
  const server = await smtpServer({
    data: () => {
      reached.resolve()
      return answer.promise
    },
  })
  return { url: server.url, reached: reached.promise, answer: () => answer.resolve('take') }
}

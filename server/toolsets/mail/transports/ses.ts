// Amazon SES takes a mail by one HTTP request and answers once for all of its recipients. Without an answer it may have
// taken the mail, so a request is sent once: the SDK's own repetition would send a second mail. SES gives each mail a new
// Message-ID, which is the answer that is kept for its recipients.
import { setTimeout as wait } from 'node:timers/promises'
import { nodemailer, sesv2 } from '../libraries.ts'
import { messageOf, words, type OutgoingMail, type RecipientAnswer, type ServerFault, type Smtp } from './smtp.ts'

/** Milliseconds without a byte from SES until it counts as silent. */
const silenceMs = 120_000

/**
 * Milliseconds until a mail is sent again that was too many for one second: SES has not taken it, and takes it in a moment.
 * Behind the last of them it waits as one that is put off.
 */
const pauses = [200, 400, 800, 1600, 3200, 6400] as const

/** `ses://region`, with `?endpoint=` for another service that speaks SES. */
export function createSes(url: string): Smtp {
  const { hostname: region, searchParams } = new URL(url)
  const endpoint = searchParams.get('endpoint')
  const closing = new AbortController()
  let opened: Promise<Opened> | undefined
  const open = async () => {
    const [{ createTransport }, { SESv2Client, SendEmailCommand }] = await Promise.all([nodemailer(), sesv2()])
    const client = new SESv2Client({
      region,
      ...(endpoint === null ? {} : { endpoint }),
      maxAttempts: 1,
      requestHandler: { socketTimeout: silenceMs },
    })
    const sesClient = {
      config: { region: () => client.config.region() },
      send: (command: unknown) =>
        client.send(command as InstanceType<typeof SendEmailCommand>, { abortSignal: closing.signal }),
    }
    const transport = createTransport({
      SES: { sesClient, SendEmailCommand },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return { transport, client }
  }
  type Opened = Awaited<ReturnType<typeof open>>
  return {
    async send(mail) {
      if (closing.signal.aborted) return forAll(mail, { state: 'deferred', response: 'The server is being closed.' })
      for (let attempt = 0; ; attempt += 1)
        try {
          opened ??= open()
          const { transport } = await opened
          const { response } = await transport.sendMail(messageOf(mail))
          const id = words(response)
          return forAll(mail, { state: 'accepted', response: id, serviceId: id })
        } catch (error) {
          const pause = isTooFast(error as SesError) ? pauses[attempt] : undefined
          if (pause !== undefined) await wait(pause, undefined, { signal: closing.signal }).catch(() => undefined)
          if (pause === undefined || closing.signal.aborted) return forAll(mail, answerTo(error as SesError))
        }
    },
    close() {
      closing.abort()
      void opened?.then(({ client }) => client.destroy()).catch(() => undefined)
    },
  }
}

const forAll = ({ recipients }: OutgoingMail, answer: RecipientAnswer): ReadonlyMap<string, RecipientAnswer> =>
  new Map(recipients.map((address) => [address, answer]))

/** As the AWS SDK and Node's sockets describe what went wrong. */
interface SesError {
  readonly name: string
  readonly message: string
  readonly syscall?: string
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** SES has not taken the mail and would take it another time. */
const forNow = /^(?:TooManyRequests|Throttling|LimitExceeded|SendingPaused|ServiceUnavailable|ExpiredToken)/

const isForNow = ({ name, $metadata }: SesError): boolean =>
  ($metadata?.httpStatusCode ?? 0) >= 400 && forNow.test(name)

/** More within a second than the account may send; of a day that is full the message says something else. */
const isTooFast = (error: SesError): boolean => isForNow(error) && /sending rate exceeded/i.test(error.message)

function answerTo(error: SesError): RecipientAnswer {
  const fault = faultOf(error)
  return {
    state: stateOf(error),
    response: words(`${error.name}: ${error.message}`),
    ...(fault === undefined ? {} : { fault }),
  }
}

function faultOf(error: SesError): ServerFault | undefined {
  if (!wasAsked(error)) return 'unreachable'
  if (isForNow(error)) return 'defers'
  const status = error.$metadata?.httpStatusCode
  return status === 401 || status === 403 ? 'not_admitted' : undefined
}

function stateOf(error: SesError): RecipientAnswer['state'] {
  if (!wasAsked(error)) return 'deferred'
  const status = error.$metadata?.httpStatusCode ?? 0
  if (isForNow(error)) return 'deferred'
  // Of 5xx nobody knows where it was said, and what had happened before. What is no answer of SES is none.
  return status >= 400 && status < 500 ? 'refused' : 'unknown'
}

/** No request goes out without credentials, without a connection, or to somebody who is not SES. */
const wasAsked = ({ name, syscall, code = '' }: SesError): boolean =>
  name !== 'CredentialsProviderError' &&
  // Of several addresses none could be connected to.
  name !== 'AggregateError' &&
  syscall !== 'connect' &&
  syscall !== 'getaddrinfo' &&
  !/^(?:CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)

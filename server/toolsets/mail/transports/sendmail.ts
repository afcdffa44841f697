// A program on this machine that takes mail as sendmail does. It ends with one number, which cannot say for whom it holds:
// so it is run once for each recipient. It is spawned here and not by nodemailer, which hides that number and what the
// program said, and cannot end one that hangs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { nodemailer } from '../libraries.ts'
import { messageOf, words, type OutgoingMail, type RecipientAnswer, type Smtp } from './smtp.ts'

/** Milliseconds until a program that does not end is killed. */
const patienceMs = 600_000

/**
 * `sysexits.h`, as far as a number says that this mail was not taken and never will be. 75 is not among them: sendmail says
 * by it that the mail waits in its queue, others that it does not.
 */
const refusals: Readonly<Record<number, string>> = {
  64: 'wrong usage',
  65: 'wrong data',
  67: 'user unknown',
  68: 'host unknown',
  69: 'unavailable',
  77: 'no permission',
  78: 'wrong configuration',
}

/** `sendmail:` is the program of this name on the path, `sendmail:///usr/sbin/sendmail` the one there. */
export function createSendmail(url: string): Smtp {
  const { pathname } = new URL(url)
  const path = pathname === '' ? 'sendmail' : decodeURIComponent(pathname)
  const closing = new AbortController()
  return {
    async send(mail) {
      const answers = new Map<string, RecipientAnswer>()
      for (const address of mail.recipients) answers.set(address, await hand(path, mail, address, closing.signal))
      return answers
    },
    close: () => closing.abort(),
  }
}

async function hand(path: string, mail: OutgoingMail, to: string, closing: AbortSignal): Promise<RecipientAnswer> {
  const from = mail.from.address
  // It would be read as an option, or as a program, a file or a list that this machine is to deliver to; in quotes, spaces
  // and backslashes may stand before that.
  if ([to, from].some((address) => /^"?[\s\\]*[-|/:]/.test(address)))
    return { state: 'refused', response: 'An address that begins with - | / or : is not given to sendmail.' }
  if (closing.aborted) return { state: 'deferred', response: 'The server is being closed.' }
  let isRunning = false
  try {
    const message = await composed(mail)
    // -i: a line with a dot alone does not end the mail.
    const child = spawn(path, ['-i', '-f', from, to], { stdio: ['pipe', 'ignore', 'pipe'] })
    const stop = (): void => void child.kill('SIGKILL')
    const timer = setTimeout(stop, patienceMs)
    closing.addEventListener('abort', stop)
    try {
      const ended = once(child, 'exit') as Promise<[number | null, string | null]>
      const silent = once(child.stderr, 'close').catch(() => undefined)
      // It may end without having read everything; how it ended says more.
      child.stdin.on('error', () => undefined)
      let said = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(0, 2000)))
      await Promise.race([once(child, 'spawn'), ended])
      isRunning = true
      child.stdin.end(message)
      const [code, signal] = await ended
      // What it has left running in the background may keep this open.
      if (code !== 0) await Promise.race([silent, wait(1000, undefined, { ref: false })])
      return answerTo(code, signal, words(said), child.stdin.writableFinished)
    } finally {
      clearTimeout(timer)
      closing.removeEventListener('abort', stop)
    }
  } catch (error) {
    const response = words((error as Error).message)
    return isRunning
      ? { state: 'unknown', response: 'The connection to sendmail was lost before it had ended.' }
      : { state: 'deferred', response, fault: 'unreachable' }
  }
}

function answerTo(code: number | null, signal: string | null, said: string, isWhole: boolean): RecipientAnswer {
  if (code === 0 && isWhole) return { state: 'accepted', response: 'Taken by sendmail' }
  if (code === 0) return { state: 'unknown', response: 'It ended before it had read the whole mail.' }
  const how = signal === null ? `It ended with ${code}` : `It was ended by ${signal}`
  const why = refusals[code ?? 0]
  return {
    state: why === undefined ? 'unknown' : 'refused',
    response: `${how}${why === undefined ? '' : ` (${why})`}${said === '' ? '' : `: ${said}`}`,
  }
}

/** The mail as a program of Unix reads it. */
async function composed(mail: OutgoingMail): Promise<Buffer> {
  const { createTransport } = await nodemailer()
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'unix',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const { message } = await composer.sendMail(messageOf(mail))
  return message as Buffer
}

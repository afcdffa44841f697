// A mail server that is not there, or does not let this server in, has said nothing of any recipient: nobody is refused for
// it. Whoever runs this server must act, and is told the words; they name the inside of the network, so an agent is not.
import type { ToolsetParts } from '../../toolset.ts'
import type { RecipientAnswer, ServerFault, Smtp } from './smtp.ts'

const plain: Readonly<Record<ServerFault, string>> = {
  unreachable: 'The mail server cannot be reached.',
  defers: 'The mail server takes no mail for now.',
  not_admitted: 'The mail server does not let this server in. The operators of this server must put that in order.',
}

const forOperators: Readonly<Record<ServerFault, (words: string) => string>> = {
  unreachable: (words) => `The mail server cannot be reached: ${words} Mail waits and is tried again.`,
  defers: (words) => `The mail server takes no mail for now: ${words} Mail waits and is tried again.`,
  not_admitted: (words) =>
    `The mail server takes no mail from this server: ${words} Check the login in mail.url and the sender in mail.from. Mail waits and is tried again.`,
}

/** The same way to the mail server, whose own faults are deferrals in plain words; each is reported once while it lasts. */
export function withPlainFaults(smtp: Smtp, report: ToolsetParts['report']): Smtp {
  let reported: string | undefined
  let isClosed = false
  const inPlainWords = ({ fault, response, ...answer }: RecipientAnswer): RecipientAnswer => {
    if (fault === undefined) {
      // Whoever takes or refuses a mail has let us in.
      if (answer.state === 'accepted' || answer.state === 'refused') reported = undefined
      return { ...answer, response }
    }
    if (isClosed) return { state: 'deferred', fault, response: 'This server is being closed.' }
    const text = forOperators[fault](/[.!?]$/.test(response) ? response : `${response}.`)
    if (text !== reported) report(new Error(text), 'mail server')
    reported = text
    return { state: 'deferred', fault, response: plain[fault] }
  }
  return {
    async send(mail) {
      const answers = await smtp.send(mail)
      return new Map([...answers].map(([address, answer]) => [address, inPlainWords(answer)]))
    },
    close() {
      isClosed = true
      smtp.close()
    },
  }
}

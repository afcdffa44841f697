// `countersign admin open`: the shortest way in for who sits at the server's machine. The link is a credential for five
// minutes, so it is printed at a terminal and nowhere else, as approving is possible there and nowhere else. No browser is
// opened with it: every user of the machine may read the arguments of every process.
import { createSignInLink, linkMinutes } from '../../http/auth/sign-in-link.ts'
import { surroundings } from '../../model/surroundings.ts'
import { beginHere, operatorName, withAdminToken, type OperatorOptions } from './operator.ts'
import { findRunningServer } from './running-server.ts'
import { atTerminal, needsTerminal } from '../terminal/ask.ts'
import { exit, print, say, trouble } from '../terminal/output.ts'

export interface OpenOptions extends OperatorOptions {
  readonly by?: string
  readonly url?: string
}

/** Makes the link and prints it. Answers the exit code. */
export const open = (options: OpenOptions): Promise<number> =>
  atTerminal(
    () =>
      withAdminToken(options, async ({ records, adminToken, settings }) => {
        const { by, url } = options
        // The link goes to stdout, which may be a file although somebody sits at the keyboard.
        if (surroundings().stdout.isTTY !== true) return trouble({ message: needsTerminal, next: readerNext })
        if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
          return trouble({
            message: `--url ${url} is no address of a server.`,
            next: 'Write it as http://127.0.0.1:4400.',
          })
        if (adminToken === undefined)
          return trouble({
            message: 'This server has no admin token, so nobody can be signed in with it.',
            next: 'Set COUNTERSIGN_ADMIN_TOKEN for the server and for this command, or sign in with an account.',
          })
        const server = await findRunningServer({
          records,
          adminToken,
          named: url === undefined ? undefined : new URL(url),
          publicUrl: settings.http.public_url,
        })
        if (!server.ok) return trouble(server.failure)
        const end = await beginHere(records, 'operator.link_made', { by }, { minutes: linkMinutes })
        const link = await createSignInLink(records.operators, {
          adminToken,
          name: operatorName(by),
          page: server.value,
        })
        await end({ done: true })
        print(link.url.href)
        say.line(
          `Open this link in your browser. It signs you in once, within ${linkMinutes} minutes. Whoever opens it is an admin: send it to nobody.`,
        )
        return exit.ok
      }),
    readerNext,
  )

const readerNext = 'Run it in a terminal, and pipe it nowhere: the link signs in whoever reads it.'

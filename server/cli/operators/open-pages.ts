// `countersign admin open`: the shortest way in for who sits at the server's machine. The link is a credential for five
// minutes, so it is printed at a terminal and nowhere else, as approving is possible there and nowhere else.
import { createSignInLink, linkMinutes } from '../../http/auth/sign-in-link.ts'
import { surroundings } from '../../model/surroundings.ts'
import { beginHere, operatorName, withAdminToken, type OperatorOptions } from './operator.ts'
import { findRunningServer } from './running-server.ts'
import { atTerminal } from '../terminal/ask.ts'
import { openBrowser } from '../terminal/open-browser.ts'
import { exit, print, say, trouble } from '../terminal/output.ts'

export interface OpenOptions extends OperatorOptions {
  readonly by?: string
  readonly url?: string
  readonly browser: boolean
}

/** Makes the link, prints it and opens it. Answers the exit code. */
export const open = (options: OpenOptions): Promise<number> =>
  atTerminal(
    () =>
      withAdminToken(options, async ({ records, adminToken, settings }) => {
        const { by, url, browser } = options
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
          `This link signs you in once, within ${linkMinutes} minutes. Whoever opens it is an admin: send it to nobody.`,
        )
        if (browser && surroundings().stderr.isTTY === true) {
          openBrowser(link.url)
          say.line('It opens in your browser. If it does not, open it yourself.')
        }
        return exit.ok
      }),
    'Run it in a terminal: the link signs in whoever reads it.',
  )

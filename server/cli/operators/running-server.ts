// Finds the server that runs on a database. It leaves its address in a file beside it, which may be of a server that was
// killed, and another program may have its port by now: so nobody is believed who cannot show that they have this
// database and this admin token, and no address but the one that they have shown with it: who stands at an old port may
// pass the question on to the server and its answer back.
import { randomBytes } from 'node:crypto'
import { readAddressesOf } from '../../http/address-file.ts'
import { credentialOf } from '../../http/auth/admin-token.ts'
import { provedOrigin } from '../../http/auth/sign-in-link.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { failed, type Trouble } from '../terminal/output.ts'
import type { Records } from './operator.ts'

interface Wanted {
  readonly records: Pick<Records, 'file' | 'operators'>
  readonly adminToken: string
  /** Where somebody says that it is. */
  readonly named: URL | undefined
  /** `http.public_url` of the settings. */
  readonly publicUrl: string | undefined
}

/** Where one may be: asked at `listens`, and opened in a browser at `pages`. */
interface Place {
  readonly listens: URL
  readonly pages: URL
}

const patienceMs = 3000

/** The address of the operators' pages of the server that runs on this database, or why none was found. */
export async function findRunningServer({
  records,
  adminToken,
  named,
  publicUrl,
}: Wanted): Promise<Result<URL, Trouble>> {
  const credential = credentialOf(records.operators, adminToken)
  const places = named === undefined ? await knownPlaces(records.file, publicUrl) : [placeAt(named)]
  const strangers: (string | undefined)[] = []
  for (const { listens, pages } of places) {
    const answer = await asks(listens, credential)
    if (answer?.proved === pages.origin) return ok(pages)
    if (answer !== undefined) strangers.push(answer.proved)
  }
  const elsewhere = strangers.find((proved) => proved !== undefined)
  if (named !== undefined && elsewhere !== undefined)
    return failed(
      `What answers at ${named.origin} leads to the server of this database, but the pages of that server are at ${elsewhere}.`,
      `Run this again with --url ${elsewhere}; where people reach the server at ${named.origin}, set http.public_url to that first.`,
    )
  if (named !== undefined && strangers.length > 0)
    return failed(
      `The server at ${named.origin} does not run on the database ${records.file}, or has another admin token.`,
      'Give this command the same --config or --db, and the same COUNTERSIGN_ADMIN_TOKEN and COUNTERSIGN_SECRET, as that server.',
    )
  if (named !== undefined)
    return failed(`No server answers at ${named.origin}.`, 'Check the address, or start the server.')
  return fail({
    message: `No running server was found for the database ${records.file}.`,
    next: 'Start one, for example with `countersign demo`, and run this again; or name its address with --url, as in --url http://127.0.0.1:4400.',
  })
}

const placeAt = (address: URL): Place => ({ listens: address, pages: new URL('/admin', address) })

/** Where servers on this database said that they are, and the address of the settings. */
async function knownPlaces(database: string, publicUrl: string | undefined): Promise<readonly Place[]> {
  const noted = await readAddressesOf(database)
  const places = noted.map(({ listens, operators }) => ({ listens: new URL(listens), pages: new URL(operators) }))
  return publicUrl === undefined ? places : [...places, placeAt(new URL(publicUrl))]
}

/** Where the pages are of the server that has what we have, as who answers there has proved; `undefined` where nobody answers. */
async function asks(at: URL, credential: string): Promise<{ readonly proved: string | undefined } | undefined> {
  const challenge = randomBytes(24).toString('base64url')
  const address = new URL('/api/v1/session/link/proof', at)
  address.searchParams.set('challenge', challenge)
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(patienceMs) })
    return { proved: provedOrigin(await response.json(), credential, challenge) }
  } catch {
    return undefined
  }
}

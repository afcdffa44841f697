// People write keys into their hosts' files because there is no other place. A gateway file lies in a project and is mailed
// and committed, so no key goes into it: where one stands in a value, a reference to it takes its place.
import { expandText, hasReference } from '../../config/references.ts'
import {
  secretsInAddress,
  secretsInArguments,
  secretsInHeader,
  secretsInSetting,
  type ConfiguredSecret,
} from '../upstream/settings/configured-secrets.ts'
import type { Server } from './host-entry.ts'

/** Keeps a secret under a name made of the server's and what it is for; answers the reference to it. */
export type Refer = (use: string, value: string) => string

/** The server without its secrets. Putting them back for their references gives the server as it was. */
export function withReferences(server: Server, refer: Refer): Server {
  const { command, args = [], env, url, headers } = server
  const inArguments = command === undefined ? [] : secretsInArguments(command, args)
  return {
    ...server,
    ...(args.length === 0
      ? {}
      : { args: args.map((arg, at) => referring(arg, inArgument(arg, inArguments), nameAt(args, at), refer)) }),
    ...(env === undefined
      ? {}
      : { env: mapEntries(env, (name, value) => referring(value, secretsInSetting(name, value), name, refer)) }),
    ...(url === undefined ? {} : { url: referring(url, secretsInAddress(url), 'url', refer) }),
    ...(headers === undefined ? {} : { headers: mapEntries(headers, (name, value) => inHeader(name, value, refer)) }),
  }
}

const mapEntries = (
  held: Readonly<Record<string, string>>,
  map: (name: string, value: string) => string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(held).map(([name, value]) => [name, map(name, value)]))

/** A short value is meant where it is the argument or stands at its end, and not wherever its letters do. */
const inArgument = (arg: string, secrets: readonly ConfiguredSecret[]): readonly ConfiguredSecret[] =>
  secrets.filter(({ value }) => arg.endsWith(value) || value.length >= 6)

/** What an argument is for: the option that it is the value of, else its number. */
function nameAt(args: readonly string[], at: number): string {
  const own = /^--?([A-Za-z][\w-]*)[=:]/.exec(args[at] ?? '')?.[1]
  const before = /^--?([A-Za-z][\w-]*)$/.exec(args[at - 1] ?? '')?.[1]
  const variable = /^([A-Za-z_]\w*)=/.exec(args[at] ?? '')?.[1]
  return own ?? variable ?? before ?? `argument-${at + 1}`
}

/** Of a credential with its scheme only the credential: `Bearer ${secret:…}` still says what it is. */
function inHeader(name: string, value: string, refer: Refer): string {
  const secrets = secretsInHeader(name, value)
  const [, scheme = '', credential = value] = /^([A-Za-z]+\s+)(\S.*)$/s.exec(value) ?? []
  return secrets.length === 0 || hasReference(value) ? value : `${scheme}${refer(name, plain(credential))}`
}

/** Named ones as long as they are; what only looks made up, as short as it is, so that the rest stays readable. */
function referring(value: string, secrets: readonly ConfiguredSecret[], use: string, refer: Refer): string {
  const lengths = (named: boolean) =>
    secrets
      .filter((secret) => secret.named === named && !hasReference(secret.value) && !isEscaped(secret.value))
      .map((secret) => secret.value)
      .toSorted((a, b) => (named ? b.length - a.length : a.length - b.length))
  // What is a reference by now is never looked into again.
  const pieces: { readonly text: string; readonly done: boolean }[] = [{ text: value, done: false }]
  for (const secret of [...lengths(true), ...lengths(false)])
    pieces.splice(
      0,
      pieces.length,
      ...pieces.flatMap((piece) => {
        if (piece.done || secret === '' || !piece.text.includes(secret)) return [piece]
        const reference = { text: refer(use, plain(secret)), done: true }
        return piece.text
          .split(secret)
          .flatMap((text, at) => (at === 0 ? [{ text, done: false }] : [reference, { text, done: false }]))
      }),
    )
  return pieces.map(({ text }) => text).join('')
}

/** `$${X}`: what a host hands on as it stands, and nobody's secret. */
const isEscaped = (value: string): boolean => /^\$\$\{[^}]*\}$/.test(value)

/** As the server is to have it: what is put in for a reference is not read again. */
function plain(value: string): string {
  const read = expandText(value, {})
  return read.ok ? read.value : value
}

// A server that fails likes to say with what it was started: "cannot connect with postgres://ada:…". The values with
// which the operator configured it are known exactly, so they are hidden exactly, in whatever it says of its trouble.
import { isStdio, type ServerConfig } from './config.schema.ts'

/** Shorter ones, and plain words, stand in too many sentences that say something else. */
const isTelling = (value: string): boolean =>
  value.length >= 6 && !/^(?:[a-z]+|\d+|\/[\w./-]*|https?:\/\/[^@?]*)$/i.test(value)

/** The values of the environment, of headers and of the address's parameters, longest first. */
function configuredValues(server: ServerConfig): readonly string[] {
  if (isStdio(server)) return Object.values(server.env)
  const address = URL.canParse(server.url) ? new URL(server.url) : undefined
  const inAddress = address === undefined ? [] : [address.username, address.password, ...address.searchParams.values()]
  const inHeaders = Object.values(server.headers).flatMap((value) => [value, ...value.split(/\s+/)])
  return [...inAddress, ...inHeaders]
}

/** Hides them in a text: as they are, as an address writes them, and as JSON does. */
export function hideConfigured(server: ServerConfig): (text: string) => string {
  const values = configuredValues(server)
    .filter(isTelling)
    .flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
  const longestFirst = [...new Set(values)].toSorted((a, b) => b.length - a.length)
  return (text) => longestFirst.reduce((held, value) => held.replaceAll(value, '[redacted]'), text)
}

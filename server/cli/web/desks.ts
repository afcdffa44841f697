// The desks of one demo, between which its playground switches. Each is a server of its own in this process, with a
// database, a secret and a web door that no other has. One that nobody has switched to takes neither time nor memory.
import type { Composed } from '../../compose/compose.ts'
import { deskLabels, desks, type Desk } from '../../compose/demo-options.ts'
import type { Config } from '../../compose/settings/config.ts'
import { ok, type Result } from '../../errors/result.ts'
import type { SwitchedDesk } from '../../http/playground/playground-page.ts'
import type { ServeFailure } from '../../http/serve.ts'
import { exit, trouble } from '../terminal/output.ts'
import { serveHere, signalled, type ServedHere } from './serve-here.ts'

/** A desk without its web door. */
export interface ComposedDesk {
  readonly title: string
  readonly config: Config['server']
  readonly served: Composed
  /** By which an operator’s command works on it. */
  readonly operatorOptions: string
  /** Whether its settings leave room for others beside it. */
  readonly hasOthers: boolean
}

type Opening = Promise<Result<ServedHere, ServeFailure>>

/** Serves a desk, and each that somebody switches to, until the process is told to end. Answers the exit code. */
export async function serveDesks(
  asked: Desk,
  compose: (desk: Desk) => Promise<Result<ComposedDesk, ServeFailure>>,
  trusted: boolean,
): Promise<number> {
  const opened = new Map<Desk, Opening>()
  const open = (desk: Desk, ports: readonly number[]): Opening => {
    const known = opened.get(desk)
    if (known !== undefined) return known
    const opening = serveDesk(desk, ports)
    opened.set(desk, opening)
    // One that could not be opened is tried again.
    void opening.then((here) => here.ok || opened.delete(desk))
    return opening
  }
  const serveDesk = async (desk: Desk, ports: readonly number[]): Opening => {
    const composed = await compose(desk)
    if (!composed.ok) return composed
    const { config, hasOthers, ...parts } = composed.value
    const options = {
      ...parts,
      trusted,
      isDemo: true,
      desks: hasOthers ? desks.map((name) => switchTo(name, desk)) : [],
    }
    const listen = (port: number): Opening => serveHere({ ...config, http: { ...config.http, port } }, options)
    const [port = config.http.port, otherwise] = ports
    let here = await listen(port)
    if (!here.ok && otherwise !== undefined) here = await listen(otherwise)
    if (!here.ok) await options.served.close()
    return here
  }
  const switchTo = (name: Desk, from: Desk): SwitchedDesk => ({
    name,
    label: deskLabels[name],
    ...(name === from ? {} : { open: () => addressOf(name) }),
  })
  const addressOf = async (desk: Desk): Promise<Result<string, ServeFailure>> => {
    // A port of its own, so that a conversation there is found again after a restart; any other where that one is taken.
    const place = (desks.indexOf(desk) - desks.indexOf(asked) + desks.length) % desks.length
    const here = await open(desk, [Math.min(port + place, 65_535), 0])
    return here.ok ? ok(here.value.web.playgroundUrl ?? here.value.web.url) : here
  }
  const ends = signalled()
  const first = await open(asked, [])
  if (!first.ok) return trouble(first.failure)
  const { port } = first.value.web
  await ends
  await Promise.all(
    [...opened.values()].map((opening) => opening.then((here) => (here.ok ? here.value.close() : undefined))),
  )
  return exit.ok
}

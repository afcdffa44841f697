// The connection of a page that stays open while its server is restarted, crashes, and is mended.
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Action } from '../chat/state.ts'
import { troubleOf } from '../chat/trouble.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import { useGeneration } from './use-generation.ts'

interface LinkParts {
  readonly options: ConnectOptions
  /** The one that is there. */
  readonly connection: Connection | undefined
  /** How many calls have failed: with each of them the server may be gone. */
  readonly failures: number
  /** Address that says how often the server was started anew; empty where it stays. */
  readonly generation: string
  readonly dispatch: (action: Action) => void
}

/** Milliseconds between two looks whether the server is still there. */
const lookEvery = 5_000

/** Once the page has been drawn; at once where nobody sees it, because a hidden page is not drawn. */
const drawn = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) resolve()
    else requestAnimationFrame(() => setTimeout(resolve))
  })

/** Connects, looks whether the server is still there, and connects again when it was started anew, or is asked to. */
export function useLink({ options, connection, failures, generation, dispatch }: LinkParts) {
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    // The client of MCP is most of the playground, and the page can be read before it is there.
    const connecting = drawn()
      .then(() => import('./connection.ts'))
      .then(({ connect }) => connect(options))
      .then((made) => {
        // Before a person has read the page, so that the first card need not wait for it. Most servers have one view.
        const [first] = options.apps ? made.tools.flatMap(({ viewUri }) => viewUri ?? []) : []
        if (first !== undefined) made.view(first).catch(() => undefined)
        return made
      })
    let isLatest = true
    connecting.then(
      (made) => isLatest && dispatch({ kind: 'put', change: { link: { kind: 'ready', connection: made } } }),
      (error: unknown) =>
        isLatest &&
        dispatch({ kind: 'put', change: { link: { kind: 'failed', trouble: troubleOf(error) }, notice: undefined } }),
    )
    return () => {
      // An older attempt must not speak of a newer one.
      isLatest = false
      void connecting.then((made) => made.close()).catch(() => undefined)
    }
  }, [attempt])
  const reconnect = useCallback((notice?: string) => {
    dispatch({ kind: 'put', change: { link: { kind: 'connecting' }, notice } })
    setAttempt((known) => known + 1)
  }, [])
  useGeneration(generation, () => reconnect('The server was started anew.'))
  useEffect(() => {
    if (connection === undefined) return undefined
    const look = async (): Promise<void> => {
      if (!document.hidden) dispatch({ kind: 'heard', away: await connection.away() })
    }
    if (failures > 0) void look()
    const timer = setInterval(() => void look(), lookEvery)
    return () => clearInterval(timer)
  }, [connection, failures])
  return { attempt, reconnect }
}

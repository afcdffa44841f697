// Chance finds the easy races. This walks every order in which gated steps can happen, by replaying each prefix from the
// start: depth first, and two orders that lead to the same state share their future. What is counted is whole orders.

/** A world that stands still until it is told which step comes next. */
export interface World {
  /** What can happen now. Empty when everyone is done or dead. */
  moves(): readonly string[]
  play(move: string): Promise<void>
  /** Everything that the future depends on. */
  key(): Promise<string>
  /** What must hold in every state. */
  check(): void
  /** What must hold when nothing can happen any more. */
  end(): Promise<void>
}

export interface Explored {
  /** Orders of steps, from the first to the last, that were covered. */
  readonly paths: number
  readonly states: number
}

/** Covers every order of a world's moves. An error says after which ones. */
export async function explore(start: () => Promise<World>): Promise<Explored> {
  const known = new Map<string, number>()

  /** `world` has played `path`; its first move is played on, all others replay the path in a world of their own. */
  const visit = async (path: readonly string[], world: World): Promise<number> => {
    const key = await world.key()
    const seen = known.get(key)
    if (seen !== undefined) return seen
    world.check()
    const [first, ...others] = world.moves()
    if (first === undefined) await world.end()
    let paths = first === undefined ? 1 : await go(path, first, world)
    for (const move of others) paths += await go(path, move, await replay(path))
    known.set(key, paths)
    return paths
  }

  const replay = async (path: readonly string[]): Promise<World> => {
    const world = await start()
    for (const move of path) await world.play(move)
    return world
  }

  const go = async (path: readonly string[], move: string, world: World): Promise<number> => {
    const longer = [...path, move]
    try {
      await world.play(move)
      return await visit(longer, world)
    } catch (error) {
      if (error instanceof Error && !error.message.startsWith('After '))
        error.message = `After ${longer.join(' → ')}: ${error.message}`
      throw error
    }
  }

  return { paths: await visit([], await start()), states: known.size }
}

/** A door that opens only when the scheduler says so. Several steps of one process may wait at once. */
export interface Gate {
  /** Waits for its turn, then answers how the step is to go. */
  pass(label: string): Promise<Turn>
  readonly waiting: ReadonlyMap<string, (turn: Turn) => void>
  open(label: string, turn: Turn): void
  /** Nobody behind this gate ever moves again. */
  kill(): void
}

/** `break`: the step fails and nothing of it happened. `tear`: it happened, and its answer is lost. */
type Turn = 'go' | 'break' | 'tear'

export const createGate = (): Gate => {
  const waiting = new Map<string, (turn: Turn) => void>()
  let dead = false
  return {
    waiting,
    pass: (label) =>
      new Promise((resolve) => {
        if (dead) return
        let own = label
        while (waiting.has(own)) own += '+'
        waiting.set(own, resolve)
      }),
    open: (label, turn) => {
      const go = waiting.get(label)
      if (go === undefined) throw new Error(`Nobody waits for "${label}".`)
      waiting.delete(label)
      go(turn)
    },
    kill: () => {
      dead = true
      waiting.clear()
    },
  }
}

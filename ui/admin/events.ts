// EventSource cannot send an Authorization header, and a fresh installation has nothing else. A stream that is read by
// fetch can, and is the same few rules: fields by line, an empty line ends an event (WHATWG HTML, section 9.2.6).

/** Told of each event, and of the line's being up or down. */
export interface Heard {
  event(name: string, data: unknown): void
  line?(up: boolean): void
}

interface Source {
  /** Opens the stream; nothing where the server was not reached. */
  readonly open: () => Promise<Response | undefined>
}

const pauses = [1_000, 2_000, 5_000, 10_000] as const

/** Listens, and comes back after a pause that grows, until the function that it answers is called. */
export const listen = ({ open }: Source, heard: Heard): (() => void) => {
  const life = new AbortController()
  const { signal } = life
  const run = async (): Promise<void> => {
    for (let tries = 0; !signal.aborted; tries++) {
      const response = await open()
      if (response?.ok === true && response.body !== null) {
        heard.line?.(true)
        tries = 0
        await read(response.body, heard, signal).catch(() => undefined)
      } else void response?.body?.cancel().catch(() => undefined)
      if (signal.aborted) return
      heard.line?.(false)
      await pause(pauses[Math.min(tries, pauses.length - 1)] ?? 10_000, signal)
    }
  }
  void run()
  return () => life.abort()
}

/**
 * The same while somebody looks at the page: a browser has six connections to a server, and each stream takes one for
 * good. `started` is told at the beginning and whenever the page is shown or hidden, before the stream begins.
 */
export const listenWhileVisible = (start: () => () => void, started: (visible: boolean) => void): (() => void) => {
  let stop: (() => void) | undefined
  const follow = (): void => {
    stop?.()
    started(!document.hidden)
    stop = document.hidden ? undefined : start()
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    stop?.()
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

const read = async (body: ReadableStream<Uint8Array>, heard: Heard, signal: AbortSignal): Promise<void> => {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined))
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done || signal.aborted) return
    rest += value
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) tell(block, heard)
  }
}

const tell = (block: string, heard: Heard): void => {
  const fields = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/s.exec(line) ?? [])
  const data = fields.flatMap(([, name, value]) => (name === 'data' ? [value ?? ''] : [])).join('\n')
  if (data === '') return
  const name = fields.find(([, field]) => field === 'event')?.[2] ?? 'message'
  try {
    heard.event(name, JSON.parse(data))
  } catch {
    // What is not JSON is not ours; the next one may be.
  }
}

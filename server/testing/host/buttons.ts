// Buttons as the browser tells them to assistive technology, by role and name. What Playwright brings into a frame to find the
// same is three times as large as a view, and compiled anew in each: half of what a journey took of the processor.
import type { CDPSession, Frame } from 'playwright-core'
import { answered, devtoolsOf } from './devtools.ts'
import { Broken, longestMs } from './waiting.ts'

/** A button that stands in a view. */
export interface Button {
  /** Whether it can be pressed now. */
  readonly isEnabled: boolean
  /** Scrolls until it is in sight. */
  readonly scrollTo: () => Promise<void>
  /** Scrolls to it and presses it with the mouse. */
  readonly press: () => Promise<void>
}

/** The first button of this name in a view, in the order in which it is read. `undefined` where there is none. */
export async function findButton(frame: Frame, name: string | RegExp): Promise<Button | undefined> {
  const found = await look(frame, name)
  return found && { isEnabled: isEnabled(found), scrollTo: () => scrollTo(found), press: () => press(frame, name) }
}

/** A button as the accessibility tree had it. */
interface Found extends Place, Pick<AxNode, 'properties'> {
  readonly backendNodeId: number
}

/** Looks for a button. A view that is drawing itself anew may fail to answer once, and not again and again. */
async function look(frame: Frame, name: string | RegExp, triesLeft = 3): Promise<Found | undefined> {
  try {
    const place = await placeOf(frame)
    const { session, frameId } = place
    const { nodes } = await answered(
      session.send('Accessibility.getFullAXTree', frameId === undefined ? {} : { frameId }),
    )
    const node = inOrder(nodes).find(
      (one) => !one.ignored && one.role?.value === 'button' && isCalled(String(one.name?.value ?? ''), name),
    )
    const { backendDOMNodeId: backendNodeId, properties } = node ?? {}
    return backendNodeId === undefined ? undefined : { ...place, backendNodeId, ...(properties && { properties }) }
  } catch (error) {
    places.delete(frame)
    if (triesLeft <= 1 || error instanceof Broken) throw error
    await pause(100)
    return look(frame, name, triesLeft - 1)
  }
}

const scrollTo = async ({ session, backendNodeId }: Found): Promise<void> =>
  void (await answered(session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId })))

/** Presses a button as soon as it can be pressed: looked for again where the view has drawn it anew, or has just sent something. */
async function press(frame: Frame, name: string | RegExp): Promise<void> {
  const end = Date.now() + longestMs
  for (;;) {
    try {
      const at = await pressable(frame, name)
      if (at !== undefined) return await answered(frame.page().mouse.click(at.x, at.y))
    } catch (error) {
      if (error instanceof Broken || Date.now() >= end) throw error
    }
    if (Date.now() >= end) throw new Broken('the button cannot be seen, or stays disabled')
    await pause(frameMs)
  }
}

/** Where in the page a button can be pressed now. */
async function pressable(frame: Frame, name: string | RegExp): Promise<Point | undefined> {
  const found = await look(frame, name)
  if (found === undefined || !isEnabled(found)) return undefined
  await scrollTo(found)
  const [before, corner] = [await middleOf(found), await found.corner()]
  await pause(frameMs)
  const now = await middleOf(found)
  // A view that grows moves what is below.
  const isStill = now !== undefined && now.x === before?.x && now.y === before.y
  return isStill ? { x: corner.x + now.x, y: corner.y + now.y } : undefined
}

async function middleOf({ session, backendNodeId }: Found): Promise<Point | undefined> {
  const { quads } = await answered(session.send('DOM.getContentQuads', { backendNodeId }))
  const [quad] = quads
  if (quad === undefined) return undefined
  const mean = (from: 0 | 1): number => [0, 2, 4, 6].reduce((sum, at) => sum + (quad[at + from] ?? 0), 0) / 4
  return { x: mean(0), y: mean(1) }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** In milliseconds: between two pictures of the browser. */
const frameMs = 17

const isEnabled = ({ properties }: Pick<AxNode, 'properties'>): boolean =>
  properties?.some(({ name, value }) => name === 'disabled' && value.value === true) !== true

interface Point {
  readonly x: number
  readonly y: number
}

type AxNode = Awaited<ReturnType<typeof fullTree>>['nodes'][number]
const fullTree = (session: CDPSession) => session.send('Accessibility.getFullAXTree')

/** What the browser answers level by level, as a person reads it. */
function inOrder(nodes: readonly AxNode[]): readonly AxNode[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const read: AxNode[] = []
  const left = nodes.slice(0, 1)
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    read.push(node)
    for (const id of node.childIds?.toReversed() ?? []) {
      const child = byId.get(id)
      if (child !== undefined) left.push(child)
    }
  }
  return read
}

const isCalled = (said: string, name: string | RegExp): boolean => {
  const words = said.replace(/\s+/g, ' ').trim()
  return typeof name === 'string' ? words === name : name.test(words)
}

interface Place {
  readonly session: CDPSession
  /** Absent where the process of the session draws this frame alone. */
  readonly frameId?: string
  /** Where in the page what the browser measures begins. */
  readonly corner: () => Promise<Point>
}

const places = new WeakMap<Frame, Promise<Place>>()

function placeOf(frame: Frame): Promise<Place> {
  const known = places.get(frame) ?? findPlace(frame)
  places.set(frame, known)
  return known
}

async function findPlace(frame: Frame): Promise<Place> {
  const page = frame.page()
  const session = await devtoolsOf(page)
  const { frameTree } = await answered(session.send('Page.getFrameTree'))
  // A view may call itself as it likes, and another may have its address. Frames of other processes are not in this tree.
  const drawn = page.mainFrame().childFrames()
  const inProcess = frameTree.childFrames ?? []
  const frameId = inProcess.length === drawn.length ? inProcess[drawn.indexOf(frame)]?.frame.id : undefined
  if (frameId !== undefined) return { session, frameId, corner: () => Promise.resolve({ x: 0, y: 0 }) }
  const owner = await frame.frameElement()
  return {
    session: await page.context().newCDPSession(frame),
    corner: async () => (await owner.boundingBox()) ?? { x: 0, y: 0 },
  }
}

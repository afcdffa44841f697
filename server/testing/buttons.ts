// Buttons as the browser tells them to assistive technology, by role and name. What Playwright brings into a frame to find the
// same is three times as large as a view, and compiled anew in each: half of what a journey took of the processor.
import type { CDPSession, Frame } from 'playwright-core'
import { devtoolsOf } from './devtools.ts'

/** A button that stands in a view. */
export interface Button {
  /** Whether it can be pressed now. */
  readonly isEnabled: boolean
  /** Scrolls until it is in sight. */
  readonly scrollTo: () => Promise<void>
  /** Scrolls to it and presses it with the mouse. */
  readonly press: () => Promise<void>
}

/** The first button of this name in a view, in the order in which it is read, where no other frame of the page has this one's name. */
export async function findButton(frame: Frame, name: string | RegExp): Promise<Button | undefined> {
  const { session, frameId, corner } = await placeOf(frame)
  const { nodes } = await session.send('Accessibility.getFullAXTree', frameId === undefined ? {} : { frameId })
  const found = inOrder(nodes).find(
    (node) => !node.ignored && node.role?.value === 'button' && isCalled(String(node.name?.value ?? ''), name),
  )
  const backendNodeId = found?.backendDOMNodeId
  if (found === undefined || backendNodeId === undefined) return undefined
  // What it was when it was found may be over: who has pressed it once waits until it can be pressed again.
  const middle = async (): Promise<Point | undefined> => {
    const { nodes: now } = await session.send('Accessibility.getPartialAXTree', {
      backendNodeId,
      fetchRelatives: false,
    })
    if (!now.every(isEnabled)) return undefined
    const { quads } = await session.send('DOM.getContentQuads', { backendNodeId })
    return middleOf(quads[0])
  }
  const scrollTo = async (): Promise<void> => void (await session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId }))
  return {
    isEnabled: isEnabled(found),
    scrollTo,
    press: async () => {
      await scrollTo()
      const at = await atRest(middle)
      const { x, y } = await corner()
      await frame.page().mouse.click(x + at.x, y + at.y)
    },
  }
}

const isEnabled = ({ properties }: AxNode): boolean =>
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

function middleOf(quad: readonly number[] | undefined): Point | undefined {
  if (quad === undefined) return undefined
  const mean = (from: 0 | 1): number => [0, 2, 4, 6].reduce((sum, at) => sum + (quad[at + from] ?? 0), 0) / 4
  return { x: mean(0), y: mean(1) }
}

/** Where something is that may still move: a view that grows moves what is below. */
async function atRest(look: () => Promise<Point | undefined>): Promise<Point> {
  let last: Point | undefined
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const now = await look()
    if (now !== undefined && now.x === last?.x && now.y === last.y) return now
    last = now
    await new Promise((resolve) => setTimeout(resolve, frameMs))
  }
  if (last === undefined) throw new Error('the button cannot be seen, or is disabled')
  return last
}

const mostLooks = 60
/** Between two pictures of the browser. */
const frameMs = 17

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
  const { frameTree } = await session.send('Page.getFrameTree')
  const frameId = frameTree.childFrames?.find((child) => child.frame.name === frame.name())?.frame.id
  if (frameId !== undefined) return { session, frameId, corner: () => Promise.resolve({ x: 0, y: 0 }) }
  const owner = await frame.frameElement()
  return {
    session: await page.context().newCDPSession(frame),
    corner: async () => (await owner.boundingBox()) ?? { x: 0, y: 0 },
  }
}

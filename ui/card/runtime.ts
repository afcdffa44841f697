// Preact is a quarter of the frame's whole budget, and the card needs a quarter of Preact. The sources are written for
// Preact and run on it in tests, playground and operator pages; the card's build alone puts this in its place (see
// vite.config.ts and ADR 12). It keeps the parts that the card uses: elements, fragments, components, hooks, one class
// with `componentDidCatch`. Children are matched by place; a `key` that changes means another thing.

type Props = Readonly<Record<string, unknown>> & { readonly children?: unknown }
type Render = (props: Props) => unknown
interface Stateful {
  props: Props
  state: unknown
  setState?(news: unknown): void
  render(): unknown
  componentDidCatch?(error: unknown): void
}
type Kind = string | Render | (new (props: Props) => Stateful)

interface Node_ {
  readonly type: Kind
  readonly props: Props
  readonly key: unknown
}

interface Effect {
  run: (() => unknown) | undefined
  undo?: unknown
  readonly early: boolean
}

interface Cell {
  value?: unknown
  deps?: readonly unknown[] | undefined
  effect?: Effect
}

/** One place in the tree: what stands there, and what it became. */
interface Place {
  readonly up: Place | undefined
  readonly type: Kind
  readonly key: unknown
  props: Props
  /** What was asked for last: the same again asks for nothing. */
  node?: unknown
  /** An element, a text; none for a component, whose children stand in its parent. */
  readonly dom: (Element & { on?: Record<string, ((event: Event) => void) | null> }) | Text | undefined
  kids: Place[]
  cells: Cell[]
  self: Stateful | undefined
  gone: boolean
}

export const Fragment: Render = ({ children }) => children

export const jsx = (type: Kind, props: Props, key?: unknown): Node_ => ({ type, props, key })
export { jsx as jsxs }

let current: Place
let cursor = 0
let effects: Effect[] = []
const stale = new Set<Place>()

function hear(this: { readonly on: Record<string, (event: Event) => void> }, event: Event): void {
  this.on[event.type]?.(event)
}

const setProp = (dom: NonNullable<Place['dom']> & Element, name: string, value: unknown): void => {
  if (name === 'ref') (value as { current: unknown }).current = dom
  else if (name.startsWith('on')) {
    const type = name.slice(2).toLowerCase()
    const event = type.replace('capture', '')
    const on = ((dom as { on?: Record<string, unknown> }).on ??= {})
    if (!(event in on)) dom.addEventListener(event, hear as never, type !== event)
    on[event] = value
  } else if (value === undefined || value === null || (value === false && name[4] !== '-')) dom.removeAttribute(name)
  else if (name in dom && name !== 'role') (dom as unknown as Record<string, unknown>)[name] = value
  else dom.setAttribute(name, value as string)
}

const domsOf = (place: Place): Node[] => (place.dom ? [place.dom] : place.kids.flatMap(domsOf))

/** Puts the nodes of an element in order; those that are there already stay untouched, and keep focus and scroll. */
const arrange = (host: Node, kids: readonly Place[]): void => {
  let next = host.firstChild
  for (const node of kids.flatMap(domsOf)) {
    if (node === next) next = next.nextSibling
    else host.insertBefore(node, next)
  }
}

const remove = (place: Place, detach: boolean): void => {
  place.gone = true
  stale.delete(place)
  for (const { effect } of place.cells) {
    if (!effect) continue
    effect.run = undefined
    if (typeof effect.undo === 'function') effect.undo()
  }
  if (detach && place.dom) place.dom.remove()
  for (const kid of place.kids) remove(kid, detach && !place.dom)
}

const isNode = (given: unknown): given is Node_ => typeof given === 'object' && given !== null && 'type' in given

/** What a place is to hold; nothing at all is an empty text, so that every place has its node. */
const wanted = (given: unknown): Node_ => {
  if (isNode(given)) return given
  if (Array.isArray(given)) return jsx(Fragment, { children: given as unknown })
  return jsx('', { children: typeof given === 'string' || typeof given === 'number' ? String(given) : '' })
}

const placeOf = (type: Kind, dom: Place['dom'], up?: Place, key?: unknown): Place => ({
  up,
  type,
  key,
  props: {},
  dom,
  kids: [],
  cells: [],
  self: undefined,
  gone: false,
})

const fit = (up: Place, old: Place | undefined, given: unknown): Place => {
  const { type, props, key } = wanted(given)
  const same = old && old.type === type && old.key === key
  if (same && old.node === given && isNode(given)) return old
  if (old && !same) remove(old, true)
  const place = same
    ? old
    : placeOf(
        type,
        typeof type !== 'string' ? undefined : type ? document.createElement(type) : document.createTextNode(''),
        up,
        key,
      )
  const before = place.props
  place.props = props
  place.node = given
  const { dom } = place
  if (!dom) draw(place)
  else if (type === '') {
    if (before.children !== props.children) (dom as Text).data = props.children as string
  } else {
    const element = dom as Element
    for (const name in before) if (name !== 'children' && !(name in props)) setProp(element, name, null)
    fitAll(place, props.children)
    arrange(element, place.kids)
    for (const name in props)
      if (name !== 'children' && before[name] !== props[name]) setProp(element, name, props[name])
  }
  return place
}

const fitAll = (place: Place, given: unknown): void => {
  const list: readonly unknown[] = Array.isArray(given) ? given : given === undefined ? [] : [given]
  for (const left of place.kids.splice(list.length)) remove(left, true)
  for (const [index, item] of list.entries()) place.kids[index] = fit(place, place.kids[index], item)
}

const draw = (place: Place): void => {
  current = place
  cursor = 0
  stale.delete(place)
  const { props } = place
  const type = place.type as Render & (new (props: Props) => Stateful)
  try {
    let out: unknown
    if ('render' in (type.prototype ?? {})) {
      const self = (place.self ??= Object.assign(new type(props), {
        setState(news: unknown): void {
          Object.assign(self.state as object, news)
          mark(place)
        },
      }))
      self.props = props
      out = self.render()
    } else out = type(props)
    fitAll(place, type === Fragment ? out : [out])
  } catch (error) {
    fail(place, error)
  }
}

const fail = (place: Place | undefined, error: unknown): void => {
  let at = place
  while (at && !at.self?.componentDidCatch) at = at.up
  if (!at) throw error
  at.self?.componentDidCatch?.(error)
}

const mark = (place: Place): void => {
  if (place.gone) return
  if (stale.size === 0) queueMicrotask(flush)
  stale.add(place)
}

const flush = (): void => {
  for (const place of stale) {
    draw(place)
    let host = place.up
    while (host && !host.dom) host = host.up
    if (host) arrange(host.dom as Node, host.kids)
  }
  settle()
}

const settle = (): void => {
  const due = effects
  effects = []
  for (const early of [true, false])
    for (const effect of due)
      if (effect.early === early && effect.run) {
        if (typeof effect.undo === 'function') effect.undo()
        effect.undo = effect.run()
        effect.run = undefined
      }
}

/** Draws into an element, which becomes the tree's own. */
export const render = (node: unknown, into: Element): void => {
  const holder = into as Element & { tree?: Place }
  const root = (holder.tree ??= placeOf('', into))
  fitAll(root, [node])
  arrange(into, root.kids)
  settle()
}

/** The base of a class component; what it needs is put on it when it is drawn. */
export class Component {
  props: Props
  constructor(props: Props) {
    this.props = props
  }
}

const cell = (): Cell => (current.cells[cursor++] ??= {})

const moved = (own: Cell, deps: readonly unknown[] | undefined): boolean => {
  const old = own.deps
  own.deps = deps
  return !old || !deps || deps.some((dep, index) => dep !== old[index])
}

type Reducer<S, E> = (state: S, event: E) => S

export const useReducer = <S, E>(reduce: Reducer<S, E>, first: S): [S, (event: E) => void] => {
  const own = cell()
  const place = current
  own.deps ??= [
    ((own.value = first),
    (event: E) => {
      const next = reduce(own.value as S, event)
      if (Object.is(next, own.value)) return
      own.value = next
      mark(place)
    }),
  ]
  return [own.value as S, own.deps[0] as (event: E) => void]
}

export const useState = <S>(first: S): [S, (state: S) => void] => useReducer<S, S>((_, state) => state, first)

export const useMemo = <T>(make: () => T, deps: readonly unknown[]): T => {
  const own = cell()
  if (moved(own, deps)) own.value = make()
  return own.value as T
}

export const useRef = <T>(first: T): { current: T } => useMemo(() => ({ current: first }), [])

const effectOf =
  (early: boolean) =>
  (run: () => unknown, deps?: readonly unknown[]): void => {
    const own = cell()
    const effect = (own.effect ??= { run: undefined, early })
    if (!moved(own, deps)) return
    effect.run = run
    effects.push(effect)
  }

export const useLayoutEffect = effectOf(true)
export const useEffect = effectOf(false)

// @vitest-environment happy-dom
// What the card's build puts in Preact's place: whatever was drawn before, what stands there afterwards is what was asked
// for, and what can be kept is kept.
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  Component,
  Fragment,
  jsx,
  render,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from '../../ui/card/runtime.ts'

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
let root: Element
beforeEach(() => {
  root = document.createElement('div')
  document.body.replaceChildren(root)
})

interface Tree {
  readonly tag: string
  readonly props: Readonly<Record<string, unknown>>
  readonly kids: readonly (Tree | string | null)[]
}

const anyTree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    tag: fc.constantFrom('div', 'p', 'fragment', 'component'),
    props: fc.record(
      {
        class: fc.constantFrom('a', 'b'),
        title: fc.constantFrom('x', null),
        'aria-hidden': fc.boolean(),
        key: fc.nat(1),
      },
      { requiredKeys: [] },
    ),
    kids: fc.array(fc.oneof({ depthSize: 'small' }, fc.constantFrom('', 'text', null), tie('tree')), { maxLength: 4 }),
  }),
})).tree

const Passing = ({ children }: { readonly children?: unknown }): unknown => children

const build = (tree: Tree | string | null): unknown => {
  if (tree === null || typeof tree === 'string') return tree
  const { key, ...props } = tree.props
  const children = tree.kids.map(build)
  if (tree.tag === 'fragment') return jsx(Fragment, { children }, key)
  if (tree.tag === 'component') return jsx(Passing, { children }, key)
  return jsx(tree.tag, { ...props, children }, key)
}

test('what is drawn over something else is what is drawn afresh', () => {
  fc.assert(
    fc.property(fc.array(anyTree, { minLength: 2, maxLength: 4 }), (trees) => {
      const [over, fresh] = [document.createElement('div'), document.createElement('div')]
      for (const tree of trees) render(build(tree), over)
      render(build(trees.at(-1) ?? null), fresh)
      expect(over.isEqualNode(fresh), `${over.innerHTML}\n${fresh.innerHTML}`).toBe(true)
    }),
    { numRuns: 500 },
  )
})

describe('elements', () => {
  test('are kept with their focus and their own state, unless their key changes', () => {
    const draw = (key: number, label: string): Element | null => {
      render(
        jsx('div', { children: [label && jsx('b', { children: label }), jsx('input', { title: label }, key)] }),
        root,
      )
      return root.querySelector('input')
    }
    const first = draw(1, 'one')
    if (first instanceof HTMLElement) first.focus()
    expect(draw(1, '')).toBe(first)
    expect(document.activeElement).toBe(first)
    expect(draw(2, '')).not.toBe(first)
  })

  test('hear the newest listener once, and none that was taken away', () => {
    const heard: string[] = []
    const draw = (say: string | undefined): void =>
      render(jsx('button', say === undefined ? {} : { onClick: () => heard.push(say) }), root)
    draw('one')
    draw('two')
    root.querySelector('button')?.click()
    draw(undefined)
    root.querySelector('button')?.click()
    expect(heard).toEqual(['two'])
  })

  test('take properties and attributes, and give them back', () => {
    render(jsx('button', { disabled: true, 'aria-expanded': false, tabIndex: 0 }), root)
    expect(root.innerHTML).toBe('<button disabled="" aria-expanded="false" tabindex="0"></button>')
    render(jsx('button', { disabled: false }), root)
    expect(root.innerHTML).toBe('<button></button>')
  })

  test('never read text as markup', () => {
    render(jsx('p', { children: '<img src=x>' }), root)
    expect(root.querySelector('img')).toBeNull()
    expect(root.textContent).toBe('<img src=x>')
  })
})

describe('components', () => {
  test('draw again when their state changes, in their own place', async () => {
    let add: ((by: number) => void) | undefined
    const Counter = (): unknown => {
      const [count, dispatch] = useReducer((state: number, by: number) => state + by, 0)
      add = dispatch
      return count > 0 ? jsx('b', { children: count }) : null
    }
    render(jsx('div', { children: [jsx('i', {}), jsx(Counter, {}), jsx('u', {})] }), root)
    add?.(1)
    add?.(1)
    expect(root.innerHTML).toBe('<div><i></i><u></u></div>')
    await settled()
    expect(root.innerHTML).toBe('<div><i></i><b>2</b><u></u></div>')
    add?.(-2)
    await settled()
    expect(root.innerHTML).toBe('<div><i></i><u></u></div>')
  })

  test('run effects after the page is drawn, early ones first, and undo them', async () => {
    const log: string[] = []
    let set: ((dep: number) => void) | undefined
    const Listening = (): unknown => {
      const [dep, change] = useState(1)
      set = change
      const box = useRef<Element | null>(null)
      const twice = useMemo(() => dep * 2, [dep])
      useEffect(() => {
        log.push(`late ${twice} ${box.current?.tagName}`)
        return () => log.push(`undo ${twice}`)
      }, [twice])
      useLayoutEffect(() => void log.push('early'), [])
      return jsx('p', { ref: box })
    }
    render(jsx(Listening, {}), root)
    expect(log.splice(0)).toEqual(['early', 'late 2 P'])
    set?.(1)
    await settled()
    expect(log).toEqual([])
    set?.(2)
    await settled()
    expect(log.splice(0)).toEqual(['undo 2', 'late 4 P'])
    render(null, root)
    expect(log.splice(0)).toEqual(['undo 4'])
    set?.(3)
    await settled()
    expect(log).toEqual([])
  })

  test('a mistake while drawing ends at the fence around it', async () => {
    class Fence extends Component {
      state = { fell: false }
      declare setState: (state: { fell: boolean }) => void
      componentDidCatch(): void {
        this.setState({ fell: true })
      }
      render(): unknown {
        return this.state.fell ? jsx('b', { children: 'fell' }) : this.props.children
      }
    }
    const Broken = (): never => {
      throw new Error('drawn wrong')
    }
    render(jsx(Fence, { children: jsx('div', { children: jsx(Broken, {}) }) }), root)
    await settled()
    expect(root.innerHTML).toBe('<b>fell</b>')
    expect(() => render(jsx(Broken, {}), document.createElement('div'))).toThrow('drawn wrong')
  })
})

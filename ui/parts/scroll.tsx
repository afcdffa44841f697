// A wide table scrolls sideways inside its own box, a long one downwards under its head. The box takes a Tab stop only
// while there is something to scroll: otherwise it would stand between a keyboard and the decision for nothing.
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

export const Scroll = ({
  label,
  tall,
  children,
}: {
  readonly label: string
  readonly tall?: boolean
  readonly children: ComponentChildren
}): VNode => {
  const box = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const { current } = box
    if (!current) return undefined
    const observer = new ResizeObserver(() =>
      setScrolls(current.scrollWidth > current.clientWidth || current.scrollHeight > current.clientHeight),
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      class={`scroll${tall ? ' tall' : ''}`}
      ref={box}
      {...(scrolls ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
    >
      {children}
    </div>
  )
}

// A wide table scrolls sideways inside its own box. The box takes a Tab stop only while there is something to scroll:
// otherwise it would stand between a keyboard and the decision for nothing.
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

export const Scroll = ({
  label,
  children,
}: {
  readonly label: string
  readonly children: ComponentChildren
}): VNode => {
  const box = useRef<HTMLDivElement>(null)
  const [wide, setWide] = useState(false)
  useEffect(() => {
    const { current } = box
    if (!current) return undefined
    const observer = new ResizeObserver(() => setWide(current.scrollWidth > current.clientWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return (
    <div class="scroll" ref={box} {...(wide ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}>
      {children}
    </div>
  )
}

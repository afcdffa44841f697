import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { RiskMark } from './risk-mark.tsx'
import { grouped, type ToolFacts } from './tool-facts.ts'

/** The agent's tools, in groups. App-only tools are not the agent's and are not here. */
export function ToolList({
  tools,
  returnTo,
  onPick,
}: {
  readonly tools: readonly ToolFacts[]
  /** The tool whose form was open before: the keyboard goes on from there. */
  readonly returnTo: string | undefined
  readonly onPick: (tool: ToolFacts) => void
}): VNode {
  const groups = grouped(tools)
  const last = useRef<HTMLButtonElement>(null)
  useEffect(() => last.current?.focus(), [])
  return (
    <div class="tool-list">
      <p class="minor">What the agent can do. Pick a tool and play the agent.</p>
      {groups.map(([category, members]) => (
        <section key={category}>
          <h3>{category}</h3>
          <ul>
            {members.map((tool) => (
              <li key={tool.name}>
                <button type="button" ref={tool.name === returnTo ? last : null} onClick={() => onPick(tool)}>
                  <span>{tool.title}</span>
                  <RiskMark tool={tool} />
                  <code>{tool.name}</code>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && <p class="minor">This server offers no tools to an agent.</p>}
    </div>
  )
}

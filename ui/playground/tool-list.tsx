import type { VNode } from 'preact'
import { RiskMark } from './risk-mark.tsx'
import { byCategory, type ToolFacts } from './tool-facts.ts'

/** The agent's tools, by category. App-only tools are not the agent's and are not here. */
export function ToolList({
  tools,
  onPick,
}: {
  readonly tools: readonly ToolFacts[]
  readonly onPick: (tool: ToolFacts) => void
}): VNode {
  const groups = byCategory(tools)
  return (
    <div class="tool-list">
      <p class="intro">What the agent can do. Pick a tool and play the agent.</p>
      {groups.map(([category, members]) => (
        <section key={category}>
          <h3>{category}</h3>
          <ul>
            {members.map((tool) => (
              <li key={tool.name}>
                <button type="button" onClick={() => onPick(tool)}>
                  <span>{tool.title}</span>
                  <RiskMark risk={tool.risk} />
                  <code>{tool.name}</code>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && <p class="intro">This server offers no tools to an agent.</p>}
    </div>
  )
}

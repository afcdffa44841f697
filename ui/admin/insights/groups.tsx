import type { VNode } from 'preact'
import { ToolNames } from '../pieces.tsx'
import type { Insights } from '../shapes.ts'
import { Quote } from '../../parts/marked.tsx'
import type { AdminContext } from '../context.ts'
import { to } from '../route.ts'
import { counted, percent } from './numbers.ts'

interface GroupListProps {
  readonly title: string
  readonly groups: Insights['rationales']['groups']
  /** Where one of them is read in full. */
  readonly page: string
  readonly app: AdminContext
  readonly nothing: string
}

/** Texts that say much the same, each group by its most typical sentence. */
export const GroupList = ({ title, groups, page, app, nothing }: GroupListProps): VNode => {
  const count = counted(app)
  if (groups.groups.length === 0) return <p class="hint">{nothing}</p>
  return (
    <div class="stack">
      <h3>{title}</h3>
      {groups.compared < groups.texts && (
        <p class="hint">
          {count(groups.compared)} of {count(groups.texts)} were compared, picked evenly.
        </p>
      )}
      <ol class="link-rows">
        {groups.groups.map((group) => (
          <li class="link-row group-row" key={group.id}>
            <p class="group-count">
              {count(group.count)}
              <span class="group-share"> {percent(app, group.share_percent)}</span>
            </p>
            <div>
              <p class="claim">
                <a href={to(page, group.id)}>
                  <Quote text={group.sentence} reader={app.reader} />
                </a>
              </p>
              <ToolNames tools={group.tools} app={app} />
            </div>
          </li>
        ))}
      </ol>
      {groups.others > 0 && <p class="hint">{count(groups.others)} more in smaller groups.</p>}
    </div>
  )
}

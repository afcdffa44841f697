// Feedback that is alike, in groups: forty agents with the same trouble are one thing to do. Each group is listed under
// its most typical sentence, and opens to its members.
import type { VNode } from 'preact'
import { Marked, Quote } from '../../parts/marked.tsx'
import type { AppProps } from '../context.ts'
import { Empty, Section } from '../page.tsx'
import { ToolNames } from '../pieces.tsx'
import { to } from '../route.ts'
import type { FeedbackGroups } from '../shapes.ts'

/** In place of a list, or of groups. */
export const NoFeedback = (): VNode => (
  <Empty title="No feedback found">
    Agents tell you where they are stuck with the tool <code>submit_feedback</code>.
  </Empty>
)

export const Groups = ({ groups, app }: AppProps<{ groups: FeedbackGroups }>): VNode =>
  groups.tenants.length === 0 ? (
    <NoFeedback />
  ) : (
    <>
      {groups.tenants.map((of) => (
        <Section
          title={groups.tenants.length > 1 ? `Tenant ${of.tenant}` : 'Similar feedback'}
          lead={
            of.compared < of.texts
              ? `${of.compared} of ${of.texts} pieces of feedback were compared, picked evenly.`
              : `${of.texts} ${of.texts === 1 ? 'piece' : 'pieces'} of feedback in ${of.groups.length} ${of.groups.length === 1 ? 'group' : 'groups'}.`
          }
        >
          <ul class="link-rows">
            {of.groups.map((group) => (
              <GroupRow key={group.id} group={group} app={app} />
            ))}
          </ul>
        </Section>
      ))}
    </>
  )

type Group = FeedbackGroups['tenants'][number]['groups'][number]

const GroupRow = ({ group, app }: AppProps<{ group: Group }>): VNode => (
  <li class="link-row group-row">
    <p class="group-count">{group.count}</p>
    <div>
      <p class="claim">
        <Quote text={group.sentence} reader={app.reader} />
      </p>
      <ToolNames tools={group.tools} app={app} />
      <details>
        <summary>{group.count === 1 ? 'Open it' : `Open these ${group.count}`}</summary>
        <ul class="group-members">
          {group.members.map(({ id, sentence }) => (
            <li>
              <a href={to('feedback', id)} data-row>
                <Marked text={sentence} reader={app.reader} />
              </a>
            </li>
          ))}
        </ul>
      </details>
    </div>
  </li>
)

// Forty agents that trip over the same stone are one thing to do. What is alike stands together under the sentence that
// is most typical of it; what is in a group is one press away.
import type { VNode } from 'preact'
import { Marked } from '../../parts/marked.tsx'
import type { AdminContext } from '../desk.ts'
import { Empty, Section } from '../page.tsx'
import { to } from '../route.ts'
import type { ItemGroup, ItemGroups } from './wire.ts'

export const Groups = ({ groups, desk }: { readonly groups: ItemGroups; readonly desk: AdminContext }): VNode =>
  groups.tenants.length === 0 ? (
    <Empty title="No agent has said anything like that">
      Agents tell you where they are stuck with the tool <code>submit_feedback</code>.
    </Empty>
  ) : (
    <>
      {groups.tenants.map((of) => (
        <Section
          title={groups.tenants.length > 1 ? `Tenant ${of.tenant}` : 'Much the same'}
          lead={
            of.compared < of.texts
              ? `Compared: ${of.compared} of ${of.texts}, evenly picked.`
              : `${of.texts} ${of.texts === 1 ? 'piece' : 'pieces'} of feedback in ${of.groups.length} ${of.groups.length === 1 ? 'group' : 'groups'}.`
          }
        >
          <ul class="feedback-rows">
            {of.groups.map((group) => (
              <GroupRow key={group.id} group={group} desk={desk} />
            ))}
          </ul>
        </Section>
      ))}
    </>
  )

const GroupRow = ({ group, desk }: { readonly group: ItemGroup; readonly desk: AdminContext }): VNode => (
  <li class="feedback-group">
    <p class="group-count">{group.count}</p>
    <div>
      <p class="claim">
        <q>
          <Marked text={group.sentence} reader={desk.reader} />
        </q>
      </p>
      {group.tools.length > 0 && (
        <p class="row-facts">
          {group.tools.map((tool) => (
            <code>
              <Marked text={tool} reader={desk.reader} />
            </code>
          ))}
        </p>
      )}
      <details>
        <summary>{group.count === 1 ? 'Open it' : `Open these ${group.count}`}</summary>
        <ul class="group-members">
          {group.members.map(({ id, sentence }) => (
            <li>
              <a href={to('feedback', id)} data-row>
                <Marked text={sentence} reader={desk.reader} />
              </a>
            </li>
          ))}
        </ul>
      </details>
    </div>
  </li>
)

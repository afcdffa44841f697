// What may be read of a server before a person agreed: for the card of a call, or to find out whether it took effect.
import type { Variant } from '../call-tools/call-with.ts'
import type { WhyNotRead } from '../profiles/before.ts'
import { assess, type Assessed, type RiskQuestion } from '../rating/assess.ts'
import { secretRead } from '../rating/secret-answers.ts'
import { leftOutBy, type ToolLists } from '../rules/tool-overrides.ts'
import type { UpstreamTool } from './upstream-contracts.ts'

/** The tools of the same server, by their own names; complete once all are made. */
export type Siblings = ReadonlyMap<string, UpstreamTool>

/** What a rating of this tool is asked about, through one call tool. */
export const questionOf = (
  { upstream, definition, profile }: Pick<UpstreamTool, 'upstream' | 'definition' | 'profile'>,
  variant: Variant,
): RiskQuestion => ({ tool: definition, variant, server: upstream.config, profile })

/** Before a person agreed only what is surely a read is called, as it is pinned and with arguments that fit. */
export const whyNotReadIn =
  (siblings: Siblings, config: ToolLists): WhyNotRead =>
  async (name, args) => {
    const tool = siblings.get(name)
    if (tool === undefined) {
      const list = leftOutBy(config, name)
      return list === undefined
        ? `Its server has no tool ${name} any more.`
        : `The settings leave ${name} out ("${list}"), so it is not called.`
    }
    await tool.prepare()
    if (tool.held !== undefined)
      return `The definition of ${name} has changed, and an operator has not accepted it yet.`
    const rated = assess(questionOf(tool, 'call_tool_read'), args)
    if (rated.onlyAnswers === true)
      return secretRead(tool.definition, args) === undefined
        ? rated.reasons.join(' ')
        : `${name} would answer with what is kept where secrets are.`
    if (!onlyReads(rated)) return `${name} would not only read.`
    return tool.check(args).errors.length > 0 ? `${name} does not take these arguments.` : undefined
  }

/** Whether a call runs unasked because it changes nothing. */
export const onlyReads = ({ risk, operation }: Assessed): boolean => risk === 'low' && operation === 'read'

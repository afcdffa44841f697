// The host of a chat: what it gives a model of a server, what it tells it of its calls, and how it presses the buttons of a card
// for the person. The model never sees a card, a ticket or `_meta`, as in a host that keeps them from it.
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { isForCardsOnly } from '../mcp/listing.ts'
import { isRead, readAnswer, sentBy, textOf, type CallAnswer } from '../testing/answer.ts'
import { appTools } from '../tools/names.ts'
import type { Chat, Model, ModelCall, ToolAnswer, Turn } from './models/model.ts'
import { openStage, type StageKind } from './stage/open-stage.ts'
import { instructionsIn, structuredIn, textIn, toolIn, type WordingName } from './wordings.ts'

/** What a chat begins with, before the words of the server. */
const hostPrompt =
  'You are a helpful assistant in a chat. You have the tools of an MCP server, which the user has connected.'

/** What became of a call, and what the model is told of it. */
export interface Made {
  readonly call: ModelCall
  readonly answer: CallAnswer | undefined
  readonly told: ToolAnswer
}

export interface Host {
  readonly chat: Chat
  /** Whether this tool changes nothing. */
  isRead(tool: string): boolean
  /** Makes the calls of a turn, one after the other. */
  make(turn: Turn): Promise<readonly Made[]>
  /** Presses a button of the card. Answers the message that the card sends into the chat. */
  press(button: 'confirm' | 'cancel', preview: CallAnswer): Promise<string>
  close(): Promise<void>
}

/** Opens a chat with a model, on a server of its own. */
export async function openHost(model: Model, kind: StageKind, wording: WordingName): Promise<Host> {
  const stage = await openStage(kind)
  const { client } = stage
  const listed = (name: string): Tool | undefined => client.tools.find((tool) => tool.name === name)
  const send = async (name: string, args: Readonly<Record<string, unknown>>): Promise<CallToolResult> =>
    (await client.mcp.callTool({ name, arguments: { ...args } })) as CallToolResult

  const make = async (call: ModelCall): Promise<Made> => {
    const { id, tool, args } = call
    const refused = (text: string): Made => ({ call, answer: undefined, told: { id, text, isError: true } })
    if (args === undefined) return refused('The arguments of this call are no JSON object. Write them again.')
    if (listed(tool) === undefined) return refused(`There is no tool ${tool}.`)
    const result = await send(tool, args)
    const structured = result.structuredContent
    const text = [
      textIn(wording, textOf(result)),
      ...(structured === undefined ? [] : [JSON.stringify(structuredIn(wording, structured))]),
    ].join('\n\n')
    return {
      call,
      answer: readAnswer({ tool, args }, result, listed(tool)),
      told: { id, text, isError: result.isError === true },
    }
  }

  return {
    chat: model.chat({
      system: [hostPrompt, instructionsIn(wording, stage.instructions)].filter((text) => text !== '').join('\n\n'),
      tools: client.tools
        .filter((tool) => !isForCardsOnly(tool))
        .map(({ name, description = '', inputSchema }) => toolIn(wording, { name, description, inputSchema })),
    }),
    isRead: (name) => listed(name)?.annotations?.readOnlyHint === true || isRead(listed(name)),
    async make({ calls }) {
      const all: Made[] = []
      for (const call of calls) all.push(await make(call))
      return all
    },
    async press(button, { card }) {
      const message = sentBy(card, button)
      if (card?.plan === undefined || message === undefined)
        throw new Error(`The card of the evaluation’s own server has no button to ${button}.`)
      await send(appTools[button], { ticket: card.plan.ticket })
      return message
    },
    close: () => stage.close(),
  }
}

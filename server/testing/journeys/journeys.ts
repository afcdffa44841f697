// What a person does with a preview, in one host: signs it, cancels it, changes a value of it, or signs it too late. Nothing in here asks
// whether the server is ours; it looks at what the view shows and sends, and at what the server answers, as a person and
// a well-instructed agent would. Only the grammar of the messages is Countersign's.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { parseMessage } from '../../confirm/message.ts'
import { reservedName, variationOf } from '../arguments.ts'
import { contrastOf } from '../host/contrast.ts'
import type { View } from '../host/host-page.ts'
import { passed } from '../host/profiles.ts'
import { cardOf, sentBy, textOf } from '../answer.ts'
import { changeValue } from './revising.ts'
import { actionOf, applyMessage, betweenLooksMs, cancelButton, confirmButton, press } from './signing.ts'
import type { Session } from '../session.ts'
import type { Stage } from './stage.ts'
import { Broken, inTime, longestMs, until } from '../host/waiting.ts'
import { drawnWhole } from '../host/watching.ts'

/** What a person does with a card. */
export type JourneyName = 'confirm' | 'cancel' | 'stale' | 'revise'

/**
 * How a journey ended: through the view, by words in the chat, with an approver outside it; not offered by this server
 * or host; or not at all.
 */
export type Verdict = 'card' | 'chat' | 'approval' | 'not offered' | 'fails'

/** How a journey ended. */
export interface JourneyEnd {
  /** What it means for a person. */
  readonly verdict: Verdict
  /** What the person sees in the end. */
  readonly seen: string
  /** It is so because of what the server had before: on another one it may be otherwise. */
  readonly restsOnState?: true
}

/** Runs one journey. Trouble of any kind is its end, never an exception. */
export async function runJourney(name: JourneyName, stage: Stage): Promise<JourneyEnd> {
  const over = new AbortController()
  const { session } = stage
  // The server may belong to the next journey by then.
  const call: Session['call'] = async (...given) => {
    over.signal.throwIfAborted()
    return session.call(...given)
  }
  try {
    const end = await inTime(
      journeys[name]({ ...stage, session: { ...session, call } }),
      longestJourneyMs,
      'the journey did not end: does a script of the view?',
    )
    const [complaint] = stage.host.complaints
    return complaint === undefined ? end : { verdict: 'fails', seen: `the browser complained: ${complaint}` }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { verdict: 'fails', seen: message.split('\n')[0] ?? message }
  } finally {
    over.abort()
  }
}

/** Longer than all that a person waits for in one journey. */
const longestJourneyMs = 4 * longestMs

const journeys: Readonly<Record<JourneyName, (stage: Stage) => Promise<JourneyEnd>>> = {
  confirm: async (stage) => {
    const preview = await previewed(stage)
    if (isBlocked(preview)) return { ...notOffered(`blocked: ${textOf(preview)}`), restsOnState: true }
    if (statusOf(preview) === 'awaiting_approval') return { verdict: 'approval', seen: textOf(preview) }
    if (stage.view === undefined || !stage.profile.apps) return byWords(stage, preview)
    let card = await drawPreview(stage, preview)
    if (stage.profile.foreign) await sendForeign(card)
    if (stage.profile.remount === 'scrolled') card = await redraw(stage, card, preview)
    const confirm = await confirmButton(stage, card, preview)
    if (confirm === undefined) {
      const seen = await card.text()
      if (stage.profile.channels.includes('_meta') && actionOf(preview, 'confirm') !== undefined)
        throw new Broken(`the view was sent a Confirm and offers none: ${seen.slice(0, 160)}`)
      return { ...(await byWords(stage, preview)), seen }
    }
    const message = await press(stage, card, confirm, preview)
    const answer = await answerTo(stage, message)
    const end = await resultEnd(stage, answer)
    await staysUsed(stage, card, preview)
    return end
  },

  cancel: async (stage) => {
    const preview = await previewed(stage)
    if (isBlocked(preview)) return { ...notOffered(`blocked: ${textOf(preview)}`), restsOnState: true }
    if (stage.view === undefined || !stage.profile.apps) return { verdict: 'chat', seen: 'the person says no' }
    const card = await drawPreview(stage, preview)
    const cancel = await cancelButton(stage, card, preview)
    if (cancel === undefined) {
      if ((await confirmButton(stage, card, preview)) === undefined) return { verdict: 'chat', seen: await card.text() }
      return notOffered('the view has no button to cancel with')
    }
    await cancel.press()
    await until(
      async () => (await confirmButton(stage, card, preview, 0)) === undefined,
      () => 'Confirm stayed after Cancel',
      betweenLooksMs,
    )
    const seen = await card.text()
    // Our card tells the chat once the server has answered it; of another view, whatever it does first counts.
    const isTold = (): boolean =>
      stage.host.messages.length > 0 ||
      (sentBy(cardOf(preview), 'cancel') === undefined &&
        stage.host.toolCalls.some(({ result }) => result.isError !== true))
    await until(
      () => Promise.resolve(isTold()),
      () => 'Cancel told neither the chat nor the server',
    )
    const apply = applyMessage(preview)
    if (apply !== undefined && stage.profile.serverTools) {
      const answer = await answerTo(stage, apply)
      if (answer.isError !== true) throw new Broken('a cancelled plan could still be applied')
    }
    return { verdict: 'card', seen }
  },

  stale: async (stage) => {
    const { session, tool, args, profile, view } = stage
    const other = variationOf(tool.inputSchema, args)
    if (other === undefined) return notOffered('its arguments have no text that could differ')
    if (view === undefined || !profile.apps) return notOffered('needs a view')
    const preview = await previewed(stage)
    const apply = applyMessage(await session.call(tool.name, other))
    if (apply === undefined) return { ...notOffered('the state could not be moved'), restsOnState: true }
    const card = await drawPreview(stage, preview)
    const confirm = await confirmButton(stage, card, preview)
    if (confirm === undefined) return notOffered('nothing to confirm')
    const moved = statusOf(await answerTo(stage, apply))
    if (moved !== 'applied') return { ...notOffered('the state could not be moved'), restsOnState: true }
    const answer = await answerTo(stage, await press(stage, card, confirm, preview))
    const status = statusOf(answer)
    if (status === 'applied') return notOffered('this tool depends on no state')
    if (status !== 'stale') throw new Broken(`a moved state was answered with ${String(status)}`)
    const fresh = await draw(stage, answer)
    return { verdict: 'card', seen: await fresh.text() }
  },

  revise: async (stage) => {
    const preview = await previewed(stage)
    if (stage.view === undefined || !stage.profile.apps) return notOffered('needs a view')
    if (cardOf(preview)?.edits === undefined) return notOffered('nothing of this call can be changed on its card')
    const card = await drawPreview(stage, preview)
    const message = await changeValue(stage, card, preview)
    if (message === undefined) return notOffered(await card.text())
    if (!message.startsWith('Preview: ')) throw new Broken(`a changed value was sent as: ${message.slice(0, 80)}`)
    const answer = await answerTo(stage, message)
    if (statusOf(answer) !== 'previewed') throw new Broken(`a changed call was answered: ${textOf(answer)}`)
    const apply = applyMessage(preview)
    if (apply !== undefined && statusOf(await answerTo(stage, apply)) === 'applied')
      throw new Broken('what was proposed before the change could still be applied')
    return { verdict: 'card', seen: await (await draw(stage, answer)).text() }
  },
}

const notOffered = (seen: string): JourneyEnd => ({ verdict: 'not offered', seen })

async function previewed({ session, tool, args }: Stage): Promise<CallToolResult> {
  const preview = await session.call(tool.name, args)
  if (preview.isError === true) throw new Broken(`the preview was refused: ${textOf(preview)}`)
  return preview
}

/** A preview without a plan cannot be confirmed, and says so itself. */
const isBlocked = (preview: CallToolResult): boolean =>
  statusOf(preview) === 'previewed' && preview.structuredContent?.['plan_id'] === undefined

const statusOf = (result: CallToolResult): unknown =>
  result.structuredContent?.['requires_human_approval'] === true
    ? 'awaiting_approval'
    : result.structuredContent?.['status']

const draw = async (stage: Stage, result: CallToolResult | undefined): Promise<View> => {
  const { host, tool, args, view, profile } = stage
  if (view === undefined) throw new Broken('there is no view')
  const drawn = await host.draw({ page: view, tool, args, result })
  await drawnWhole(drawn).catch(() => {
    throw new Broken('a blank frame')
  })
  if (profile.theme === 'media' && (await contrastOf(drawn.frame)) < 3) throw new Broken('hardly readable in the dark')
  return drawn
}

/** The preview's view; where the host forgets results on reload, the person asks for it once more. */
async function drawPreview(stage: Stage, preview: CallToolResult): Promise<View> {
  const card = await draw(stage, preview)
  if (stage.profile.remount !== 'emptied') return card
  await card.remove()
  const empty = await draw(stage, undefined)
  if ((await confirmButton(stage, empty, preview, 300)) !== undefined)
    throw new Broken('a view without a result can be confirmed')
  await empty.remove()
  return draw(stage, preview)
}

async function redraw(stage: Stage, card: View, preview: CallToolResult): Promise<View> {
  await card.remove()
  return draw(stage, preview)
}

const foreignTitle = 'A result of quite another call'

async function sendForeign(card: View): Promise<void> {
  await card.sendResult({
    content: [{ type: 'text', text: foreignTitle }],
    structuredContent: {
      status: 'applied',
      tool: 'another_tool',
      plan_id: 'pl_00000000000000000',
      summary: foreignTitle,
    },
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  if ((await card.text()).includes(foreignTitle)) throw new Broken('a foreign result was shown in this view')
}

/** The agent does with the person's line what it was told to: it repeats exactly that call. */
async function answerTo({ session, host, tool }: Stage, message: string): Promise<CallToolResult> {
  // A view that runs the tool by itself has its answer already.
  if (message === '') return host.toolCalls.findLast(({ name }) => name === tool.name)?.result ?? { content: [] }
  const parsed = parseMessage(message)
  if (!parsed.ok) throw new Broken(`the message is not one that can be repeated exactly: ${message.slice(0, 80)}`)
  if (parsed.value.kind === 'cancel') throw new Broken('Confirm sent a Cancel')
  return session.call(parsed.value.tool, parsed.value.args)
}

/** No view to press in: the agent asks, the person says yes, and the plan's id is the proof. */
async function byWords(stage: Stage, preview: CallToolResult): Promise<JourneyEnd> {
  const { session, profile, tool, args } = stage
  const told = passed({ ...profile, channels: profile.channels.filter((one) => one !== '_meta') }, preview)
  const plan = /\bpl_[a-z0-9]+/.exec(`${textOf(told)} ${JSON.stringify(told.structuredContent ?? {})}`)?.[0]
  if (plan === undefined) throw new Broken('without a view the agent has nothing to confirm with')
  const schema = tool.inputSchema
  const answer = await session.call(tool.name, {
    ...args,
    [reservedName(schema, 'ticket') ?? 'ticket']: plan,
    [reservedName(schema, 'preview') ?? 'preview']: false,
  })
  return { ...endOf(answer, 'chat'), seen: textOf(answer) }
}

/** The result's own view, and what it says. */
async function resultEnd(stage: Stage, answer: CallToolResult): Promise<JourneyEnd> {
  const end = endOf(answer, 'card')
  const shown = await draw(stage, answer)
  return { ...end, seen: await shown.text() }
}

function endOf(answer: CallToolResult, verdict: Verdict): JourneyEnd {
  if (answer.isError === true) throw new Broken(`the confirmed call was answered: ${textOf(answer)}`)
  return { verdict: statusOf(answer) === 'awaiting_approval' ? 'approval' : verdict, seen: '' }
}

/** Hosts draw old views again; a Confirm that was used must not come alive with them. */
async function staysUsed(stage: Stage, card: View, preview: CallToolResult): Promise<void> {
  const { remount, serverTools } = stage.profile
  if (remount === 'never') return
  await card.remove()
  const again = await draw(stage, remount === 'emptied' ? undefined : preview)
  if (!serverTools) return
  if ((await confirmButton(stage, again, preview, 1500)) !== undefined)
    throw new Broken('a used Confirm came alive again')
}

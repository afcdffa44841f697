// An empty chat says nothing about what one could do. First steps, offered where the tools for them exist; below a
// conversation, what has not been tried yet, and what can be done with that which is there by now.
import { fieldsOf } from '../tools/schema.ts'
import type { ToolFacts } from '../tools/tool-facts.ts'
import { inDays, known } from './known-steps.ts'
import type { Entry, UploadedFile } from './transcript.ts'

export interface Draft {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

export interface Suggestion extends Draft {
  readonly label: string
  readonly hint: string
  /** Of a first step: how it goes on. */
  readonly guide?: Guide
}

/** How a first step goes on, for whoever takes it for the first time. Texts are Markdown. */
export interface Guide {
  /** What the person does next. */
  readonly todo: string
  /** What has been seen when it is over. */
  readonly seen: string
  /** What it takes to be over: the outcome of a call that gives the step's reason. */
  readonly until: 'answered' | 'applied' | 'revised' | 'stale' | 'approval'
  /** What somebody else does before the person confirms. */
  readonly elsewhere?: Elsewhere
  /** The agent repeats the call at once, without the person. */
  readonly goesAhead?: true
}

/** A call of somebody else's: another client of the same server, who confirms it as well. */
export interface Elsewhere {
  /** The button for it. */
  readonly label: string
  /** What the chat says of it. */
  readonly says: string
  readonly tool: string
  readonly args: () => Draft['args']
}

/** What can be done with a file that was uploaded. */
const withFile = ({ fileId, name }: UploadedFile): readonly Suggestion[] => [
  {
    label: `Send ${name}`,
    hint: 'As the attachment of a mail, in which its type by content stands.',
    tool: 'emails_send_external',
    args: {
      to: ['Mara Lindqvist <mara@northwind.example>'],
      subject: name,
      body: 'Dear Mara,\n\nhere is the file that we talked about.\n\nKind regards\nThe Agency',
      attachments: [fileId],
      rationale: `The person uploaded ${name} and wants Mara to have it.`,
    },
  },
  {
    label: `Share ${name} by a link`,
    hint: 'Whoever has the address can download it, until a moment that you see.',
    tool: 'files_create_download_link',
    args: { fileId, expiresAt: inDays(7), rationale: `The person uploaded ${name} and wants to share it.` },
  },
]

/** Two programs of one session: what the first one imports, the second does not pay. */
const inSession = (sessionId: string): readonly Suggestion[] => [
  {
    label: 'Write a sheet with openpyxl in the session',
    hint: 'Its first import is most of the fuel, and the card says so.',
    tool: 'execute_code',
    args: {
      language: 'python',
      session_id: sessionId,
      code: 'import openpyxl\n\nbook = openpyxl.Workbook()\nfor row in [("Oak desk", 129.5), ("Lamp", 89), ("Shelf", 42)]:\n    book.active.append(row)\nbook.save("prices.xlsx")\n',
      rationale: 'The person wants three prices as a sheet.',
    },
  },
  {
    label: 'Read the sheet in the same session',
    hint: 'The import is paid: compare the two bars of fuel on its card.',
    tool: 'execute_code',
    args: {
      language: 'python',
      session_id: sessionId,
      code: 'import openpyxl\n\nsheet = openpyxl.load_workbook("prices.xlsx").active\nprint(sum(row[1].value for row in sheet.rows))\n',
      rationale: 'The person wants the sum of the sheet.',
    },
  },
]

/** What can be done about a campaign that goes out. */
const withCampaign = (campaignId: string): readonly Suggestion[] => [
  {
    label: 'Stop the campaign',
    hint: 'Who has its mail keeps it, and nobody else gets it.',
    tool: 'emails_stop_campaign',
    args: { campaignId, rationale: 'The person has seen a mistake in it.' },
  },
  {
    label: 'See what became of the campaign',
    hint: 'Reading needs no signature.',
    tool: 'emails_get_campaign',
    args: { campaignId, rationale: 'The person wants to know how many got the campaign.' },
  },
]

/** What the last call of a tool that was answered calls what it has begun, by this name. */
function begunBy(entries: readonly Entry[], tool: string, name: string): string | undefined {
  const ids = entries.map((entry) => {
    if (entry.kind !== 'call' || entry.tool !== tool || entry.end.kind !== 'answered') return undefined
    const { result } = (entry.end.result.structuredContent ?? {}) as {
      readonly result?: Readonly<Record<string, unknown>>
    }
    const id = result?.[name]
    return typeof id === 'string' ? id : undefined
  })
  return ids.findLast((id) => id !== undefined)
}

/** Whether its tool is there, and for a bundle those of its steps. */
const isUsable = (tools: readonly ToolFacts[], { tool, args }: Draft): boolean => {
  const steps = (args['plans'] as readonly { readonly tool: string }[] | undefined) ?? []
  return [tool, ...steps.map((step) => step.tool)].every((wanted) =>
    tools.some(({ name, forModel }) => forModel && name === wanted),
  )
}

/** The next steps of a conversation: what can be done with what it brought, then first steps that it has not had. */
export function nextSteps(tools: readonly ToolFacts[], entries: readonly Entry[]): readonly Suggestion[] {
  const file = entries.findLast((entry) => entry.kind === 'person' && entry.file !== undefined)
  const ofFile = file?.kind === 'person' && file.file !== undefined ? withFile(file.file) : []
  const campaignId = begunBy(entries, 'emails_bulk_send', 'campaignId')
  const ofCampaign = campaignId === undefined ? [] : withCampaign(campaignId)
  const sessionId = begunBy(entries, 'create_session', 'session_id')
  const ofSession = sessionId === undefined ? [] : inSession(sessionId)
  // Whoever changes a suggested call leaves its rationale as a rule.
  const isDone = ({ tool, args }: Draft): boolean =>
    entries.some(
      (entry) =>
        entry.kind === 'call' &&
        entry.tool === tool &&
        // What is done to a campaign may have been asked for on its card, in other words.
        (entry.args['rationale'] === args['rationale'] || args['campaignId'] !== undefined) &&
        entry.args['campaignId'] === args['campaignId'] &&
        entry.args['session_id'] === args['session_id'],
    )
  return [...ofCampaign, ...ofSession, ...ofFile, ...known].filter((one) => isUsable(tools, one) && !isDone(one))
}

/** First steps for these tools: the known ones, or the first of each kind. */
export function suggestionsFor(tools: readonly ToolFacts[]): readonly Suggestion[] {
  const fitting = firstSteps(tools)
  if (fitting.length > 0) return fitting
  const visible = tools.filter((tool) => tool.forModel)
  return visible.slice(0, 3).map((tool) => ({
    label: tool.title,
    hint: tool.viewUri === undefined ? 'Answers in text.' : 'Answers with a card.',
    tool: tool.name,
    args: {},
  }))
}

/** The first steps that can be taken with these tools. */
export const firstSteps = (tools: readonly ToolFacts[]): readonly Suggestion[] =>
  known.filter((one) => isUsable(tools, one))

/** A plausible reason, so that nobody has to invent one to try a tool. */
const plausibleRationale = (tool: ToolFacts): string =>
  `The person asked for it in this chat: ${tool.title.charAt(0).toLowerCase()}${tool.title.slice(1)}.`

/** The arguments that a form starts with: what was suggested, and a rationale where the tool wants one. */
export function startingArgs(tool: ToolFacts, given: Draft['args']): Draft['args'] {
  const rationale = fieldsOf(tool.inputSchema)?.find((field) => /^(?:countersign_)?rationale$/.test(field.name))
  return rationale === undefined ? given : { [rationale.name]: plausibleRationale(tool), ...given }
}

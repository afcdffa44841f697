// What agents are told, before they call anything, about how a change is confirmed. Either a call previews, a person confirms
// and the call is repeated, or the host's own prompt for each call is the confirmation. A sentence about the one is
// wrong about the other, so the two sets of sentences are side by side.

/** What asks the person: our cards (`rail`) or the host's prompts. */
export type Confirmation = 'rail' | 'host'

interface Words {
  /** Appended to the description of a tool that changes something. `preview`: the parameter's name on that tool. */
  readonly sentence: (preview: string) => string
  /** The same for a gateway's call tools, behind which a tool may only read, and their parameters. */
  readonly callTool: string
  readonly callToolPreview: string
  readonly callToolTicket: string
  /** The first lines of the server's instructions. */
  readonly instructions: readonly string[]
  /** What to do on a card's `Preview:` message. */
  readonly previewMessage: string
}

/** Who reads the rationale of a call: an agent words it for them. Who approves is an operator; a read has no card. */
export const rationaleReaders = { read: 'Operators see it.', write: 'Users and operators see it.' } as const

/**
 * What an agent does after a preview: end its turn, not narrate, repeat an Apply message exactly, and only acknowledge a
 * Cancel. It stands in the description of every write tool, because some clients forward no instructions. Every word is
 * paid for at each of them, so the parameters `preview` and `ticket` have no descriptions of their own.
 */
export const coaching =
  "After a preview card, end your turn; do not narrate. Re-issue only the user's own `Apply: call …`, exactly. On `Cancel: …` only acknowledge."

const hostRuns = "runs as soon as the person accepts the host's own prompt"

const unlessAnswered = 'Where the answer is a preview or waits for an approval, nothing has happened.'

export const railWords: Readonly<Record<Confirmation, Words>> = {
  rail: {
    sentence: (preview) => `Previews unless \`${preview}=False\`. ${coaching}`,
    callTool: `What is not harmless comes back as a preview that the person confirms. ${coaching}`,
    callToolPreview: "Leave it out. false only when repeating the user's Apply message.",
    callToolTicket: "Only when repeating the user's Apply message: the ticket from it.",
    instructions: [
      'Tools that change something only preview when you call them; a person confirms, then you repeat the call.',
      '1. Call the tool without `preview` and `ticket`. The answer shows exactly what would change. Nothing has happened.',
      '2. If the host shows a card, end your turn: do not narrate the preview and do not ask for confirmation again; the card does.',
    ],
    previewMessage: 'On `Preview: call tool(…)` make that call: it previews.',
  },
  host: {
    sentence: (preview) => `It ${hostRuns}; \`${preview}=true\` only shows the change. ${unlessAnswered} ${coaching}`,
    callTool: `A call ${hostRuns}. ${unlessAnswered} ${coaching}`,
    callToolPreview: `true only shows what would change. Left out or false, the call ${hostRuns}, unless the answer is a preview or waits for an approval.`,
    callToolTicket: "Only where a preview, an approval or the user's Apply message says so: the ticket or id from it.",
    instructions: [
      "Tools that change something run as soon as the person accepts the host's own prompt for the call; nobody is asked a second time.",
      '1. Call with `preview=true` to see only what would change; without it, or with `preview=false`, the call is meant.',
      '2. Some calls come back as a preview, or wait for an approval, instead of running. Then nothing has happened: do what the answer says. If the host shows a card, end your turn without narrating it.',
    ],
    previewMessage: 'On `Preview: call tool(…)` make that call with `preview=true` added: it only previews.',
  },
}

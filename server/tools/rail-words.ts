// What agents are told, before they call anything, about how a change is confirmed. Either a call previews, a person confirms
// and the call is repeated, or the host's own prompt for each call is the confirmation. A sentence about the one is
// wrong about the other, so the two sets of sentences are side by side.

/** What asks the person: our cards (`rail`) or the host's prompts. */
export type Confirmation = 'rail' | 'host'

interface Words {
  /** Appended to the description of a tool that changes something. `preview`: the parameter's name on that tool. */
  readonly sentence: (preview: string) => string
  /** Descriptions of the parameters of such a tool. */
  readonly preview: string
  /** The same where the arguments decide whether a call only reads. */
  readonly previewByCall: string
  readonly ticket: string
  /** The same for a gateway's call tools, behind which a tool may only read. */
  readonly door: string
  readonly doorPreview: string
  readonly doorTicket: string
  /** The first lines of the server's instructions. */
  readonly instructions: readonly string[]
  /** What to do on a card's `Preview:` message. */
  readonly previewMessage: string
}

/** Who reads the rationale of a call: an agent words it for them. */
export const rationaleReaders = 'Shown to the person on the card, to approvers, and to operators in the record.'

const hostPreview =
  "true only shows what would change. Left out or false, the call runs as soon as the person accepts the host's own prompt, unless the answer is a preview or waits for an approval."

const unlessAnswered =
  'Where the answer is a preview or waits for an approval instead, nothing has happened: do what it says.'

export const railWords: Readonly<Record<Confirmation, Words>> = {
  rail: {
    sentence: (preview) =>
      `Without \`${preview}=False\` this only previews. After a preview that shows a card, end your turn: do not narrate it or ask again. Only when the user's own message is an \`Apply: call …\` for this tool, with the ticket of a preview in this conversation, repeat that call exactly.`,
    preview:
      'Leave it out (or true): nothing happens and the person sees what would change. false only when repeating an Apply message of the user.',
    previewByCall:
      'Leave it out: a call that only reads runs at once, any other only previews. true previews. false only when repeating an Apply message of the user.',
    ticket: "Only when repeating the user's Apply message: the ticket, plan id or approval id from it.",
    door: "What is not harmless comes back as a preview that the person confirms; repeat the call only as the user's own Apply message says.",
    doorPreview: "Leave it out. false only when repeating the user's Apply message.",
    doorTicket: "Only when repeating the user's Apply message: the ticket from it.",
    instructions: [
      'Tools that change something only preview when you call them; a person confirms, then you repeat the call.',
      '1. Call the tool without `preview` and `ticket`. The answer shows exactly what would change. Nothing has happened.',
      '2. If the host shows a card, end your turn: do not narrate the preview and do not ask for confirmation again; the card does.',
    ],
    previewMessage: 'On `Preview: call tool(…)` make that call: it previews.',
  },
  host: {
    sentence: (preview) =>
      `A call runs as soon as the person accepts the host's own prompt for it; \`${preview}=true\` only shows what would change. ${unlessAnswered}`,
    preview: hostPreview,
    previewByCall:
      "true only shows what would change. Left out or false, a call that only reads runs at once, and any other as soon as the person accepts the host's own prompt, unless the answer is a preview or waits for an approval.",
    ticket:
      "Only where a preview, an approval or the user's Apply message says so: the ticket, plan id or approval id from it.",
    door: `A call runs as soon as the person accepts the host's own prompt for it. ${unlessAnswered}`,
    doorPreview: hostPreview,
    doorTicket: "Only where a preview, an approval or the user's Apply message says so: the ticket or id from it.",
    instructions: [
      "Tools that change something run as soon as the person accepts the host's own prompt for the call; nobody is asked a second time.",
      '1. Call with `preview=true` to see only what would change; without it, or with `preview=false`, the call is meant.',
      '2. Some calls come back as a preview, or wait for an approval, instead of running. Then nothing has happened: do what the answer says. If the host shows a card, end your turn without narrating it.',
    ],
    previewMessage: 'On `Preview: call tool(…)` make that call with `preview=true` added: it only previews.',
  },
}

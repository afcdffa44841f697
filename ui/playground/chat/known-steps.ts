// The first steps of whoever opens the demo: each is one call of the agent's, with what to do next and what was seen
// when it is over. They are made for the demo's desks, and offered where their tools are. They name no button by its words
// where its card may be in another language.
import type { Suggestion } from './suggestions.ts'

/** A moment some days ahead, at a full hour. */
export const inDays = (days: number): string =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 13)}:00:00Z`

const newsletter = { templateId: 'tp_00000000000000000002', segmentId: 'sg_00000000000000000002' }

/** The first steps, in the order in which they tell the most. */
export const known: readonly Suggestion[] = [
  {
    label: 'Create an order for ACME',
    hint: 'Create: a preview with totals and stock, one click to sign.',
    tool: 'orders_create',
    args: {
      customer: 'ACME',
      lines: [{ sku: 'DESK-01', quantity: 2 }],
      rationale: 'ACME asked for two oak desks by phone this morning.',
    },
    guide: {
      todo: 'Read the card, then press the button on it that **confirms**. Until then nothing has happened.',
      seen: 'The order exists. Your click became a line in this chat, and the agent repeated exactly the call that you saw.',
      until: 'applied',
    },
  },
  {
    label: 'Change order SO-1008',
    hint: 'Change: what is and what will be, side by side.',
    tool: 'orders_modify',
    args: {
      id: 'SO-1008',
      discount_percent: 5,
      note: 'Ring before delivery, then use the back door',
      rationale: 'Contoso asked for its discount and for another way in.',
    },
    guide: {
      todo: 'Compare old and new on the card, then press the button that **confirms**.',
      seen: 'Two fields have changed, and nothing else. A button on the last card previews the way back.',
      until: 'applied',
    },
  },
  {
    label: 'Correct a value yourself',
    hint: 'Revise: the agent wrote 40 chairs and 4 are meant. Change it on the card.',
    tool: 'orders_create',
    args: {
      customer: 'Globex',
      lines: [{ sku: 'CHAIR-04', quantity: 40 }],
      rationale: 'Globex wants visitor chairs for its new meeting room.',
    },
    guide: {
      todo: 'On the card press the button for **editing values**, set the quantity to 4, then press the one that **previews** your change.',
      seen: 'A new card replaced the old one and marks what you changed. Confirm it, or leave it: only the new one can run.',
      until: 'revised',
    },
  },
  {
    label: 'Somebody else is faster',
    hint: 'Drift: the order changes between the preview and your click.',
    tool: 'orders_modify',
    args: {
      id: 'SO-1006',
      note: 'Deliver to the back door',
      rationale: 'Northwind asked for delivery at the back door.',
    },
    guide: {
      todo: 'Now press the button on the card that **confirms**. It shows an order that is no longer what it was.',
      seen: 'Nothing was changed. The new card says what you saw, what is there now, and what it would become.',
      until: 'stale',
      elsewhere: {
        label: 'Let somebody else change the order',
        says: 'Meanwhile somebody else has changed order SO-1006, with a client of their own.',
        tool: 'orders_modify',
        args: () => ({
          id: 'SO-1006',
          // Another one each time: what is so already cannot be changed.
          note: `Ring twice (asked for at ${new Date().toISOString().slice(11, 19)} UTC)`,
          rationale: 'The customer called about the bell.',
        }),
      },
    },
  },
  {
    label: 'The agent does not wait for you',
    hint: 'Approval: it repeats the call without your click, and an operator has to decide.',
    tool: 'stock_adjust',
    args: {
      sku: 'LAMP-07',
      delta: -1,
      reason: 'one broken in the warehouse',
      rationale: 'The warehouse reported one broken lamp.',
    },
    guide: {
      todo: 'The agent repeats its call.',
      seen: 'Nothing was changed: no click was recorded, so the call waits until an operator decides.',
      until: 'approval',
      goesAhead: true,
    },
  },
  {
    label: 'Delete order SO-1005',
    hint: 'Delete: critical, so the card says what is removed for good.',
    tool: 'orders_delete',
    args: { id: 'SO-1005', rationale: 'The customer withdrew order SO-1005 and asked us to remove it.' },
    guide: {
      todo: 'Type the number of the order on the card, then press the button that **confirms**: a critical call wants more than a click.',
      seen: 'The order is gone. Only a click that this page recorded could do that; no text that an agent writes can.',
      until: 'applied',
    },
  },
  {
    label: 'Three changes, one signature',
    hint: 'A bundle: open each step, sign once, and see what came of each.',
    tool: 'plan_bundle',
    args: {
      plans: [
        { tool: 'orders_create', arguments: { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }] } },
        { tool: 'orders_modify', arguments: { id: 'SO-1007', note: 'Ring at the back door' } },
        { tool: 'stock_adjust', arguments: { sku: 'MAT-02', delta: -2, reason: 'two broken in the warehouse' } },
      ],
      title: 'What came up in the call with the warehouse',
      rationale: 'The warehouse called: a new order, a note for the driver, and two broken mats.',
    },
    guide: {
      todo: 'Open each of the three steps on the card, then press the button that **confirms** all of them.',
      seen: 'Three calls ran in their order, and each says what came of it. A button on the last card previews the way back.',
      until: 'applied',
    },
  },
  {
    label: 'List orders',
    hint: 'Reading needs no signature.',
    tool: 'orders_list',
    args: { rationale: 'The person wants to see which orders are open.' },
    guide: {
      todo: 'The agent reads at once.',
      seen: 'Reading changes nothing, so nobody was asked.',
      until: 'answered',
    },
  },
  {
    label: 'Send the proposal to Northwind',
    hint: 'Critical: who gets it, what they will read, and the file that goes along.',
    tool: 'emails_send_external',
    args: {
      to: ['Mara Lindqvist <mara@northwind.example>'],
      cc: ['tom@agency.example'],
      subject: 'Our proposal for your spring campaign',
      body: 'Dear Mara,\n\nhere is **our proposal** as agreed. Two things to decide by Friday:\n\n- the launch date\n- print in both cities, or one\n\nKind regards\nThe Agency',
      attachments: ['fl_0000000000000000000000a1'],
      rationale: 'Tom asked me to send Mara the proposal before noon.',
    },
    guide: {
      todo: 'Look at who gets it and at the attachment, then press the button that **confirms**.',
      seen: 'The mail has arrived in the **Mailbox** of this demo, as it was shown. Its link is in the header or the settings.',
      until: 'applied',
    },
  },
  {
    label: 'Try out the newsletter',
    hint: 'A dry run: how many get it, who is skipped, two of the mails. Nothing is sent.',
    tool: 'emails_bulk_send',
    args: { ...newsletter, dryRun: true, rationale: 'The person wants to know what the newsletter would do.' },
    guide: {
      todo: 'The agent tries it out.',
      seen: 'Nothing was sent. Now you know who would get it and who is skipped.',
      until: 'answered',
    },
  },
  {
    label: 'Send the newsletter',
    hint: 'Critical: everybody who gets it, and any of the mails. Then it goes out, and can be stopped.',
    tool: 'emails_bulk_send',
    args: { ...newsletter, rationale: 'The newsletter is due today, and the person has asked me to send it.' },
    guide: {
      todo: 'Page through the recipients, type their number, then press the button that **confirms**. It takes a few minutes, and can be stopped.',
      seen: 'It goes out. The card counts along, and **Stop the campaign** below ends it in the middle.',
      until: 'applied',
    },
  },
  {
    label: 'Share the media plan by a link',
    hint: 'Whoever has the address can download it, until a moment that you see.',
    tool: 'files_create_download_link',
    args: {
      fileId: 'fl_0000000000000000000000a2',
      expiresAt: inDays(7),
      rationale: 'Contoso wants to look at the media plan this week.',
    },
    guide: {
      todo: 'See until when the link works, then press the button that **confirms**.',
      seen: 'Whoever has the address can download the file, until the moment that you saw.',
      until: 'applied',
    },
  },
  {
    label: 'Write to a blocked company',
    hint: 'The policy of this desk refuses it, and says why.',
    tool: 'emails_send_external',
    args: {
      to: ['sales@rival.example'],
      subject: 'Our prices',
      body: 'Attached are our prices for spring.',
      rationale: 'The person asked to send our prices to the competitor.',
    },
    guide: {
      todo: 'The policy of this desk is asked first.',
      seen: 'The card has no button to confirm: a policy said no, whatever the agent or a person wants.',
      until: 'answered',
    },
  },
  {
    label: 'List files',
    hint: 'Reading needs no signature.',
    tool: 'files_list',
    args: { rationale: 'The person wants to know which files there are.' },
    guide: {
      todo: 'The agent reads at once.',
      seen: 'Reading changes nothing, so nobody was asked.',
      until: 'answered',
    },
  },
  {
    label: 'Run a program with a mistake',
    hint: 'The answer says what to change in it, and how much fuel it used.',
    tool: 'execute_code',
    args: {
      language: 'python',
      code: 'prices = [129.5, 89, 42]\ntotal = sum(price)\nprint(f"{total:.2f}")\n',
      rationale: 'The person wants the sum of three prices.',
    },
    guide: {
      todo: 'The program runs in a sandbox.',
      seen: 'The answer names the mistake and what to change, so that the agent need not guess.',
      until: 'answered',
    },
  },
  {
    label: 'Begin a session for programs',
    hint: 'What one program imports, sets and writes is there for the next.',
    tool: 'create_session',
    args: { language: 'python', rationale: 'Two programs will work on one sheet.' },
    guide: {
      todo: 'The agent begins a session.',
      seen: 'Two programs can share it: the next steps write a sheet and read it again.',
      until: 'answered',
    },
  },
  {
    label: 'Remember a supplier',
    hint: 'A server that asks nobody: Countersign stands in front of it, and shows the call first.',
    tool: 'create_entities',
    args: {
      entities: [{ name: 'Northwind', entityType: 'supplier', observations: ['Delivers on Tuesdays'] }],
      rationale: 'The person told me when Northwind delivers.',
    },
    guide: {
      todo: 'Read what would be remembered, then press **Remember**.',
      seen: 'The server, which knows nothing of previews, got this one call, after your click.',
      until: 'applied',
    },
  },
  {
    label: 'Forget the supplier',
    hint: 'Destructive: the card shows what is known of it, read from the server first.',
    tool: 'delete_entities',
    args: { entityNames: ['Northwind'], rationale: 'The person asked me to forget Northwind.' },
    guide: {
      todo: 'See what would be gone, type the name of the tool, then press **Forget**.',
      seen: 'It is gone, and the activity log says who agreed to it.',
      until: 'applied',
    },
  },
  {
    label: 'Read what is remembered',
    hint: 'Reading needs no signature, also on a server of somebody else’s.',
    tool: 'read_graph',
    args: { rationale: 'The person wants to know what is remembered.' },
    guide: {
      todo: 'The agent reads at once.',
      seen: 'Reading changes nothing, so nobody was asked.',
      until: 'answered',
    },
  },
]

// The three doors as an agent reads them. Their own annotations let a host permit reading, ask for writing and warn of
// the rest, by the tool's name alone. The schema stays permissive, so that flat aliases pass clients that validate; what
// is required is enforced at the call, with messages of our own.
import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import { rationaleReaders, railWords, type Confirmation } from '../../tools/rail-words.ts'
import type { Variant } from './call-with.ts'
import type { IntentSettings } from '../upstream/settings/upstream-config.schema.ts'
import { operationTypes, reasonLimits, sensitivities, type OperationType } from './intent.ts'

interface DoorWords {
  readonly title: string
  readonly key: OperationType
  readonly description: string
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean }
}

const doors: Readonly<Record<Variant, DoorWords>> = {
  call_tool_read: {
    title: 'Call a tool that reads',
    key: 'read',
    description:
      "Calls a tool of an upstream server for something that changes nothing: search, list, get, look up. Needs intent.operation_type 'read'. Rejected if the server marks the tool as destructive. Find the tool and its arguments with retrieve_tools first; its call_with says which of the three to use.",
    annotations: { readOnlyHint: true, destructiveHint: false },
  },
  call_tool_write: {
    title: 'Call a tool that creates or updates',
    key: 'write',
    description:
      "Calls a tool of an upstream server to create or update something. Needs intent.operation_type 'write'. Rejected if the server marks the tool as destructive.",
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  call_tool_destructive: {
    title: 'Call a tool that deletes or cannot be undone',
    key: 'destructive',
    description:
      "Calls a tool of an upstream server to delete something, or to do what cannot be undone. Needs intent.operation_type 'destructive'. Passes the check of annotations whatever the server says.",
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
}

const text = (description: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'string',
  description,
  ...more,
})

const intentProperties = (key: OperationType, prefix: string) => ({
  [`${prefix}operation_type`]: text(`What you mean to do. Here it must be '${key}'.`, { enum: operationTypes }),
  [`${prefix}data_sensitivity`]: text('How sensitive the data is that you touch.', { enum: sensitivities }),
  [`${prefix}reason`]: text('Why, in one or two sentences. From 10 characters on it serves as the rationale.', {
    maxLength: reasonLimits.longest,
  }),
})

const railArguments = (preview: string, ticket: string) => ({
  preview: { type: 'boolean', description: preview },
  ticket: text(ticket),
})

/** Behind the descriptions that say what is rejected, where the operator lets it pass. */
const lenientWords =
  'On this server that is a warning and no rejection; what changes something still waits for a person.'

/** The three tools, with the intent nested or flat as the operator has set it. */
export const metaTools = (
  { shape, strict_server_validation: strict }: IntentSettings,
  confirmation: Confirmation = 'rail',
): readonly McpTool[] =>
  Object.entries(doors).map(([name, door]) => {
    const words = railWords[confirmation]
    const intent =
      shape === 'flat'
        ? intentProperties(door.key, 'intent_')
        : {
            intent: { type: 'object', description: 'What you mean to do.', properties: intentProperties(door.key, '') },
          }
    return {
      name,
      title: door.title,
      description: [
        door.description,
        ...(strict || door.key === 'destructive' ? [] : [lenientWords]),
        ...(door.key === 'read' ? [] : [words.door]),
      ].join(' '),
      inputSchema: {
        type: 'object',
        properties: {
          name: text('Name of the tool as retrieve_tools gives it: server:tool.'),
          args_json: text('Arguments of the tool, as the text of one JSON object. Left out: no arguments.'),
          ...intent,
          rationale: text(
            `Why you make this call, in one sentence of 10 to 500 characters; an intent.reason of 10 or more stands in for it. ${rationaleReaders} One of the two is required.`,
          ),
          ...(door.key === 'read'
            ? strict
              ? {}
              : railArguments(
                  'false only with the id of an approval; leave it out otherwise.',
                  'Only the id of an approval.',
                )
            : railArguments(words.doorPreview, words.doorTicket)),
        },
        required: ['name'],
      },
      annotations: { title: door.title, ...door.annotations, openWorldHint: true },
    }
  })

/** What an agent is told of the gateway at the start. */
export const gatewayInstructions = [
  'This server stands in front of others. Find a tool with `retrieve_tools`, then call it with the variant that its `call_with` names: `call_tool_read` for what changes nothing, `call_tool_write` to create or update, `call_tool_destructive` to delete or do what cannot be undone.',
  "Each call declares its intent: `intent.operation_type` must be 'read', 'write' or 'destructive' and match the variant.",
].join('\n')

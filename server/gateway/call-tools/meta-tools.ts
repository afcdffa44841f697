// The definitions of the three call tools. Their own annotations let a host permit reading, ask for writing and warn of the
// rest, by the tool's name alone. The schema requires the intent in the shape that the operator has set; a call that
// brings it in the other shape is understood as well, because what counts is checked at the call (`checkIntent`).
import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import { rationaleReaders, railWords, type Confirmation } from '../../tools/rail-words.ts'
import type { Variant } from './call-with.ts'
import type { IntentSettings } from '../upstream/settings/upstream-config.schema.ts'
import { operationTypes, reasonLimits, sensitivities, type OperationType } from './intent.ts'

interface CallToolWords {
  readonly title: string
  readonly key: OperationType
  /** The sentences that the specification of intents promises; `operationType` is the name of that argument. */
  readonly description: (operationType: string) => string
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean }
}

const callTools: Readonly<Record<Variant, CallToolWords>> = {
  call_tool_read: {
    title: 'Call a tool that reads',
    key: 'read',
    description: (operationType) =>
      `Execute a read-only tool discovered via retrieve_tools. Use for operations that query data without modifying state. Requires ${operationType}='read'. Will be rejected if server marks tool as destructive.`,
    annotations: { readOnlyHint: true, destructiveHint: false },
  },
  call_tool_write: {
    title: 'Call a tool that creates or updates',
    key: 'write',
    description: (operationType) =>
      `Execute a state-modifying tool discovered via retrieve_tools. Use for operations that create or update resources. Requires ${operationType}='write'. Will be rejected if server marks tool as destructive.`,
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  call_tool_destructive: {
    title: 'Call a tool that deletes or cannot be undone',
    key: 'destructive',
    description: (operationType) =>
      `Execute a destructive tool discovered via retrieve_tools. Use for operations that delete or permanently modify resources. Requires ${operationType}='destructive'. Most permissive - allowed regardless of server annotations.`,
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

/** The intent as arguments of a call tool, and the one of them that is required. */
const intentArgument = (shape: 'nested' | 'flat', key: OperationType) =>
  shape === 'flat'
    ? { properties: intentProperties(key, 'intent_'), required: 'intent_operation_type' }
    : {
        properties: {
          intent: {
            type: 'object',
            description: 'What you mean to do.',
            properties: intentProperties(key, ''),
            required: ['operation_type'],
          },
        },
        required: 'intent',
      }

/** The three tools, with the intent nested or flat as the operator has set it. */
export const metaTools = (
  { shape, strict_server_validation: strict }: IntentSettings,
  confirmation: Confirmation = 'rail',
): readonly McpTool[] =>
  Object.entries(callTools).map(([name, tool]) => {
    const words = railWords[confirmation]
    const intent = intentArgument(shape, tool.key)
    const description = tool.description(shape === 'flat' ? 'intent_operation_type' : 'intent.operation_type')
    return {
      name,
      title: tool.title,
      description: [
        description,
        ...(strict || tool.key === 'destructive' ? [] : [lenientWords]),
        ...(tool.key === 'read' ? [] : [words.callTool]),
      ].join(' '),
      inputSchema: {
        type: 'object',
        properties: {
          name: text('Name of the tool as retrieve_tools gives it: server:tool.'),
          args_json: text('Arguments of the tool, as the text of one JSON object. Left out: no arguments.'),
          ...intent.properties,
          rationale: text(
            `Why you make this call, in one sentence of 10 to 500 characters; an intent.reason of 10 or more stands in for it. ${rationaleReaders.write} One of the two is required.`,
          ),
          ...(tool.key === 'read'
            ? strict
              ? {}
              : railArguments(
                  'false only with the id of an approval; leave it out otherwise.',
                  'Only the id of an approval.',
                )
            : railArguments(words.callToolPreview, words.callToolTicket)),
        },
        required: ['name', intent.required],
      },
      annotations: { title: tool.title, ...tool.annotations, openWorldHint: true },
    }
  })

/** What an agent is told of the gateway at the start. */
export const gatewayInstructions = [
  'This server stands in front of others. Find a tool with `retrieve_tools`, then call it with the variant that its `call_with` names: `call_tool_read` for what changes nothing, `call_tool_write` to create or update, `call_tool_destructive` to delete or do what cannot be undone.',
  "Each call declares its intent: `intent.operation_type` must be 'read', 'write' or 'destructive' and match the variant.",
].join('\n')

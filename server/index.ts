// The library's own door: every name that somebody imports who writes a server with confirmed tools. It may reach for every
// floor, and nothing reaches for it.
import './refuse-old-node.ts'

export { defineTool, ContractError } from './tools/define-tool.ts'
export { defineRead, defineWrite, patched } from './tools/planned/define-write.ts'
export { previewCard, successCard, errorCard, CardError } from './cards/builders.ts'
export { figureText } from './cards/figures.ts'
export { markdownBlocks } from './cards/markdown-blocks.ts'
export { pictureBlock } from './cards/picture-block.ts'
export { formatApply, formatCancel, formatPreview, parseApply, parseMessage } from './confirm/message.ts'
// Every type that these lead to can be imported by its name.
export type { Alert, ErrorFacts, PreviewFacts, SuccessFacts } from './cards/builders.ts'
export type { Figure } from './cards/figures.ts'
export type { CardTheme } from './cards/theme.ts'
export type { PictureParts } from './cards/picture-block.ts'
export type { ActivityUpkeep } from './compose/records/activity.ts'
export type { Argument, Message, Parsed } from './confirm/message.ts'
export type { Answered, KnownError } from './errors/explain/stated.ts'
export type { UpstreamErrorType } from './errors/explain/classes.ts'
export type { Result } from './errors/result.ts'
export type { Unexplained } from './errors/unexplained.ts'
export type { Fetch } from './http/mounted-door.ts'
export { toNodeHandler } from './http/node-handler.ts'
export type { NodeHandler, NodeRequest } from './http/node-handler.ts'
export type { Served, Served as WebDoor } from './http/serve.ts'
export type { Identity, PrincipalOf, RequestFacts } from './mcp/identity.ts'
export type {
  Completer,
  OfferContext,
  OfferedCommon,
  OfferedContent,
  OfferedPrompt,
  OfferedResource,
  OfferedResourceTemplate,
  PromptAnswer,
  PromptArgument,
  PromptContent,
  PromptMessage,
  ResourceAddress,
  ResourceAnswer,
  ResourceContent,
} from './mcp/offer.ts'
export type { ActivityCompletion, LaterEntry } from './model/activity.ts'
export type { CardEdit, CardEditList, CardEdits } from './model/card-edits.ts'
export type { CardSpan, LabelledValue } from './model/card-value.ts'
export type {
  Card,
  CardAction,
  CardBlock,
  CardChange,
  CardPageRow,
  CardPlan,
  CardRecordChange,
  CardRisk,
  CardState,
  CardStep,
  CardValue,
  Column,
  InnerBlock,
  LineItem,
} from './model/card.ts'
export type { Conclusion, Finding } from './model/finding.ts'
export type { FoundSecret } from './model/found-secret.ts'
export type { Outcome } from './model/outcome.ts'
export type { PlanTransaction } from './model/plan-store.ts'
export type { Claims, JsonValue, Principal } from './model/principal.ts'
export type { Risk } from './model/risk.ts'
export type { ApprovalRule } from './policy/may-approve.ts'
export type { Proof, ProofTable } from './policy/proof.ts'
export type { ApplyForm, EngineSettings, GuidanceSettings } from './rail/engine.ts'
export type { RationaleRule } from './rail/intake/rationale-grace.ts'
export type { Retention } from './store/activity/retention/retain.ts'
export type { Revisable } from './tools/card-edits.ts'
export type { CardList, Followed, ListPage } from './tools/card-reads.ts'
export type { ContractProblem } from './tools/contract-problems.ts'
export type {
  Contract,
  FailureEffect,
  Failures,
  FailureSpec,
  ReadContract,
  RequestContext,
  RiskRule,
  RunContext,
  SideEffect,
  ToolContext,
  ToolFailed,
  ToolStale,
  WriteContract,
} from './tools/contract.ts'
export type {
  Applied,
  FailureList,
  FailuresOf,
  NoFailures,
  PlannedWrite,
  RecordOf,
  ShortRead,
  WriteFailuresOf,
  Written,
} from './tools/planned/define-write.ts'
export type { Schema } from './tools/schemas/json-schema.ts'
export type { Planned } from './tools/planned/planned.ts'
export type { RecordField, RecordFields } from './tools/planned/record-changes.ts'
export type { Middleware, MiddlewareCall, Refusal, StageOutcome, ToolStage } from './tools/middleware.ts'
export type { LogFields, ToolLog } from './tools/tool-log.ts'
export type { CardContext, OfferedCall, Preview, Reconciled, Success } from './tools/shown-on-cards.ts'
export type {
  JsonObjectSchema,
  StandardIssue,
  StandardOptions,
  StandardResult,
  StandardSchema,
  ToolSchema,
} from './tools/schemas/tool-schema.ts'
export type { FileSource, SourceFile } from './toolsets/file-source.ts'
export { files } from './toolsets/files/files.ts'
export type { FilesOptions } from './toolsets/files/files.ts'
export { mail } from './toolsets/mail/mail.ts'
export type { MailOptions } from './toolsets/mail/mail.ts'
export type { MailPolicy, MailStepUp } from './toolsets/mail/options.ts'
export type {
  LaterEvent,
  OpenedToolset,
  Recording,
  RouteCaller,
  RouteVisitor,
  StartedOver,
  Toolset,
  ToolsetPage,
  ToolsetParts,
  ToolsetRoute,
} from './toolsets/toolset.ts'
export { createCountersign, CountersignError } from './create-countersign.ts'
export type { Countersign, CountersignOptions, FetchOptions, HttpOptions } from './create-countersign.ts'

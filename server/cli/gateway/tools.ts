// `countersign tools`: what an agent would find behind the gateway, and the changes of it that wait for an operator.
import { call as callTool } from '../../rail/call.ts'
import type { Composed } from '../../compose/compose.ts'
import { leftOutWords } from '../../compose/gateway/left-out.ts'
import { profileWords } from '../../compose/profiles/profile-words.ts'
import { operatorText, riskWordsOf, waitingChanges, type UpstreamTool } from '../../compose/settings/gateway-files.ts'
import type { DefinitionChange } from '../../operators/contract-views.ts'
import { localPrincipal } from '../../mcp/local-principal.ts'
import { saysYes, withTerminal, type Terminal } from '../terminal/ask.ts'
import { gatewayIn, openGateway } from './gateway-serve.ts'
import { asOperator, beginHere, type Records } from '../operators/operator.ts'
import type { OutputOptions } from '../config-options.ts'
import { columns, exit, print, printedAs, say, trouble } from '../terminal/output.ts'

export interface ToolsOptions extends OutputOptions {
  readonly config: string
  readonly db?: string
}

/** Opens the gateway with every server started, lets the work look at it, and closes it again. */
async function withGateway(options: ToolsOptions, work: (composed: Composed) => Promise<number>): Promise<number> {
  const found = await gatewayIn(options, exit.refused)
  if (typeof found === 'number') return found
  const composed = await openGateway(found.config, 'gateway', { ...options, patienceMs: 60_000 })
  if (typeof composed === 'number') return composed
  try {
    await composed.gateway?.pool.startAll()
    await composed.gateway?.refresh()
    for (const upstream of composed.gateway?.pool.upstreams ?? []) {
      const state = upstream.state()
      if (state.kind !== 'ready') say.error(`${upstream.name} is ${state.kind}: ${operatorText(state)}`)
    }
    for (const name of found.config.disabled) say.line(`${name} is switched off`)
    return await work(composed)
  } finally {
    await composed.close()
  }
}

const summaryOf = (tool: UpstreamTool) => ({
  name: tool.name,
  call_with: tool.callWith,
  risk: tool.assessed.risk,
  held: tool.held !== undefined,
  findings: tool.findings,
  /** That rates it; `null`: the general rules do. */
  profile: tool.profile === undefined ? null : (tool.known?.profile.name ?? null),
})

/** Every tool, with its risk and its door. */
export const listTools = (options: ToolsOptions): Promise<number> =>
  withGateway(options, async ({ gateway }) => {
    const tools = gateway?.tools() ?? []
    if (await printedAs(options.output, tools.map(summaryOf))) return exit.ok
    print(columns(tools.map((tool) => [tool.name, riskWordsOf(tool), tool.callWith, marksOf(tool)])))
    say.line(`${tools.length} tools`)
    const all = [...tools, ...(gateway?.forbidden() ?? [])]
    for (const upstream of gateway?.pool.upstreams ?? [])
      for (const words of [...leftOutWords(upstream), ...profileWords(all, upstream)])
        say.line(`${upstream.name}: ${words}`)
    return exit.ok
  })

const marksOf = (tool: UpstreamTool): string =>
  [
    ...(tool.held === undefined ? [] : ['changed, waits for review']),
    ...(tool.findings.length === 0 ? [] : ['suspicious description']),
  ].join(', ')

/** One tool with everything that is known of it. */
export const showTool = (name: string, options: ToolsOptions): Promise<number> =>
  withGateway(options, async ({ gateway }) => {
    const tool = gateway?.tools().find((each) => each.name === name)
    if (tool === undefined)
      return trouble(
        { message: `There is no tool ${name}.`, next: '`countersign tools list` has them all.' },
        exit.refused,
      )
    const { definition, assessed, upstream } = tool
    const whole = {
      ...summaryOf(tool),
      reasons: assessed.reasons,
      server: upstream.identity() ?? null,
      digest: tool.digest,
      dry_run: tool.dryRun ?? null,
      definition: definition.raw,
    }
    if (await printedAs(options.output, whole)) return exit.ok
    const identity = upstream.identity()
    print(tool.name)
    print(`  server       ${identity === undefined ? 'not connected' : `${identity.name} ${identity.version}`}`)
    print(`  call with    ${tool.callWith}`)
    print(
      `  profile      ${tool.profile === undefined ? 'none' : `${tool.known?.profile.name ?? ''}, found by ${tool.known?.by ?? ''}`}`,
    )
    print(`  risk         ${riskWordsOf(tool)}: ${assessed.reasons.join(' ')}`)
    print(`  annotations  ${JSON.stringify(definition.annotations ?? null)}`)
    if (tool.dryRun !== undefined) print(`  dry run      ${tool.dryRun.parameter}=${JSON.stringify(tool.dryRun.value)}`)
    for (const { pointer, text } of tool.findings) print(`  suspicious   ${pointer}: ${text}`)
    print(`\n${definition.description ?? '(no description)'}\n`)
    print(JSON.stringify(definition.inputSchema, null, 2))
    if (tool.held !== undefined) print(`\nChanged since it was accepted, and held back:\n${tool.held.diff}`)
    return exit.ok
  })

/** What `retrieve_tools` answers an agent. */
export const searchTools = (
  query: string,
  options: ToolsOptions & { readonly limit?: number; readonly as: string },
): Promise<number> =>
  withGateway(options, async ({ parts }) => {
    const answer = await callTool(parts.engine, {
      tool: 'retrieve_tools',
      args: {
        query,
        rationale: 'Searched for by a person at the terminal.',
        ...(options.limit === undefined ? {} : { limit: options.limit }),
      },
      caller: {
        principal: localPrincipal(options.as),
        permissions: 'all',
        client: 'terminal',
        cards: 'no',
        trusted: false,
      },
      signal: new AbortController().signal,
      source: 'cli',
    })
    if (answer.outcome !== 'ok') return trouble({ message: answer.text, next: '' }, exit.refused)
    const found = answer.result as {
      readonly tools: readonly { readonly name: string; readonly score: number; readonly call_with: string }[]
      readonly hint?: string
    }
    if (!(await printedAs(options.output, found)))
      for (const { name, score, call_with: door } of found.tools) print(`${score.toFixed(3)}  ${name}  ${door}`)
    if (found.hint !== undefined) say.line(found.hint)
    return exit.ok
  })

interface ReviewOptions {
  readonly db?: string
  readonly accept?: readonly string[]
  /** The name for the record. */
  readonly by?: string
}

/** Shows each definition that has changed, and accepts those that a person says yes to. Starts no server. */
export const reviewTools = (options: ReviewOptions): Promise<number> =>
  asOperator(options, async (records) => {
    const waiting = await waitingChanges(records)
    const wanted = options.accept ?? []
    const unknown = wanted.filter((name) => !waiting.some((change) => change.name === name))
    if (unknown.length > 0)
      return trouble(
        {
          message: `No change of ${unknown.join(', ')} waits.`,
          next: '`countersign tools review` shows those that do.',
        },
        exit.refused,
      )
    if (waiting.length === 0) say.line('No changed definition waits.')
    return withTerminal(wanted.length === 0, async (terminal) => {
      let well = true
      const accept = (change: DefinitionChange) => acceptChange(records, change, options.by)
      for (const change of waiting) well = (await review(change, wanted, terminal, accept)) && well
      return well ? exit.ok : exit.refused
    })
  })

/** Answers whether it went as was asked. */
async function review(
  change: DefinitionChange,
  wanted: readonly string[],
  terminal: Terminal | undefined,
  accept: (change: DefinitionChange) => Promise<boolean>,
): Promise<boolean> {
  if (wanted.length > 0 && !wanted.includes(change.name)) return true
  print(`${change.name}\n${change.diff}\n`)
  const yes = wanted.length > 0 || saysYes(await terminal?.ask(`Accept this change of ${change.name}? [y/N] `))
  if (!yes) {
    say.line(`${change.name} is still held back. --accept ${change.name} accepts it.`)
    return true
  }
  const accepted = await accept(change)
  say.line(
    accepted ? `accepted ${change.name}` : `${change.name} has changed again in the meantime; review it once more.`,
  )
  return accepted
}

/** Written down first, as at the web door. */
async function acceptChange(records: Records, change: DefinitionChange, by: string | undefined): Promise<boolean> {
  const { server, tool, digest } = change
  const end = await beginHere(records, 'definition.accepted', { by }, { server, tool, digest })
  const done = await records.pins.accept(server, tool, digest)
  await end({ done })
  return done
}

// A Countersign server for one chat, through its real door: what the model is told and given is what any client gets.
import { randomBytes } from 'node:crypto'
import { compose, type Composed } from '../../compose/compose.ts'
import { noteServer } from '../../compose/opened-servers.ts'
import { gatewaySchema, remoteServerSchema } from '../../gateway/upstream/settings/upstream-config.schema.ts'
import { connect, type TestClient } from '../../testing/client.ts'
import { startOtherServer } from './other-server.ts'
import { evaluationTools } from './tools.ts'

/** `own`: tools of its own. `reference`: the same, with messages that name the plan. `gateway`: in front of another server. */
export type StageKind = 'own' | 'reference' | 'gateway'

export interface Stage {
  readonly client: TestClient
  /** What the server tells agents at `initialize`. */
  readonly instructions: string
  close(): Promise<void>
}

/** Opens one. */
export async function openStage(kind: StageKind): Promise<Stage> {
  const other = kind === 'gateway' ? await startOtherServer() : undefined
  let composed: Composed | undefined
  const close = async (): Promise<void> => {
    await composed?.close()
    await other?.close()
  }
  try {
    const opened = await compose({
      file: ':memory:',
      secret: randomBytes(32).toString('hex'),
      name: 'evaluation',
      // A person's language must not decide what a model is told.
      languages: ['en'],
      logLevel: 'fatal',
      ...(other === undefined ? { tools: evaluationTools() } : { gateway: gatewayTo(other.url) }),
      ...(kind === 'reference' ? { settings: { apply: 'reference' } } : {}),
    })
    if (!opened.ok) throw new Error(`${opened.failure.message} ${opened.failure.next}`)
    const served = (composed = opened.value)
    const server = { instructions: '', stdio: () => Promise.resolve(), close: () => served.close() }
    noteServer(server, {
      open: () => Promise.resolve(served),
      isOpen: () => true,
      principal: { tenant: 'default', subject: 'evaluation' },
      trusted: true,
    })
    const client = await connect(server)
    return {
      client,
      instructions: client.mcp.getInstructions() ?? '',
      close: async () => {
        await client.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

const gatewayTo = (url: string) => ({
  mode: 'gateway' as const,
  config: {
    confirmation: 'rail' as const,
    intent: gatewaySchema.shape.intent_declaration.parse({}),
    servers: { wiki: remoteServerSchema.parse({ type: 'http', url }) },
    disabled: [],
  },
})

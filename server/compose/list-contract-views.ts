// What operators read of tools comes from three places: our own contracts (the forbidden ones too, which the catalogue
// keeps from agents), other people's tools as they are now, and the pins on which both rest. They are joined here.
import { byName } from './gateway/gateway-catalog.ts'
import type { Gateway } from './gateway/gateway.ts'
import { leftOutTools } from './gateway/left-out.ts'
import { loginKeyOf, loginState } from './gateway/logins.ts'
import {
  contractView,
  type ContractView,
  type ContractViews,
  type ServerView,
  type UpstreamView,
} from '../operators/contract-views.ts'
import { statusText } from '../gateway/upstream/status.ts'
import type { Upstream } from '../gateway/upstream/upstream.ts'
import type { UpstreamTool } from '../gateway/contract/upstream-contracts.ts'
import { waitingChanges } from './settings/gateway-files.ts'
import type { Store } from '../store/store.ts'
import { createCatalog, toTool, type Catalog } from '../tools/catalog.ts'
import type { Contract } from '../tools/contract.ts'
import type { Confirmation } from '../tools/rail-words.ts'

interface ContractViewsParts {
  /** Our own contracts, forbidden ones among them. */
  readonly own: readonly Contract[]
  /** What agents discover. */
  readonly catalog: Catalog
  readonly gateway: Pick<Gateway, 'pool' | 'tools' | 'forbidden' | 'refresh'> | undefined
  readonly store: Pick<Store, 'pins' | 'logins' | 'now'>
  /** Says who asks the person. */
  readonly settings: { readonly confirmation: Confirmation }
}

/** All tools of a server, for its operators. */
export function createContractViews({ own, catalog, gateway, store, settings }: ContractViewsParts): ContractViews {
  const { confirmation } = settings
  const { pins } = store
  const ours = createCatalog(own, confirmation)
  const names = own.map((contract) => contract.wire ?? contract.name.replace('.', '_'))
  const views = new WeakMap<object, ContractView>()
  const once = (key: object, make: () => ContractView): ContractView => {
    const known = views.get(key) ?? make()
    views.set(key, known)
    return known
  }
  const contracts = (): readonly ContractView[] => {
    // What is known of an upstream changes while its contract stays, so only ours are kept.
    const theirs = [...(gateway?.tools() ?? []), ...(gateway?.forbidden() ?? [])].map((tool) => {
      const contract = byName(tool)
      return contractView(toTool(contract, contract.wire, confirmation), upstreamView(tool))
    })
    const taken = new Set([...names, ...theirs.map(({ wire_name: name }) => name)])
    const found = names.flatMap((name) => ours.find(name) ?? [])
    const added = catalog.tools.filter(({ wireName }) => !taken.has(wireName))
    return [...[...found, ...added].map((tool) => once(tool, () => contractView(tool))), ...theirs]
  }
  return {
    contracts,
    servers: () => Promise.all((gateway?.pool.upstreams ?? []).map((upstream) => serverView(upstream, store))),
    changes: () => waitingChanges({ pins }),
    accept: async (server, tool, digest) => {
      const accepted = await pins.accept(server, tool, digest)
      // Here at once; other processes look for it themselves.
      if (accepted) await gateway?.refresh()
      return accepted
    },
  }
}

async function serverView(upstream: Upstream, { logins, now }: Pick<Store, 'logins' | 'now'>): Promise<ServerView> {
  const { name, config } = upstream
  const login = 'url' in config ? await logins.find(loginKeyOf(name, config)) : undefined
  const until = login?.tokens?.expiresAt
  return {
    name,
    standing: statusText(upstream.state(), now()),
    ready: upstream.state().kind === 'ready',
    left_out: [...leftOutTools(upstream)].map(([setting, tools]) => ({ setting, tools })),
    login:
      login === undefined
        ? null
        : {
            issuer: login.issuer,
            client: login.client.id,
            scopes: login.scope ?? null,
            since: new Date(login.at).toISOString(),
            lasts: loginState(login),
            token_until: until === undefined ? null : new Date(until).toISOString(),
          },
  }
}

function upstreamView({
  upstream,
  definition,
  digest,
  held,
  findings,
  assessed,
  dryRun,
  callWith,
  known,
  profile,
}: UpstreamTool): UpstreamView {
  return {
    server: upstream.name,
    identity: upstream.identity() ?? null,
    profile: profile === undefined ? null : (known?.profile.name ?? null),
    state: upstream.state().kind,
    tool: definition.name,
    call_with: callWith,
    annotations: definition.annotations === undefined ? null : { ...definition.annotations },
    digest,
    held: held !== undefined,
    findings,
    reasons: assessed.reasons,
    dry_run: dryRun ?? null,
  }
}

// What a server needs to answer calls, whatever its door. `create-countersign.ts` loads it with the first one that is opened.
import { warnOfIdleRules } from './compose/settings/check-tool-rules.ts'
import { composeOptionsOf } from './compose/settings/config.ts'
import { operatorOptions, operatorVariables } from './compose/settings/operator-options.ts'
import { compose, type Composed } from './compose/compose.ts'
import type { ComposeFailure } from './compose/records/open-records.ts'
import type { Config } from './config/file.ts'
import type { CountersignOptions } from './create-countersign.ts'
import type { Result } from './errors/result.ts'
import type { Offer } from './mcp/offer.ts'
import type { EngineSettings } from './rail/engine.ts'

/** A program that sets the proof of one risk leaves the others as the file has them. */
const proofOf = (
  ...from: readonly (Partial<EngineSettings> | undefined)[]
): Pick<EngineSettings, 'proof'> | undefined =>
  from[1]?.proof === undefined || from[0]?.proof === undefined
    ? undefined
    : { proof: { ...from[0].proof, ...from[1].proof } }

/** Opens the database, and joins a program's tools with what its settings say. */
export async function openServer(
  options: CountersignOptions,
  settings: Config,
  offer: Offer,
): Promise<Result<Composed, ComposeFailure>> {
  const config = composeOptionsOf(settings.server)
  const composed = await compose({
    ...options,
    ...config,
    offer,
    operatorOptions: operatorOptions(settings),
    operatorVariables: operatorVariables(settings),
    activity: options.activity ?? config.activity,
    settings: { ...config.settings, ...options.settings, ...proofOf(config.settings, options.settings) },
  })
  if (composed.ok) warnOfIdleRules(settings.server, composed.value)
  return composed
}

// A bundle is in one language, as every card: in one that the tools of all its steps speak.
import type { WriteCall } from '../call-context.ts'
import { usual, wantedLanguages } from '../language.ts'
import type { BundleInput } from './bundle-contract.ts'
import { ownPlan } from './bundle-members.ts'

/** Of the languages that all steps speak the one that the reader wants most; English where they have none in common. */
export async function languageOfSteps(call: WriteCall, plans: BundleInput['plans']): Promise<string> {
  const { engine, request } = call
  const spoken = await Promise.all(
    plans.map(async (entry) => {
      const name = typeof entry === 'string' ? (await ownPlan(call, entry))?.tool : entry.tool
      if (name === undefined) return usual
      await engine.catalog.arrivalOf?.(name)?.wait(name, request.signal)
      return engine.catalog.find(name)?.contract.languages ?? usual
    }),
  )
  const common = spoken.reduce((all, languages) => all.filter((each) => languages.includes(each)))
  return [...wantedLanguages(call), 'en', ...common].find((language) => common.includes(language)) ?? 'en'
}

// What there is to program with: the same words as in the descriptions, as data.
import { z } from 'zod'
import type { RuntimeInfo, Sandbox } from '../../sandbox/sandbox.ts'
import type { Contract } from '../../tools/contract.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { language } from './shapes.ts'
import { descriptionOf, languageWords, sessionTree, type DescriptionLength } from './descriptions.ts'

const cost = z.strictObject({ fuel: z.int(), ms: z.number() })

/** `list_runtimes`, `list_available_packages`. */
export const runtimeTools = (sandbox: Sandbox, length: DescriptionLength): readonly Contract[] => [
  defineTool({
    name: 'list.runtimes',
    title: 'List runtimes',
    description: descriptionOf(
      length,
      'Lists the languages that programs may be written in, with versions, limits, patterns and pitfalls.',
    ),
    category: 'sandbox',
    operation: 'read',
    risk: 'low',
    input: z.strictObject({}),
    output: z.strictObject({
      runtimes: z.array(
        z.strictObject({
          language,
          available: z.boolean(),
          missing: z.string().optional(),
          engine: z.string(),
          version: z.string(),
          fuel_model: z.string(),
          fuel_digests: z.strictObject({ binary: z.string(), metered: z.string().optional() }),
          limits: z.record(z.string(), z.number()),
          patterns: z.array(z.string()),
          pitfalls: z.array(z.string()),
        }),
      ),
      sessions: z.array(z.string()),
    }),
    failures: {},
    run: () => ({
      runtimes: sandbox.runtimes().map((runtime) => ({
        language: runtime.language,
        available: runtime.available,
        ...(runtime.missing === undefined ? {} : { missing: runtime.missing }),
        engine: runtime.engine,
        version: runtime.version,
        fuel_model: runtime.fuelModel,
        fuel_digests: digestsOf(runtime),
        limits: inSnakeCase(runtime.limits),
        patterns: [...languageWords[runtime.language].patterns],
        pitfalls: [...languageWords[runtime.language].pitfalls],
      })),
      sessions: [...sessionTree],
    }),
  }),
  defineTool({
    name: 'list.available_packages',
    title: 'List packages',
    description: descriptionOf(
      length,
      'Lists the packages beside the standard library, with what the first and each further import of a session uses.',
    ),
    category: 'sandbox',
    operation: 'read',
    risk: 'low',
    input: z.strictObject({ language: language.optional() }),
    output: z.strictObject({
      packages: z.array(
        z.strictObject({
          language,
          name: z.string(),
          version: z.string(),
          licence: z.string(),
          modules: z.array(z.string()),
          first_import: cost,
          next_import: cost,
          note: z.string().optional(),
        }),
      ),
    }),
    failures: {},
    run: (given) => ({
      packages: sandbox
        .packages()
        .filter((each) => given.language === undefined || each.language === given.language)
        .map(({ firstImport, nextImport, modules, note, ...rest }) => ({
          ...rest,
          modules: [...modules],
          first_import: firstImport,
          next_import: nextImport,
          ...(note === undefined ? {} : { note }),
        })),
    }),
  }),
]

const digestsOf = ({ digests: { binary, metered } }: RuntimeInfo) => ({
  binary,
  ...(metered === undefined ? {} : { metered }),
})

const inSnakeCase = (limits: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as number,
    ]),
  )

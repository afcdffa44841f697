// The look of cards, as an operator writes it: what cannot be read, or would mean something else, is refused with the reason.
import { z } from 'zod'
import { cardLimits } from '../cards/limits.ts'
import { pictureFacts, pictureRule } from '../cards/picture-facts.ts'
import { accentProblem, hexColour, lighter, type CardTheme } from '../cards/theme.ts'
import { kindOf } from '../errors/kind-of.ts'
import { nearest } from '../errors/nearest.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import type { Override } from './variables.ts'

const accent = (ground: 'light' | 'dark') =>
  z
    .string()
    .regex(hexColour, 'must be a colour like "#0b6e4f"')
    .superRefine((colour, ctx) => {
      const problem = hexColour.test(colour) ? accentProblem(colour, ground) : undefined
      if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem })
    })

/** What is no picture is told as that. */
function hasSide(address: string): boolean {
  const { width, height } = pictureFacts(address) ?? { width: 1, height: 1 }
  return [width, height].every((side) => side >= 1 && side <= cardLimits.pictureSide)
}

const logo = z
  .string()
  .max(cardLimits.icon, `must be at most ${cardLimits.icon} characters long; make the picture smaller`)
  .refine((address) => address.length > cardLimits.icon || pictureFacts(address) !== undefined, pictureRule)
  .refine(hasSide, {
    // Written when it is needed: Node loads its languages for the first number, which takes a start 50 ms.
    error: () => `must have 1 to ${cardLimits.pictureSide.toLocaleString('en')} pixels on either side`,
  })

export const themeSchema = z
  .strictObject({
    accent: accent('light')
      .optional()
      .describe('Colour of the button that confirms, on light grounds: "#0b6e4f". White text stands on it.'),
    accent_dark: accent('dark')
      .optional()
      .describe('The same on dark grounds, with nearly black text. A lighter `accent` when absent.'),
    radius: z
      .int()
      .min(0)
      .max(16)
      .optional()
      .describe('Corners of cards, in pixels; buttons have three fifths of it. As the host has them when absent.'),
    logo: logo
      .optional()
      .describe(
        'At the head of each card: a `data:` address of a PNG, a JPEG, a WebP or a GIF that does not move, of at most 16,000 characters.',
      ),
    logo_dark: logo.optional().describe('The same for dark grounds. `logo` on white when absent.'),
  })
  .superRefine((theme, ctx) => {
    if (theme.logo_dark !== undefined && theme.logo === undefined)
      ctx.addIssue({ code: 'custom', path: ['logo_dark'], message: 'needs a `logo`, for light grounds' })
    if (theme.accent === undefined || theme.accent_dark !== undefined || !hexColour.test(theme.accent)) return
    const made = lighter(theme.accent)
    const problem = accentProblem(made, 'dark')
    if (problem !== undefined)
      ctx.addIssue({ code: 'custom', path: ['accent_dark'], message: `is ${made}, made of \`accent\`, and ${problem}` })
  })

/** The parts of a theme as programs call them, with their names in the settings file, where their values are judged. */
const settingOf = {
  accent: 'accent',
  accentDark: 'accent_dark',
  radius: 'radius',
  logo: 'logo',
  logoDark: 'logo_dark',
} as const satisfies Readonly<Record<keyof CardTheme, keyof z.infer<typeof themeSchema>>>
const parts = Object.keys(settingOf)

const optionSchema = z.looseObject({})

/** The option `theme` of a program, which may be written in plain JavaScript: each of its parts over that of the file. */
export function themeSaid(theme: unknown = {}): Result<readonly Override[], { message: string; next: string }> {
  const given = optionSchema.safeParse(theme)
  if (!given.success)
    return fail({
      message: `The option theme must be an object, and is ${kindOf(theme)}.`,
      next: `Give it as { ${parts.join(', ')} }, each of which may be left out.`,
    })
  const said: Override[] = []
  for (const [name, value] of Object.entries(given.data)) {
    const source = `The option theme.${name}`
    if (!isPart(name)) {
      const [near] = nearest(name, parts)
      const next = near === undefined ? `Known are ${parts.join(', ')}.` : `Did you mean "${near}"?`
      return fail({ message: `${source} is unknown.`, next })
    }
    said.push({ path: ['theme', settingOf[name]], value, source })
  }
  return ok(said)
}

const isPart = (name: string): name is keyof typeof settingOf => Object.hasOwn(settingOf, name)

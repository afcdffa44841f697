// `templates.update`: mails that are written from it later read otherwise, so the change is signed line by line, with a
// mail as it reads now and as it would read.
import { z } from 'zod'
import type { CardBlock, CardChange, CardValue } from '../../../model/card.ts'
import { lineDiff, loadLineDiff } from '../../../gateway/profiles/line-diff.ts'
import { forGood, afterChange } from '../failures.ts'
import { mailTool } from '../mail-tool.ts'
import { textValue } from '../../say.ts'
import { hasEnded } from '../../../tools/has-ended.ts'
import { wordsIn, type MailWords } from '../words.ts'
import { nameTaken, neededInWords, templateFailures, tryTemplate } from './foresee.ts'
import { findTemplate, type StoredTemplate } from './queries.ts'
import { example, exampleName, exampleValues, sampleOf, type Sample } from './samples.ts'
import { updateInput, type TemplateField } from './template-input.ts'
import { readTemplate } from './template.ts'
import type { Values } from './values.ts'
import { sampleBlock, templateOut, templateView } from './views.ts'

const fields = [
  'name',
  'description',
  'subject',
  'body',
  'variables',
  'fallbacks',
] as const satisfies readonly TemplateField[]

/** `templates.update`. */
export const updateTemplate = mailTool({
  name: 'templates.update',
  transactional: true,
  title: 'Change a template',
  noun: 'the change of the template',
  description:
    'Changes a template for mails. Give only what is to change. Mails that are written from it afterwards read otherwise; those that are sent or scheduled stay as they are.',
  category: 'communication',
  operation: 'destructive',
  risk: 'high',
  permissions: ['templates:write'],
  input: updateInput,
  output: z.strictObject({
    template: templateOut,
    /** What the changed fields were: the arguments that take it back. */
    previous: updateInput.omit({ templateId: true }),
  }),
  failures: {
    ...templateFailures,
    unknown_template: afterChange('Look the template up with templates_list and use its id.'),
    nothing_to_change: forGood('The template already is as asked; tell the person so instead of calling again.'),
  },
  sideEffects: [
    { what: 'Fields of the template are overwritten', onRepeat: 'Nothing more: the template already is as asked' },
  ],
  raced: ['name_taken'],
  async foresee(db, { templateId, ...asked }, ctx) {
    const now = await findTemplate(db, ctx, templateId)
    if (hasEnded(now)) return now
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
    const next: StoredTemplate = { ...now, ...given }
    const changed = fields.filter((field) => inWords(now[field]) !== inWords(next[field]))
    if (changed.length === 0) return ctx.fail('nothing_to_change', `Nothing of “${now.name}” would change.`)
    const taken = await nameTaken(db, ctx, next.name, now.id)
    if (taken !== undefined) return taken
    const tried = await tryTemplate(ctx, next)
    if (hasEnded(tried)) return tried
    const earlier = await readTemplate(now)
    const before: Sample =
      'render' in earlier
        ? await sampleOf(earlier, example, exampleValues(now))
        : { problem: earlier.map(({ problem }) => problem).join(' ') }
    await loadLineDiff()
    return {
      ...tried,
      now,
      next,
      changed,
      before,
      seen: [{ table: 'mail_templates' as const, key: now.id, version: now.version, moves: true }],
    }
  },
  describe({ now, next, changed, before, sample, needed }, _input, { language }) {
    const words = wordsIn(language)
    const { template } = words
    const what = words.listed(changed.map((field) => template.spoken[field]))
    return {
      title: template.change(now.name),
      subtitle: what,
      summary: template.changeSummary(what, now.name),
      blocks: [
        ...(['subject', 'body'] as const).flatMap((field) =>
          changed.includes(field) ? changedLines(template.fields[field], now[field], next[field], words) : [],
        ),
        sampleBlock(template.readsNow(exampleName), before, words),
        sampleBlock(template.readsThen, sample, words),
      ],
      changes: [
        ...(['name', 'description', 'variables'] as const)
          .filter((field) => changed.includes(field))
          .map((field) => ({
            pointer: `/${field}`,
            label: template.fields[field],
            before: shown(inWords(now[field])),
            after: shown(inWords(next[field])),
          })),
        ...changedWords(now.fallbacks, next.fallbacks, words),
      ],
      effects: [template.readOtherwise, template.othersStay],
      warnings: neededInWords(needed, words),
      confirmLabel: template.changeConfirm,
      details: { changed, sampleBefore: before, sample, variablesWithoutFallback: needed },
    }
  },
  async carryOut(transaction, { now, next, changed }, _input, ctx) {
    const updatedAt = new Date(ctx.now()).toISOString()
    await transaction
      .updateTable('mail_templates')
      .set({
        name: next.name,
        description: next.description,
        subject: next.subject,
        body: next.body,
        variables: JSON.stringify(next.variables),
        fallbacks: JSON.stringify(next.fallbacks),
        updated_at: updatedAt,
      })
      .where('id', '=', now.id)
      .execute()
    return {
      template: templateView({ ...next, updatedAt, version: now.version + 1 }),
      previous: Object.fromEntries(changed.map((field) => [field, now[field]])),
    }
  },
  undo: (_input, { template, previous }, { language }) => ({
    tool: 'templates_update',
    arguments: { templateId: template.templateId, ...previous },
    label: wordsIn(language).template.changeBack(template.name),
  }),
  cards: {
    success(_input, { template, previous }, { language }) {
      const words = wordsIn(language)
      const changed = fields.filter((field) => previous[field] !== undefined)
      return {
        title: words.template.changed(template.name),
        subtitle: words.listed(changed.map((field) => words.template.done[field])),
      }
    },
  },
})

/** A value of a field, the same for the same: names in their order, fallbacks by name. */
function inWords(value: StoredTemplate[TemplateField]): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.join(', ')
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, word]) => `${name}: ${word}`)
    .join('\n')
}

const shown = (text = ''): CardValue => (text === '' ? { kind: 'unset' } : textValue(text))

/** What stands where a value is not known, by variable. */
const changedWords = (before: Values, after: Values, { template }: MailWords): readonly CardChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      pointer: `/fallbacks/${name}`,
      label: template.without(name),
      before: shown(before[name]),
      after: shown(after[name]),
    }))

function changedLines(label: string, before: string, after: string, { template }: MailWords): readonly CardBlock[] {
  const diff = lineDiff(`${before}\n`, `${after}\n`)
  return diff === undefined
    ? [
        { kind: 'code', label: template.now(label), text: before },
        { kind: 'code', label: template.afterwards(label), text: after },
      ]
    : [{ kind: 'code', label, language: 'diff', text: diff }]
}

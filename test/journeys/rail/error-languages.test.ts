// What a person reads who has signed a card in Arabic, and whose call then fails: the whole card is in Arabic, and the agent reads
// what it reads in every language.
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { packedWords } from '../../../server/cards/card-words.ts'
import { wordsMetaKey } from '../../../server/tools/names.ts'
import { saidOn } from '../../kit/languages.ts'
import { confirm, overHttp, type Agent, type Reply } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { demoHere } from '../in-process.ts'

interface Reader {
  readonly agent: Agent
  /** Ends the time of every preview. */
  readonly expire: () => void
}

async function reading(language: string): Promise<Reader> {
  const path = freshDatabase()
  const { mcp } = await demoHere(path)
  return {
    agent: await overHttp(mcp, { headers: { 'accept-language': language } }),
    expire: () => {
      const file = new DatabaseSync(path)
      file.exec('UPDATE countersign_plans SET expires_at = 1')
      file.close()
    },
  }
}

const order = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }] }

/** The card of an error, and what the agent reads of it: with ids that chance has made taken out. */
const told = ({ card, raw, data, text }: Reply) => ({
  card,
  words: raw._meta?.[wordsMetaKey],
  agent: JSON.stringify([text, data]).replaceAll(/pl_\w+/g, 'id'),
})

async function failures({ agent, expire }: Reader) {
  const unknown = told(await agent.call('orders_create', { ...order, customer: 'ACMEE' }))
  const shown = await agent.call('orders_create', order)
  expire()
  return { unknown, expired: told(await confirm(agent, shown)) }
}

/** Latin letters that are not part of a quotation, an argument or a name. */
const latin = (text: string): readonly string[] =>
  text.replaceAll(/«[^»]*»|\/\w+|ACMEE?|orders_create/g, ' ').match(/[A-Za-z]+/g) ?? []

test('an expired plan and a failure that the order desk declares are told in Arabic, and to the agent as ever', async () => {
  const [own, english] = [await failures(await reading('ar')), await failures(await reading('en'))]
  for (const [which, { card, words, agent }] of Object.entries(own)) {
    expect(card).toMatchObject({ kind: 'error', language: 'ar', subtitle: 'لم يتغيّر شيء' })
    expect(words).toBe(packedWords('ar'))
    expect([...saidOn(card).values()].flatMap(latin)).toStrictEqual([])
    expect(agent).toBe(english[which as keyof typeof english].agent)
  }
  expect(own.unknown.card).toMatchObject({
    title: 'orders_create: لم يُنفَّذ',
    blocks: [
      { kind: 'alert', severity: 'danger', title: 'لا يوجد عميل بهذا الاسم.' },
      {
        kind: 'fields',
        fields: [
          {
            label: 'الرد',
            value: { kind: 'text', text: "«Customer 'ACMEE' does not exist. Did you mean ACME?»" },
          },
        ],
      },
      { kind: 'fields' },
    ],
  })
  expect(own.expired.card?.title).toMatch(/ACME: لم يُنفَّذ$/)
  expect(own.expired.card?.blocks).toStrictEqual([
    { kind: 'alert', severity: 'danger', title: 'انتهت مدة هذه المعاينة قبل تطبيقها. اطلب معاينة جديدة.' },
  ])
})

// Two who take one name at once: one of them gets it, and the other is told so.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { place } from '../../../store/store-fixture.ts'
import { failed, openDesk } from '../mail-fixture.ts'

const nowhere = { url: 'smtp://127.0.0.1:9' }

test.each([
  ['templates.create', { name: 'News', subject: 'News', body: 'Hello.' }, 'name_taken'],
  ['segments.create', { name: 'News', conditions: [] }, 'name_taken'],
  ['contacts.create', { address: 'bea@other.example' }, 'contact_exists'],
] as const)(
  '%s: the slower one hears that it is taken, and not only that something has changed',
  async (tool, input, code) => {
    const file = join(place(), 'mail.db')
    const desks = [await openDesk(nowhere, { file }), await openDesk(nowhere, { file })]
    const bases = await Promise.all(desks.map((desk) => desk.basis(tool, input)))
    const answers = await Promise.all(desks.map((desk, at) => desk.run(tool, input, bases[at] as string)))
    const refused = answers.filter((answer) => typeof answer === 'object' && answer !== null && 'kind' in answer)
    expect(refused).toHaveLength(1)
    expect(failed(refused[0])).toMatchObject({ code, message: expect.stringMatching(/already|is there/) })
  },
)

// What the tutorial has its reader do, and what its server must then do for a client: the same for a project that is put together
// here and for one that npm has installed.
import { expect } from 'vitest'
import { buttonText, confirm, type Agent } from '../agent.ts'
import { codeBlocks, type CodeBlock } from './code-blocks.ts'

const page = 'docs/guides/tutorial.md'

/** Its blocks of code, in the order in which they are followed. */
export const tutorialBlocks = (await codeBlocks()).filter((block) => block.page === page)

/** The name of the file that a block is, if it is one. */
export const fileOf = ({ mark }: CodeBlock): string | undefined => (mark?.[0] === 'file' ? mark[1] : undefined)

/** The server after the first half of the page. */
export async function passesBookings(agent: Agent): Promise<void> {
  const asked = { room: 'Library', day: '2026-12-01' }
  const [late, first] = [
    await agent.call('rooms_book', { ...asked, name: 'Grace' }),
    await agent.call('rooms_book', { ...asked, name: 'Edsger' }),
  ]
  expect(first.data).toMatchObject({ status: 'previewed', changes: [{ pointer: '/name' }] })
  expect((await agent.call('rooms_list')).data).toMatchObject({ bookings: [{ name: 'Ada' }] })
  expect((await confirm(agent, first)).data).toMatchObject({ status: 'applied' })
  expect((await confirm(agent, late)).status).toBe('stale')
  expect((await agent.call('rooms_list')).data).toMatchObject({ bookings: [{ name: 'Edsger' }] })
}

/** The server after all of it. */
export async function refusesTakenRooms(agent: Agent): Promise<void> {
  const taken = await agent.call('rooms_book', { room: 'Library', day: '2026-12-01', name: 'Grace' })
  expect(taken.data).toMatchObject({ status: 'failed', error: { code: 'taken' } })
  expect(taken.text).toContain('Take the other room')
  const booked = await confirm(
    agent,
    await agent.call('rooms_book', { room: 'Studio', day: '2026-12-03', name: 'Ada' }),
  )
  expect(buttonText(booked, 'other')).toContain('rooms_release(room="Studio", day="2026-12-03"')
  const released = await agent.call('rooms_release', { room: 'Studio', day: '2026-12-03' })
  expect((await confirm(agent, released)).data).toMatchObject({ status: 'applied' })
}

// A server may list thousands of tools, and each commit waits for the disk.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Pin } from '../../../server/model/pins.ts'
import { opened, place } from './store-fixture.ts'

const pinOf = (at: number, digest = 'first'): Pin => ({ server: 'crm', tool: `t${at}`, definition: '{}', digest })
const byTool = (pins: readonly Pin[]): ReadonlyMap<string, Pin> => new Map(pins.map((pin) => [pin.tool, pin]))

test('thousands of pins are written at once, and each of them is replaced as a whole', async () => {
  const { pins } = await opened({ file: join(place(), 'pins.db') })
  const many = Array.from({ length: 1203 }, (_, at) => pinOf(at))
  await pins.put(many)
  expect(byTool(await pins.get('crm'))).toStrictEqual(byTool(many))
  const held: Pin = { ...pinOf(7, 'second'), held: { definition: '{"x":1}', digest: 'third' } }
  await pins.put([held, { ...pinOf(7), server: 'erp' }])
  expect(byTool(await pins.get('crm')).get('t7')).toStrictEqual(held)
  expect(byTool(await pins.get('crm')).get('t8')).toStrictEqual(pinOf(8))
  await pins.put([pinOf(7, 'third')])
  expect(byTool(await pins.get('crm')).get('t7')).toStrictEqual(pinOf(7, 'third'))
  expect(await pins.waiting()).toStrictEqual([])
})

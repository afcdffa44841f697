// Which names and addresses are ours, however they are written.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isReservedAddress, isReservedName, listedNames } from '../../../../server/gateway/call-tools/reserved-names.ts'

test('a name of ours is one in any case and with any joints; others are not', () => {
  for (const name of [
    'apply_plan',
    'Apply-Plan',
    'apply.plan',
    'applyPlan',
    'countersign_plan_confirm',
    'CounterSign/x',
    '\uFF41pply_plan',
    'apply\uFE0F_pl\u200Ban',
  ])
    expect([name, isReservedName(name)]).toEqual([name, true])
  for (const name of ['apply', 'apply_plan_b', 'plan_apply', 'submit_form', 'get_sheet'])
    expect([name, isReservedName(name)]).toEqual([name, false])
})

test('whatever server and tools are called, each is listed, under a tool name of its own that is none of ours', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9_./-]{1,40}$/)
  const reserved = fc.constantFrom('apply_plan', 'submit_feedback', 'get_cheatsheet', 'countersign_plan_cancel')
  const prefixed = fc.tuple(fc.constantFrom('crm', 'server'), reserved).map((words) => words.join('_'))
  const long = fc.constantFrom('a', 'b').map((last) => `countersign_${'x'.repeat(80)}${last}`)
  fc.assert(
    fc.property(
      fc.oneof(name, fc.constantFrom('crm', 'countersign')),
      fc.uniqueArray(fc.oneof(name, reserved, prefixed, long)),
      (server, tools) => {
        const listed = listedNames(server, tools)
        expect([...listed.keys()].toSorted()).toEqual(tools.toSorted())
        expect(new Set(listed.values()).size).toBe(tools.length)
        for (const [tool, under] of listed) {
          expect(isReservedName(under)).toBe(false)
          expect(under).toMatch(/^[A-Za-z0-9_./-]{1,80}$/)
          if (!isReservedName(tool)) expect(under).toBe(tool)
        }
      },
    ),
  )
  expect([...listedNames('crm', ['apply_plan', 'crm_apply_plan']).values()].toSorted()).toEqual([
    'crm_apply_plan',
    'crm_apply_plan_2',
  ])
})

test('an address of ours is one in any case and with anything unseen in it', () => {
  for (const address of [
    'countersign://x',
    'CounterSign://x',
    ' mcp://a/cheatsheet',
    'm\u200Bcp://a',
    'm\uFE0Fcp://a',
    '\uFF4Dcp://a',
    'Ui://countersign/x',
  ])
    expect([address, isReservedAddress(address)]).toEqual([address, true])
  for (const address of ['ui://board/view.html', 'file:///mcp:', 'crm://countersign', 'mcps://x'])
    expect([address, isReservedAddress(address)]).toEqual([address, false])
})

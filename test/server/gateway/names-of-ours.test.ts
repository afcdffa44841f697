// Which names and addresses are ours, however they are written.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAddressOfOurs, isNameOfOurs, listedName } from '../../../server/gateway/names-of-ours.ts'

test('a name of ours is one in any case and with any joints; others are not', () => {
  for (const name of [
    'apply_plan',
    'Apply-Plan',
    'apply.plan',
    'applyPlan',
    'countersign_plan_confirm',
    'CounterSign/x',
  ])
    expect([name, isNameOfOurs(name)]).toEqual([name, true])
  for (const name of ['apply', 'apply_plan_b', 'plan_apply', 'submit_form', 'get_sheet'])
    expect([name, isNameOfOurs(name)]).toEqual([name, false])
})

test('whatever server and tool are called, the listed name is a tool name and none of ours', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9_./-]{1,40}$/)
  const reserved = fc.constantFrom('apply_plan', 'submit_feedback', 'get_cheatsheet', 'countersign_plan_cancel')
  fc.assert(
    fc.property(fc.oneof(name, fc.constant('countersign')), fc.oneof(name, reserved), (server, tool) => {
      const listed = listedName(server, tool)
      expect(isNameOfOurs(listed)).toBe(false)
      expect(listed).toMatch(/^[A-Za-z0-9_./-]{1,80}$/)
      if (!isNameOfOurs(tool)) expect(listed).toBe(tool)
    }),
  )
})

test('an address of ours is one in any case and with anything unseen in it', () => {
  for (const address of [
    'countersign://x',
    'CounterSign://x',
    ' mcp://a/cheatsheet',
    'm\u200Bcp://a',
    'Ui://countersign/x',
  ])
    expect([address, isAddressOfOurs(address)]).toEqual([address, true])
  for (const address of ['ui://board/view.html', 'file:///mcp:', 'crm://countersign', 'mcps://x'])
    expect([address, isAddressOfOurs(address)]).toEqual([address, false])
})

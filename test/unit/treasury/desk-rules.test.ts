// Tests the rules that a desk refuses.
import { expect, test } from 'vitest'
import { pathText } from '../../../core/policies/policy-fault.ts'
import { parseTreasury } from '../../../core/treasury/config.ts'
import { findDeskFaults } from '../../../core/treasury/live-rules.ts'

const approval = { above: '10', twoAbove: '5000', requesterMayApprove: false, approvers: ['ana', 'bob'] }
const core = { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' }, approval, guards: { approval } }
const written = { guards: { approval }, policies: { core }, resumedBy: 'two-people' }
const WAIVED = { splitKeys: 'a test', allowedContacts: 'a test', dailyBounds: 'a test' }

const treasuryOf = (stage: string, more: object = written, waives: object = WAIVED) =>
  parseTreasury(JSON.stringify({ service: { url: 'https://api.example.com', stage }, waives, ...more }))
const placesIn = (faults: ReturnType<typeof findDeskFaults>) => faults.map(({ path }) => pathText(path)).sort()

const FIELDS = ['approvers', 'requesterMayApprove', 'twoAbove']
const ALL = [
  ...['guards.approval', 'policies.core.approval', 'policies.core.guards.approval'].flatMap((rule) =>
    FIELDS.map((field) => `${rule}.${field}`),
  ),
  'resumedBy',
]

test('a desk of the stage live refuses each rule that counts or chooses people, wherever it stands', () => {
  expect(placesIn(findDeskFaults(treasuryOf('live')))).toEqual(ALL)
  const brought = treasuryOf('live').policies.core
  const own = treasuryOf('live', { resumedBy: 'another-role' })
  expect(placesIn(findDeskFaults(own, brought))).toEqual([
    ...['policy.approval', 'policy.guards.approval'].flatMap((rule) => FIELDS.map((field) => `${rule}.${field}`)),
    'resumedBy',
  ])
})

test('a desk accepts rules about people in the stage test, with the waiver, and if any one person may decide', () => {
  expect(findDeskFaults(treasuryOf('test'))).toEqual([])
  const waives = { ...WAIVED, verifiedPeople: 'one person has this desk' }
  expect(findDeskFaults(treasuryOf('live', written, waives))).toEqual([])
  const one = { ...core, approval: { above: '10', requesterMayApprove: true }, guards: {} }
  const resumedBy = { ...WAIVED, resumedBy: 'one person has this desk' }
  expect(findDeskFaults(treasuryOf('live', { policies: { core: one } }, resumedBy))).toEqual([])
})

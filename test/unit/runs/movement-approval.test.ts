// `guards.approval`: a movement under a rule is sent only if people have approved exactly its terms. A leg of a run may
// also be sent on the approval of its plan, if that satisfies the rule too.
import { describe, expect, test } from 'vitest'
import { Refused } from '../../../core/errors.ts'
import type { TouchedRule } from '../../../core/guards/approval-rules.ts'
import { decideApproval } from '../../../core/runs/approval/decision.ts'
import { createDecisions } from '../../../core/runs/approval/decisions.ts'
import { createMovementApprovals } from '../../../core/runs/approval/decisions-on-movement.ts'
import { decideMovement, findMovementToDecide } from '../../../core/runs/approval/movement-decision.ts'
import { planRun } from '../../../core/runs/plan/plan-run.ts'
import { quote } from '../../../functions/quote/quote.ts'
import { decisionKey } from '../../helpers/decision-key.ts'
import { enterOrder } from '../../helpers/entered.ts'
import { type FakePorts, type FakeTreasury, fakePorts, START_MS } from '../../helpers/fake-conversion-service.ts'
import { type FakeWithdrawalPorts, fakeWithdrawalPorts, ROW } from '../../helpers/fake-withdrawal-service.ts'
import { POLICY, planning, runWorld, START } from '../../helpers/run-world.ts'

const AT = new Date(START_MS).toISOString()
const rule = (approval: object): FakeTreasury => ({ guards: { approval } })
const PRICED = { service: { prices: { 'USDC-USD BUY': '1' } } } as const

/** A withdrawal of 100 USDC to the contact `vault`. */
async function withdrawing(approval: object) {
  const world = fakeWithdrawalPorts({}, { parts: rule(approval), ...PRICED })
  const checked = await world.check()
  return { ...world, checked }
}

function say(
  { shared }: Pick<FakeWithdrawalPorts, 'shared'>,
  by: string,
  change: {
    decision?: 'approved' | 'rejected'
    termsHash?: string
    intentId?: string
    kind?: 'convert' | 'withdraw'
  } = {},
) {
  const { store, newId, journal, treasury } = shared
  const { kind = 'withdraw', intentId = 'intent-1', decision = 'approved' } = change
  const ports = { journal, decisions: createDecisions(store, newId, decisionKey), treasury }
  return asked(shared, kind).then((found) =>
    decideMovement(
      {
        kind,
        intentId,
        decision,
        by,
        because: 'as invoiced',
        at: AT,
        termsHash: change.termsHash ?? found?.termsHash ?? '',
      },
      ports,
    ),
  )
}

async function asked({ journal, treasury }: FakePorts, kind: 'convert' | 'withdraw' = 'withdraw') {
  const intent = await journal.find('intent-1', kind)
  return intent && findMovementToDecide(intent, treasury)
}

const WHY = 'guards.approval waits for a person to approve it'
/** Reported once for its terms, and HELD at each later check. */
const AWAITS = { outcome: 'AWAITING_APPROVAL', why: WHY }
const HELD = { outcome: 'HELD', why: WHY }

describe('a withdrawal waits without a lane, and sends once a person has approved its terms', () => {
  test.each<[string, object]>([
    ['above a value', { above: '99.99' }],
    ['above units of its asset', { assets: { usdc: '99' } }],
    ['to a contact above a value', { contacts: { vault: '0' } }],
  ])('%s', async (_, approval) => {
    const { world, shared, send, checked } = await withdrawing(approval)
    const held = await send(checked)
    expect(held).toMatchObject(AWAITS)
    expect([...shared.store.records.keys()].some((pk) => pk.startsWith('L#'))).toBe(false)
    expect(await say({ shared }, 'ana')).toMatchObject({ decision: 'approved', missing: 0 })
    expect(await send(held)).toMatchObject({ outcome: 'COMPLETED' })
    expect(world.sends).toBe(1)
  })
})

test('a withdrawal that nobody decides on ends with the guard for which it waited, whoever enters it again', async () => {
  for (const isFresh of [true, false]) {
    const { shared, send, checked } = await withdrawing({ above: '1' })
    const held = await send(checked)
    shared.fake.nowMs += 2 * 86_400_000
    expect(await send(isFresh ? checked : held)).toMatchObject({
      ...{ outcome: 'EXHAUSTED', guardedBy: 'approval' },
      why: expect.stringMatching(
        /^its time ran out at \S+; it waited: guards\.approval waits for a person to approve it/,
      ),
    })
    expect(await shared.journal.find('intent-1', 'withdraw')).toMatchObject({
      state: 'EXHAUSTED',
      guardedBy: 'approval',
    })
  }
})

test('a withdrawal that people approved ends without a guard once its time is over', async () => {
  const { shared, send, checked } = await withdrawing({ above: '1' })
  const held = await send(checked)
  await say({ shared }, 'ana')
  shared.fake.nowMs += 2 * 86_400_000
  const ended = await send(held)
  expect([ended.outcome, ended.guardedBy, ended.why]).toEqual([
    'EXHAUSTED',
    undefined,
    expect.not.stringContaining('waited'),
  ])
})

test.each<[string, object, string]>([
  ['above the largest value', { total: { largest: '99' } }, 'largest'],
  ['above the largest amount of its asset', { assets: { USDC: { largest: '99' } } }, 'largest'],
  ['to a contact that is not allowed', { allowedContacts: ['another'] }, 'allowed'],
])('a withdrawal %s is rejected at once, and asks nobody', async (_, guards, guardedBy) => {
  const parts = { guards: { ...guards, approval: { above: '1' } } }
  const world = fakeWithdrawalPorts({}, { parts: parts as FakeTreasury, ...PRICED })
  expect(await world.send(await world.check())).toMatchObject({ outcome: 'REJECTED', guardedBy })
})

test('an approved withdrawal that takes more than its terms needs a person', async () => {
  const world = fakeWithdrawalPorts(
    { answer: { kind: 'accepted', withdrawal: { ...ROW, fee: '1', total: '101' } } },
    { parts: rule({ above: '99' }), ...PRICED },
  )
  const held = await world.send(await world.check({ feeMode: 'add' }))
  await say(world, 'ana')
  expect(await world.send(held)).toMatchObject({ outcome: 'NEEDS_ATTENTION', total: '101' })
})

test.each<[string, object]>([
  ['of no more than the value', { above: '100' }],
  ['of another asset', { assets: { BTC: '0' } }],
  ['to another contact', { contacts: { other: '0' } }],
])('a withdrawal %s is sent, and no decision is read', async (_, approval) => {
  const { send, checked, shared } = await withdrawing(approval)
  const read: string[] = []
  const { read: known } = shared.store
  shared.store.read = (pk) => {
    read.push(pk)
    return known(pk)
  }
  expect(await send(checked)).toMatchObject({ outcome: 'COMPLETED' })
  expect(read.filter((pk) => /^[DRQ]#/.test(pk))).toEqual([])
})

test('an approval of what another person approved before is not recorded, and the answer names that person', async () => {
  const { shared, send, checked } = await withdrawing({ above: '1' })
  await send(checked)
  expect(await say({ shared }, 'ana')).not.toHaveProperty('before')
  const late = await say({ shared }, 'bob')
  expect(late).toMatchObject({ decision: 'approved', before: { by: 'ana', at: AT }, words: [{ by: 'ana' }] })
})

test('a rejection ends the movement, and nothing is sent', async () => {
  const { world, shared, send, checked } = await withdrawing({ above: '1' })
  const held = await send(checked)
  await say({ shared }, 'ana', { decision: 'rejected' })
  expect(await send(held)).toMatchObject({
    outcome: 'REJECTED',
    why: 'ana said no: as invoiced',
    guardedBy: 'approval',
  })
  expect(world.sends).toBe(0)
  await expect(say({ shared }, 'bob')).rejects.toThrow('it waits for no approval')
})

test('a decision for other terms, or for another intent, is not recorded', async () => {
  const { shared, send, checked } = await withdrawing({ above: '1' })
  const held = await send(checked)
  await expect(say({ shared }, 'ana', { termsHash: 'a'.repeat(64) })).rejects.toThrow(
    'has other terms than you have seen',
  )
  await expect(say({ shared }, 'ana', { intentId: 'intent-2' })).rejects.toThrow(Refused)
  expect([...shared.store.records.keys()].filter((pk) => pk.startsWith('D#'))).toEqual([])
  expect(await send(held)).toMatchObject(HELD)
})

test('an existing decision for another hash, or for another intent, permits nothing', async () => {
  const { shared, send, checked, world } = await withdrawing({ above: '1' })
  const held = await send(checked)
  const decisions = createDecisions(shared.store, shared.newId, decisionKey)
  const word = { decision: 'approved', by: 'ana', because: 'fine', at: AT } as const
  const termsHash = (await asked(shared))?.termsHash ?? ''
  await decisions.addOfMovement({ kind: 'withdraw', intentId: 'intent-1', termsHash: 'b'.repeat(64) }, word)
  await decisions.addOfMovement({ kind: 'withdraw', intentId: 'intent-2', termsHash }, word)
  await decisions.addOfMovement({ kind: 'convert', intentId: 'intent-1', termsHash }, word)
  await decisions.add('intent-1', termsHash, word)
  expect(await send(held)).toMatchObject(HELD)
  expect(world.sends).toBe(0)
})

test('a fee that rises after the decision requires another decision, on the terms with that fee', async () => {
  const networks = [{ networkId: 'POLYGON', withdrawalFee: '1', minimumWithdrawal: '1', depositFee: '0' }]
  const onNetwork = { contact: { type: 'EXTERNAL_CRYPTO', networkId: 'POLYGON' }, asset: { networks } } as object
  const { check, send, shared, world } = fakeWithdrawalPorts(onNetwork, { parts: rule({ above: '1' }), ...PRICED })
  const held = await send(await check())
  await say({ shared }, 'ana')
  world.asset = { networks: [{ ...networks[0], withdrawalFee: '2' }] } as never
  expect(await send(held)).toMatchObject({ outcome: 'AGAIN', why: expect.stringContaining('the fee is 2') })
  expect(await send(await check())).toMatchObject(AWAITS)
  expect(world.sends).toBe(0)
})

test('a fee that rises and brings a movement above a rule requires people, unlike its earlier terms', async () => {
  const networks = [{ networkId: 'POLYGON', withdrawalFee: '1', minimumWithdrawal: '1', depositFee: '0' }]
  const onNetwork = { contact: { type: 'EXTERNAL_CRYPTO', networkId: 'POLYGON' }, asset: { networks } } as object
  const { check, send, world } = fakeWithdrawalPorts(onNetwork, { parts: rule({ above: '101' }), ...PRICED })
  const checked = await check({ feeMode: 'add' })
  world.asset = { networks: [{ ...networks[0], withdrawalFee: '1.5' }] } as never
  expect(await send(checked)).toMatchObject({ outcome: 'AGAIN', why: expect.stringContaining('the fee is 1.5') })
  expect(await send(await check({ feeMode: 'add' }))).toMatchObject(AWAITS)
  expect(world.sends).toBe(0)
})

test('its wait is reported once for its terms, whatever else holds it meanwhile, and again for other terms', async () => {
  const networks = [{ networkId: 'POLYGON', withdrawalFee: '1', minimumWithdrawal: '1', depositFee: '0' }]
  const onNetwork = { contact: { type: 'EXTERNAL_CRYPTO', networkId: 'POLYGON' }, asset: { networks } } as object
  const { check, send, shared, world } = fakeWithdrawalPorts(onNetwork, { parts: rule({ above: '1' }), ...PRICED })
  const first = await send(await check())
  const { termsHash, intent } = (await asked(shared)) ?? {}
  expect(first).toMatchObject({ ...AWAITS, awaited: termsHash, settled: termsHash, until: intent?.notAfter, waits: 1 })
  const second = await send(first)
  expect(second).toMatchObject({ ...HELD, awaited: termsHash, waits: 2 })
  expect(second).not.toHaveProperty('until')
  await say({ shared }, 'ana')
  await shared.halts.halt({ scope: '*', by: 'ana', because: 'an audit', at: AT })
  expect(await send(second)).toMatchObject({ outcome: 'HELD', awaited: termsHash })
  await shared.halts.resume({ scope: '*', by: 'ana', because: 'over', at: AT })
  world.asset = { networks: [{ ...networks[0], withdrawalFee: '2' }] } as never
  expect(await send(second)).toMatchObject({ outcome: 'AGAIN' })
  const anew = await send(await check())
  expect(anew).toMatchObject(AWAITS)
  expect(anew.awaited).not.toBe(termsHash)
})

test('a rule of the policy that it belongs to holds it, even if the deployment asks nobody', async () => {
  const sweep = {
    kind: 'sweep',
    rules: [{ assets: ['USDC'], contactId: 'vault' }],
    guards: { approval: { above: '1' } },
  }
  const { check, send, world } = fakeWithdrawalPorts({}, { parts: { policies: { paying: sweep } }, ...PRICED })
  const held = await send(await check({ policy: 'paying' }))
  expect(held).toMatchObject({ ...AWAITS, why: expect.stringContaining('policies.paying.guards.approval waits') })
  expect(world.sends).toBe(0)
})

describe('who approves', () => {
  test('above the value for two, two people are enough, and the same person twice is not', async () => {
    const { shared, send, checked, world } = await withdrawing({ above: '1', twoAbove: '99' })
    const held = await send(checked)
    expect(held).toMatchObject({ why: expect.stringContaining('waits for 2 people') })
    expect(await say({ shared }, 'ana')).toMatchObject({ missing: 1 })
    expect(await say({ shared }, 'role/Ana')).toMatchObject({ missing: 1, before: { by: 'ana', at: AT } })
    expect(await send(held)).toMatchObject(HELD)
    expect(await say({ shared }, 'bob')).toMatchObject({ decision: 'approved' })
    expect(await send(held)).toMatchObject({ outcome: 'COMPLETED' })
    expect(world.sends).toBe(1)
  })

  test('somebody outside the approvers is refused, and their decision counts for nothing', async () => {
    const { shared, send, checked } = await withdrawing({ above: '1', approvers: ['ana'] })
    const held = await send(checked)
    await expect(say({ shared }, 'eve')).rejects.toThrow('eve is not among the approvers of guards.approval')
    const termsHash = (await asked(shared))?.termsHash ?? ''
    const word = { decision: 'approved', by: 'eve', because: 'mine', at: AT } as const
    const of = { kind: 'withdraw', intentId: 'intent-1', termsHash } as const
    await createDecisions(shared.store, shared.newId, decisionKey).addOfMovement(of, word)
    expect(await send(held)).toMatchObject(HELD)
  })

  test('if the requester may not approve, one more approves, because nobody knows the requester', async () => {
    const { shared, send, checked } = await withdrawing({ above: '1', requesterMayApprove: false })
    const held = await send(checked)
    expect(await say({ shared }, 'ana')).toMatchObject({ missing: 1 })
    expect(await send(held)).toMatchObject(HELD)
    expect(await say({ shared }, 'bob')).toMatchObject({ decision: 'approved' })
  })

  test("one person's approvals of plans count for movements", async () => {
    const { shared, send, checked } = await withdrawing({ above: '1', twoAbove: '150' })
    await send(checked)
    const word = { decision: 'approved', by: 'ana', because: 'fine', at: AT } as const
    const terms = { value: '60', asset: 'USD', twoAbove: '1000' }
    await createDecisions(shared.store, shared.newId, decisionKey).add('run-1', 'hash', word, terms)
    const { words, missing } = await say({ shared }, 'ana')
    expect([missing, words[0]?.secondBecause]).toEqual([
      1,
      'ana alone approved 60 USD in the last 24 hours, and with these 100 it is more than 150',
    ])
  })
})

describe('a conversion', () => {
  const REQUEST = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' }
  const quoted = async (change: object, approval: object = { assets: { USDC: '1000' } }) => {
    const ports = fakePorts({}, {}, rule(approval))
    const input = await quote({ execution: 'intent-1', startedAt: AT, request: { ...REQUEST, ...change } }, ports)
    return { ports, input }
  }

  test('that nobody decides on ends with the guard for which it waited', async () => {
    const { ports, input } = await quoted({ most: '6000' })
    const { outcome, intentId, settled, waits } = await enterOrder(input, ports)
    ports.fake.nowMs += 2 * 86_400_000
    expect(await enterOrder({ outcome, intentId, settled, waits }, ports)).toMatchObject({
      ...{ outcome: 'EXPIRED_OUT', guardedBy: 'approval' },
      why: expect.stringContaining('it waited: guards.approval waits for a person to approve it'),
    })
  })

  test('waits with the largest amount that it may sell, and is ordered on a decision', async () => {
    const { ports, input } = await quoted({ most: '6000' })
    expect(await enterOrder(input, ports)).toMatchObject(AWAITS)
    expect(await asked(ports, 'convert')).toMatchObject({ assetSymbol: 'USDC', most: '6000' })
    await say({ shared: ports }, 'ana', { kind: 'convert' })
    expect(await enterOrder(input, ports)).toMatchObject({ outcome: 'FILLED' })
    expect(ports.fake.sentOrders).toHaveLength(1)
  })

  test('a conversion that waits requests no quote while nobody has approved it', async () => {
    const { ports, input } = await quoted({ most: '6000' })
    const held = await enterOrder(input, ports)
    expect(held).toMatchObject({ waits: 1 })
    const { quote: _quote, ...without } = input
    const { awaited = '' } = held
    expect(await enterOrder({ ...without, waits: 1, awaited }, ports)).toMatchObject({ ...HELD, waits: 2 })
    await say({ shared: ports }, 'ana', { kind: 'convert', decision: 'rejected' })
    expect(await enterOrder({ ...without, waits: 2 }, ports)).toMatchObject({ outcome: 'REJECTED' })
    expect(ports.fake.sentOrders).toEqual([])
  })

  test('is refused without a limit of the amount that it sells, because nobody could know the approved amount', async () => {
    const { ports, input } = await quoted({})
    expect(await enterOrder(input, ports)).toMatchObject({
      ...{ outcome: 'REJECTED', guardedBy: 'approval', why: expect.stringContaining('or with most') },
    })
    expect(ports.fake.sentOrders).toEqual([])
  })
})

describe('a leg of a run with an approved plan', () => {
  const legOf = async (approval: object, words: readonly string[]) => {
    const world = runWorld({ weekly: { ...POLICY, approval: { above: '1', ...approval } } })
    const plan = (execution: string) =>
      planRun({ execution, startedAt: START, request: { policy: 'weekly' } }, planning, world.ports)
    await plan('run-1')
    const planHash = (await world.ports.runs.find('run-1'))?.approval?.planHash ?? ''
    for (const by of words)
      await decideApproval('run-1', { decision: 'approved', planHash, by, because: 'fine', at: START }, world.people)
    await plan('run-1_2')
    const intentId = (await world.ports.runs.find('run-1'))?.phases[0]?.legs[0]?.intentId ?? 'none'
    const find = (rule: TouchedRule['rule'], change: object = {}) =>
      createMovementApprovals(world.store, decisionKey).find(
        {
          ...{ kind: 'convert', intentId, termsHash: 'its own', run: 'run-1', assetSymbol: 'A', most: undefined },
          ...{ unitValues: undefined, ...change },
        },
        [{ field: 'guards.approval', rule, value: '1000', valuationAsset: 'USD' }],
      )
    return { find }
  }

  test('needs no decision of its own', async () => {
    const { find } = await legOf({}, ['ana'])
    expect(await find({})).toMatchObject({ decision: 'approved' })
  })

  test("needs a decision if the plan's approvers do not satisfy the rule", async () => {
    const { find } = await legOf({}, ['ana'])
    expect(await find({ approvers: ['bob'] })).toEqual({ missing: 1 })
    expect(await find({ twoAbove: '999' })).toEqual({ missing: 2 })
  })

  test("needs a decision if the policy counts one person's approvals differently from the rule", async () => {
    const uncounted = await legOf({}, ['ana'])
    expect(await uncounted.find({ twoAbove: '5000' })).toEqual({ missing: 1 })
    const counted = await legOf({ twoAbove: '5000' }, ['ana'])
    expect(await counted.find({ twoAbove: '5000' })).toMatchObject({ decision: 'approved' })
    const byTwo = await legOf({ twoAbove: '1' }, ['ana', 'bob'])
    expect(await byTwo.find({ twoAbove: '5000' })).toMatchObject({ decision: 'approved' })
  })

  test('another movement in the name of that policy, or of that run, is not approved with it', async () => {
    const { find } = await legOf({}, ['ana'])
    expect(await find({}, { run: undefined })).toEqual({ missing: 1 })
    expect(await find({}, { intentId: 'another' })).toEqual({ missing: 1 })
    expect(await find({}, { run: 'run-2' })).toEqual({ missing: 1 })
  })
})

// A withdrawal moves its money at most once, and ends with all that is known of it, whatever the service answers.
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { entryName } from '../../core/contract/fields.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { startMachines } from '../helpers/running-machines.ts'
import { useMachines } from './machines.ts'

const SEND = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }

interface Moved {
  readonly kind: string
  readonly id: string
}

const machine = useMachines()
let movedBefore: number
beforeEach(async () => {
  movedBefore = (await withdrawals()).length
})

async function withdrawals(): Promise<Moved[]> {
  const { movements } = await machine.control<{ movements: Moved[] }>('/oracle')
  return movements.filter(({ kind }) => kind === 'withdrawal')
}

const nextSend = (fault: object) =>
  machine.control('/rules', { match: { method: 'POST', path: '/v2/withdrawals', times: 1 }, fault })

/** Exactly these withdrawals moved money since the test began, and the service's books balance. */
async function expectTiesOut(ids: readonly (string | undefined)[]): Promise<void> {
  const moved = (await withdrawals()).slice(movedBefore)
  expect(moved.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect(await machine.control('/oracle')).toMatchObject({ invariants: { ok: true } })
}

const statesOf = (name: string) => machine.statesOf(name, StateMachine.Withdraw)

test('a withdrawal under deduct arrives less its fee, with its hash', async () => {
  const { status, report } = await machine.withdraw('deduct', SEND)
  expect(status).toBe('SUCCEEDED')
  expect(report).toMatchObject({ outcome: 'COMPLETED', assetSymbol: 'USDC', total: '100', attempts: 1 })
  expect(Number(report.amount) + Number(report.fee)).toBe(100)
  expect(report.transactionHash).toEqual(expect.any(String))
  await expectTiesOut([report.withdrawalId])
})

test('a withdrawal under add arrives whole', async () => {
  const { report } = await machine.withdraw('add', { ...SEND, feeMode: 'add' })
  expect(report).toMatchObject({ outcome: 'COMPLETED', amount: '100' })
  expect(Number(report.total)).toBeGreaterThan(100)
  await expectTiesOut([report.withdrawalId])
})

test('a bank payout carries its bank reference and no fee', async () => {
  const { report } = await machine.withdraw('bank', {
    assetSymbol: 'USD',
    amount: '250',
    contactReference: 'house-bank-usd',
  })
  expect(report).toMatchObject({ outcome: 'COMPLETED', amount: '250', total: '250', transactionHash: null })
  expect(report.bankReference).toEqual(expect.any(String))
  await expectTiesOut([report.withdrawalId])
})

test('a withdrawal that fails after its acceptance ends FAILED_REFUNDED, with the refund seen', async () => {
  await nextSend({ kind: 'failLater', afterMs: 2_000 })
  const { status, report } = await machine.withdraw('refunded', SEND)
  expect(status).toBe('SUCCEEDED')
  expect(report).toMatchObject({ outcome: 'FAILED_REFUNDED', why: expect.stringContaining('came back') })
  await expectTiesOut([report.withdrawalId])
})

describe.each(['parts', 'legs', 'bounced', 'deposited', 'untyped'] as const)(
  'if the ledger shows it as %s',
  (entries) => {
    // The first withdrawal of an account: no other one shows what a debit looks like.
    test('a withdrawal that fails and comes back ends FAILED_REFUNDED, by its entries or by the balance', async () => {
      const fresh = await startMachines(inject('assemblyDir'), undefined, { manners: { entries } })
      onTestFinished(() => fresh.stop())
      const fault = { kind: 'failLater', afterMs: 2_000 }
      await fresh.control('/rules', { match: { method: 'POST', path: '/v2/withdrawals', times: 1 }, fault })
      const { report } = await fresh.withdraw('refunded', SEND)
      expect(report.outcome).toBe('FAILED_REFUNDED')
      expect(report.isByBalance).toBe(entries === 'parts' ? undefined : true)
    })

    describe('on an account with others', () => {
      beforeEach(() => machine.control('/manners', { entries }))
      afterEach(() => machine.control('/manners', { entries: 'whole' }))

      test('a withdrawal that fails and does not come back ends STUCK', async () => {
        await nextSend({ kind: 'failLater', afterMs: 2_000, refund: false })
        const { report } = await machine.withdraw(`kept-${entries}`, SEND)
        expect(report).toMatchObject({
          outcome: 'STUCK',
          why: expect.stringMatching(/refund is not visible|do not say/),
        })
      })
    })
  },
)

test.each([{ kind: 'dropAfterCommit' }, { kind: 'errorAfterCommit', status: 500, code: 'internal_error' }])(
  'uncertain after commit ($kind): the row is found, and counts once',
  async (fault) => {
    await nextSend(fault)
    const { report } = await machine.withdraw(`after-${fault.kind}`, SEND)
    expect(report).toMatchObject({ outcome: 'COMPLETED', attempts: 1 })
    await expectTiesOut([report.withdrawalId])
  },
)

test('uncertain after commit, and not listed for 50 s: the run waits for the row', async () => {
  await nextSend({ kind: 'lateVisibility', ms: 50_000 })
  await nextSend({ kind: 'dropAfterCommit' })
  const { report } = await machine.withdraw('late', SEND)
  expect(report).toMatchObject({ outcome: 'COMPLETED', attempts: 1 })
  await expectTiesOut([report.withdrawalId])
})

test.each([{ kind: 'dropBeforeCommit' }, { kind: 'errorBeforeCommit', status: 503, code: 'maintenance' }])(
  'uncertain before commit ($kind): past the fence it is sent again',
  async (fault) => {
    const name = `before-${fault.kind}`
    await nextSend(fault)
    const { report } = await machine.withdraw(name, SEND)
    expect(report).toMatchObject({ outcome: 'COMPLETED', attempts: 2 })
    expect(statesOf(name)).toContain('WaitForFence')
    await expectTiesOut([report.withdrawalId])
  },
)

test('a business refusal ends REJECTED after the fence', async () => {
  await nextSend({ kind: 'errorBeforeCommit', status: 422, code: 'unprocessable' })
  const { report } = await machine.withdraw('refused', SEND)
  expect(report).toMatchObject({ outcome: 'REJECTED', why: expect.stringContaining('unprocessable') })
  await expectTiesOut([])
})

test('after a refusal of the key the run waits past the fence for the right key, and then makes one withdrawal', async () => {
  await nextSend({ kind: 'errorBeforeCommit', status: 403, code: 'two_factor_required' })
  const { report } = await machine.withdraw('other-key', SEND)
  expect(report).toMatchObject({ outcome: 'COMPLETED', attempts: 2 })
  expect(statesOf('other-key')).toEqual(expect.arrayContaining(['WaitForFence', 'WaitForTurn']))
  await expectTiesOut([report.withdrawalId])
})

describe('checks refuse before anything is sent', () => {
  test.each([
    ['below the minimum and the fee', { amount: '0.5' }, 'input.amount: expected at least'],
    ['beyond the balance', { amount: '999999999' }, 'does not cover'],
    ['of another asset than the contact takes', { assetSymbol: 'BTC', amount: '0.1' }, 'this contact takes USDC'],
    ['by the rebased ticker', { assetSymbol: 'AAPLX', contactReference: 'equity-vault' }, 'settled code AAPLSPV'],
    ['to a contact that nobody made', { contactReference: 'nobody' }, 'no contact has the reference nobody'],
    ['with a number for an amount', { amount: 100 }, 'input.amount'],
  ])('%s', async (what, change, why) => {
    const name = what.replaceAll(/[^a-z]+/gi, '-')
    const { status, report } = await machine.withdraw(name, { ...SEND, ...change })
    expect(status).toBe('SUCCEEDED')
    expect(report).toMatchObject({ outcome: 'REJECTED', why: expect.stringContaining(why) })
    expect(statesOf(name)).not.toContain('WaitForFence')
    await expectTiesOut([])
  })
})

test('two identical withdrawals at once, with the first answer lost: two movements, each tied to its own intent', async () => {
  await nextSend({ kind: 'dropAfterCommit' })
  const [first, second] = await Promise.all([machine.withdraw('twin-1', SEND), machine.withdraw('twin-2', SEND)])
  expect(first.report.outcome).toBe('COMPLETED')
  expect(second.report.outcome).toBe('COMPLETED')
  expect(first.report.withdrawalId).not.toBe(second.report.withdrawalId)
  await expectTiesOut([first.report.withdrawalId, second.report.withdrawalId])
})

test('a service that cannot be read after the send needs a person; entered again, the intent finds its row', async () => {
  await nextSend({ kind: 'dropAfterCommit' })
  // The first read is of the rows before the send. From the second on nothing can be read.
  await machine.control('/rules', {
    match: { method: 'GET', path: '/v2/withdrawals', nth: 2, times: 'always' },
    fault: { kind: 'errorBeforeCommit', status: 403, code: 'insufficient_scope' },
  })
  const { status, error, report } = await machine.withdraw('doubt', SEND)
  expect([status, error]).toEqual(['FAILED', 'NEEDS_ATTENTION'])
  expect(report.outcome).toBe('NEEDS_ATTENTION')
  await machine.clearRules()
  const again = await machine.withdraw(entryName('doubt', 2), SEND)
  expect(again.report).toMatchObject({ outcome: 'COMPLETED', intentId: 'doubt', attempts: 1 })
  await expectTiesOut([again.report.withdrawalId])
})

describe('a function killed at a journal write', () => {
  // A run that completes writes five records: the intent, its lane, its ARM, the claim, and DONE. Only reads are
  // between 1, 2 and 3, and between 4 and 5, so `before` there equals `after`.
  const kills = [
    [1, 'before'],
    [1, 'after'],
    [2, 'after'],
    [3, 'after'],
    [4, 'before'],
    [4, 'after'],
    [5, 'after'],
  ] as const
  test.each(kills)('write %i, killed %s it is applied: one movement', async (write, phase) => {
    let seen = 0
    machine.hook = (call) => {
      if (call.operation !== 'PutItem' || call.phase !== phase) return undefined
      seen += 1
      return seen === write ? 'kill-function' : undefined
    }
    const { report } = await machine.withdraw(`killed-${phase}-${write}`, SEND)
    expect(report).toMatchObject({ outcome: 'COMPLETED' })
    expect(seen).toBeGreaterThanOrEqual(5)
    await expectTiesOut([report.withdrawalId])
  })
})

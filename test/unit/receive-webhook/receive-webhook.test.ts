import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refused, Transient } from '../../../core/errors.ts'
import { createInbox } from '../../../core/journal/inbox.ts'
import { MOST_BODY_BYTES, receiveWebhook } from '../../../functions/receive-webhook/receive-webhook.ts'
import { manualClock } from '../../helpers/manual-clock.ts'
import { createMemoryStarter, type StartFault } from '../../helpers/memory-starter.ts'
import { createMemoryStore, type WriteFault } from '../../helpers/memory-store.ts'
import { policies } from '../../helpers/policies.ts'

const GENUINE = 'genuine'
const depositOf = (assetSymbol: string, id = 'd-1') =>
  Buffer.from(JSON.stringify({ type: 'deposit.credited', data: { id, assetSymbol } }))

interface Faults {
  readonly start?: () => StartFault | undefined
  readonly write?: () => WriteFault | undefined
  readonly verify?: () => boolean
}

/** The receiver over a journal and Step Functions in memory; the check of the signature goes by its text. */
function setUp({ start, write, verify }: Faults = {}) {
  const store = createMemoryStore(write)
  const starter = createMemoryStarter(start)
  let ids = 0
  const ports = {
    verify: async ({ signature }: { readonly signature: string }) => {
      if (verify?.() === false) throw new Transient('the keys could not be read')
      if (signature !== GENUINE) throw new Refused('webhook signature: expected one that matches the body')
    },
    digest: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex'),
    inbox: createInbox(store, () => `stamp-${ids++}`),
    policies,
    starter,
    clock: manualClock(),
  }
  const deliver = (body: Uint8Array, signature: string | undefined) => receiveWebhook({ signature, body }, ports)
  return { store, starter, deliver, receive: (body: Uint8Array) => deliver(body, GENUINE) }
}

const policyOf = (input: unknown) => (input as { policy: string }).policy

describe('a deposit', () => {
  test('starts each policy that waits for it, and is written down', async () => {
    const { receive, starter, store } = setUp()
    const report = await receive(depositOf('BTC'))
    expect(report.outcome).toBe('STARTED')
    const executions = [...starter.executions.values()]
    expect(executions.map(({ input }) => policyOf(input))).toEqual(['btc-in', 'btc-in-too'])
    expect(executions.every(({ stateMachine }) => stateMachine === 'sluice-rebalance')).toBe(true)
    const [record] = [...store.records.values()]
    expect(record).toMatchObject({ pk: expect.stringMatching(/^E#[0-9a-f]{64}$/), executions: report.executions })
    expect(JSON.stringify(record)).not.toContain('BTC')
  })

  test('delivered again does nothing more; another of the same asset starts again', async () => {
    const { receive, starter } = setUp()
    await receive(depositOf('BTC'))
    expect(await receive(depositOf('BTC'))).toEqual({ outcome: 'DUPLICATE', executions: [] })
    expect(starter.executions.size).toBe(2)
    await receive(depositOf('BTC', 'd-2'))
    expect(starter.executions.size).toBe(4)
  })
})

test.each([
  ['forged', depositOf('BTC'), 'forged', 'FORGED'],
  ['without a signature', depositOf('BTC'), undefined, 'FORGED'],
  ['of something else', Buffer.from('{"type":"order.filled"}'), GENUINE, 'IGNORED'],
  ['of an asset that nobody waits for', depositOf('DOGE'), GENUINE, 'IGNORED'],
  ['larger than any event', Buffer.alloc(MOST_BODY_BYTES + 1, ' '), GENUINE, 'TOO_LARGE'],
])('a delivery %s is answered, and leaves no trace', async (_what, body, signature, outcome) => {
  const { deliver, starter, store } = setUp()
  const report = await deliver(body, signature)
  expect(report).toEqual({ outcome, executions: [] })
  expect(starter.executions.size + store.records.size).toBe(0)
})

test('while the keys cannot be read, nothing is taken for forged', async () => {
  const { receive } = setUp({ verify: () => false })
  await expect(receive(depositOf('BTC'))).rejects.toThrow(Transient)
})

/**
 * The service delivers until it is answered with success. Deliveries come in any order, again after they were
 * answered, and forged in between; every start and every write may fail before, or lose its answer after.
 */
test('however deliveries are repeated, mixed with forgeries and cut off, each starts each policy once, and none is lost', async () => {
  const startFault = fc.option(fc.constantFrom<StartFault>('lost', 'refused'), { nil: undefined, freq: 2 })
  const writeFault = fc.option(fc.constantFrom<WriteFault>('lost', 'late', 'refused'), { nil: undefined, freq: 2 })
  const delivery = fc.record({ event: fc.nat(3), isForged: fc.boolean() })
  const scenario = fc.record({
    deliveries: fc.array(delivery, { minLength: 4, maxLength: 20 }),
    starts: fc.array(startFault, { maxLength: 30 }),
    writes: fc.array(writeFault, { maxLength: 30 }),
    keys: fc.array(fc.boolean(), { maxLength: 20 }),
  })
  const events = ['BTC', 'BTC', 'TSLASPV', 'DOGE'].map((asset, index) => depositOf(asset, `d-${index}`))
  const expected = ['btc-in', 'btc-in', 'btc-in-too', 'btc-in-too', 'tesla-in']

  await fc.assert(
    fc.asyncProperty(scenario, async ({ deliveries, starts, writes, keys }) => {
      const { deliver, receive, starter } = setUp({
        start: () => starts.shift(),
        write: () => writes.shift(),
        verify: () => keys.shift() ?? true,
      })
      const genuine = new Set<number>()
      for (const { event, isForged } of deliveries) {
        if (!isForged) genuine.add(event)
        await deliver(events[event] ?? Buffer.alloc(0), isForged ? 'forged' : GENUINE).catch((error: unknown) => {
          if (!(error instanceof Transient)) throw error
        })
      }
      // The faults come to an end, and the service still delivers.
      starts.length = 0
      writes.length = 0
      keys.length = 0
      for (const event of genuine) await receive(events[event] ?? Buffer.alloc(0))

      const started = [...starter.executions.values()].map(({ input }) => policyOf(input))
      const due = expected.filter((policy, index) => genuine.has(dueTo(policy, index)))
      expect(started.sort()).toEqual(due.sort())
    }),
    { numRuns: 500 },
  )
})

/** Which event of the four makes the policy at this place of the list run. */
function dueTo(policy: string, index: number): number {
  return policy === 'tesla-in' ? 2 : index % 2
}

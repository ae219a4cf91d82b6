// A deposit starts each policy that waits for it once, however often it is delivered, and a forgery starts nothing.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DepositStart } from '../../../core/contract/triggers.ts'
import { Refused, Transient } from '../../../core/errors.ts'
import { createInbox } from '../../../core/journal/inbox.ts'
import { createRequesters } from '../../../core/runs/approval/requesters.ts'
import { MOST_BODY_BYTES, receiveWebhook } from '../../../functions/receive-webhook/receive-webhook.ts'
import { startOnDeposit } from '../../../functions/start-on-deposit/start-on-deposit.ts'
import { manualClock } from '../../helpers/manual-clock.ts'
import { createMemoryStarter, type StartFault } from '../../helpers/memory-starter.ts'
import { createMemoryStore, type WriteFault } from '../../helpers/memory-store.ts'
import { policies } from '../../helpers/policies.ts'

const GENUINE = 'genuine'
const depositOf = (assetSymbol: string, id = 'd-1') =>
  Buffer.from(JSON.stringify({ type: 'deposit.credited', data: { id, assetSymbol } }))

/** `twice`: stored, and the queue has it once more. `lost`: stored, the answer lost. `refused`: not stored. */
type QueueFault = 'twice' | 'lost' | 'refused'

interface Faults {
  readonly start?: () => StartFault | undefined
  readonly write?: () => WriteFault | undefined
  readonly queue?: () => QueueFault | undefined
  readonly verify?: () => boolean
}

/** The two functions over a queue, a journal and Step Functions in memory. Signatures are checked by their text. */
function setUp({ start, write, queue, verify }: Faults = {}) {
  const store = createMemoryStore(write)
  const starter = createMemoryStarter(start)
  const messages: DepositStart[] = []
  let ids = 0
  let isVerified = true
  const front = {
    verify: async ({ signature }: { readonly signature: string }) => {
      if (verify?.() === false) throw new Transient('the keys could not be read')
      if (signature !== GENUINE) throw new Refused('webhook signature: expected one that matches the body')
    },
    digest: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex'),
    policies,
    queue: async (asked: DepositStart) => {
      const fault = queue?.()
      if (fault !== 'refused') messages.push(...(fault === 'twice' ? [asked, asked] : [asked]))
      if (fault === 'refused' || fault === 'lost') throw new Transient('SQS did not answer')
    },
    clock: manualClock(),
  }
  const newId = () => `stamp-${ids++}`
  const people = createMemoryStore()
  const requesters = createRequesters(people, newId)
  const inbox = createInbox(store, newId)
  const behind = { inbox, requesters, policies, starter, isVerified: async () => isVerified, clock: manualClock() }
  const deliver = (body: Uint8Array, signature: string | undefined) => receiveWebhook({ signature, body }, front)
  /** Hands over the message at `at`, which stays in the queue if that fails. */
  const take = async (at = 0) => {
    const [message] = messages.slice(at, at + 1)
    if (message === undefined) return undefined
    const report = await startOnDeposit(message, behind)
    messages.splice(at, 1)
    return report
  }
  const receive = async (body: Uint8Array) => {
    await deliver(body, GENUINE)
    return take()
  }
  const setVerified = (is: boolean) => {
    isVerified = is
  }
  return { store, starter, messages, behind, deliver, receive, take, setVerified }
}

const policyOf = (input: unknown) => (input as { policy: string }).policy

describe('a deposit', () => {
  test('is queued by its hash and the names of the policies that wait for it, and by nothing else of it', async () => {
    const { deliver, messages, starter, store } = setUp()
    expect(await deliver(depositOf('BTC'), GENUINE)).toEqual({ outcome: 'QUEUED' })
    expect(messages).toEqual([
      {
        source: 'deposit',
        delivery: createHash('sha256').update(depositOf('BTC')).digest('hex'),
        policies: ['btc-in', 'btc-in-too'],
        receivedAt: expect.any(String),
      },
    ])
    expect(starter.executions.size + store.records.size).toBe(0)
  })

  test('starts each policy that waits for it, and is written down', async () => {
    const { receive, starter, store } = setUp()
    const report = await receive(depositOf('BTC'))
    expect(report?.outcome).toBe('STARTED')
    const executions = [...starter.executions.values()]
    expect(executions.map(({ input }) => policyOf(input))).toEqual(['btc-in', 'btc-in-too'])
    expect(executions.every(({ stateMachine }) => stateMachine === 'sluice-rebalance')).toBe(true)
    const [record] = [...store.records.values()]
    expect(record).toMatchObject({ pk: expect.stringMatching(/^E#[0-9a-f]{64}$/), executions: report?.executions })
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

  test('starts nothing before anybody has verified the keys, and is not lost', async () => {
    const { receive, setVerified, starter, store } = setUp()
    setVerified(false)
    expect(await receive(depositOf('BTC'))).toEqual({ outcome: 'NOT_VERIFIED', executions: [] })
    expect(starter.executions.size + store.records.size).toBe(0)
    setVerified(true)
    expect((await receive(depositOf('BTC')))?.outcome).toBe('STARTED')
  })
})

test('whatever is in the queue, no policy starts that waits for no deposit, or that treasury.json lacks', async () => {
  const { behind, starter } = setUp()
  const others = Object.keys(policies).filter((name) => !/-in(-too)?$/.test(name))
  expect(others.length).toBeGreaterThan(0)
  const asked = { source: 'deposit', delivery: 'a'.repeat(64), receivedAt: '2026-01-01T00:00:00Z' } as const
  const report = await startOnDeposit({ ...asked, policies: [...others, 'nobody', 'constructor'] }, behind)
  expect(report).toEqual({ outcome: 'NOT_AWAITED', executions: [] })
  expect(starter.executions.size).toBe(0)
})

test.each([
  ['forged', depositOf('BTC'), 'forged', 'FORGED'],
  ['without a signature', depositOf('BTC'), undefined, 'FORGED'],
  ['of something else', Buffer.from('{"type":"order.filled"}'), GENUINE, 'IGNORED'],
  ['of an asset that nobody waits for', depositOf('DOGE'), GENUINE, 'IGNORED'],
  ['larger than any event', Buffer.alloc(MOST_BODY_BYTES + 1, ' '), GENUINE, 'TOO_LARGE'],
])('a delivery %s is answered, and leaves no trace, not even in the queue', async (_what, body, signature, outcome) => {
  const { deliver, messages, starter, store } = setUp()
  const report = await deliver(body, signature)
  expect(report).toEqual({ outcome })
  expect(messages.length + starter.executions.size + store.records.size).toBe(0)
})

test('while the keys cannot be read, nothing counts as forged', async () => {
  const { receive } = setUp({ verify: () => false })
  await expect(receive(depositOf('BTC'))).rejects.toThrow(Transient)
})

/**
 * The service delivers until the answer is success, and no longer. Deliveries come in any order, again after their
 * answer, and with forgeries in between. The queue hands over in any order, twice, and again after a failure. Every
 * message, start and write may fail before it takes effect, or lose its answer afterwards.
 */
test('however deliveries are repeated, mixed with forgeries and cut off, each answered one starts each policy once', async () => {
  const none = { nil: undefined, freq: 2 }
  const startFault = fc.option(fc.constantFrom<StartFault>('lost', 'refused'), none)
  const writeFault = fc.option(fc.constantFrom<WriteFault>('lost', 'late', 'refused'), none)
  const queueFault = fc.option(fc.constantFrom<QueueFault>('twice', 'lost', 'refused'), none)
  const delivery = fc.record({ event: fc.nat(3), isForged: fc.boolean() })
  const scenario = fc.record({
    deliveries: fc.array(delivery, { minLength: 4, maxLength: 20 }),
    /** After each delivery, the place of the message that is taken. No message is taken if the place is empty. */
    taken: fc.array(fc.nat(5), { maxLength: 20 }),
    starts: fc.array(startFault, { maxLength: 30 }),
    writes: fc.array(writeFault, { maxLength: 30 }),
    queued: fc.array(queueFault, { maxLength: 20 }),
    keys: fc.array(fc.boolean(), { maxLength: 20 }),
  })
  const events = ['BTC', 'BTC', 'TSLASPV', 'DOGE'].map((asset, index) => depositOf(asset, `d-${index}`))
  const expected = ['btc-in', 'btc-in', 'btc-in-too', 'btc-in-too', 'tesla-in']
  const passing = (error: unknown) => {
    if (!(error instanceof Transient)) throw error
    return undefined
  }

  await fc.assert(
    fc.asyncProperty(scenario, async ({ deliveries, taken, starts, writes, queued, keys }) => {
      const { deliver, messages, starter, take } = setUp({
        start: () => starts.shift(),
        write: () => writes.shift(),
        queue: () => queued.shift(),
        verify: () => keys.shift() ?? true,
      })
      const answered = new Set<number>()
      const genuine = new Set<number>()
      for (const { event, isForged } of deliveries) {
        const sent = deliver(events[event] ?? Buffer.alloc(0), isForged ? 'forged' : GENUINE)
        const report = await sent.catch(passing)
        if (!isForged) genuine.add(event)
        if (!isForged && report !== undefined) answered.add(event)
        await take(taken.shift()).catch(passing)
      }
      // The faults stop, and the queue hands over its remaining messages. Deliveries have stopped.
      starts.length = 0
      writes.length = 0
      while (messages.length > 0) await take()

      const started = [...starter.executions.values()].map(({ input }) => policyOf(input))
      expect(new Set([...starter.executions.keys()]).size).toBe(started.length)
      const dueOf = (which: ReadonlySet<number>) => expected.filter((policy, index) => which.has(dueTo(policy, index)))
      // Each answered delivery, and at most the deliveries that the service has sent.
      expect(started.toSorted()).toEqual(expect.arrayContaining(dueOf(answered)))
      expect(started.length).toBeGreaterThanOrEqual(dueOf(answered).length)
      expect(started.length).toBeLessThanOrEqual(dueOf(genuine).length)
    }),
    { numRuns: 500 },
  )
})

/** The event of the four that makes the policy at this place of the list run. */
function dueTo(policy: string, index: number): number {
  return policy === 'tesla-in' ? 2 : index % 2
}

// LookAgain enters again whatever stopped and can continue, and nothing else.
import { describe, expect, test } from 'vitest'
import { entryName, entryOf, intentIdOf } from '../../../core/contract/fields.ts'
import {
  FIRST_ENTRY_WAIT_SECONDS,
  LAST_AUTOMATIC_ENTRY,
  LONGEST_ENTRY_WAIT_SECONDS,
  waitAfterEntry,
} from '../../../core/contract/look-again.ts'
import { type IntentState, intentName, listing } from '../../../core/contract/records.ts'
import { timing } from '../../../core/contract/timing.ts'
import { Defect, KeyFault, Transient } from '../../../core/errors.ts'
import type { Halt } from '../../../core/journal/halts.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { hashParams } from '../../../core/params-hash.ts'
import type { Decision } from '../../../core/runs/approval/standing.ts'
import type { RunRecord } from '../../../core/runs/record/run-record.ts'
import type { KnownExecution, Start } from '../../../core/triggers/starter.ts'
import { lookAgain } from '../../../functions/look-again/look-again.ts'
import { attemptAt, CONVERSION, WITHDRAWAL } from '../../helpers/intents.ts'
import { createMemoryStarter } from '../../helpers/memory-starter.ts'
import { POLICY, treasuryWith } from '../../helpers/run-world.ts'

/** The fence of the attempts below is long past. */
const NOW = Date.parse('2026-01-01T12:00:00Z')
const TOMORROW = '2026-01-02T00:00:00.000Z'
const TIMING = timing.parse({})

function intent(intentId: string, state: IntentState, more: object = {}): Intent {
  const known = { intentId, state, version: 2, attemptNumber: 1, createdAt: '2026-01-01T00:00:00Z', notAfter: TOMORROW }
  const attempt = state === 'READY' ? {} : { attempt: attemptAt(`order-${intentId}`) }
  const made = { ...CONVERSION, ...known, ...attempt, ...more }
  // Each of its fields has the form of a record's.
  return { ...made, paramsHash: hashParams(made.params) } as unknown as Intent
}

function run(runId: string, outcome: string, more: object = {}): RunRecord {
  const asPlanned = { kind: 'rebalance' }
  // Only the fields that are read.
  return { runId, outcome, asPlanned, request: { policy: 'core' }, phases: [{ phase: 1, legs: [] }], ...more } as never
}

interface World {
  readonly intents?: readonly Intent[]
  readonly runs?: readonly RunRecord[]
  readonly openRuns?: readonly string[]
  /** Executions by name; `FAILED` by default. */
  readonly executions?: Readonly<Record<string, Partial<KnownExecution>>>
  /** Names of withdrawals that were stopped. */
  readonly stopped?: readonly string[]
  readonly halt?: Halt
  /** People's decisions on any plan. */
  readonly words?: readonly Decision[]
  /** Why people's decisions cannot be counted. */
  readonly uncounted?: Error
  readonly guards?: Record<string, unknown>
  /** Whether people have just resumed sending. */
  readonly resumed?: boolean
  readonly silence?: Error
  readonly find?: (id: string) => Promise<Intent | undefined>
  /** The name that Step Functions refuses. */
  readonly refuses?: string
  readonly onStart?: (name: string) => void
}

async function look({
  intents = [],
  runs = [],
  openRuns = [],
  executions = {},
  stopped = [],
  halt,
  words = [],
  uncounted,
  guards = {},
  resumed,
  silence,
  find,
  refuses,
  onStart,
}: World) {
  const memory = createMemoryStarter()
  const starter = {
    ...memory,
    async start(start: Start) {
      if (start.name === refuses) throw new Defect('not taken')
      onStart?.(start.name)
      return memory.start(start)
    },
  }
  const known = new Map(intents.map((one) => [one.intentId, one]))
  const open = intents.filter(({ state }) => state !== 'DONE').map(({ kind, intentId }) => intentName(kind, intentId))
  let timeMs: number | undefined
  const report = await lookAgain(
    { ...(resumed !== undefined && { resumed }) },
    {
      clock: { nowMs: () => NOW },
      list: async (name, limit) => {
        const names: readonly string[] = name === listing.open ? open : openRuns
        return { names: names.slice(0, limit), isCutOff: names.length > limit }
      },
      journal: { find: (async (id: string) => (find ? find(id) : known.get(id))) as never },
      runs: { find: async (id) => runs.find(({ runId }) => runId === id) },
      halts: { find: async () => halt },
      decisions: {
        find: async () => {
          if (uncounted !== undefined) throw uncounted
          return words
        },
      },
      requesters: { find: async () => undefined },
      treasury: treasuryWith({}, guards),
      service: {
        // Nobody knows the service's time before it has answered.
        clock: {
          async measure() {
            if (silence !== undefined) throw silence
            timeMs = NOW
          },
          nowMs: () => timeMs ?? unmeasured(),
          reachedMs: () => timeMs ?? unmeasured(),
        },
        assertAnswers: async () => {
          if (silence !== undefined) throw silence
        },
      },
      findExecution: async (_machine, name) => {
        const execution = executions[name]
        const id = intentIdOf(name)
        const asked = known.get(id)?.params ?? runs.find(({ runId }) => runId === id)?.request
        const input = JSON.stringify(asked ?? {})
        return execution && { status: 'FAILED', stoppedAtMs: NOW - 3_600_000, input, ...execution }
      },
      listStopped: async (stateMachine, sinceMs) => {
        expect([stateMachine, NOW - sinceMs]).toEqual(['sluice-withdraw', 28 * 24 * 3_600_000])
        return { names: stopped, isCutOff: false }
      },
      starter,
      timing: TIMING,
    },
  )
  return { report, started: [...starter.executions.values()] }
}

function unmeasured(): never {
  throw new Defect('service time was never measured')
}

const namesOf = (started: readonly { readonly name: string }[]) => started.map(({ name }) => name)

describe('LookAgain enters', () => {
  test('a sent and unsettled intent, as its next entry, with the request of its record', async () => {
    const { report, started } = await look({ intents: [intent('a', 'ARMED')], executions: { a: {}, a_2: {} } })
    expect(started).toEqual([{ stateMachine: 'sluice-convert', name: 'a_3', input: CONVERSION.params }])
    expect(report).toMatchObject({ outcome: 'LOOKED', entered: [{ stateMachine: 'sluice-convert', execution: 'a_3' }] })
  })

  test('the former input, if the record does not have the exact request', async () => {
    const odd = { ...intent('a', 'ARMED'), paramsHash: 'of something else' }
    const { started } = await look({ intents: [odd], executions: { a: { input: '{"amount":"1"}' } } })
    expect(started).toMatchObject([{ name: 'a_2', input: { amount: '1' } }])
  })

  test('a withdrawal that a run left unsent, once nothing of it can be sent any more, which ends it', async () => {
    const of = (minutesAgo: number, more: object = {}) => {
      const params = { ...WITHDRAWAL.params, run: 'r' }
      const notAfter = new Date(NOW - minutesAgo * 60_000).toISOString()
      return intent('a', 'READY', { ...WITHDRAWAL, params, notAfter, ...more })
    }
    const executions = { a: { status: 'ABORTED' } } as const
    const left = async (one: Intent) => namesOf((await look({ intents: [one], executions })).started)
    expect(await left(of(5))).toEqual(['a_2'])
    expect(await left(of(4))).toEqual([])
    // An intent outside any run is left to people, who stopped it.
    expect(await left(of(5, { params: WITHDRAWAL.params }))).toEqual([])
  })

  test('an intent that waits for its key, within its time and while nothing is halted', async () => {
    const ready = intent('a', 'READY')
    const executions = { a: {} }
    expect(namesOf((await look({ intents: [ready], executions })).started)).toEqual(['a_2'])
    const late = { ...ready, notAfter: '2026-01-01T11:00:00Z' }
    expect((await look({ intents: [late], executions })).started).toEqual([])
    const halt = { scope: '*', by: 'ada', because: 'an audit', at: TOMORROW }
    expect((await look({ intents: [ready], executions, halt })).started).toEqual([])
    // A doubt is settled during a halt as well.
    expect(namesOf((await look({ intents: [intent('a', 'ARMED')], executions, halt })).started)).toEqual(['a_2'])
  })

  test('a leg as its run, once, if the run stopped in doubt or its execution failed', async () => {
    const params = { ...CONVERSION.params, run: 'r', policy: 'core' }
    const legs = ['a', 'b'].map((id) => intent(id, 'ARMED', { params }))
    const executions = { a: {}, b: {}, r: { status: 'SUCCEEDED' } }
    for (const outcome of ['NEEDS_ATTENTION', 'RUNNING']) {
      const { started } = await look({ intents: legs, runs: [run('r', outcome)], executions })
      expect(started).toEqual([{ stateMachine: 'sluice-rebalance', name: 'r_2', input: { policy: 'core' } }])
    }
    // A run with another end continues no more, so the leg is entered.
    const { started } = await look({ intents: legs, runs: [run('r', 'SETTLED')], executions })
    expect(namesOf(started)).toEqual(['a_2', 'b_2'])
  })

  test('a run that is RUNNING with legs and without an active execution; no run without legs', async () => {
    const executions = { r: {}, s: {} }
    const runs = [run('r', 'RUNNING'), run('s', 'RUNNING', { phases: [] })]
    expect(namesOf((await look({ runs, openRuns: ['r', 's'], executions })).started)).toEqual(['r_2'])
  })

  test('a run that somebody stopped, only once nothing of it can be sent any more', async () => {
    const stoppedAgo = async (minutesAgo: number) => {
      const notAfter = new Date(NOW - minutesAgo * 60_000).toISOString()
      const runs = [run('r', 'RUNNING', { notAfter })]
      return namesOf((await look({ runs, openRuns: ['r'], executions: { r: { status: 'ABORTED' } } })).started)
    }
    expect(await stoppedAgo(5)).toEqual(['r_2'])
    expect(await stoppedAgo(4)).toEqual([])
  })
})

describe('a run whose plan waits for people', () => {
  const said = (decision: Decision['decision']): Decision => ({ decision, by: 'ana', because: 'seen', at: TOMORROW })
  const APPROVED = { words: [said('approved')] }
  const asPlanned = { ...POLICY, approval: { above: '1', expiresAfterSeconds: 3_600, priceBoundBps: 100 } }
  const awaiting = (more: object = {}) =>
    run('r', 'AWAITING_APPROVAL', {
      ...{
        asPlanned,
        policy: 'core',
        phases: [],
        requestHash: 'h',
        guardsHash: 'g',
        plan: { turnover: '5', legs: [] },
      },
      ...{ approval: { planHash: 'of another plan', expiresAt: TOMORROW }, ...more },
    })
  const planned = { status: 'SUCCEEDED' } as const
  const lookAt = (world: World = {}, more: object = {}) =>
    look({ runs: [awaiting(more)], openRuns: ['r'], executions: { r: planned }, ...world })
  const HALT = { scope: '*', by: 'ada', because: 'an audit', at: TOMORROW }
  const ALWAYS = { quietHours: [{}] }

  test.each([new KeyFault('the key is disabled'), new Transient('no answer')])(
    'delays no doubt where decisions cannot be counted, and the fault is told: %s',
    async (uncounted) => {
      const entered: string[] = []
      const executions = { a: {}, r: planned }
      const world = { intents: [intent('a', 'ARMED')], executions, onStart: (name: string) => entered.push(name) }
      await expect(lookAt({ ...world, uncounted })).rejects.toThrow(uncounted.message)
      expect(entered).toEqual(['a_2'])
    },
  )

  test('waits on while nobody has decided and its time is not over', async () => {
    const { report, started } = await lookAt()
    expect({ started, waiting: report.waiting }).toEqual({ started: [], waiting: 0 })
  })

  test.each<[string, World, object]>([
    ['people approved it', APPROVED, {}],
    ['people rejected it', { words: [said('rejected')] }, {}],
    ['people rejected it, and all is halted', { words: [said('rejected')], halt: HALT }, {}],
    ['its time to be approved is over', {}, { approval: { planHash: '', expiresAt: '2026-01-01T11:59:59Z' } }],
  ])('is entered where %s', async (_what, world, more) => {
    const { started } = await lookAt(world, more)
    expect(started).toEqual([{ stateMachine: 'sluice-rebalance', name: 'r_2', input: { policy: 'core' } }])
  })

  test.each<[string, World]>([
    ['everything or its policy is halted', { halt: HALT }],
    ['it is in quiet hours', { guards: ALWAYS }],
    ['an execution of it is under way', { executions: { r: { status: 'RUNNING', stoppedAtMs: undefined } } }],
    ['somebody stopped its execution', { executions: { r: { status: 'ABORTED' } } }],
    ['the service does not answer', { silence: new Transient('a 503') }],
  ])('is not entered, though approved, while %s', async (_what, world) => {
    expect((await lookAt({ ...APPROVED, ...world })).started).toEqual([])
  })

  test('that was entered a moment ago waits, unless people have just resumed sending', async () => {
    const executions = { r: planned, r_2: { ...planned, stoppedAtMs: NOW - 1000 } }
    expect(await lookAt({ ...APPROVED, executions })).toMatchObject({ started: [], report: { waiting: 1 } })
    expect(namesOf((await lookAt({ ...APPROVED, executions, resumed: true })).started)).toEqual(['r_3'])
    // Nothing else becomes urgent by it.
    const armed = { intents: [intent('a', 'ARMED')], executions: { a: { stoppedAtMs: NOW - 1000 } } }
    expect((await look({ ...armed, resumed: true })).started).toEqual([])
  })
})

describe('LookAgain leaves alone', () => {
  test.each([
    ['under way', { a: { status: 'RUNNING', stoppedAtMs: undefined } }, 0],
    ['stopped by somebody', { a: { status: 'ABORTED' } }, 1],
    ['without an execution that is known', {}, 1],
    ['entered a moment ago', { a: { stoppedAtMs: NOW - 1000 } }, 0],
  ])('an intent that is %s', async (_what, executions, forPeople) => {
    const { report, started } = await look({ intents: [intent('a', 'ARMED')], executions })
    expect(started).toEqual([])
    expect(report.forPeople).toBe(forPeople)
  })

  test('an intent that a person must decide', async () => {
    const { report, started } = await look({ intents: [intent('a', 'ESCALATED')], executions: { a: {} } })
    expect({ started, outcome: report.outcome }).toEqual({ started: [], outcome: 'NOTHING_OPEN' })
  })

  test('an intent whose fence has not passed', async () => {
    const attempt = { ...attemptAt('order-a'), exp: NOW / 1000, quoteExpiresAt: null }
    const { started } = await look({ intents: [intent('a', 'ARMED', { attempt })], executions: { a: {} } })
    expect(started).toEqual([])
  })

  test('an intent that LookAgain has entered as often as it may', async () => {
    const old = { stoppedAtMs: NOW - 100 * 24 * 3_600_000 }
    const entries = (most: number) =>
      Object.fromEntries(Array.from({ length: most }, (_, at) => [entryName('a', at + 1), old]))
    const intents = [intent('a', 'ARMED')]
    const { started } = await look({ intents, executions: entries(LAST_AUTOMATIC_ENTRY - 1) })
    expect(started.map(({ name }) => entryOf(name))).toEqual([LAST_AUTOMATIC_ENTRY])
    const { report, started: none } = await look({ intents, executions: entries(LAST_AUTOMATIC_ENTRY) })
    expect({ none, forPeople: report.forPeople }).toEqual({ none: [], forPeople: 1 })
  })

  test('everything while the service does not answer; a key at fault is not silence', async () => {
    const intents = [intent('a', 'ARMED')]
    const { report, started } = await look({ intents, executions: { a: {} }, silence: new Transient('a 503') })
    expect({ report, started }).toMatchObject({ report: { outcome: 'NO_ANSWER', why: 'a 503' }, started: [] })
    await expect(look({ intents, executions: { a: {} }, silence: new KeyFault('revoked') })).rejects.toThrow('revoked')
  })

  test('an invalid record, which delays none of the others', async () => {
    const fits = intent('b', 'ARMED')
    const find = async (id: string) => {
      if (id === 'a') throw new Defect('a does not fit')
      return fits
    }
    const { started } = await look({ intents: [intent('a', 'ARMED'), fits], executions: { a: {}, b: {} }, find })
    expect(namesOf(started)).toEqual(['b_2'])
  })
})

describe('a withdrawal that the service has accepted', () => {
  const frozen = { ...WITHDRAWAL.frozen, subTypes: ['EXTERNAL_FIAT_BANK'] }
  const attempt = { ...attemptAt(''), fee: '0', since: '2025-12-31T00:00:00Z', known: [] }
  const payout = (more: object = {}) =>
    intent('w', 'DONE', { ...WITHDRAWAL, frozen, attempt, ref: 'withdrawal-1', ...more })
  const leg = payout({ params: { ...WITHDRAWAL.params, run: 'r', policy: 'core' } })
  const settled = (outcome: string, result = 'PROCESSING') =>
    run('r', outcome, { asPlanned: { kind: 'sweep' }, results: { w: { outcome: result } } })

  test.each(['ABORTED', 'TIMED_OUT'])('is followed again if its execution was %s', async (status) => {
    const { started } = await look({ intents: [payout()], stopped: ['w'], executions: { w: { status } } })
    expect(started).toEqual([{ stateMachine: 'sluice-withdraw', name: 'w_2', input: WITHDRAWAL.params }])
  })

  test.each<[string, World]>([
    ['was polled to its end since', { executions: { w: { status: 'ABORTED' }, w_2: { status: 'SUCCEEDED' } } }],
    ['is followed', { executions: { w: { status: 'ABORTED' }, w_2: { status: 'RUNNING', stoppedAtMs: undefined } } }],
    ['was stopped a moment ago', { executions: { w: { status: 'ABORTED', stoppedAtMs: NOW - 1000 } } }],
  ])('is left alone if it %s', async (_what, world) => {
    const { report, started } = await look({ intents: [payout()], stopped: ['w'], ...world })
    expect({ started, forPeople: report.forPeople }).toEqual({ started: [], forPeople: 0 })
  })

  test.each(['to a bank', 'on chain'])(
    'is read again if it ended STUCK, as after a long outage, and went %s by itself',
    async (way) => {
      const alone = payout(way === 'on chain' ? { frozen: WITHDRAWAL.frozen } : {})
      const stuck = { w: { status: 'FAILED', error: 'STUCK' } }
      const { started } = await look({ intents: [alone], stopped: ['w'], executions: stuck })
      expect(namesOf(started)).toEqual(['w_2'])
    },
  )

  test('is left to people if it failed otherwise, and a leg that ended STUCK to its run', async () => {
    const failed = { w: { status: 'FAILED', error: 'NEEDS_ATTENTION' } }
    const alone = await look({ intents: [payout()], stopped: ['w'], executions: failed })
    expect({ started: alone.started, outcome: alone.report.outcome }).toEqual({ started: [], outcome: 'NOTHING_OPEN' })
    const onChain = { ...leg, frozen: WITHDRAWAL.frozen } as Intent
    const other = await look({ intents: [onChain], stopped: ['w'], executions: { w: { error: 'STUCK' } } })
    expect({ started: other.started, outcome: other.report.outcome }).toEqual({ started: [], outcome: 'NOTHING_OPEN' })
  })

  test('has its run settled by its end, if the run was settled while it was under way', async () => {
    const executions = { w: { status: 'ABORTED' }, w_2: { status: 'SUCCEEDED' }, r: { status: 'ABORTED' } }
    const answerAfter = (of: RunRecord, more: object = {}) =>
      look({ intents: [leg], runs: [of], stopped: ['w'], executions: { ...executions, ...more } })
    const { started } = await answerAfter(settled('SETTLED'))
    expect(started).toEqual([{ stateMachine: 'sluice-sweep', name: 'r_2', input: { policy: 'core' } }])
    // Each of these runs knows its end already, is being settled, or has legs that an entry would begin.
    expect((await answerAfter(settled('SETTLED', 'COMPLETED'))).started).toEqual([])
    expect(
      (await answerAfter(settled('SETTLED'), { r_2: { status: 'RUNNING', stoppedAtMs: undefined } })).started,
    ).toEqual([])
    for (const outcome of ['RUNNING', 'NEEDS_ATTENTION'])
      expect((await answerAfter(settled(outcome))).started).toEqual([])
    // Before its payout has ended there is nothing to settle it by.
    const first = await answerAfter(settled('SETTLED'), { w_2: { status: 'ABORTED' } })
    expect(namesOf(first.started)).toEqual(['w_3'])
  })
})

test('withdrawals are entered in their machine', async () => {
  const attempt = { ...attemptAt(''), fee: '0', since: '2025-12-31T00:00:00Z', known: [] }
  const { started } = await look({ intents: [intent('w', 'ARMED', { ...WITHDRAWAL, attempt })], executions: { w: {} } })
  expect(started).toEqual([{ stateMachine: 'sluice-withdraw', name: 'w_2', input: WITHDRAWAL.params }])
})

test('waits double from entry to entry, up to the longest', () => {
  expect([1, 2, 3].map(waitAfterEntry)).toEqual([1, 2, 4].map((times) => times * FIRST_ENTRY_WAIT_SECONDS))
  expect(waitAfterEntry(LAST_AUTOMATIC_ENTRY)).toBe(LONGEST_ENTRY_WAIT_SECONDS)
})

test('a check enters a few, those that wait longest first, and reads a bounded number', async () => {
  const ids = Array.from({ length: 300 }, (_, at) => `i-${at}`)
  const executions = Object.fromEntries(ids.map((id, at) => [id, { stoppedAtMs: NOW - 3_600_000 - at }]))
  const { report, started } = await look({ intents: ids.map((id) => intent(id, 'ARMED')), executions })
  expect(started).toHaveLength(25)
  expect(report).toMatchObject({ left: 175, isCutOff: true })
  const ages = started.map(({ name }) => Number(/\d+/.exec(name)?.[0]))
  expect(ages).toEqual([...ages].sort((one, other) => other - one))
})

test('an intent that Step Functions refuses delays no other, and is reported without a fault', async () => {
  const entered: string[] = []
  const intents = ['a', 'b'].map((id) => intent(id, 'ARMED'))
  const executions = { a: { stoppedAtMs: NOW - 7_200_000 }, b: {} }
  const { report } = await look({ intents, executions, refuses: 'a_2', onStart: (name) => entered.push(name) })
  expect(entered).toEqual(['b_2'])
  expect(report.entered).toEqual([{ stateMachine: 'sluice-convert', execution: 'b_2' }])
  expect(report.refused).toEqual([{ stateMachine: 'sluice-convert', execution: 'a_2', why: 'not taken' }])
})

test('a run whose record was changed since its first execution started is left to people', async () => {
  const thief = { policy: { kind: 'rebalance', weights: { A: '1' } } }
  const runs = [run('one', 'RUNNING', { request: thief }), run('two', 'RUNNING')]
  // Who started it is for people to read, and may differ.
  const kept = { input: JSON.stringify({ policy: 'core', trigger: { by: 'person' } }) }
  const { report, started } = await look({ runs, openRuns: ['one', 'two'], executions: { one: kept, two: kept } })
  expect(namesOf(started)).toEqual(['two_2'])
  expect(report).toMatchObject({ forPeople: 1 })
})

test('an intent whose record was changed since its first execution started is left to people', async () => {
  const changed = intent('one', 'READY', { params: { ...CONVERSION.params, amount: '9' } })
  const executions = { one: { input: JSON.stringify(CONVERSION.params) } }
  const { report, started } = await look({ intents: [changed], executions })
  expect(started).toEqual([])
  expect(report).toMatchObject({ forPeople: 1 })
})

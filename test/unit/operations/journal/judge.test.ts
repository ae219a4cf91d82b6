// Tests how executions prove the state of an intent, and how a rebuild may use them. A doubtful intent never becomes a
// zero.
import { describe, expect, test } from 'vitest'
import { IntentKind, type IntentState } from '../../../../core/contract/records.ts'
import type { Intent } from '../../../../core/journal/intent.ts'
import { hashParams } from '../../../../core/params-hash.ts'
import type { RunRecord } from '../../../../core/runs/record/run-record.ts'
import { evidenceOf, evidenceOfRecord } from '../../../../operations/journal/evidence.ts'
import { judge } from '../../../../operations/journal/judge.ts'
import { evidenceOfRunRecord, judgeRun } from '../../../../operations/journal/run-evidence.ts'
import type { EnteredExecution } from '../../../../place/executions/executions.ts'
import { CONVERSION } from '../../../helpers/intents.ts'

const REQUEST = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '25' }

type Left = readonly [state: string, output: object]

const FROZEN = { ...CONVERSION.frozen, amount: '25', increment: '0.01' }

function entered(name: string, left: readonly Left[], more: Partial<EnteredExecution> = {}): EnteredExecution {
  const steps = left.flatMap(([state, output], index) => {
    const at = `2026-11-23T00:00:${String(index).padStart(2, '0')}.000Z`
    return [
      { did: 'entered', at, state } as const,
      { did: 'left', at, state, output: output as Record<string, unknown> } as const,
    ]
  })
  return { name, status: 'SUCCEEDED', startedAt: '2026-11-23T00:00:00.000Z', steps, input: REQUEST, ...more }
}

const QUOTED: Left = ['Quote', { outcome: 'QUOTED', intentId: 'one', attempt: 1, quote: { orderId: 'order-1' } }]
const FILLED: Left = ['Order', { outcome: 'FILLED', intentId: 'one', attempts: 1, orderId: 'order-1' }]
const UNCERTAIN: Left = ['Order', { outcome: 'UNCERTAIN', intentId: 'one', attempts: 1, orderId: 'order-1' }]
const REJECTED: Left = ['Order', { outcome: 'REJECTED', intentId: 'one', attempts: 1, why: 'too small' }]
const LOOKED: Left = ['Order', { outcome: 'NEEDS_ATTENTION', intentId: 'one', attempts: 1, orderId: 'order-1' }]
const BROKEN: Left = ['Conclude', { outcome: 'OWN_FAULT', intentId: 'one', attempts: 1, why: 'closed: a bug' }]
const KEPT: Left = ['Conclude', { outcome: 'OWN_FAULT', intentId: 'one', attempts: 1, goesOn: true, why: 'no key' }]
const REFUSED_UNOPENED: Left = [
  'Conclude',
  { outcome: 'REJECTED', intentId: 'one', attempts: 0, why: 'other parameters' },
]

const nothing = new Set<string>()
const shownOrder = new Set(['order-1'])

function judged(
  executions: readonly EnteredExecution[],
  {
    intent,
    movements = nothing,
    isSuspect = true,
  }: { intent?: Intent; movements?: Set<string>; isSuspect?: boolean } = {},
) {
  const evidence = evidenceOf('one', IntentKind.Convert, executions)
  return judge({ evidence, intent, shown: { movements }, isSuspect })
}

const record = (state: IntentState, more: Partial<Intent> = {}) =>
  // An intent is judged by its request, terms, state, version, attempt and movement.
  ({
    ...{ intentId: 'one', kind: 'convert', state, version: 2, attemptNumber: 1 },
    ...{ params: REQUEST, paramsHash: hashParams(REQUEST), frozen: FROZEN },
    ...more,
  }) as Intent

describe('an intent without a record', () => {
  test.each([
    ['a proven order', [entered('one', [QUOTED, FILLED])], shownOrder, { write: 'done', movementId: 'order-1' }],
    ['an order of its own quote that exists', [entered('one', [QUOTED, UNCERTAIN])], shownOrder, { write: 'done' }],
    ['a step that never answered, and the order exists', [entered('one', [QUOTED])], shownOrder, { write: 'done' }],
    ['a certified zero', [entered('one', [QUOTED, REJECTED])], nothing, { write: 'zero' }],
    [
      'a doubt that a later entry has certified',
      [entered('one', [QUOTED, LOOKED]), entered('one_2', [REJECTED])],
      nothing,
      { write: 'zero' },
    ],
    [
      'a bug that closed it before anything was sent',
      [entered('one', [QUOTED, BROKEN])],
      nothing,
      { write: 'zero', zero: { state: 'EXHAUSTED', outcome: 'OWN_FAULT', why: 'closed: a bug' } },
    ],
    ['a fault of ours after which it continues', [entered('one', [QUOTED, KEPT])], nothing, { write: 'escalated' }],
    [
      'a bug that closed it, which a later entry does not know',
      [entered('one', [QUOTED, BROKEN]), entered('one_2', [LOOKED])],
      nothing,
      { write: 'escalated' },
    ],
    ['a doubt', [entered('one', [QUOTED, UNCERTAIN])], nothing, { write: 'escalated' }],
    [
      'a zero that a later entry does not know',
      [entered('one', [QUOTED, REJECTED]), entered('one_2', [LOOKED])],
      nothing,
      { write: 'escalated' },
    ],
    [
      'a doubt behind which another request was refused',
      [entered('one', [QUOTED, LOOKED]), entered('one_2', [REFUSED_UNOPENED], { input: { other: 1 } })],
      nothing,
      { write: 'escalated' },
    ],
    ['an order that was reported and is missing', [entered('one', [QUOTED, FILLED])], nothing, { write: 'escalated' }],
    [
      'two existing orders',
      [
        entered('one', [QUOTED, FILLED]),
        entered('one_2', [['Order', { outcome: 'FILLED', attempts: 2, orderId: 'order-2' }]]),
      ],
      new Set(['order-1', 'order-2']),
      { write: 'escalated' },
    ],
    [
      'a zero beside an existing order of its quote',
      [entered('one', [QUOTED, REJECTED])],
      shownOrder,
      { write: 'done' },
    ],
  ])('%s', (_what, executions, movements, repair) => {
    const { finding, repair: written } = judged(executions, { movements })
    expect(written).toMatchObject(repair)
    if (executions.some(({ steps }) => steps.some(({ state }) => state === 'Order'))) {
      expect(finding).toMatchObject({ finding: 'LOST' })
    }
  })

  test('nothing is written for an id that its executions neither opened nor sent', () => {
    expect(judged([entered('one', [['Conclude', { outcome: 'NEEDS_ATTENTION', attempts: 0 }]])])).toEqual({})
  })

  test('an unreadable execution allows no zero', () => {
    const evidence = evidenceOf('one', IntentKind.Convert, [entered('one', [QUOTED, REJECTED])], false)
    const { repair } = judge({ evidence, intent: undefined, shown: { movements: nothing }, isSuspect: true })
    expect(repair).toMatchObject({ write: 'escalated' })
  })

  test('an accepted withdrawal without a report goes to a person', () => {
    const uncertain: Left = ['Withdraw', { outcome: 'UNCERTAIN', intentId: 'one', attempts: 1 }]
    const evidence = evidenceOf('one', IntentKind.Withdraw, [entered('one', [uncertain])])
    const { repair } = judge({ evidence, intent: undefined, shown: { movements: nothing }, isSuspect: true })
    expect(repair).toMatchObject({ write: 'escalated' })
  })
})

describe('an intent with a record', () => {
  test.each(['DONE', 'REJECTED', 'EXHAUSTED'] as const)('%s stays as it is', (state) => {
    const ref = state === 'DONE' ? { ref: 'order-1' } : {}
    expect(
      judged([entered('one', [QUOTED])], { intent: record(state, ref), movements: shownOrder }).repair,
    ).toBeUndefined()
  })

  test('a zero whose executions report a movement is a contradiction, and stays unchanged', () => {
    const found = judged([entered('one', [QUOTED, FILLED])], { intent: record('REJECTED'), movements: shownOrder })
    expect(found).toMatchObject({ finding: { finding: 'CONTRADICTION' } })
    expect(found.repair).toBeUndefined()
  })

  test.each(['READY', 'ARMED'] as const)('%s in a restored table goes to a person, if it may have sent', (state) => {
    expect(judged([entered('one', [QUOTED, UNCERTAIN])], { intent: record(state) }).repair).toMatchObject({
      write: 'escalated',
    })
    // Its own table says that it is under way.
    expect(judged([entered('one', [QUOTED, UNCERTAIN])], { intent: record(state), isSuspect: false })).toEqual({})
  })

  test('a version that an execution has seen, and the record lacks, is reported', () => {
    const seen: Left = ['Order', { outcome: 'HELD', intentId: 'one', attempts: 1, version: 5 }]
    const { finding } = judged([entered('one', [seen])], { intent: record('READY'), isSuspect: false })
    expect(finding?.message).toBe('it is at version 2, and the execution one of 2026-11-23T00:00:00.000Z saw version 5')
  })

  test.each<[string, Partial<Intent>]>([
    ['its params are not what its executions asked for', { paramsHash: hashParams({ ...REQUEST, amount: '9' }) }],
    [
      'its record was changed: its params is not as it was asked for',
      { params: { ...REQUEST, amount: '9' } } as Partial<Intent>,
    ],
    [
      'its record was changed: its frozen.amount is not as it was asked for',
      { frozen: { ...FROZEN, amount: '9' } } as Partial<Intent>,
    ],
  ])('a changed record is reported, and nothing is rebuilt from it: %s', (message, change) => {
    const intent = record('READY', change)
    expect(judged([entered('one', [QUOTED])], { intent })).toEqual({ finding: { finding: 'CHANGED', message } })
  })

  test('a record that differs from its approval is reported as changed', () => {
    const unapproved = 'it is not what people approved for run run-1: its request is not that of its leg'
    const intent = record('READY')
    const evidence = evidenceOfRecord(intent)
    expect(judge({ evidence, intent, shown: { movements: nothing }, unapproved, isSuspect: false })).toEqual({
      finding: { finding: 'CHANGED', message: unapproved },
    })
  })

  test('a withdrawal whose payout row another withdrawal has paid contradicts the journal', () => {
    const paidTwice = 'withdrawal w-0 of intent other has paid the same payout row'
    const intent = record('DONE', { ref: 'w-1' })
    const evidence = evidenceOfRecord(intent)
    expect(judge({ evidence, intent, shown: { movements: nothing }, paidTwice, isSuspect: false })).toEqual({
      finding: { finding: 'CONTRADICTION', message: `it is DONE by w-1, and ${paidTwice}` },
    })
  })

  test("an intent that awaits a person's decision stays with the person", () => {
    const intent = record('ESCALATED', { why: 'several rows' })
    expect(judged([entered('one', [QUOTED, FILLED])], { intent, movements: shownOrder })).toEqual({})
  })
})

describe('a record whose executions are unknown, as in another region', () => {
  const alone = (intent: Intent, movements = nothing, isSuspect = true) =>
    judge({ evidence: evidenceOfRecord(intent), intent, shown: { movements }, isSuspect })
  const armed = record('ARMED', { params: REQUEST, attempt: { orderId: 'order-1' } } as Partial<Intent>)

  test.each([
    ['READY', record('READY', { params: REQUEST }), nothing, { write: 'escalated' }],
    ['ARMED, and its order is missing', armed, nothing, { write: 'escalated' }],
    ['ARMED, and its order exists', armed, shownOrder, { write: 'done', movementId: 'order-1' }],
  ])('%s may have continued since', (_state, intent, movements, repair) => {
    expect(alone(intent, movements)).toMatchObject({ finding: { finding: 'BEHIND' }, repair })
    // In its own table the record is right.
    expect(alone(intent, movements, false)).toEqual({})
  })

  test.each(['FAILED', 'HALTED', 'GUARDED', 'ALREADY_RUNNING', 'OWN_FAULT'] as const)(
    'a run that ended %s without legs, and was later entered with legs, is ended so that nobody plans it again',
    (outcome) => {
      const was = { runId: 'month-end', version: 2, entry: 1, phases: [], request: { policy: 'core' }, outcome }
      const run = was as unknown as RunRecord
      const evidence = { ...evidenceOfRunRecord(run), entry: 2, hadLegs: true, outcome: 'SETTLED' }
      const message = `it is ${outcome} without legs, and its executions have planned it`
      expect(judgeRun(evidence, run, true)).toMatchObject({
        finding: { finding: 'BEHIND', message },
        end: { outcome: 'SETTLED' },
      })
      // The last report of its executions does not matter, even in its own table.
      const inDoubt = judgeRun({ ...evidence, outcome: 'SETTLE' }, run, false)
      expect(inDoubt).toMatchObject({ finding: { message }, end: { outcome: 'NEEDS_ATTENTION' } })
      // The run may start again if no execution had legs, because nothing has moved.
      expect(judgeRun({ ...evidence, hadLegs: false, outcome }, run, true)).toEqual({})
    },
  )

  test.each(['SETTLED', 'NEEDS_ATTENTION', 'NOTHING_TO_DO', 'DISAPPROVED'] as const)(
    'a run that ended %s is started by nobody again, and is fine',
    (outcome) => {
      const run = { runId: 'month-end', version: 2, entry: 1, phases: [], request: {}, outcome } as unknown as RunRecord
      expect(judgeRun({ ...evidenceOfRunRecord(run), hadLegs: true }, run, true)).toEqual({})
    },
  )

  test('a run that is under way or waits for approval is ended, so that nobody plans, approves or starts it again', () => {
    const open = { runId: 'month-end', version: 3, entry: 1, phases: [], request: { policy: 'core' } }
    for (const outcome of ['RUNNING', 'AWAITING_APPROVAL'] as const) {
      const run = { ...open, outcome } as unknown as RunRecord
      const found = judgeRun(evidenceOfRunRecord(run), run, true)
      expect(found).toMatchObject({ finding: { finding: 'BEHIND' }, end: { outcome: 'NEEDS_ATTENTION' } })
      expect(judgeRun(evidenceOfRunRecord(run), run, false)).toEqual({})
    }
  })
})

// An insider in the code of each function that may start executions, or that acts for people or reports, under the function's
// own role. The tests show what each can start, by which bounds it moves, and what the audit and the log of people say an hour
// later.
import { marshall } from '@aws-sdk/util-dynamodb'
import { expect, test } from 'vitest'
import { FOREIGN, recordKey } from '../../core/contract/records.ts'
import { runRequest } from '../../core/contract/runs.ts'
import { StateMachine, Verb } from '../../core/contract/states.ts'
import { chained } from '../../core/journal/record-chain.ts'
import { actKeys } from '../../core/journal/request-keys.ts'
import { hashParams } from '../../core/params-hash.ts'
import { signDecision } from '../../core/runs/approval/signed-decision.ts'
import { requestHashOf } from '../../core/runs/record/runs.ts'
import { loadTreasury } from '../../core/treasury/config.ts'
import { idMadeOf } from '../../operations/movements/intent-id.ts'
import { readActFilter } from '../../operations/people/filter.ts'
import { BY_CALL } from '../../operations/people/unrecorded-starts.ts'
import { walkActs } from '../../operations/people/walk-acts.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { recordsOf } from '../../place/journal/journal-records.ts'
import { createRunJournal } from '../../place/journal/run-journal.ts'
import { otherKey } from '../helpers/decision-key.ts'
import type { InsiderEvent } from '../helpers/insider.ts'
import { useMachines } from './machines.ts'

/** `guards.approval.above`, and `guards.total.largest`. */
const ABOVE = 500
const LARGEST = 1000
/** Balances before an insider starts something. */
const BALANCE = { USD: 0, USDC: 100_000 }
const TREASURY = {
  ...{ service: { url: 'https://api.example.com', stage: 'test' }, webhooks: {} },
  notices: [{ name: 'mail', to: { sns: ['mailto:treasury@example.com'] }, about: ['halted'] }],
  guards: {
    dailyWindow: 'rolling',
    total: { largest: `${LARGEST}`, daily: '1500' },
    approval: { above: `${ABOVE}` },
    dailyOutflow: { USDC: '100000' },
  },
  policies: {
    salaries: {
      ...{ kind: 'payouts', assets: ['USDC'], approval: { above: '0', twoAbove: '1' } },
      files: { bucket: 'company-payouts', prefix: 'salaries/' },
    },
    'sol-in': { kind: 'convert-on-arrival', asset: 'SOL', into: 'USDC' },
  },
}

const [ANA, BOB] = ['ana', 'bob'].map((name) => `arn:aws:iam::123456789012:user/${name}`)

const machine = useMachines({ treasury: TREASURY, hasInsider: true })

async function obey(role: string, insider: InsiderEvent['insider']): Promise<string> {
  const event: InsiderEvent = { insider }
  return JSON.parse(await machine.aws.invokeFunction(`sluice-${role}`, JSON.stringify(event))).outcome
}

/** The role writes the first version of a record, as the product would. */
function write(role: string, fields: { readonly pk: string }): Promise<string> {
  return obey(role, {
    item: marshall(chained({ version: 1, format: 1, stamp: 'insider', ...fields }, undefined), {
      removeUndefinedValues: true,
    }),
  })
}

function arnOf(stateMachine: StateMachine): string {
  return machine.aws.resources().stateMachines.find(({ name }) => name === stateMachine)?.arn ?? ''
}

/** How it ended, or the error where the role may not start it. */
async function start(role: string, stateMachine: StateMachine, name: string, input: object) {
  const stateMachineArn = arnOf(stateMachine)
  const outcome = await obey(role, { start: { stateMachineArn, name, input: JSON.stringify(input) } })
  if (outcome !== 'STARTED') return { outcome }
  const { executionArn = '' } = machine.aws.findExecution(stateMachine, name) ?? {}
  const { output, cause } = await machine.aws.untilFinished(executionArn)
  return JSON.parse(output ?? cause ?? '{}') as Record<string, unknown>
}

async function moved(): Promise<number> {
  return (await machine.movements()).length
}

const contactId = (reference: string) => machine.sandbox.contacts.find((each) => each.reference === reference)?.id ?? ''

const breaker = { failures: 99 }

const DENIED = { outcome: 'AccessDeniedException' }

/** Requests of the insider, with policies of its own for the machines of runs. */
const REQUESTS: Readonly<Record<StateMachine, (amount: number) => object>> = {
  [StateMachine.Convert]: (amount) => ({
    ...{ baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: `${amount}` },
  }),
  [StateMachine.Withdraw]: (amount) => ({
    ...{ assetSymbol: 'USDC', amount: `${amount}`, contactReference: 'exchange-usdc-eth' },
  }),
  [StateMachine.Rebalance]: (amount) => ({
    policy: { kind: 'fund', asset: 'USD', atLeast: `${amount}`, from: [{ asset: 'BTC' }], breaker },
  }),
  [StateMachine.Sweep]: (amount) => ({ policy: { kind: 'sweep', rules: [restOf(amount)], breaker } }),
}

function restOf(amount: number) {
  const keep = { target: `${BALANCE.USDC - amount}` }
  return { assets: ['USDC'], keep, canary: false, contactId: contactId('cold-usdc-polygon') }
}

function salary(runId: string, amount: number) {
  return {
    policy: 'salaries',
    rows: [{ id: `row-${runId}`, contactId: contactId('subsidiary'), asset: 'USDC', amount: `${amount}` }],
  }
}

/** The records of two people who approve the run, and of their signed requests. `key`: the deployment's, or a key of his own. */
async function wordsOn(runId: string, key: 'the key' | 'another key' = 'the key') {
  const table = journalTable(machine.aws)
  const { approval } = (await createRunJournal(table).runs.find(runId)) ?? {}
  const subject = { run: runId, planHash: approval?.planHash ?? '' }
  const at = new Date().toISOString()
  const said = { decision: 'approved', because: 'it is due' } as const
  const unsigned = [ANA, BOB].map((by = '') => ({
    ...{ ...said, by, at },
    spoken: recordKey.spoken(Verb.Decide, hashParams({ runId, by })),
  }))
  const signer = key === 'the key' ? table.decisionKey : otherKey
  const words = await Promise.all(unsigned.map((word) => signDecision(word, subject, signer)))
  table.client.destroy()
  const asked = hashParams({ ...said, ...subject })
  const pk = recordKey.decisions(subject.run, subject.planHash)
  return {
    requests: unsigned.map(({ by, spoken }) => ({ pk: spoken, by, at, asked, to: 'sluice-decide' })),
    decisions: { pk, words, ...actKeys(at, pk) },
  }
}

/** Findings of the audit an hour later. */
async function findings() {
  await machine.pass(3_600_000)
  return (await machine.reconcile()).findings
}

/** Who did what, as `people list` shows it. */
async function logOf(about: string) {
  const table = journalTable(machine.aws)
  const journal = recordsOf(table, loadTreasury())
  const forged = 'the key of decisions has not signed'
  const onBroken = ({ message }: { readonly message: string }) => expect(message).toContain(forged)
  const acts: object[] = []
  for await (const act of walkActs({ journal, nowMs: Date.now() + 7 * 86_400_000, onBroken }, readActFilter({})))
    if (act.about === about) acts.push([act.by, act.did])
  table.client.destroy()
  return acts
}

const { Convert, Rebalance, Sweep, Withdraw } = StateMachine
test.each<[string, readonly StateMachine[]]>([
  ['decide', [Rebalance, Sweep]],
  ['request-run', [Rebalance, Sweep]],
  ['start-run', [Convert, Withdraw, Rebalance, Sweep]],
  ['look-again', [Convert, Withdraw, Rebalance, Sweep]],
  ['start-on-file', [Sweep]],
  ['start-on-deposit', [Rebalance]],
])(
  '%s starts what it likes on %j alone: what asks nobody goes, and no more, and the log of people has each start',
  async (role, machines) => {
    for (const stateMachine of Object.values(StateMachine)) {
      const isOurs = machines.includes(stateMachine)
      for (const [amount, moves] of [
        [20, 1],
        [ABOVE + 100, 0],
      ] as const) {
        for (const [assetSymbol, balance] of Object.entries(BALANCE))
          await machine.control('/balance', { assetSymbol, balance: `${balance}` })
        const before = await moved()
        const name = `${role}-${stateMachine}-${amount}`
        const { outcome } = await start(role, stateMachine, name, REQUESTS[stateMachine](amount))
        expect([name, outcome === 'AccessDeniedException']).toEqual([name, !isOurs])
        expect([name, (await moved()) - before]).toEqual([name, isOurs ? moves : 0])
        expect(await logOf(name)).toEqual(isOurs ? [[BY_CALL, 'asked']] : [])
      }
    }
    expect(await findings()).toEqual([])
  },
)

test('a start of start-run under the name of a leg, or as a schedule, is no start without a requester', async () => {
  const leg = 'ab'.repeat(20)
  const due = `sol-in-${'0'.repeat(26)}`
  await start('start-run', Convert, leg, REQUESTS[Convert](20))
  const request = runRequest.parse(REQUESTS[Rebalance](20))
  const asked = { kind: 'schedule', by: 'sol-in', at: new Date().toISOString(), requestHash: requestHashOf(request) }
  expect(await write('start-run', { pk: recordKey.requester(due), ...asked })).toBe('PUT')
  await start('start-run', Rebalance, due, request)
  expect([await logOf(leg), await logOf(due)]).toEqual([[], []])
  expect(await findings()).toEqual([])
})

test('request-run names anybody as who asked, and nobody as who approved', async () => {
  const runId = idMadeOf('sweep', 'named')
  const at = new Date().toISOString()
  const request = salary(runId, 20)
  const asked = { kind: 'person', by: ANA, at, requestHash: requestHashOf(runRequest.parse(request)) }
  const pk = recordKey.requester(runId)
  expect(await write('request-run', { pk, ...asked, ...actKeys(at, pk) })).toBe('PUT')
  const before = await moved()
  expect(await start('request-run', Sweep, runId, request)).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
  const { decisions } = await wordsOn(runId)
  expect(await write('request-run', decisions)).toBe('AccessDeniedException')
  expect(await moved()).toBe(before)
  expect(await logOf(runId)).toEqual([[ANA, 'asked']])
  expect(await findings()).toEqual([])
})

test.each([
  ['an amount that two people approve', ABOVE + 100, 'the key', 1],
  ['that amount, of which the journal alone says so,', ABOVE + 200, 'another key', 0],
  ['an amount above the largest', LARGEST + 100, 'the key', 0],
] as const)(
  'decide approves as two people %s: the key and the guards bound it, and the log of people names both',
  async (_what, amount, key, moves) => {
    const runId = `decided-${amount}`
    await machine.control('/balance', { assetSymbol: 'USDC', balance: `${BALANCE.USDC}` })
    const before = await moved()
    const request = salary(runId, amount)
    const first = await start('decide', Sweep, runId, request)
    if (moves > 0) expect(first).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    const { requests, decisions } = await wordsOn(runId, key)
    for (const each of [...requests, { pk: recordKey.decisions(runId, 'any') }, decisions])
      expect(await write('decide', each)).toBe('PUT')
    await start('decide', Sweep, `${runId}_2`, request)
    expect((await moved()) - before).toBe(moves)
    expect(await findings()).toEqual([])
    expect(await logOf(runId)).toEqual(
      expect.arrayContaining([
        [ANA, 'approved'],
        [BOB, 'approved'],
      ]),
    )
  },
)

test('many starts below the amount that asks people go together as far as the daily bound, and no further', async () => {
  const ends = []
  for (const part of ['one', 'two', 'three', 'four'])
    ends.push((await start('start-run', Withdraw, `cut-${part}`, REQUESTS[Withdraw](ABOVE - 100))).guardedBy)
  expect([ends[0], ends.at(-1)]).toEqual([undefined, 'budget'])
})

const NOW = new Date().toISOString()
const said = (by: string | undefined) => ({ by, because: 'it is over', at: NOW })
/** The record of a request of Ana to the function, which only that function may write. */
const asked = (verb: Verb) => {
  const pk = recordKey.spoken(verb, hashParams({ verb }))
  return { pk, by: ANA, at: NOW, asked: hashParams({ verb }), to: `sluice-${verb}` }
}

/** The record of this key, as if it were new. */
async function stored(pk: string) {
  const table = journalTable(machine.aws)
  const record = await recordsOf(table, loadTreasury()).readRecord(pk)
  table.client.destroy()
  return { ...record, pk, version: 1, chain: undefined }
}

interface Acting {
  readonly role: string
  /** Returns the records that the role writes about a withdrawal that was sent. */
  readonly act?: (movementId: string, intentId: string) => Promise<readonly { readonly pk: string }[]>
  /** Findings of the audit an hour later. */
  readonly finds?: readonly string[]
}
const ACTING: readonly Acting[] = [
  {
    role: 'resume',
    act: async () => [
      asked(Verb.Resume),
      { pk: recordKey.halt('salaries'), halted: false, ...said(ANA), spoken: asked(Verb.Resume).pk },
    ],
  },
  {
    role: 'release',
    act: async () => [asked(Verb.Release), { pk: recordKey.released('sol-in', NOW), ...said(ANA) }],
  },
  {
    role: 'resolve',
    act: async (_, intentId) => {
      const { ref: _ref, ...sent } = { ref: '', ...(await stored(recordKey.intent('withdraw', intentId))) }
      return [{ ...sent, state: 'EXHAUSTED', outcome: 'EXHAUSTED', why: 'it was not sent' }]
    },
    finds: ['unproven_claim'],
  },
  {
    role: 'declare-foreign',
    act: async (movementId) => [
      asked(Verb.DeclareForeign),
      { pk: recordKey.claim('withdraw', movementId), intentId: FOREIGN },
      { pk: recordKey.foreign('withdraw', movementId), ...said(ANA), spoken: asked(Verb.DeclareForeign).pk },
    ],
    finds: ['changed_record', 'foreign_movement'],
  },
  { role: 'reconcile', act: async () => [{ pk: recordKey.policyNames, names: [] }] },
  ...['announce', 'notify', 'describe', 'receive-webhook'].map((role) => ({ role })),
  // Each audit finds it again, until a person halts or resumes.
  {
    role: 'throw-switch',
    act: async () => [{ pk: recordKey.halt('*'), halted: false, ...said(ANA) }],
    finds: ['changed_record'],
  },
]

test.each(ACTING)(
  '$role starts, asks for, approves and sends nothing, and the audit finds what it changed of what was sent',
  async ({ role, act, finds = [] }) => {
    const before = await moved()
    for (const stateMachine of Object.values(StateMachine))
      expect(await start(role, stateMachine, `${role}-${stateMachine}`, REQUESTS[stateMachine](20))).toEqual(DENIED)
    for (const pk of [
      ...[recordKey.decisions('a-run', 'hash'), recordKey.spoken(Verb.Decide, 'hash'), recordKey.requester('a-run')],
      ...[recordKey.run('a-run'), recordKey.budget('*', '2026-01-01', 'value:USD')],
    ])
      expect([pk, await write(role, { pk })]).toEqual([pk, DENIED.outcome])
    const { withdrawalId, intentId } = await start('start-run', Withdraw, `before-${role}`, REQUESTS[Withdraw](20))
    for (const record of (await act?.(String(withdrawalId), String(intentId))) ?? [])
      expect([record.pk, await write(role, record)]).toEqual([record.pk, 'PUT'])
    expect((await findings()).map(({ finding }) => finding).sort()).toEqual(finds)
    expect(await moved()).toBe(before + 1)
  },
)

// Proofs of runs that need approval: a missing approval is reported by the command and by the script for others, which share
// no code.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { WithdrawEnd } from '../../../../core/contract/outcomes.ts'
import { IntentKind, IntentState, recordKey } from '../../../../core/contract/records.ts'
import type { StoredRecord } from '../../../../core/journal/record-store.ts'
import { decideApproval } from '../../../../core/runs/approval/decision.ts'
import { decisionKeyText } from '../../../../core/runs/approval/signed-decision.ts'
import type { Decision } from '../../../../core/runs/approval/standing.ts'
import { legIntentId, legRequest, type RunRecord } from '../../../../core/runs/record/run-record.ts'
import { planSweep } from '../../../../functions/plan-sweep/plan-sweep.ts'
import { collectParts } from '../../../../operations/proof/collect.ts'
import { type Part, sealPack } from '../../../../operations/proof/pack-file.ts'
import { evidenceIn } from '../../../../operations/proof/proof-parts.ts'
import { statementOf } from '../../../../operations/proof/statement.ts'
import { decisionKey } from '../../../helpers/decision-key.ts'
import { folderOfFile } from '../../../helpers/folders.ts'
import { WITHDRAWAL } from '../../../helpers/intents.ts'
import { type RunWorld, runWorld, START } from '../../../helpers/run-world.ts'
import { spokenRequest } from '../../../helpers/spoken-request.ts'
import { byScript, stranger } from '../../../integration/cli/toured-proofs.ts'
import { FROM } from './from.ts'

const APPROVAL = { above: '100', twoAbove: '500', expiresAfterSeconds: 3_600, priceBoundBps: 100 }
const PAYOUT = { kind: 'sweep', rules: [{ assets: ['A'], contactId: 'vault' }], approval: APPROVAL }
const VAULT = { id: 'vault', type: 'INTERNAL', alias: 'Vault', reference: null, updatedAt: '2025-06-01T00:00:00Z' }

const KEY = decisionKeyText(await decisionKey.publicKey())
const folder = folderOfFile()

let world: RunWorld
const enter = (execution: string) =>
  planSweep({ execution, startedAt: START, request: { policy: 'weekly' } }, world.ports)
const stored = async () => (await world.store.read(recordKey.run('run-1'))) as RunRecord & StoredRecord

beforeEach(async () => {
  world = runWorld({ weekly: PAYOUT })
  world.ports = { ...world.ports, service: { ...world.ports.service, findContact: async () => VAULT } }
  await enter('run-1')
})

async function approve(by: string) {
  const planHash = (await stored()).approval?.planHash ?? ''
  const at = new Date(world.account.nowMs).toISOString()
  await decideApproval('run-1', { decision: 'approved', planHash, by, because: 'fine', at }, world.people)
}

async function edit(change: (run: RunRecord) => Partial<RunRecord>) {
  const record = await stored()
  const edited = { ...record, ...change(record), version: record.version + 1, stamp: 'insider' }
  await world.store.replace(edited as StoredRecord, record.version)
}

/** Changes a run's record as if the run had continued. */
const begun = ({ plan }: RunRecord): Partial<RunRecord> => {
  const legs = (plan?.legs ?? []).map(({ key }) => ({ key, intentId: legIntentId('run-1', { key }) }))
  return { outcome: 'RUNNING', phases: [{ phase: 1, legs }] }
}

/** The statement that follows from what the command collects, at a service that shows nothing. */
async function collected() {
  const clock = { measure: async () => {}, reachedMs: () => Date.parse(START) }
  const service = { clock, accountOfKey: async () => undefined, keyInUse: async () => 'k' }
  const readStored = (pk: string) => world.store.read(pk)
  const sources = { readStored, service, decisionKey, from: FROM, histories: async () => ({ histories: [] }) }
  const parts = await collectParts({ kind: 'run', id: 'run-1' }, sources as never)
  return statementOf(evidenceIn(new Map(parts.map((part) => [part.part, part]))))
}

function partsOf(): Part[] {
  const about = { part: 'about', kind: 'run', id: 'run-1', at: START, from: FROM, decisionKey: KEY }
  const records = [...world.store.records].map(([key, record]) => ({ part: `record ${key}`, record }))
  const parts: Part[] = JSON.parse(JSON.stringify([{ ...about, readWith: 'k' }, ...records]))
  return parts
}

function judged(judge = statementOf) {
  const parts = partsOf()
  return { parts, statement: judge(evidenceIn(new Map(parts.map((each) => [each.part, each])))) }
}

/** The contradictions that both programs report. The records here carry no chains. */
async function contradictions(): Promise<readonly string[]> {
  const { parts, statement } = judged()
  const file = path.join(folder, 'run.proof')
  writeFileSync(file, await sealPack([...parts, { part: 'statement', statement } as Part], stranger))
  const { stdout, stderr } = byScript(file)
  expect(stderr).toBe('')
  const codes = statement.contradictions.map(({ code }) => code).filter((code) => code !== 'record_broken')
  for (const code of codes) expect(stdout).toContain(`"${code}"`)
  return codes
}

test('where two people have approved a plan that needs two, nothing contradicts the run', async () => {
  await approve('ana')
  await approve('bob')
  await enter('run-1_2')
  expect((await stored()).phases).toHaveLength(1)
  expect(await contradictions()).toEqual([])
})

test.each([['ana'], ['arn:aws:sts::1:assumed-role/other/ANA']])(
  'where two must approve, one person is not enough, even twice: %s',
  async (again) => {
    await approve('ana')
    await approve(again)
    await edit(begun)
    expect(await contradictions()).toEqual(['not_approved'])
  },
)

test('an unverified approval beside one of the same person is not a second approval', async () => {
  await approve('arn:aws:sts::1:assumed-role/approver/ana')
  const pk = recordKey.decisions('run-1', (await stored()).approval?.planHash ?? '')
  const record = await world.store.read(pk)
  const words = (record as unknown as { words: Decision[] }).words
  const unverified = { ...(words[0] as Decision), by: 'Ana (not verified)' }
  const planHash = pk.split('#').at(-1) ?? ''
  const { word, request } = spokenRequest(unverified, { run: 'run-1', planHash }, 'unverified')
  await world.store.create(request)
  const forged = { ...record, words: [...words, word], version: 2, stamp: 'insider' }
  await world.store.replace(forged as unknown as StoredRecord, 1)
  await edit(begun)
  expect(await contradictions()).toEqual(['not_approved'])
})

test('approvals of two people, without the records of their requests, approve nothing', async () => {
  await approve('ana')
  await approve('bob')
  await enter('run-1_2')
  const unsigned = [...world.store.records].filter(([pk]) => !pk.startsWith('N#'))
  world = { ...world, store: { ...world.store, records: new Map(unsigned) } }
  expect(await contradictions()).toEqual(['not_approved'])
})

test.each<[string, string, (run: RunRecord) => Partial<RunRecord>]>([
  ['says that nobody was asked', 'not_approved', () => ({ approval: undefined, guardsHash: undefined })],
  ['goes on for longer than was approved', 'not_approved', () => ({ notAfter: '2036-01-01T00:00:00.000Z' })],
  ['is of another policy than its plan', 'not_approved', () => ({ policy: 'another' })],
])('a record that %s contradicts itself', async (_, code, change) => {
  await approve('ana')
  await approve('bob')
  await enter('run-1_2')
  await edit(change)
  expect(await contradictions()).toEqual([code])
})

test('a rejected run that was begun anyway was not approved', async () => {
  await approve('ana')
  const planHash = (await stored()).approval?.planHash ?? ''
  const word = { decision: 'rejected', planHash, by: 'bob', because: 'no', at: START } as const
  await decideApproval('run-1', word, world.people)
  await edit(begun)
  expect(await contradictions()).toEqual(['not_approved'])
})

test.each<[string, (legs: RunRecord['phases'][number]['legs']) => RunRecord['phases'][number]['legs']]>([
  ['names one of its legs twice', (legs) => [...legs, ...legs]],
  [
    'has more legs than a plan',
    (legs) => Array.from({ length: 2_201 }, (_, nth) => ({ ...legs[0], key: 'k', intentId: `i-${nth}` })),
  ],
])('a run that %s is not a proof, for both programs', async (_what, change) => {
  await approve('ana')
  await approve('bob')
  await enter('run-1_2')
  await edit(({ phases }) => ({ phases: phases.map(({ phase, legs }) => ({ phase, legs: change(legs) })) }))
  const parts = partsOf()
  expect(() => judged()).toThrow('it has more than 2200 legs, or one of them twice')
  const file = path.join(folder, 'twice.proof')
  writeFileSync(file, await sealPack([...parts, { part: 'statement', statement: {} }], stranger))
  expect(byScript(file)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('R#run-1: its legs') })
})

test('a run with an ended leg whose intent is left out contradicts itself', async () => {
  await approve('ana')
  await approve('bob')
  await enter('run-1_2')
  const intentId = (await stored()).phases[0]?.legs[0]?.intentId ?? ''
  const withdrawal = { outcome: 'COMPLETED', intentId, withdrawalId: 'row-1' } as const
  await edit(() => ({ results: { [intentId]: { outcome: 'COMPLETED', withdrawal } } }))
  expect(await contradictions()).toEqual(['claim_missing'])
})

test('a row of a file, whose intent has the same id in every run, is a leg of its run', async () => {
  world = runWorld({ weekly: { kind: 'payouts', assets: ['A'] } })
  world.ports = { ...world.ports, service: { ...world.ports.service, findContact: async () => VAULT } }
  const rows = [{ id: 'salary-1', contactId: 'vault', asset: 'A', amount: '1' }]
  const request = { policy: 'weekly', rows }
  expect(await planSweep({ execution: 'run-1', startedAt: START, request }, world.ports)).toMatchObject({
    outcome: 'WITHDRAW',
  })
  const run = await stored()
  const [leg] = run.plan?.legs ?? []
  if (leg === undefined) throw new Error('no leg')
  const intentId = legIntentId('run-1', leg)
  expect(leg.once).toBe('payout/salary-1/1')
  const { notAfter } = run
  const intent = { intentId, kind: IntentKind.Withdraw, params: legRequest(run, leg), createdAt: START, notAfter }
  const end = { state: IntentState.Exhausted, outcome: WithdrawEnd.Exhausted, why: 'its time is over' }
  await world.ports.journal.open({ ...intent, frozen: {} }, end)
  expect(await contradictions()).toEqual([])
})

test.each([
  [WithdrawEnd.Exhausted, 'not begun', []],
  [WithdrawEnd.NeedsAttention, 'certified zero', ['leg_differs']],
])('a row that another run has begun, and whose leg ended %s, is %s', async (outcome, verdict, codes) => {
  world = runWorld({ weekly: { kind: 'payouts', assets: ['A'] } })
  world.ports = { ...world.ports, service: { ...world.ports.service, findContact: async () => VAULT } }
  const request = { policy: 'weekly', rows: [{ id: 'salary-1', contactId: 'vault', asset: 'A', amount: '1' }] }
  await planSweep({ execution: 'run-1', startedAt: START, request }, world.ports)
  const run = await stored()
  const [leg] = run.plan?.legs ?? []
  if (leg === undefined) throw new Error('no leg')
  const intentId = legIntentId('run-1', leg)
  const params = { ...legRequest(run, leg), run: 'run-2', policy: 'other' }
  const intent = { intentId, kind: IntentKind.Withdraw, params, createdAt: START, notAfter: run.notAfter }
  const end = { state: IntentState.Exhausted, outcome: WithdrawEnd.Exhausted, why: 'its time is over' }
  await world.ports.journal.open({ ...intent, frozen: {} }, end)
  await edit(() => ({ outcome: 'NOTHING_MOVED', results: { [intentId]: { outcome } } }))
  const { movements, contradictions } = await collected()
  expect(movements).toMatchObject([{ intentId, verdict }])
  expect(contradictions.map(({ code }) => code).filter((code) => code !== 'record_broken')).toEqual(codes)
})

test('a proof of a run whose record is kept in pages is refused, and says of what to make proofs', async () => {
  const clock = { measure: async () => {}, reachedMs: () => Date.parse(START) }
  const service = { clock, accountOfKey: async () => undefined, keyInUse: async () => 'k' }
  const readStored = async (pk: string) =>
    pk === recordKey.run('run-1') ? { ...(await stored()), pages: [] } : undefined
  const sources = { readStored, service, decisionKey, from: FROM, histories: async () => ({ histories: [] }) }
  await expect(collectParts({ kind: 'run', id: 'run-1' }, sources as never)).rejects.toThrow(
    'run run-1 has too many legs for one proof: make a proof of each of its movements',
  )
})

test('an intent that the record of an ended run leaves out is in its proof, and contradicts it', async () => {
  await approve('ana')
  await approve('bob')
  await enter('run-1_2')
  const intentId = (await stored()).phases[0]?.legs[0]?.intentId ?? ''
  const opened = { intentId, createdAt: START, notAfter: START, attemptNumber: 1, ...WITHDRAWAL, state: 'READY' }
  const key = recordKey.intent('withdraw', intentId)
  await world.store.create({ pk: key, format: 1, stamp: 's', version: 1, ...opened, paramsHash: '' })
  await edit(() => ({ outcome: 'SETTLED', phases: [] }))
  const clock = { measure: async () => {}, reachedMs: () => Date.parse(START) }
  const service = { clock, accountOfKey: async () => undefined, keyInUse: async () => 'k' }
  const readStored = (pk: string) => world.store.read(pk)
  const sources = {
    readStored,
    service,
    decisionKey,
    from: FROM,
    histories: async () => ({ histories: [] }),
  }
  const collect = (collector: typeof collectParts) => collector({ kind: 'run', id: 'run-1' }, sources as never)
  const parts = await collect(collectParts)
  const { contradictions } = statementOf(evidenceIn(new Map(parts.map((part) => [part.part, part]))))
  expect(contradictions).toContainEqual({ about: key, code: 'leg_differs' })
})

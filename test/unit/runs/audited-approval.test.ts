// The audit and `journal verify` judge whether a single movement was approved, where a rule of the deployed file asks people.
// They name words in a person's name that have no signed request of that person.
import { beforeEach, expect, test } from 'vitest'
import { recordKey } from '../../../core/contract/records.ts'
import { Verb } from '../../../core/contract/states.ts'
import { createAcceptedRequests } from '../../../core/journal/accepted-requests.ts'
import { createHalts, findUnheardResumes } from '../../../core/journal/halts.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { createUnapprovedFinder } from '../../../core/runs/approval/audited-approval.ts'
import { createDecisions } from '../../../core/runs/approval/decisions.ts'
import { findRules } from '../../../core/runs/approval/movement-decision.ts'
import { findUnheardIn } from '../../../operations/journal/unheard.ts'
import { decisionKey } from '../../helpers/decision-key.ts'
import { START_MS } from '../../helpers/fake-conversion-service.ts'
import { type FakeWithdrawalPorts, fakeWithdrawalPorts } from '../../helpers/fake-withdrawal-service.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'
import { spokenRequest } from '../../helpers/spoken-request.ts'

const AT = new Date(START_MS).toISOString()
const ANA = 'arn:aws:iam::123456789012:user/ana'
const APPROVAL = { guards: { approval: { assets: { USDC: '99' } } } }
const UNHEARD = `no signed request of ${ANA} is recorded`

let world: FakeWithdrawalPorts
let sinceMs = 0
beforeEach(async () => {
  sinceMs = 0
  world = fakeWithdrawalPorts()
})

/** The withdrawal of 100 USDC, sent under a file without rules. The audit judges it by a file with a rule. */
async function sent(): Promise<Intent> {
  expect(await world.send(await world.check())).toMatchObject({ outcome: 'COMPLETED' })
  const intent = await world.shared.journal.find('intent-1', 'withdraw')
  if (intent === undefined) throw new Error('it was not sent')
  return intent
}

const rules = () => ({ ...world.shared.treasury, ...APPROVAL }) as never
const find = (intent: Intent) =>
  createUnapprovedFinder(world.shared.store, { treasury: rules(), sinceMs: async () => sinceMs }, decisionKey)(intent)

function termsOf(intent: Intent) {
  const { kind, intentId, termsHash } = findRules(intent, rules()) ?? {}
  if (kind === undefined || intentId === undefined || termsHash === undefined) throw new Error('no rule asks people')
  return { kind, intentId, termsHash }
}

const word = { decision: 'approved', by: ANA, because: 'it is due', at: AT } as const

test('a single withdrawal that nobody approved, though a rule asks people, is named', async () => {
  expect(await find(await sent())).toContain('people have not approved its terms, and guards.approval wants it')
})

test('one that a person approved, and one that was opened before the rule was deployed, are not named', async () => {
  const intent = await sent()
  sinceMs = START_MS + 86_400_000
  expect(await find(intent)).toBeUndefined()
  sinceMs = 0
  await createDecisions(world.shared.store, world.shared.newId, decisionKey).addOfMovement(termsOf(intent), word)
  expect(await find(intent)).toBeUndefined()
})

test('one whose approval has no signed request is named with the person', async () => {
  const intent = await sent()
  const { kind, intentId, termsHash } = termsOf(intent)
  const forged = spokenRequest(word, { kind, intent: intentId, termsHash }, 'forged').word
  const pk = recordKey.movementDecisions(kind, intentId, termsHash)
  await world.shared.store.create({ pk, version: 1, format: 1, stamp: 'forged', words: [forged] })
  expect(await find(intent)).toContain(UNHEARD)
})

test('an intent that a person is said to have settled is named without the signed request', async () => {
  const resolution = { by: ANA, because: 'seen', at: AT, movementId: 'row-1' }
  const intent = { ...(await sent()), resolution } as Intent
  sinceMs = Number.POSITIVE_INFINITY
  expect(await find(intent)).toContain(UNHEARD)
  const spoken = await accepted(world.shared.store as MemoryStore, Verb.Resolve)
  expect(await find({ ...intent, resolution: { ...resolution, spoken } } as Intent)).toBeUndefined()
  // Nobody signs at a desk, and the name says so.
  expect(await find({ ...intent, resolution: { ...resolution, by: 'ana (not verified)' } } as Intent)).toBeUndefined()
})

const newId = () => crypto.randomUUID()
const accepted = (store: MemoryStore, verb: Verb) =>
  createAcceptedRequests(store, newId)(verb, { id: newId(), by: ANA, to: 'arn', at: AT, request: {} })

test('a resume in a name of AWS is named without its signed request, and a halt needs none', async () => {
  const store = createMemoryStore()
  const halts = createHalts(store, newId)
  const said = { scope: 'core', by: ANA, because: 'over', at: AT }
  await halts.halt(said)
  expect(await findUnheardResumes(['core'], store)).toEqual([])
  await halts.resume({ ...said, spoken: await accepted(store, Verb.Resume) })
  expect(await findUnheardResumes(['core'], store)).toEqual([])
  await halts.halt(said)
  await halts.resume(said)
  expect(await findUnheardResumes(['core'], store)).toEqual([expect.stringContaining(`H#core: ${UNHEARD}`)])
})

test.each([
  ['a decision', recordKey.decisions('run-1', 'hash'), { words: [word] }],
  ['a declaration', recordKey.foreign('convert', 'm-1'), word],
  ['a resolution', recordKey.resolved('convert', 'i-1', AT), word],
  ['a release', recordKey.released('core', AT), word],
  ['a resume', recordKey.halt('core'), { halted: false, ...word }],
  [
    'an earlier resume',
    recordKey.pastHalt('core', 1),
    { was: { pk: 'H#core', version: 1, format: 1, stamp: 's', halted: false, ...word } },
  ],
])('`journal verify` names %s whose signed request nobody recorded', async (_what, pk, fields) => {
  const record = { pk, version: 1, format: 1, stamp: 'forged', ...fields }
  expect(await findUnheardIn(record, createMemoryStore(), decisionKey)).toContain(UNHEARD)
})

test.each([
  ['decisions on any plan', recordKey.decisions('run-1', 'any'), {}],
  ['what one person approved alone', recordKey.approvedAlone('ana'), { approved: [] }],
  ['a halt', recordKey.halt('core'), { halted: true, ...word }],
  ['a run', recordKey.run('run-1'), {}],
])('%s needs no signed request', async (_what, pk, fields) => {
  expect(
    await findUnheardIn({ pk, version: 1, format: 1, stamp: 's', ...fields }, createMemoryStore(), decisionKey),
  ).toBeUndefined()
})

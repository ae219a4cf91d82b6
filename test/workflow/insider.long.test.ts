// Who may change an intent in the journal, and with what effect: an insider in the code of each function, under the
// function's own role.
import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import type { EndpointHook } from '@sluice/embedded-aws'
import { expect, test } from 'vitest'
import { FOREIGN, IntentKind, recordKey } from '../../core/contract/records.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { budgetSymbol, contactScope } from '../../core/guards/effective-guards.ts'
import { chained } from '../../core/journal/record-chain.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { recordedPlanHash } from '../../core/runs/approval/ask.ts'
import { legIntentId, type RunRecord } from '../../core/runs/record/run-record.ts'
import { scheduledName } from '../../core/triggers/scheduled-name.ts'
import { idMadeOf } from '../../operations/movements/intent-id.ts'
import { peopleDoor } from '../../place/aws/people-door.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { forged } from '../helpers/decision-key.ts'
import type { InsiderEvent } from '../helpers/insider.ts'
import { spokenRequest } from '../helpers/spoken-request.ts'
import { useMachines } from './machines.ts'

const PAYS = { kind: 'payouts', assets: ['USDC', 'USDT'], from: [{ asset: 'USD' }], approval: { above: '150' } }
/** The steps that settle and send a leg, with a policy each, because a run that waits holds its policy. */
const SENDING = [
  ['check-withdrawal', StateMachine.Withdraw],
  ['withdraw', StateMachine.Withdraw],
  ['quote', StateMachine.Convert],
  ['order', StateMachine.Convert],
] as const
const TREASURY = {
  ...{ service: { url: 'https://api.example.com', stage: 'test' }, webhooks: {} },
  policies: { salaries: PAYS, twice: PAYS, ...Object.fromEntries(SENDING.map(([step]) => [step, PAYS])) },
}

// The insider is called while the same function works.
const optionsFor = () => ({ workersPerFunction: 2 })
const machine = useMachines({ treasury: TREASURY, hasInsider: true, optionsFor })

async function obey(functionName: string, insider: InsiderEvent['insider']): Promise<string> {
  const event: InsiderEvent = { insider }
  return JSON.parse(await machine.aws.invokeFunction(functionName, JSON.stringify(event))).outcome
}

const put = (functionName: string, item: object) => obey(functionName, { item })

test('only functions that run what others asked for start an execution', async () => {
  const { functions, stateMachines } = machine.aws.resources()
  const starters: string[] = []
  for (const { name } of functions) {
    const outcomes = stateMachines.map(({ arn }) => obey(name, { start: { stateMachineArn: arn, name, input: '{}' } }))
    if ((await Promise.all(outcomes)).includes('STARTED')) starters.push(name.replace('sluice-', ''))
  }
  // This treasury reads no files, so it has no StartOnFile (insider-starts.long.test.ts).
  expect(starters.sort()).toEqual(['decide', 'look-again', 'request-run', 'start-on-deposit', 'start-run'])
})

test('an intent is written by the steps of its own machine, by ends of runs and by Resolve, and by planners if it converts', async () => {
  const writers: Record<IntentKind, string[]> = { convert: [], withdraw: [] }
  for (const { name } of machine.aws.resources().functions) {
    for (const kind of Object.values(IntentKind)) {
      const outcome = await put(name, { pk: { S: recordKey.intent(kind, `by-${name}`) } })
      expect(['PUT', 'AccessDeniedException']).toContain(outcome)
      if (outcome === 'PUT') writers[kind].push(name.replace('sluice-', ''))
    }
  }
  expect(writers.withdraw.sort()).toEqual(['check-withdrawal', 'conclude', 'resolve', 'settle-run', 'withdraw'])
  const converting = ['conclude', 'order', 'plan-rebalance', 'plan-sweep', 'quote', 'resolve', 'settle-run']
  expect(writers.convert.sort()).toEqual(converting)
})

/** Returns the functions that may write a record of this key. Each of them tries. */
async function writersOf(pk: string): Promise<string[]> {
  const writers: string[] = []
  for (const { name } of machine.aws.resources().functions) {
    const outcome = await put(name, { pk: { S: pk } })
    expect(['PUT', 'AccessDeniedException']).toContain(outcome)
    if (outcome === 'PUT') writers.push(name.replace('sluice-', ''))
  }
  return writers.sort()
}

const DAY = '2020-01-01'
test.each([
  ['what may be withdrawn of an asset in a day', recordKey.budget('*', DAY, 'USDC'), ['withdraw']],
  ['the same of a policy', recordKey.budget('a-policy', DAY, 'USDC'), ['withdraw']],
  [
    'what may go to a contact',
    recordKey.budget(contactScope('*', 'c#1'), DAY, budgetSymbol.value('USDC')),
    ['withdraw'],
  ],
  [
    'what may go to a contact of a policy',
    recordKey.budget(contactScope('a-policy', 'c-1'), DAY, budgetSymbol.value('USDC')),
    ['withdraw'],
  ],
  ['the value of all movements', recordKey.budget('*', DAY, budgetSymbol.value('USDC')), ['order', 'withdraw']],
  ['whose the journal is, and in which form', recordKey.journal, []],
  ['a person’s declaration that a withdrawal is foreign', recordKey.foreign('withdraw', 'w-1'), ['declare-foreign']],
  ['the same of an order', recordKey.foreign('convert', 'o-1'), ['declare-foreign']],
  ['who changed which bound', recordKey.pastConfiguration(9), ['reconcile']],
  ['who asked for a run of people', recordKey.requester(idMadeOf('sweep', 'one')), ['request-run']],
  [
    'what asked for a run of a schedule',
    recordKey.requester(scheduledName('a-policy', '2026-01-01T00:00:00Z')),
    ['start-on-deposit', 'start-run'],
  ],
])('only these write %s: %s by %j', async (_what, key, writers) => {
  expect(await writersOf(key)).toEqual(writers)
})

/** The record of an intent as DynamoDB has it. */
async function storedItem(key: string): Promise<Record<string, unknown>> {
  const { client, tableName } = journalTable(machine.aws)
  const { Item } = await client.send(new GetItemCommand({ TableName: tableName, Key: { pk: { S: key } } }))
  client.destroy()
  return Item ?? {}
}

/** The payee and the amount, which an insider would change. */
const SEND = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }

/**
 * Somebody edits a record once while this function runs, and each of its reads waits for that. `edit` resolves with
 * whether there was a record to edit, because a function may begin before its intent is opened.
 */
function editedBeforeReads(named: string, edit: () => Promise<boolean>) {
  let editing: Promise<boolean> | undefined
  let isDone = false
  const hook: EndpointHook = async ({ functionName, operation }) => {
    if (isDone || functionName !== named || operation !== 'GetItem') return undefined
    editing ??= edit()
    const mine = editing
    isDone = await mine
    if (!isDone && editing === mine) editing = undefined
    return undefined
  }
  return { hook, isDone: () => isDone }
}

/** Writes the next version as the product would, so that nothing shows the edit. */
function wholeAgain(item: Record<string, unknown>): Record<string, unknown> {
  const { chain: before, ...record } = unmarshall(item as Record<string, AttributeValue>) as StoredRecord
  return marshall(chained({ ...record, version: record.version + 1, stamp: 'insider' }, String(before)))
}

async function withdrawn(): Promise<number> {
  const { movements } = await machine.control<{ movements: { kind: string }[] }>('/oracle')
  return movements.filter(({ kind }) => kind === 'withdrawal').length
}

/** Roles that may write the record of a run. */
const RUN_WRITERS = ['plan-rebalance', 'plan-sweep', 'settle-run']
/** His record says that people were asked, or that nobody was asked. It then names no rule anywhere. */
const REDIRECTIONS = RUN_WRITERS.flatMap((role) => [
  [role, 'approved', 'its leg rule1-withdraw-USDC is not as it was approved: its amount'] as const,
  [role, 'unasked', 'it says that nobody was asked, and people were'] as const,
])

test.each(REDIRECTIONS)(
  'a payout that people approved goes nowhere else once %s has changed its run into an %s one',
  async (role, how, why) => {
    const runId = `payout-${how}-by-${role}`
    const key = recordKey.run(runId)
    const before = await withdrawn()
    const rules = [{ assets: ['USDC'], canary: false, contactId: contactId('cold-usdc-polygon') }]
    const input = JSON.stringify({
      policy: { kind: 'sweep', rules, approval: { above: '0' }, breaker: { failures: 100 } },
    })
    const asked = await machine.aws.startExecution({ stateMachine: StateMachine.Sweep, name: runId, input })
    await machine.aws.untilFinished(asked.executionArn)
    const edit = editedBeforeReads('sluice-plan-sweep', async () => {
      const whole = wholeAgain(marshall(redirected(await storedRun(key), how), UNDEFINED_LEFT_OUT))
      expect(await put(`sluice-${role}`, whole)).toBe('PUT')
      return true
    })
    machine.hook = edit.hook
    const { planHash = '' } = (await storedRun(key)).approval ?? {}
    const word = { decision: 'approved', run: runId, planHash, because: 'it is due' } as const
    const { execution } = await peopleDoor(machine.aws).decide(word)
    const entered = machine.aws.findExecution(StateMachine.Sweep, execution ?? '')
    const { output } = await machine.aws.untilFinished(entered?.executionArn ?? '')
    machine.hook = undefined
    expect({ isEdited: edit.isDone(), ...JSON.parse(output ?? '{}') }).toMatchObject({
      isEdited: true,
      outcome: 'NOTHING_MOVED',
    })
    expect(JSON.parse(output ?? '{}').why).toContain(why)
    expect(await withdrawn()).toBe(before)
  },
)

test('a planner that was taken over pays nobody before people are asked, though its leg names no run', async () => {
  const runId = 'unasked'
  const before = await withdrawn()
  const rules = [{ assets: ['USDC'], canary: false, contactId: contactId('cold-usdc-polygon') }]
  const policy = { kind: 'sweep', rules, approval: { above: '0' }, breaker: { failures: 99 } }
  const request = { assetSymbol: 'USDC', amount: '4321', contactId: contactId('exchange-usdc-eth') }
  const leg = { name: `${runId}-leg`, request }
  const input = JSON.stringify({ policy, trigger: { by: 'call', id: JSON.stringify(leg) } })
  const asked = await machine.aws.startExecution({ stateMachine: StateMachine.Sweep, name: runId, input })
  await machine.aws.untilFinished(asked.executionArn)
  const child = machine.aws.findExecution(StateMachine.Withdraw, leg.name)
  const { output } = await machine.aws.untilFinished(child?.executionArn ?? '')
  const why = expect.stringContaining('input.policy: expected inline-')
  expect(JSON.parse(output ?? '{}')).toMatchObject({ outcome: 'REJECTED', why })
  expect(await withdrawn()).toBe(before)
})

/** A payout of one row by a policy that asks people above 150. SettleRun answers `leg` at its end. */
async function paySalary(
  runId: string,
  row: { readonly asset: string; readonly amount: string },
  { policy = 'salaries', leg }: { readonly policy?: string; readonly leg?: object },
) {
  const rows = [{ id: `row-${runId}`, contactId: contactId('subsidiary'), ...row }]
  const trigger = { by: 'call', ...(leg && { id: JSON.stringify(leg) }) }
  const input = JSON.stringify({ policy, rows, trigger })
  const { executionArn } = await machine.aws.startExecution({ stateMachine: StateMachine.Sweep, name: runId, input })
  const { output } = await machine.aws.untilFinished(executionArn)
  return { ...JSON.parse(output ?? '{}'), run: await storedRun(recordKey.run(runId)) }
}

async function endOfLeg(name: string, machineOf: StateMachine = StateMachine.Withdraw) {
  const execution = machine.aws.findExecution(machineOf, name)
  const { cause, output } = await machine.aws.untilFinished(execution?.executionArn ?? '')
  return JSON.parse(output ?? cause ?? '{}')
}

test.each([
  ['is no leg of its run', false, 'REJECTED', 'input.run: this is no leg of that run'],
  ['stands in the record of its run', true, 'OWN_FAULT', 'pays no row of its request'],
])('a leg that SettleRun answers, and that %s is not sent', async (_how, isFrozen, outcome, why) => {
  const runId = `settled-${isFrozen}`
  const before = await withdrawn()
  const asked = { assetSymbol: 'USDC', amount: '4321', contactId: contactId('subsidiary') }
  const notAfter = '2099-01-01T00:00:00.000Z'
  const key = 'pay-forged'
  const name = legIntentId(runId, { key })
  const edit = editedBeforeReads('sluice-check-withdrawal', async () => {
    const run = await storedRun(recordKey.run(runId))
    const [leg] = run.plan?.legs ?? []
    if (!isFrozen || run.outcome !== 'SETTLED' || leg === undefined) return false
    const legs = [{ key, intentId: name, leg: { ...leg, key, once: undefined, request: asked } }]
    const item = marshall({ ...run, notAfter, phases: [...run.phases, { phase: 9, legs }] }, UNDEFINED_LEFT_OUT)
    expect(await put('sluice-settle-run', wholeAgain(item))).toBe('PUT')
    return true
  })
  machine.hook = edit.hook
  // Rows that differ: one that pays the same again waits for a person.
  await paySalary(
    runId,
    { asset: 'USDC', amount: isFrozen ? '61' : '60' },
    { leg: { name, request: { ...asked, policy: 'salaries', notAfter } } },
  )
  machine.hook = undefined
  expect(edit.isDone()).toBe(isFrozen)
  expect(await endOfLeg(name)).toMatchObject({ outcome, why: expect.stringContaining(why) })
  expect(await withdrawn()).toBe(before + 1)
})

test('a paid row whose record Conclude has ended as a zero waits for a person, and the audit finds its payment', async () => {
  const rows = [{ id: 'row-zeroed', contactId: contactId('subsidiary'), asset: 'USDC', amount: '40' }]
  const input = JSON.stringify({ policy: 'twice', rows })
  const pay = async (name: string) => {
    const { executionArn } = await machine.aws.startExecution({ stateMachine: StateMachine.Sweep, name, input })
    await machine.aws.untilFinished(executionArn)
    return recordKey.intent('withdraw', (await storedRun(recordKey.run(name))).phases[0]?.legs[0]?.intentId ?? '')
  }
  const before = await withdrawn()
  const key = await pay('paid')
  const { ref, ...intent } = unmarshall((await storedItem(key)) as Record<string, AttributeValue>)
  const zero = marshall({ ...intent, state: 'EXHAUSTED', outcome: 'EXHAUSTED', why: 'it was not sent' })
  expect(await put('sluice-conclude', wholeAgain(zero))).toBe('PUT')
  await pay('paid-again')
  expect(await storedRun(recordKey.run('paid-again'))).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
  expect(await withdrawn()).toBe(before + 1)
  await machine.pass(3_600_000)
  const { findings } = await machine.reconcile()
  expect(findings).toContainEqual(expect.objectContaining({ finding: 'unproven_claim', movementId: ref }))
})

test.each(SENDING)('%s refuses a leg of a run that waits for people', async (step, stateMachine) => {
  const runId = `waits-before-${step}`
  const converts = stateMachine === StateMachine.Convert
  const before = (await machine.movements()).length
  const edit = editedBeforeReads(`sluice-${step}`, async () => {
    const run = await storedRun(recordKey.run(runId))
    const approval = { planHash: 'ab'.repeat(32), reason: 'it is above', expiresAt: run.notAfter }
    const item = marshall({ ...run, outcome: 'AWAITING_APPROVAL', approval }, UNDEFINED_LEFT_OUT)
    expect(await put('sluice-settle-run', wholeAgain(item))).toBe('PUT')
    return true
  })
  machine.hook = edit.hook
  // Rows that differ: one that pays the same again waits for a person before it has legs.
  const row = { asset: converts ? 'USDT' : 'USDC', amount: step === 'order' ? '26' : `${20 + step.length}` }
  if (converts) await machine.control('/balance', { assetSymbol: row.asset, balance: '0' })
  const { run } = await paySalary(runId, row, { policy: step })
  machine.hook = undefined
  const [leg] = run.phases[0]?.legs ?? []
  const why = expect.stringContaining('people have not approved its plan')
  expect(await endOfLeg(leg?.intentId ?? '', stateMachine)).toMatchObject({ outcome: 'OWN_FAULT', why })
  expect((await machine.movements()).length).toBe(before)
})

test('a run whose recorded hash is not that of its plan is not approved, and nothing is paid out', async () => {
  const runId = 'payout-switched'
  const key = recordKey.run(runId)
  const before = await withdrawn()
  const rules = [{ assets: ['USDC'], canary: false, contactId: contactId('cold-usdc-polygon') }]
  const input = JSON.stringify({
    policy: { kind: 'sweep', rules, approval: { above: '0' }, breaker: { failures: 100 } },
  })
  const asked = await machine.aws.startExecution({ stateMachine: StateMachine.Sweep, name: runId, input })
  await machine.aws.untilFinished(asked.executionArn)
  const shown = await storedRun(key)
  const [leg] = (redirected(shown, 'approved') as RunRecord).phases[0]?.legs ?? []
  const plan = shown.plan && { ...shown.plan, legs: leg?.leg === undefined ? [] : [leg.leg] }
  const planHash = recordedPlanHash({ ...shown, plan }) ?? ''
  // People still see the plan to the one contact, with the hash of the plan to the other.
  const item = marshall({ ...shown, approval: { ...shown.approval, planHash } }, UNDEFINED_LEFT_OUT)
  expect(await put('sluice-plan-rebalance', wholeAgain(item))).toBe('PUT')
  const word = { decision: 'approved', run: runId, planHash, because: 'it is due' } as const
  await expect(peopleDoor(machine.aws).decide(word)).rejects.toThrow('another plan than you have seen')
  expect(await storedItem(recordKey.decisions(runId, planHash))).toEqual({})
  expect(await withdrawn()).toBe(before)
})

test('decisions of two treasurers that an insider writes with their signed requests, and without the key, pay nothing', async () => {
  const runId = 'payout-forged'
  const before = await withdrawn()
  const rules = [{ assets: ['USDC'], canary: false, contactId: contactId('cold-usdc-polygon') }]
  const approval = { above: '0', twoAbove: '1' }
  const input = JSON.stringify({ policy: { kind: 'sweep', rules, approval, breaker: { failures: 100 } } })
  const asked = await machine.aws.startExecution({ stateMachine: StateMachine.Sweep, name: runId, input })
  await machine.aws.untilFinished(asked.executionArn)
  const { planHash = '' } = (await storedRun(recordKey.run(runId))).approval ?? {}
  const subject = { run: runId, planHash }
  const said = { decision: 'approved', because: 'it is due', at: new Date().toISOString() } as const
  const spoken = ['ana', 'bob'].map((name) =>
    spokenRequest({ ...said, by: `arn:aws:iam::123456789012:user/${name}` }, subject, `${runId}-${name}`),
  )
  const words = spoken.map(({ word }) => forged(word, subject))
  for (const record of [
    ...spoken.map(({ request }) => request),
    { pk: recordKey.decisions(runId, 'any') },
    { pk: recordKey.decisions(runId, planHash), words },
  ]) {
    const whole = chained({ version: 1, format: 1, stamp: 'insider', ...record }, undefined)
    expect(await put('sluice-decide', marshall(whole))).toBe('PUT')
  }
  const name = `${runId}_2`
  const entered = await machine.aws.startExecution({ stateMachine: StateMachine.Sweep, name, input })
  const { output } = await machine.aws.untilFinished(entered.executionArn)
  expect(JSON.parse(output ?? '{}')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
  expect(await withdrawn()).toBe(before)
})

/** The run as if it had continued, with its leg planned again: another amount, to another contact. */
function redirected(run: RunRecord, how: 'approved' | 'unasked'): object {
  const [leg] = run.plan?.legs ?? []
  if (leg === undefined) throw new Error('the run has no leg to redirect')
  const elsewhere = { amount: '4321', most: '4321', contactId: contactId('exchange-usdc-eth') }
  const forged = { ...leg, contactId: elsewhere.contactId, total: '4321', request: { ...leg.request, ...elsewhere } }
  const frozen = { key: leg.key, intentId: legIntentId(run.runId, leg), leg: { ...forged, payee: undefined } }
  const asked = how === 'unasked' && {
    ...{ approval: undefined, guardsHash: undefined },
    asPlanned: { ...run.asPlanned, approval: undefined },
  }
  return { ...run, ...asked, outcome: 'RUNNING', phases: [{ phase: leg.phase, legs: [frozen] }] }
}

const UNDEFINED_LEFT_OUT = { removeUndefinedValues: true }

async function storedRun(key: string): Promise<RunRecord> {
  return unmarshall((await storedItem(key)) as Record<string, AttributeValue>) as RunRecord
}

const contactId = (reference: string) => machine.sandbox.contacts.find((each) => each.reference === reference)?.id ?? ''

const WRITERS = ['check-withdrawal', 'withdraw', 'conclude', 'settle-run']

test.each(WRITERS)(
  'a withdrawal that %s has redirected with a whole chain is not sent, and its field is named',
  async (role) => {
    const name = `redirected-by-${role}`
    const before = await withdrawn()
    const key = recordKey.intent('withdraw', name)
    const edit = editedBeforeReads('sluice-withdraw', async () => {
      const item = await storedItem(key)
      if (item.frozen === undefined) return false
      const frozen = item.frozen as { readonly M: object }
      const redirected = { ...item, frozen: { M: { ...frozen.M, amount: { S: '4321' }, total: { S: '4321' } } } }
      expect(await put(`sluice-${role}`, wholeAgain(redirected))).toBe('PUT')
      return true
    })
    machine.hook = edit.hook
    const { status, report } = await machine.withdraw(name, SEND)
    machine.hook = undefined
    expect({ isEdited: edit.isDone(), status }).toEqual({ isEdited: true, status: 'FAILED' })
    expect(report).toMatchObject({ outcome: 'OWN_FAULT' })
    expect(report.why).toContain(
      'was changed, and nothing goes on from it: its frozen.amount is not as it was asked for',
    )
    expect(await withdrawn()).toBe(before)
  },
)

test.each(WRITERS)(
  'a withdrawal that %s has edited between two steps is not sent, and its record is named',
  async (role) => {
    const name = `edited-by-${role}`
    const before = await withdrawn()
    const key = recordKey.intent('withdraw', name)
    const edit = editedBeforeReads('sluice-withdraw', async () => {
      const { chain: _chain, before: _before, ...item } = await storedItem(key)
      if (item.frozen === undefined) return false
      const frozen = item.frozen as { readonly M: object }
      const edited = { ...item, frozen: { M: { ...frozen.M, amount: { S: '4321' }, total: { S: '4321' } } } }
      expect(await put(`sluice-${role}`, edited)).toBe('PUT')
      return true
    })
    machine.hook = edit.hook
    const { status, report } = await machine.withdraw(name, SEND)
    machine.hook = undefined
    expect({ isEdited: edit.isDone(), status }).toEqual({ isEdited: true, status: 'FAILED' })
    expect(JSON.stringify(report)).toContain(`the record ${key} is broken: its chain is missing`)
    // Nothing continues from it, and nothing has covered it up.
    expect(await storedItem(key)).not.toHaveProperty('chain')
    expect(await withdrawn()).toBe(before)
  },
)

test("the audit finds foreign claims by Withdraw without a person's declaration, with a chain and without", async () => {
  const sent = await machine.withdraw('hidden', SEND)
  expect(sent.report).toMatchObject({ outcome: 'COMPLETED' })
  const chainless = await machine.withdraw('hidden-too', SEND)
  const claimed = (movementId: unknown) => ({ ...FOR_OTHERS, pk: recordKey.claim('withdraw', String(movementId)) })
  expect(await put('sluice-withdraw', marshall(chained(claimed(sent.report.withdrawalId), undefined)))).toBe('PUT')
  expect(await put('sluice-withdraw', marshall(claimed(chainless.report.withdrawalId)))).toBe('PUT')
  await machine.pass(3_600_000)
  const { findings } = await machine.reconcile()
  expect(findings).toContainEqual(
    expect.objectContaining({ finding: 'unproven_claim', movementId: sent.report.withdrawalId }),
  )
  expect(findings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining(`C#withdraw#${chainless.report.withdrawalId} is broken: its chain is missing`),
  )
})

const FOR_OTHERS = { version: 1, stamp: 'insider', format: 1, intentId: FOREIGN }

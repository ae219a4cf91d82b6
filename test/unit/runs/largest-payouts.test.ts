// Payout files of every length, with the longest texts that the schemas take, against the sizes that AWS allows.
import { expect, test } from 'vitest'
import { entryName, intentIdOf } from '../../../core/contract/fields.ts'
import { recordKey } from '../../../core/contract/records.ts'
import { type PlanOutput, planInput, RunStep, type StartLeg } from '../../../core/contract/runs.ts'
import { withLongRecords } from '../../../core/journal/long-records.ts'
import { doneMove } from '../../../core/journal/moves.ts'
import { createPages } from '../../../core/journal/pages.ts'
import { payeeOf, SUB_TYPES } from '../../../core/movements/withdrawal/payee.ts'
import type { RunPorts } from '../../../core/runs/ports.ts'
import type { WithdrawalState } from '../../../core/service/ports.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { armed, guardsOf, WITHDRAWAL } from '../../helpers/intents.ts'
import { runWorld, START } from '../../helpers/run-world.ts'

/** Bytes of UTF-8 that Step Functions takes as the input or output of a state, a task or an execution. */
const MOST_STATE_BYTES = 256 * 1024
const MOST_ITEM_BYTES = 400 * 1024
const MOST_PHASE_ANSWERS = 100

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const LABEL = '世'.repeat(300)
const ASSETS = ['USD', 'A', 'B']
const RUN = 'r'.repeat(76)
const POLICY = 'p'.repeat(48)
const contactOf = (index: number) => `${'c'.repeat(250)}${String(index).padStart(6, '0')}`

const rowOf = (_: unknown, index: number) => ({
  id: `${'i'.repeat(43)}-${String(index).padStart(4, '0')}`,
  contactId: contactOf(index),
  asset: ASSETS[index % ASSETS.length] ?? '',
  amount: '123456.123456',
  reference: '世'.repeat(140),
})

function bank(id: string) {
  const assetSymbol = ASSETS[Number(id.slice(-6)) % ASSETS.length] ?? ''
  return {
    ...{ id, type: 'BANK_ACCOUNT', alias: LABEL, reference: LABEL, updatedAt: START },
    bank: { assetSymbol, bankId: LABEL, bankName: LABEL, bankAccountNumber: LABEL },
  }
}

/** As the machine of a withdrawal that completes at once. */
async function carryOut({ name, request }: StartLeg, { journal }: RunPorts, rows: Map<string, WithdrawalState>) {
  if (!('assetSymbol' in request) || request.contactId === undefined) throw new TypeError('expected a withdrawal')
  const { assetSymbol, amount, contactId, feeMode = 'deduct', keep, policy } = request
  const [intentId, id] = [intentIdOf(name), `${'w'.repeat(200)}${name}`]
  const terms = { assetSymbol, amount, feeMode, contactId, fee: '0', total: amount, networkId: null }
  const intent = await journal.open({
    ...{ intentId, kind: WITHDRAWAL.kind, params: request, createdAt: START, notAfter: request.notAfter ?? START },
    frozen: {
      ...{ ...WITHDRAWAL.frozen, ...terms, increment: '0.000001', subTypes: SUB_TYPES.BANK_ACCOUNT ?? [] },
      ...{ payee: payeeOf(bank(contactId)), ...guardsOf({ policy }), ...(keep !== undefined && { keep }) },
    },
  })
  await journal.claim(WITHDRAWAL.kind, id, intentId)
  const sent = await journal.advance(intent, armed(intent, 'nonce'))
  await journal.advance(sent, doneMove(sent, id))
  rows.set(id, {
    ...{ id, assetSymbol, amount, fee: '0', total: amount, status: 'COMPLETED', createdAt: START, networkId: null },
    ...{ subType: 'EXTERNAL_FIAT_BANK', transactionHash: null, bankReference: '世'.repeat(512) },
  })
}

async function paid(count: number) {
  const world = runWorld({
    [POLICY]: { kind: 'payouts', assets: ASSETS, reserve: { USD: '1' }, runLifeSeconds: 86_400 },
  })
  for (const asset of ASSETS) world.account.balances[asset] = '99999999999'
  const store = withLongRecords(world.store, (pk) => pk.startsWith(recordKey.run('')))
  const over = world.portsOver(store)
  const ports = {
    ...over,
    service: {
      ...over.service,
      findContact: async (id: string) => bank(id),
      findWithdrawal: async (id: string) => sent.get(id),
    },
  }
  const sent = new Map<string, WithdrawalState>()
  const rows = Array.from({ length: count }, rowOf)
  const given = count > 100 ? { pages: await createPages(world.store).keep(rows) } : { rows }
  const request = { policy: POLICY, ...given, trigger: { by: 'person' } }
  const input = { execution: entryName(RUN, 99), startedAt: START, request }
  const answers: PlanOutput[] = []
  const states: unknown[] = [request]
  for (let state: unknown = request; answers.length < MOST_PHASE_ANSWERS; ) {
    const task = { ...input, phase: state }
    states.push(task)
    const answer = await planSweep(planInput.parse(task), ports)
    answers.push(answer)
    states.push(answer)
    state = answer
    if (answer.outcome !== RunStep.Withdraw) break
    for (const leg of answer.legs) await carryOut(leg, ports, sent)
  }
  const summary = await settleRun({ ...input, fault: undefined }, ports)
  states.push({ ...input, fault: answers.at(-2) }, summary)
  return { answers, states, summary, items: [...world.store.records.values()] }
}

test.each([1, 100, 101, 200, 1_995, 2_000])('a file of %i rows with the longest texts fits', async (count) => {
  const { answers, states, summary, items } = await paid(count)
  const names = answers.flatMap(({ legs }) => legs.map(({ name }) => name))
  expect({ legs: names.length, end: answers.at(-1)?.outcome }).toEqual({ legs: count, end: RunStep.Settle })
  expect(new Set(names).size).toBe(count)
  expect(Math.max(...states.map(bytes))).toBeLessThan(MOST_STATE_BYTES)
  expect(Math.max(...items.map(bytes))).toBeLessThan(MOST_ITEM_BYTES)
  expect(summary).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
})

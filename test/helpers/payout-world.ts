// A world for runs of payout files: a service with three assets whose contacts are banks, and whose withdrawals complete at
// once. `paid` carries out a whole file as the machine of a sweep does.
import { entryName, intentIdOf } from '../../core/contract/fields.ts'
import { recordKey } from '../../core/contract/records.ts'
import { type PlanOutput, planInput, RunStep, type StartLeg } from '../../core/contract/runs.ts'
import { type Intent, isConversion, isOpened } from '../../core/journal/intent.ts'
import { withLongRecords } from '../../core/journal/long-records.ts'
import { doneMove } from '../../core/journal/moves.ts'
import { createPages } from '../../core/journal/pages.ts'
import { payeeOf, type ShownContact, SUB_TYPES } from '../../core/movements/withdrawal/payee.ts'
import type { RunPorts } from '../../core/runs/ports.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'
import { planSweep } from '../../functions/plan-sweep/plan-sweep.ts'
import { armed, guardsOf, WITHDRAWAL } from './intents.ts'
import { runWorld, START } from './run-world.ts'

const ASSETS = ['USD', 'A', 'B']
const MOST_ANSWERS = 100
/** Pays the same assets. */
export const OTHER_POLICY = 'other'

/** The texts of a file, and of the service. `of` makes each entry's own text from the others. */
export interface Texts {
  readonly run: string
  readonly policy: string
  readonly label: string
  readonly reference: string
  readonly contactReference?: string
  readonly idOf: (number: number) => string
  readonly contactOf: (number: number) => string
  readonly withdrawalOf: (intentId: string) => string
}

/** Those of a file that pays salaries. */
export const TEXTS = {
  ...{ run: 'june', policy: 'pay', label: 'Ada', reference: 'Salary' },
  idOf: (number: number) => `row-${number}`,
  contactOf: (number: number) => `contact-${number}`,
  withdrawalOf: (intentId: string) => `withdrawal-${intentId}`,
} satisfies Texts

export function payoutWorld(texts: Texts, more: object = {}) {
  const { label, policy, run } = texts
  const pays = { kind: 'payouts', assets: ASSETS, reserve: { USD: '1' }, runLifeSeconds: 86_400, ...more }
  const world = runWorld({ [policy]: pays, [OTHER_POLICY]: pays })
  for (const asset of ASSETS) world.account.balances[asset] = '99999999999'
  const over = world.portsOver(withLongRecords(world.store, (pk) => pk.startsWith(recordKey.run(''))))
  const sent = new Map<string, WithdrawalState>()
  const assetOf = new Map<string, string>()

  function bank(id: string): ShownContact {
    const assetSymbol = assetOf.get(id) ?? ''
    return {
      ...{ id, type: 'BANK_ACCOUNT', alias: label, reference: texts.contactReference ?? label, updatedAt: START },
      bank: { assetSymbol, bankId: label, bankName: label, bankAccountNumber: label },
    }
  }

  const ports: RunPorts = {
    ...over,
    service: {
      ...over.service,
      findContact: async (id) => bank(id),
      findWithdrawal: async (id) => sent.get(id),
      listWithdrawals: async ({ assetSymbol }) => [...sent.values()].filter((row) => row.assetSymbol === assetSymbol),
    },
  }

  const rows = (count: number) =>
    Array.from({ length: count }, (_, number) => {
      const [contactId, asset] = [texts.contactOf(number), ASSETS[number % ASSETS.length] ?? '']
      assetOf.set(contactId, asset)
      const row = { id: texts.idOf(number), contactId, asset, amount: '123456.123456', reference: texts.reference }
      return { ...row, ...(texts.contactReference !== undefined && { contactReference: texts.contactReference }) }
    })

  /** As the machine of a withdrawal that has settled its terms. */
  async function begin({ name, request }: StartLeg): Promise<Intent> {
    if (!('assetSymbol' in request) || request.contactId === undefined) throw new TypeError('expected a withdrawal')
    const { assetSymbol, amount, contactId, feeMode = 'deduct', keep, policy: named } = request
    const intentId = intentIdOf(name)
    const terms = { assetSymbol, amount, feeMode, contactId, fee: '0', total: amount, networkId: null }
    return ports.journal.open({
      ...{ intentId, kind: WITHDRAWAL.kind, params: request, createdAt: START, notAfter: request.notAfter ?? START },
      frozen: {
        ...{ ...WITHDRAWAL.frozen, ...terms, increment: '0.000001', subTypes: SUB_TYPES.BANK_ACCOUNT ?? [] },
        ...{ payee: payeeOf(bank(contactId)), ...guardsOf({ policy: named }), ...(keep !== undefined && { keep }) },
      },
    })
  }

  /** As the machine of a withdrawal that has sent, and has heard no answer. */
  async function arm(leg: StartLeg): Promise<Intent> {
    const intent = await begin(leg)
    return ports.journal.advance(intent, armed(intent, 'nonce'))
  }

  /** As the machine of a withdrawal whose row has completed. `charged`: the total that the row shows. */
  async function complete(moving: Intent, charged?: string): Promise<void> {
    if (isConversion(moving) || !isOpened(moving)) throw new TypeError('expected a withdrawal')
    const { assetSymbol, amount } = moving.frozen
    const id = texts.withdrawalOf(moving.intentId)
    await ports.journal.claim(WITHDRAWAL.kind, id, moving.intentId)
    await ports.journal.advance(moving, doneMove(moving, id))
    sent.set(id, {
      ...{
        id,
        assetSymbol,
        amount,
        fee: '0',
        total: charged ?? amount,
        status: 'COMPLETED',
        createdAt: START,
        networkId: null,
      },
      ...{ subType: 'EXTERNAL_FIAT_BANK', transactionHash: null, bankReference: label.slice(0, 512) },
    })
  }

  const carryOut = async (leg: StartLeg, charged?: string) => complete(await arm(leg), charged)

  /** Plans the file and carries out its legs. `states`: all inputs and outputs of states and tasks. */
  async function pay(count: number, entry = 1) {
    const given = count > 100 ? { pages: await createPages(world.store).keep(rows(count)) } : { rows: rows(count) }
    const request = { policy, ...given, trigger: { by: 'person' } }
    const input = { execution: entryName(run, entry), startedAt: START, request }
    const answers: PlanOutput[] = []
    const states: unknown[] = [request]
    for (let state: unknown = request; answers.length < MOST_ANSWERS; ) {
      const task = { ...input, phase: state }
      const answer = await planSweep(planInput.parse(task), ports)
      answers.push(answer)
      states.push(task, answer)
      state = answer
      if (answer.outcome !== RunStep.Withdraw) break
      for (const leg of answer.legs) await carryOut(leg)
    }
    return { input, answers, states }
  }

  return { world, ports, rows, begin, arm, complete, carryOut, pay }
}

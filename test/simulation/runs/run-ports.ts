// Wires the ports of the steps of a run, as the product's functions are wired: records of the journal model, and reads of
// the service model.
import type { PayeeFacts } from '../../../core/contract/payee.ts'
import { LISTED_KEY } from '../../../core/contract/records.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { createPages } from '../../../core/journal/pages.ts'
import { createPolicyNames } from '../../../core/journal/policy-names.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { createDecisions } from '../../../core/runs/approval/decisions.ts'
import { createRequesters } from '../../../core/runs/approval/requesters.ts'
import { createRunBudgets } from '../../../core/runs/plan/limits.ts'
import type { RunService } from '../../../core/runs/ports.ts'
import { createPolicyRecords } from '../../../core/runs/record/policy-record.ts'
import { createRuns } from '../../../core/runs/record/runs.ts'
import { decisionKey } from '../../helpers/decision-key.ts'
import { connect, equityTerms, plainTerms } from '../connection.ts'
import { INDICATIVE_RATE, LEGS, MARKET } from '../deals.ts'
import type { JournalModel } from '../journal-model.ts'
import type { Machine } from '../machine.ts'
import type { Scheduler } from '../scheduler.ts'
import type { ServiceModel } from '../service-model.ts'
import { reading } from '../service-time.ts'
import { ASSET } from '../withdrawal-model.ts'
import type { PeoplePorts } from './plan-people.ts'

const EQUITY_MARKET = {
  ...{ id: 'AAPLX-USD', baseAsset: ASSET.assetSymbol, quoteAsset: 'USD' },
  ...{ minBaseAmount: '1', minQuoteAmount: '1' },
}
const MARKETS = [EQUITY_MARKET, { id: MARKET, ...LEGS, minBaseAmount: '0.0001', minQuoteAmount: '1' }]

interface Surroundings {
  readonly journal: JournalModel
  readonly index: LaggingIndex
  readonly service: ServiceModel
  readonly treasury: Treasury
}

/** How long the index may lag behind the table, ms. */
const LAGS_MS = [1_000, 60_000, 600_000, 7_200_000] as const

/** The journal's index of what is open, which may lag behind the table. */
export class LaggingIndex {
  readonly #lists = new Map<string, { readonly name: unknown; readonly sinceMs: number }[]>()

  note(record: StoredRecord, nowMs: number): void {
    const lists = this.#lists.get(record.pk) ?? []
    if (lists.at(-1)?.name !== record[LISTED_KEY]) lists.push({ name: record[LISTED_KEY], sinceMs: nowMs })
    this.#lists.set(record.pk, lists)
  }

  list(name: string, scheduler: Scheduler): string[] {
    const isLate = scheduler.takeFault('fault', 0.1, ['index late'])
    const asOfMs = scheduler.nowMs - (isLate ? scheduler.pick(LAGS_MS) : 0)
    const isListed = (lists: readonly { readonly name: unknown; readonly sinceMs: number }[]) =>
      lists.findLast(({ sinceMs }) => sinceMs <= asOfMs)?.name === name
    return [...this.#lists].flatMap(([pk, lists]) => (isListed(lists) ? [pk.slice(2)] : []))
  }
}

export function wireRunPorts(
  machine: Machine,
  newId: () => string,
  { journal: table, service, treasury, index }: Surroundings,
): PeoplePorts {
  const records = table.reachedFrom(machine)
  const journal = createJournal(records, newId)
  return {
    journal,
    pages: createPages(records),
    runs: createRuns(records, newId),
    policies: createPolicyRecords(records, newId),
    decisions: createDecisions(records, newId, decisionKey),
    requesters: createRequesters(records, newId),
    namesOf: createPolicyNames(records, treasury.policies),
    halts: createHalts(records, newId, treasury),
    index: {
      async list(name) {
        await machine.pause()
        const names = index.list(name, machine.scheduler)
        await machine.hear()
        return names
      },
    },
    budgets: createRunBudgets(records, journal, newId),
    service: runReads(service, machine),
    treasury,
    logTrip: () => undefined,
    hasTime: () => true,
  }
}

function runReads(service: ServiceModel, machine: Machine): RunService {
  const client = connect(service, machine)
  const read = reading(service, machine)
  return {
    ...client,
    health: () => read(() => ({ status: 'OK' })),
    assets: () => read(() => [{ ...equityTerms(service), ...asClass('EQUITY') }, ...PLAIN_ASSETS]),
    markets: () => read(() => MARKETS, 'looks'),
    price: (marketId) => read(() => ({ baseAmount: '1', rate: marketId === MARKET ? INDICATIVE_RATE : '2' })),
    balances: async () => (await client.balances()).map((balance) => ({ ...balance, balancePending: '0' })),
    listOrders: ({ status }) =>
      read((account) => service.orders.list(account).filter((order) => order.status === status)),
    findContact: (contactId) => read(() => shownContact(service.withdrawals.contact(contactId)), 'looks'),
    contacts: () => read(() => []),
  }
}

const asClass = (assetClass: string) => ({ assetClass, maxIndicativeQuoteAmount: '0' })
const PLAIN_ASSETS = [
  { ...plainTerms('USD'), ...asClass('FIAT') },
  { ...plainTerms(LEGS.baseAsset), ...asClass('CRYPTO') },
  { ...plainTerms(LEGS.quoteAsset), ...asClass('STABLECOIN') },
]

/** A contact as the product's client shows it. Its facts are those of `PayeeFacts`. */
function shownContact({ contactId, alias, reference, type, assetSymbol, networkId, updatedAt }: PayeeFacts) {
  const named = { id: contactId, alias: alias ?? '', reference, type, updatedAt }
  if (networkId !== null) return { ...named, crypto: { assetSymbol, networkId } }
  return { ...named, bank: { assetSymbol, bankId: null, bankName: null, bankAccountNumber: null } }
}

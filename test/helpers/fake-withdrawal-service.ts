// Fakes the withdrawals of the service, to test CheckWithdrawal and Withdraw without a server. The test sets each answer.
// Both steps share one journal. Lists filter by asset and dates, and reject too many rows; no other rule is enforced.

import type { PayeeFacts } from '../../core/contract/payee.ts'
import type { Timing } from '../../core/contract/timing.ts'
import type { WithdrawReport } from '../../core/contract/withdraw.ts'
import { Defect } from '../../core/errors.ts'
import type { WithdrawIntent } from '../../core/journal/intent.ts'
import type { BookedEntry } from '../../core/movements/withdrawal/booking.ts'
import type { AssetTerms, LedgerSight } from '../../core/movements/withdrawal/ports.ts'
import type { RowsFilter, ServiceError, WithdrawalAnswer, WithdrawalState } from '../../core/service/ports.ts'
import { checkWithdrawal } from '../../functions/check-withdrawal/check-withdrawal.ts'
import type { WithdrawPorts } from '../../functions/withdraw/withdraw.ts'
import { enterWithdraw } from './entered.ts'
import { type FakePorts, type FakeService, type FakeTreasury, fakePorts, START_MS } from './fake-conversion-service.ts'

const startedAt = new Date(START_MS).toISOString()
export const WITHDRAW_REQUEST = {
  assetSymbol: 'USDC',
  amount: '100',
  contactId: 'vault',
  notAfter: '2026-01-02T00:00:00Z',
}
/** The row that the service creates for WITHDRAW_REQUEST. */
export const ROW: WithdrawalState = {
  ...{ id: 'row-1', subType: 'INTERNAL', assetSymbol: 'USDC', amount: '100', fee: '0', total: '100' },
  ...{ status: 'COMPLETED', createdAt: startedAt, transactionHash: null, bankReference: null, networkId: null },
}
export const COMPLETED_LIKE: WithdrawalState = { ...ROW, id: 'row-completed' }
export const LOST: WithdrawalAnswer = {
  ...{ kind: 'unproven', said: { code: 'no_answer', business: false, text: 'no answer came' } },
}

/** An answer that refuses the key or its permissions. */
export const keySaid = (code: string): ServiceError => ({
  ...{ code, status: 403, business: false, keyAtFault: true, text: `the service said ${code}` },
})

const CONTACT = {
  ...{ alias: 'vault', reference: null, type: 'INTERNAL', assetSymbol: null, networkId: null, bank: null },
  updatedAt: '2025-06-01T00:00:00Z',
}

export interface FakeWithdrawals {
  /** The rows of the lists, read at each call. */
  rows: WithdrawalState[]
  /** Milliseconds that each read of the rows takes. */
  rowsMs: number
  answer: WithdrawalAnswer
  /** Runs at each send, before the answer. A test can change the world here. */
  onSend: () => void
  ledger: readonly BookedEntry[]
  /** True: the whole ledger holds one recent deposit. False: it is empty. */
  showsOthers: boolean
  /** Ledger entries of a COMPLETED withdrawal, if there is one. */
  completedLedger?: readonly BookedEntry[]
  shared: boolean | undefined
  /** Fields that replace the defaults of every contact. */
  contact: Partial<PayeeFacts>
  contactsRead: number
  /** By the balance history. */
  balanceBefore: string
  /** Fields that replace the defaults of the asset. */
  asset: Partial<AssetTerms>
  readonly asked: RowsFilter[]
  sends: number
}

export interface FakeWithdrawalPorts {
  readonly world: FakeWithdrawals
  readonly shared: FakePorts
  readonly ports: WithdrawPorts
  check(change?: object, execution?: string): Promise<WithdrawReport>
  /** Enters Withdraw as the state machine does. `before`: its previous report; absent at the first entry. */
  send(before?: WithdrawReport): Promise<WithdrawReport>
  /** Enters Withdraw at `ms` after the start. */
  sendAt(ms: number): Promise<WithdrawReport>
  intent(): Promise<WithdrawIntent | undefined>
}

export function fakeWithdrawalPorts(
  change: Partial<FakeWithdrawals> = {},
  {
    parts = {},
    service = {},
    timing = {},
  }: { parts?: FakeTreasury; service?: Partial<FakeService>; timing?: Partial<Timing> } = {},
): FakeWithdrawalPorts {
  const shared = fakePorts(service, timing, parts)
  const { fake, journal, newId } = shared
  const { clock, keyInUse, accountOfKey, forgetKeys, findPrice, balances, findOrder } = shared.service
  const world: FakeWithdrawals = {
    ...{ rows: [], rowsMs: 0, answer: { kind: 'accepted', withdrawal: ROW }, onSend: () => undefined },
    ...{
      ledger: [{ type: 'debit', amount: ROW.total }],
      showsOthers: true,
      shared: false,
      contact: {},
      contactsRead: 0,
      asset: {},
      balanceBefore: '0',
      asked: [],
      sends: 0,
      ...change,
    },
  }
  const terms = {
    ...{ clock, keyInUse, accountOfKey, forgetKeys, findPrice, findContact: async () => undefined },
    asset: async (assetSymbol: string) => ({
      ...{ assetSymbol, rebasedSymbol: assetSymbol, amountIncrement: '0.01', networks: [] },
      ...{ minimumWithdrawal: '1', minimumInternalWithdrawal: '1', ...world.asset },
    }),
    contact: async (contactId: string) => {
      world.contactsRead += 1
      return { ...CONTACT, contactId, ...world.contact }
    },
    balance: async () => '1000',
  }
  const ports: WithdrawPorts = {
    ...shared,
    get shared() {
      return world.shared
    },
    service: {
      ...{ clock, keyInUse, accountOfKey, forgetKeys, balances, findOrder, findPrice },
      listWithdrawals: async (filter, limit) => {
        world.asked.push(filter)
        fake.nowMs += world.rowsMs
        const listed = world.rows.filter((row) => isListed(row, filter))
        if (listed.length > limit) throw new Defect(`more than ${limit} items`)
        return listed
      },
      findWithdrawal: async (id) =>
        world.rows.find((row) => row.id === id) ??
        (world.answer.kind === 'accepted' && world.answer.withdrawal.id === id ? world.answer.withdrawal : undefined),
      ledgerOf: async ({ id }) => (id === COMPLETED_LIKE.id ? (world.completedLedger ?? []) : world.ledger),
      async *walkLedger() {
        if (world.showsOthers) yield bookedNow(fake.nowMs)
      },
      balanceBefore: async () => world.balanceBefore,
      findCompletedLike: async () => (world.completedLedger === undefined ? undefined : COMPLETED_LIKE),
      ...{ contact: terms.contact, asset: terms.asset },
    },
    sender: {
      prepareWithdrawal: async (_, life) => {
        const iat = Math.floor(fake.nowMs / 1000)
        const send = async () => {
          world.sends += 1
          world.onSend()
          const { answer } = world
          // The default row gets the time of this send.
          if (answer.kind === 'accepted' && answer.withdrawal === ROW) {
            world.answer = { ...answer, withdrawal: { ...ROW, createdAt: new Date(fake.nowMs).toISOString() } }
          }
          return world.answer
        }
        return { facts: { nonce: newId(), kid: fake.kid, iat, exp: iat + life, bodySha256: 'ab'.repeat(32) }, send }
      },
      forgetKeys: () => {
        fake.keysForgotten += 1
      },
    },
  }
  let settled: string | undefined
  const send = (before?: WithdrawReport) =>
    enterWithdraw({ intentId: 'intent-1', ...(settled !== undefined && { settled }), ...before }, ports)
  return {
    ...{ world, shared, ports, send },
    async check(change = {}, execution = 'intent-1') {
      const request = { ...WITHDRAW_REQUEST, ...change }
      const report = await checkWithdrawal(
        { execution, startedAt, request },
        { ...shared, terms, service: ports.service },
      )
      settled = report.settled
      return report
    },
    sendAt: (ms) => {
      fake.nowMs = START_MS + ms
      return send()
    },
    intent: () => journal.find('intent-1', 'withdraw'),
  }
}

/** Returns the ledger entry of a deposit at `nowMs`. */
export function bookedNow(nowMs: number): LedgerSight {
  return { source: { type: 'deposit', id: 'deposit-now' }, createdAt: new Date(nowMs).toISOString() }
}

function isListed({ assetSymbol, createdAt }: WithdrawalState, filter: RowsFilter): boolean {
  if (assetSymbol !== filter.assetSymbol) return false
  const atMs = Date.parse(createdAt)
  if (filter.startDate !== undefined && atMs < Date.parse(filter.startDate)) return false
  return filter.endDate === undefined || atMs <= Date.parse(filter.endDate)
}

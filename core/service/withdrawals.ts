// Reads and prepares withdrawals: GET /v2/withdrawals, GET /v2/withdrawals/{id} and the signed POST /v2/withdrawals
// (sections "WithdrawalResource", "CreateWithdrawalDto"). Settled figures come from the base block. Creating a
// withdrawal moves money: it is prepared here, and signed-send.ts sends it once.
import * as z from 'zod/mini'
import { Defect } from '../errors.ts'
import { amountTextOf } from '../money/amount.ts'
import { serviceErrorOfUnread } from './classify.ts'
import {
  amount,
  checkAmount,
  id,
  instant,
  isRebased,
  multiplier,
  text,
  textOrNull,
  type View,
  viewOf,
} from './fields.ts'
import { collectPages, readPagesOf, type WalkBounds, walkPages } from './pages.ts'
import type { PreparedWithdrawal, WithdrawalRequest, WithdrawalState, WithdrawalYes } from './ports.ts'
import { unlessNotFound } from './problem.ts'
import { decodeAnswer, type Reader } from './reader.ts'
import { checkId, pathOf, withQuery } from './request-path.ts'
import type { SignedSender } from './signed-send.ts'

const figures = { amount, fee: amount, total: amount }
const network = {
  networkId: z.optional(textOrNull),
  networkName: z.optional(textOrNull),
  networkNativeAsset: z.optional(textOrNull),
  evmChainId: z.optional(z.nullable(z.int())),
  assetType: z.optional(textOrNull),
}
const row = z.object({
  id,
  subType: text,
  status: text,
  /** Separates this row from older rows, so an unreadable time must not pass for an old one. */
  createdAt: instant,
  transactionHash: textOrNull,
  bankReference: textOrNull,
  multiplier,
  base: z.object({ asset: textOrNull, ...figures }),
  withdrawalData: z.object(network),
})
type Row = z.output<typeof row>

/**
 * Checks that an EXTERNAL_CRYPTO row has each network field, even as null. The other sub-types are not described. The
 * cast restores the key type that Object.keys loses.
 */
const isOnNetwork = Object.keys(network).map((field) =>
  z.refine<Row>(
    ({ subType, withdrawalData }) =>
      subType !== 'EXTERNAL_CRYPTO' || withdrawalData[field as keyof typeof network] !== undefined,
    { path: ['withdrawalData', field], error: 'a value or null' },
  ),
)
const withdrawal = row.check(...isOnNetwork)
const rebasedWithdrawal = z.extend(row, { assetSymbol: text, ...figures, assetFormat: isRebased }).check(...isOnNetwork)

/** Settled. */
export interface Withdrawal extends WithdrawalState {
  /** The factor at creation. */
  readonly multiplier: string
  readonly networkName: string | null
  readonly networkNativeAsset: string | null
  readonly evmChainId: number | null
  readonly assetType: string | null
}

export interface RebasedWithdrawal extends Withdrawal {
  readonly rebased: Readonly<Record<'assetSymbol' | keyof typeof figures, string>>
}

export const settledWithdrawals = viewOf('base', withdrawal, ({ base, withdrawalData, ...facts }): Withdrawal => {
  const { asset: assetSymbol, ...settled } = base
  const {
    networkId = null,
    networkName = null,
    networkNativeAsset = null,
    evmChainId = null,
    assetType = null,
  } = withdrawalData
  return { ...facts, assetSymbol, ...settled, networkId, networkName, networkNativeAsset, evmChainId, assetType }
})
export const rebasedWithdrawals = viewOf('rebased', rebasedWithdrawal, (raw): RebasedWithdrawal => {
  const { assetSymbol, amount, fee, total, assetFormat: _asked, ...facts } = raw
  return { ...settledWithdrawals.show(facts), rebased: { assetSymbol, amount, fee, total } }
})

/** Reads one withdrawal by its id. Throws Refused with code `not_found` when it does not exist. */
export async function readWithdrawal<Raw extends { id: string }, Shown>(
  reader: Reader,
  withdrawalId: string,
  view: View<Raw, Shown>,
): Promise<Shown> {
  const endpoint = 'GET /v2/withdrawals/{id}'
  const found = await reader.read({
    endpoint,
    target: withQuery(pathOf('/v2/withdrawals', withdrawalId), [['assetFormat', view.assetFormat]]),
    shape: view.shape,
  })
  // A withdrawal is proof of a movement, so another withdrawal must not pass for it.
  if (found.id !== withdrawalId)
    throw new Defect(`${endpoint}: the withdrawal that came is not the one that was asked for`)
  return view.show(found)
}

/** Finds one withdrawal; `undefined` only when the service's own problem document says `not_found`. */
export function findWithdrawal(reader: Reader, withdrawalId: string): Promise<Withdrawal | undefined> {
  return unlessNotFound(readWithdrawal(reader, withdrawalId, settledWithdrawals))
}

export interface WithdrawalFilter {
  /** Either spelling of an equity. */
  readonly assetSymbol?: string
  /** An open set; the description names PENDING and COMPLETED. */
  readonly status?: string
  /** INTERNAL, EXTERNAL_CRYPTO, EXTERNAL_FIAT_BANK or EXTERNAL_FIAT_REDPAY; an open set. */
  readonly subType?: string
  /** ISO-8601. The description does not say whether the ends are inclusive. */
  readonly startDate?: string
  readonly endDate?: string
}

const LIST = 'GET /v2/withdrawals'

/** Matching withdrawals, newest first. Every debit has one row, which includes its fee. */
export async function* walkWithdrawals<Raw extends { id: string }, Shown>(
  reader: Reader,
  filter: WithdrawalFilter,
  bounds: WalkBounds,
  view: View<Raw, Shown>,
): AsyncGenerator<Shown, void> {
  const rows = walkPages(LIST, bounds, ({ id }: Raw) => id, readPageOf(reader, filter, view))
  for await (const row of rows) yield view.show(row)
}

function readPageOf<Raw, Shown>(reader: Reader, filter: WithdrawalFilter, view: View<Raw, Shown>) {
  return readPagesOf(reader, { endpoint: LIST, path: '/v2/withdrawals', shape: view.pageShape }, [
    ['assetSymbol', filter.assetSymbol],
    ['status', filter.status],
    ['subType', filter.subType],
    ['assetFormat', view.assetFormat],
    ['startDate', filter.startDate],
    ['endDate', filter.endDate],
  ])
}

/**
 * All matching withdrawals, at most `limit`. Throws TooMany beyond it, Transient when the list cannot be read whole.
 */
export async function listWithdrawals(
  reader: Reader,
  filter: WithdrawalFilter,
  limit: number,
): Promise<readonly Withdrawal[]> {
  const idOf = ({ id }: { readonly id: string }) => id
  const rows = await collectPages(LIST, limit, idOf, readPageOf(reader, filter, settledWithdrawals))
  return rows.map(settledWithdrawals.show)
}

/**
 * Prepares the signed request that sends `amount` to a contact, which determines the chain. The amount must carry the
 * asset's settled code; its type ensures settled units.
 */
export async function prepareWithdrawal(
  sender: SignedSender,
  { amount, feeMode, contactId }: WithdrawalRequest,
  tokenLifeSeconds: number,
): Promise<PreparedWithdrawal> {
  const endpoint = 'POST /v2/withdrawals'
  const amountText = amountTextOf(amount)
  checkAmount(amountText, 'amount')
  checkId(contactId)
  return sender.prepare<WithdrawalYes>({
    endpoint,
    target: '/v2/withdrawals',
    content: { assetSymbol: amount.asset, amount: amountText, feeMode, contactId },
    tokenLifeSeconds,
    // The status is the success, and only the row shows which withdrawal it is.
    successOf: (answer) => {
      if (answer.status !== 201) return undefined
      try {
        return { kind: 'accepted', withdrawal: settledWithdrawals.show(decodeAnswer(endpoint, answer, withdrawal)) }
      } catch (error) {
        return { kind: 'accepted_unread', said: serviceErrorOfUnread(answer.status, error) }
      }
    },
  })
}

// Reads what the account holds now, as the service answers, and compares it with the targets of the policies. Reads only.
// The values are the service's own, in USD. A plan prices the markets itself, so its values differ a little.

import { UNREADABLE } from '../../core/contract/amount.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { KeyFault, Transient } from '../../core/errors.ts'
import { formatDecimal, parseDecimal, parseSignedDecimal, partOf, sumOf, ZERO } from '../../core/money/decimal.ts'
import { portfolioOf } from '../../core/policies/kinds.ts'
import type { Balance } from '../../core/service/balances.ts'
import { withoutClaim } from '../../place/desk/what-moved.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import type { Advice } from '../../place/next-step.ts'
import { operationErrorOf } from '../../place/operation-error.ts'
import { withJournalService } from '../../place/place-service.ts'
import type { Reader } from '../../place/reader.ts'
import { serviceFailure } from '../../place/service/service-failure.ts'
import type { OnTheWay } from '../movements/under-way.ts'

/** Amounts are in settled units. */
export interface Holding {
  readonly asset: string
  readonly balance: string
  /** The part of the balance that leaves with open orders and withdrawals. */
  readonly leaving: string
  /** The amount that comes in with open orders and deposits. */
  readonly arriving: string
  /** In USD, below zero for a debt. */
  readonly value: string
}

export interface TargetRow {
  readonly asset: string
  readonly holding: Holding | undefined
  readonly target: string
}

export interface Targets {
  readonly policy: string
  /** Whether each target is a share of the value of these assets, or a value in an asset. */
  readonly isShare: boolean
  readonly unit: string
  readonly band: { readonly of: 'absolute' | 'relative'; readonly bps: number }
  readonly rows: readonly TargetRow[]
}

interface Unread {
  readonly unread: string
  readonly next: Advice
  /** The service refuses the key that reads the account. */
  readonly isKeyRefused?: true
}

/** `at`: when the service was asked, ISO-8601. */
export type AccountNow = { readonly at: string } & (
  | Unread
  | {
      /** Only those whose figures can be read. */
      readonly holdings: readonly Holding[]
      /** One sentence for each figure that cannot be read. Its asset is not in the total. */
      readonly unreadable: readonly string[]
      readonly totalValue: string
      readonly targets: readonly Targets[]
    }
)

/** An unreadable account is a fact of the page, which shows everything else all the same. */
export async function readAccount(reader: Reader): Promise<AccountNow> {
  const { flags, context } = reader
  const at = new Date(context.clock.nowMs()).toISOString()
  const read = withJournalConnection(
    flags,
    context,
    async (connection) => {
      const balances = await withJournalService(connection, flags, context, (client) => client.balances())
      return { at, ...accountOf(balances, connection.treasury) }
    },
    { asksService: true },
  )
  return read.catch((error: unknown) => {
    const { cause, message, next } = operationErrorOf(serviceFailure(error))
    // A page asks again by itself, and no command has to be run.
    const then = cause instanceof Transient ? 'wait: the page asks again by itself' : next
    return { at, unread: withoutClaim(message), next: then, ...(cause instanceof KeyFault && { isKeyRefused: true }) }
  })
}

export function unansweredAt(nowMs: number): AccountNow {
  const at = new Date(nowMs).toISOString()
  return { at, unread: 'the service has not answered yet', next: 'wait a moment: the page shows the answer by itself' }
}

export function accountOf(balances: readonly Balance[], treasury: Pick<Treasury, 'policies' | 'guards'>) {
  const all = balances.map(holdingOf)
  const unreadable = all.flatMap(unreadableIn)
  const holdings = all.filter((holding) => unreadableIn(holding).length === 0 && !isEmpty(holding))
  const totalValue = sumOf(holdings.map(({ value }) => parseSignedDecimal(value, 'balanceUSD')))
  return { holdings, unreadable, totalValue: formatDecimal(totalValue), targets: targetsOf(holdings, treasury) }
}

/**
 * The value in USD of an amount of an asset, as the service values what the account holds of it. Undefined where the account
 * could not be read, or holds nothing of it.
 */
export function worthIn(account: AccountNow, asset: string, amount: string): string | undefined {
  if ('unread' in account) return undefined
  const held = account.holdings.find((holding) => holding.asset === asset)
  const balance = held === undefined ? ZERO : parseSignedDecimal(held.balance, 'balance')
  const value = held === undefined ? ZERO : parseSignedDecimal(held.value, 'balanceUSD')
  if (balance <= ZERO || value < ZERO) return undefined
  return formatDecimal(partOf(value, parseDecimal(amount, 'amount'), balance, 'down'))
}

/** A withdrawal on its way, with its value in USD where the account still holds some of the asset. */
export interface SentOnly extends OnTheWay {
  readonly value?: string
}

export function valuedIn(account: AccountNow, onTheWay: readonly OnTheWay[]): readonly SentOnly[] {
  return onTheWay.map((sent) => {
    const value = worthIn(account, sent.asset, sent.amount)
    return { ...sent, ...(value !== undefined && { value }) }
  })
}

function holdingOf({
  assetSymbol: asset,
  balance,
  balanceFrozen,
  balancePending,
  balanceUSD: value,
}: Balance): Holding {
  return { asset, balance, leaving: balanceFrozen, arriving: balancePending, value }
}

function unreadableIn({ asset, balance, leaving, arriving, value }: Holding): readonly string[] {
  const named = { balance, 'what leaves': leaving, 'what arrives': arriving, value }
  return Object.entries(named).flatMap(([name, text]) =>
    text.startsWith(UNREADABLE) ? [`${name} of ${asset} is ${text}`] : [],
  )
}

function isEmpty({ balance, leaving, arriving }: Holding): boolean {
  return [balance, leaving, arriving].every((amount) => parseSignedDecimal(amount, 'balance') === ZERO)
}

function targetsOf(
  holdings: readonly Holding[],
  { policies, guards }: Pick<Treasury, 'policies' | 'guards'>,
): Targets[] {
  const held = new Map(holdings.map((holding) => [holding.asset.toUpperCase(), holding]))
  return Object.entries(policies).flatMap(([policy, configured]) => {
    const portfolio = portfolioOf(configured)
    if (portfolio === undefined) return []
    const { weights, amounts = {}, band } = portfolio
    const rows = Object.entries(weights ?? amounts).map(([asset, target]) => ({
      asset,
      holding: held.get(asset.toUpperCase()),
      target,
    }))
    const unit = configured.valuationAsset ?? guards.valuationAsset
    return [{ policy, isShare: weights !== undefined, unit, band, rows }]
  })
}

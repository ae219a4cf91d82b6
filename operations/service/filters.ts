// Checks all parameters of a query before anything is sent. An error names the option, the expectation, and what to do.

import * as z from 'zod/mini'
import { AMOUNT_EXPECTATION, AMOUNT_PATTERN } from '../../core/contract/amount.ts'
import { isoTime } from '../../core/contract/fields.ts'
import type { HistoryFilter } from '../../core/service/balances.ts'
import type { ContactFilter } from '../../core/service/contacts.ts'
import type { FillFilter } from '../../core/service/fills.ts'
import type { DepositFilter, LedgerFilter } from '../../core/service/ledger.ts'
import type { PriceRequest } from '../../core/service/markets.ts'
import type { OrderFilter } from '../../core/service/orders.ts'
import type { WithdrawalFilter } from '../../core/service/withdrawals.ts'
import { type Advice, advice, type Option, option } from '../../place/next-step.ts'
import { unfit, usageError } from '../../place/operation-error.ts'
import { ID_EXPECTATION, isId } from '../../place/service/service-id.ts'
import type { FilterDefinition, FilterKind, QueryDefinition } from './queries.ts'

/** The flags as commander gives them, under their names in camel case. */
export type QueryFlags = Readonly<Record<string, string | boolean | undefined>>

/** The query parameters of an endpoint, checked. */
export type Filters = OrderFilter &
  FillFilter &
  WithdrawalFilter &
  DepositFilter &
  ContactFilter &
  LedgerFilter &
  HistoryFilter &
  Partial<PriceRequest>

interface ValueKind {
  readonly expectation: string
  /** The value as it is sent; undefined where the text is not valid. */
  readonly read: (text: string) => string | undefined
}

/** A longer list is for an export, and not for a command line. */
export const MOST_RECORDS = 1_000_000

const kinds: Readonly<Record<FilterKind, ValueKind>> = {
  id: {
    expectation: ID_EXPECTATION,
    read: (text) => (isId(text) ? text : undefined),
  },
  amount: {
    expectation: `${AMOUNT_EXPECTATION}, of more than zero`,
    read: (text) => (AMOUNT_PATTERN.test(text) && /[1-9]/.test(text) ? text : undefined),
  },
  time: {
    expectation: 'a day such as 2026-01-31 (UTC), or a moment with its zone such as 2026-01-31T09:00:00Z',
    read: readTime,
  },
  side: oneOf('BUY', 'SELL'),
  orderStatus: oneOf('NEW', 'PARTIALLY_FILLED', 'FILLED', 'FAILED'),
  // The service may add statuses, so any word is accepted.
  withdrawalStatus: {
    expectation: 'a status such as PENDING or COMPLETED (at most 64 letters and underscores)',
    read: (text) => (/^[A-Za-z_]{1,64}$/.test(text) ? text : undefined),
  },
  subType: oneOf(
    'INTERNAL',
    'EXTERNAL_CRYPTO',
    'EXTERNAL_FIAT_BANK',
    'EXTERNAL_FIAT_REDPAY',
    'NETWORK_FEE',
    'TRANSFER_FEE',
  ),
  contactType: oneOf('INTERNAL', 'EXTERNAL_CRYPTO', 'BANK_ACCOUNT'),
  granularity: oneOf('day', 'week', 'month'),
}

/** @throws OperationError (exit 2) naming the option. */
export function readFilters(words: QueryDefinition, argument: string | undefined, flags: QueryFlags): Filters {
  const given: Record<string, string> = {}
  if (argument !== undefined) {
    const { name = 'argument', parameter } = words.argument ?? {}
    const value = readValue('id', argument, name.startsWith('[') || name === 'argument' ? name : option(name))
    if (parameter !== undefined) given[parameter] = value
  }
  for (const filter of words.filters) {
    const text = flags[attributeOf(filter)]
    if (typeof text === 'string') given[parameterOf(filter)] = readValue(filter.kind, text, option(optionOf(filter)))
  }
  // The definition limits the parameters, and `kinds` limits their values.
  const filters = given as Filters
  assertAlone(words, argument, filters)
  assertTogether(filters)
  assertInOrder(filters)
  return filters
}

/** Undefined when absent. @throws OperationError (exit 2) unless it is a whole number from 1 to a million */
export function readLimit(flags: QueryFlags): number | undefined {
  const { limit } = flags
  if (typeof limit !== 'string') return undefined
  const count = /^[1-9][0-9]{0,6}$/.test(limit) ? Number(limit) : Number.POSITIVE_INFINITY
  if (count <= MOST_RECORDS) return count
  throw refusal(option('limit'), `a whole number from 1 to ${MOST_RECORDS}`, limit)
}

function readValue(kind: FilterKind, text: string, source: Advice | Option): string {
  const { expectation, read } = kinds[kind]
  const value = read(text)
  if (value === undefined) throw refusal(source, expectation, text)
  return value
}

function readTime(text: string): string | undefined {
  if (z.iso.date().safeParse(text).success) return `${text}T00:00:00Z`
  return isoTime.safeParse(text).success ? text : undefined
}

/** Accepts any case, as a person types it. It is sent as the service spells it. */
function oneOf(...names: readonly string[]): ValueKind {
  return {
    expectation: `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
    read: (text) => names.find((name) => name.toLowerCase() === text.toLowerCase()),
  }
}

/** Refuses filters beside the id of one record, because they would be ignored. */
function assertAlone(
  { filters: words, argument: named }: QueryDefinition,
  argument: string | undefined,
  given: Filters,
) {
  if (argument === undefined || !named?.name.startsWith('[') || named.isRequired || named.parameter !== undefined)
    return
  const [extra] = words.filter((filter) => parameterOf(filter) in given)
  if (extra === undefined) return
  const name = optionOf(extra)
  throw unfit(
    name,
    `expected no filter beside ${named.what}; got both`,
    advice`leave out ${option(name)}, or the ${named.name}`,
  )
}

function assertTogether({ amount, amountAsset }: Filters): void {
  if ((amount === undefined) === (amountAsset === undefined)) return
  const [given, absent] =
    amount === undefined ? (['amount-asset', 'amount'] as const) : (['amount', 'amount-asset'] as const)
  throw unfit(
    given,
    advice`expected ${option(absent)} beside it; got it alone`,
    advice`add ${option(absent)}, or give neither`,
  )
}

function assertInOrder({ startDate, endDate }: Filters): void {
  if (startDate === undefined || endDate === undefined || Date.parse(startDate) < Date.parse(endDate)) return
  throw unfit('end-date', advice`expected a time after ${option('start-date')}; got an earlier one`, 'exchange the two')
}

function refusal(source: Advice | Option, expectation: string, text: string): Error {
  // The text is not quoted, because it may be a secret that was typed by mistake.
  const got = text === '' ? 'an empty value' : `${text.length} characters that are not`
  return usageError(
    'usage',
    advice`${source}: expected ${expectation}; got ${got}`,
    advice`correct ${source}; nothing was sent`,
  )
}

/** `start-date <time>` → `start-date`. */
export function optionOf({ flag }: Flagged): string {
  return flag.split(' ', 1)[0] ?? flag
}

function parameterOf(filter: FilterDefinition): string {
  return filter.parameter ?? attributeOf(filter)
}

interface Flagged {
  readonly flag: string
}

/** `start-date <time>` → `startDate`. */
export function attributeOf(flagged: Flagged): string {
  return optionOf(flagged).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

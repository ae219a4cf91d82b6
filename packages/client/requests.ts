// Defines the requests, and checks them before anything starts: an execution that starts with a wrong request ends
// REJECTED and has spent its id. A test compares the checks with the product's own.
import { InvalidRequest } from './errors.ts'

/** Amounts are settled decimal strings such as "0.5", never numbers. */
export interface ConvertRequest {
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly side: 'BUY' | 'SELL'
  /** The asset that `amount` counts: the baseAsset or the quoteAsset. */
  readonly amountAsset: string
  readonly amount: string
  /** Quote units per settled base unit: the highest rate to pay (BUY), or the lowest rate to accept (SELL). */
  readonly worstRate?: string | undefined
  /** Maximum units of the other asset, the one that `amount` does not count. */
  readonly most?: string | undefined
  /** Basis points by which a quote may be worse than the indicative price at the start. */
  readonly maxSlippageBps?: number | undefined
  /** A rate than which a quote may not be worse by more than the slippage. */
  readonly plannedRate?: string | undefined
  /** Settled units of the sold asset that must stay in the account. */
  readonly keep?: string | undefined
  /** ISO-8601 with a zone. From this moment on nothing is sent. */
  readonly notAfter?: string | undefined
  /** A policy whose guards and halts apply too. */
  readonly policy?: string | undefined
}

export interface WithdrawRequest {
  readonly assetSymbol: string
  readonly amount: string
  /** `deduct` (the default): `amount` is the total debited. `add`: `amount` is what the contact receives. */
  readonly feeMode?: 'deduct' | 'add' | undefined
  /** Required where the deployment's stage is live. */
  readonly contactId?: string | undefined
  /** An editable label. With `contactId`, that contact must have it as its reference or alias. 1 to 60 characters. */
  readonly contactReference?: string | undefined
  /** Most settled units that may leave, fee included. */
  readonly most?: string | undefined
  /** Settled units that must stay in the account. */
  readonly keep?: string | undefined
  /** ISO-8601 with a zone. From this moment on nothing is sent. */
  readonly notAfter?: string | undefined
  /** A policy whose guards and halts apply too. */
  readonly policy?: string | undefined
}

/** One payment of a run of a payouts policy. */
export interface PayoutRow {
  /** At most 48 letters, digits, dots, dashes and underscores. In a deployment each id is paid once, in any case. */
  readonly id: string
  readonly contactId: string
  /** With it the contact must have this text as its reference or alias. 1 to 60 characters. */
  readonly contactReference?: string | undefined
  readonly asset: string
  /** The amount that the contact receives. With `feeMode: "deduct"` in the policy, the amount includes the fee. */
  readonly amount: string
  /** At most 140 characters. */
  readonly reference?: string | undefined
}

interface Check {
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
}

const text = (pattern: RegExp, expected: string): Check => ({
  expected,
  accepts: (value) => typeof value === 'string' && pattern.test(value),
})
/** A lookup by such a name would find what every object inherits. */
const own = ({ expected, accepts }: Check): Check => ({
  expected,
  accepts: (value) => accepts(value) && !((value as string) in {}),
})

const AMOUNT = text(/^(0|[1-9]\d{0,29})(\.\d{1,18})?$/, 'a decimal string such as "12.5"')
const MORE_THAN_ZERO: Check = {
  expected: 'a decimal string of more than zero, such as "12.5"',
  accepts: (value) => AMOUNT.accepts(value) && /[1-9]/.test(value as string),
}
const ASSET = own(text(/^[A-Za-z0-9._-]{1,32}$/, 'an asset code such as "BTC"'))
const POLICY = own(text(/^[a-z0-9][a-z0-9-]{0,47}$/, 'at most 48 lower-case letters, digits and dashes'))
const LABEL = text(/^.{1,256}$/su, 'a text of 1 to 256 characters')
const lineOf = (most: number): Check => ({
  expected: `1 to ${most} characters without line breaks and other control characters`,
  accepts: (value) => typeof value === 'string' && value.length <= most && /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u.test(value),
})
const LINE = lineOf(140)
/** A label that asks for a contact. A contact with a longer one is named by its id. */
const ASKED_LABEL = lineOf(60)
const ZONED_TIME = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/
const TIME: Check = {
  expected: 'an ISO-8601 time with its zone, such as "2026-01-31T09:00:00Z"',
  accepts: (value) => typeof value === 'string' && value.length <= 40 && isTime(value),
}
const BASIS_POINTS: Check = {
  expected: 'a whole number of basis points from 0 to 9999',
  accepts: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 9999,
}

type Checks = Readonly<Record<string, Check & { readonly isRequired?: true }>>
const required = (check: Check) => ({ ...check, isRequired: true as const })

const CONVERT: Checks = {
  baseAsset: required(ASSET),
  quoteAsset: required(ASSET),
  side: required(text(/^(BUY|SELL)$/, 'BUY or SELL, of the base asset')),
  amountAsset: required(ASSET),
  amount: required(MORE_THAN_ZERO),
  worstRate: MORE_THAN_ZERO,
  most: AMOUNT,
  maxSlippageBps: BASIS_POINTS,
  plannedRate: MORE_THAN_ZERO,
  keep: AMOUNT,
  notAfter: TIME,
  policy: POLICY,
}

const WITHDRAW: Checks = {
  assetSymbol: required(ASSET),
  amount: required(MORE_THAN_ZERO),
  feeMode: text(/^(deduct|add)$/, 'deduct or add'),
  contactId: own(LABEL),
  contactReference: ASKED_LABEL,
  most: AMOUNT,
  keep: AMOUNT,
  notAfter: TIME,
  policy: POLICY,
}

const PAYOUT_ROW: Checks = {
  id: required(
    text(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$/,
      'at most 48 letters, digits, dots, dashes and underscores, with a letter or digit first',
    ),
  ),
  contactId: required(own(LABEL)),
  contactReference: ASKED_LABEL,
  asset: required(ASSET),
  amount: required(MORE_THAN_ZERO),
  reference: { ...LINE, accepts: (value) => value === '' || LINE.accepts(value) },
}

/** Maximum rows of one run. Even the longest rows then fit into the 256 KB of an execution's input. */
export const MOST_ROWS = 100

/** The rows of a run, with their fields in one order. @throws InvalidRequest that names the row and its field */
export function checkedRows(rows: readonly PayoutRow[]): readonly object[] {
  if (!Array.isArray(rows) || rows.length < 1 || rows.length > MOST_ROWS) {
    throw new InvalidRequest(
      'rows',
      `1 to ${MOST_ROWS} rows, for which the input of an execution has room; pay more in several runs, each under its own id`,
    )
  }
  const seen = new Map<string, number>()
  return rows.map((row: PayoutRow, index) => {
    const input = checked(row, PAYOUT_ROW, `rows[${index}]`)
    const first = seen.get(row.id.toLowerCase())
    if (first !== undefined) throw new InvalidRequest(`rows[${index}].id`, `another id than rows[${first}] has`)
    seen.set(row.id.toLowerCase(), index)
    return input
  })
}

/** The input of an execution, with its fields in one order. @throws InvalidRequest */
export function convertInput(request: ConvertRequest): object {
  const input = checked(request, CONVERT)
  const { baseAsset, quoteAsset, amountAsset } = request
  if (isSame(baseAsset, quoteAsset)) throw new InvalidRequest('quoteAsset', 'an asset other than the baseAsset')
  if (isSame(amountAsset, baseAsset) || isSame(amountAsset, quoteAsset)) return input
  throw new InvalidRequest('amountAsset', 'the baseAsset or the quoteAsset')
}

/** The input of an execution, with its fields in one order. @throws InvalidRequest */
export function withdrawInput(request: WithdrawRequest): object {
  const input = checked(request, WITHDRAW)
  if (request.contactId !== undefined || request.contactReference !== undefined) return input
  throw new InvalidRequest('contactId', 'contactId, contactReference or both')
}

/** An id names the execution, so it has the characters of an execution's name. @throws InvalidRequest */
export function checkedId(id: unknown): string {
  if (typeof id === 'string' && /^[A-Za-z0-9-]{1,76}$/.test(id)) return id
  throw new InvalidRequest('id', 'at most 76 letters, digits and dashes')
}

/** `place`: where the fields are, for errors. */
function checked(request: object, checks: Checks, place?: string): object {
  const named = (field: string) => (place === undefined ? field : `${place}.${field}`)
  if (typeof request !== 'object' || request === null) throw new InvalidRequest(place ?? 'request', 'an object')
  const given: Readonly<Record<string, unknown>> = { ...request }
  const stray = Object.keys(given).find((field) => !Object.hasOwn(checks, field))
  if (stray !== undefined)
    throw new InvalidRequest(named(stray.slice(0, 40)), `no such field; known are ${Object.keys(checks).join(', ')}`)
  const fields = Object.entries(checks).flatMap(([field, { expected, accepts, isRequired }]) => {
    const value = given[field]
    if (value === undefined && !isRequired) return []
    if (value === undefined || !accepts(value)) throw new InvalidRequest(named(field), expected)
    return [[field, value] as const]
  })
  return Object.fromEntries(fields)
}

/** Asset codes are the same in any case. */
function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

/** A day that the calendar lacks parses as the next one, or not at all. */
function isTime(value: string): boolean {
  if (!ZONED_TIME.test(value)) return false
  const day = value.slice(0, 10)
  const parsed = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(day)
}

/** The policies of treasury.json by name, of which only the kind is read. Give `policies` of the file itself. */
export type Policies = Readonly<Record<string, { readonly kind: string }>>

/** The kind whose runs pay rows. */
const PAYING = 'payouts'

const CONVERTING = 'sluice-rebalance'
const WITHDRAWING = 'sluice-sweep'

/** State machine of each kind. A test compares it with the product. */
export const MACHINE_OF_KIND: Readonly<Record<string, string>> = {
  rebalance: CONVERTING,
  fund: CONVERTING,
  'convert-on-arrival': CONVERTING,
  sweep: WITHDRAWING,
  'convert-and-withdraw': WITHDRAWING,
  [PAYING]: WITHDRAWING,
}

/** Options of a run by the kind of its policy: a run of payouts pays rows, and no other run does. */
export type RowsOf<Kind extends string> = string extends Kind
  ? { readonly rows?: readonly PayoutRow[] | undefined }
  : Kind extends typeof PAYING
    ? { readonly rows: readonly PayoutRow[] }
    : { readonly rows?: undefined }

/** The rows for the input of a run. @throws InvalidRequest where the policy pays rows and has none, or the other way round */
export function rowsFor(name: string, policies: Policies, rows: readonly PayoutRow[] | undefined): object {
  if (policies[name]?.kind === PAYING) {
    if (rows === undefined) throw new InvalidRequest('rows', 'the rows that this run of payouts pays')
    return { rows: checkedRows(rows) }
  }
  if (rows === undefined) return {}
  throw new InvalidRequest('rows', `no rows, because ${name} is not of the kind ${PAYING}`)
}

/** @throws InvalidRequest */
export function machineOfPolicy(name: string, policies: Policies): string {
  const policy = Object.hasOwn(policies, name) ? policies[name] : undefined
  if (policy === undefined) {
    const known = Object.keys(policies).join(', ') || 'none'
    throw new InvalidRequest('policy', `a policy of the client's option "policies", which names ${known}`)
  }
  const machine = Object.hasOwn(MACHINE_OF_KIND, policy.kind) ? MACHINE_OF_KIND[policy.kind] : undefined
  if (machine !== undefined) return machine
  throw new InvalidRequest(`policies.${name}.kind`, `one of ${Object.keys(MACHINE_OF_KIND).join(', ')}`)
}

// Owns the record of an intent: the fields that are added to the intent's own, and the check when it is read. An ended
// intent is checked less strictly, because today's rules may not accept its request.
import * as z from 'zod/mini'
import type { ConvertRequest } from '../contract/convert.ts'
import { payeeFacts } from '../contract/payee.ts'
import { IntentKind, IntentState, LISTED_KEY, listing, recordKey } from '../contract/records.ts'
import type { WithdrawRequest } from '../contract/withdraw.ts'
import { Defect } from '../errors.ts'
import {
  type AssetNames,
  type ConvertFrozen,
  type Intent,
  type IntentOf,
  isSettled,
  type OrderAttempt,
  ofKind,
  type WithdrawalAttempt,
  type WithdrawFrozen,
} from './intent.ts'
import { assertFits, checkRecord, withoutKeys } from './record-format.ts'
import type { RecordFields, StoredRecord } from './record-store.ts'
import { requestKeys } from './request-keys.ts'

/** A schema for exactly the fields of a shape. A field that is missing here or there does not compile. */
type SchemaFor<Shape> = { readonly [Field in keyof Required<Shape>]: z.ZodMiniType }

const text = z.string()
const maybe = z.optional(text)

const serviceAnswer = z.object({
  code: text,
  text,
  status: z.optional(z.number()),
  business: z.boolean(),
  keyAtFault: z.optional(z.literal(true)),
})

const attempt = {
  nonce: text,
  kid: text,
  iat: z.number(),
  exp: z.number(),
  bodySha256: text,
  owner: text,
  said: z.optional(serviceAnswer),
  listenedUntil: maybe,
  fenceTiming: z.object({ leewaySeconds: z.number(), visibilitySeconds: z.number() }),
}

const orderAttempt = z.object({
  ...attempt,
  account: maybe,
  orderId: text,
  quoteExpiresAt: z.nullable(text),
  terms: z.object({ market: text, rate: text, baseAmount: text, quoteAmount: text }),
} satisfies SchemaFor<OrderAttempt>)

const knownRows = z.array(z.object({ id: text, at: text }))

const withdrawalAttempt = z.object({
  ...attempt,
  fee: text,
  approvedTotal: maybe,
  since: text,
  known: knownRows,
  seen: z.optional(knownRows),
  accepted: z.optional(z.boolean()),
} satisfies SchemaFor<WithdrawalAttempt>)

const unitValues = z.optional(z.record(text, text))

const assetNames = z.object({ assetSymbol: text, rebasedSymbol: maybe } satisfies SchemaFor<AssetNames>)

const convertFrozen = z.object({
  baseAsset: assetNames,
  quoteAsset: assetNames,
  account: maybe,
  stage: maybe,
  amount: text,
  increment: text,
  maxSlippageBps: z.optional(z.number()),
  referenceRate: maybe,
  unitValues,
} satisfies SchemaFor<ConvertFrozen>)

const withdrawFrozen = z.object({
  account: text,
  stage: text,
  assetSymbol: text,
  rebasedSymbol: maybe,
  amount: text,
  increment: text,
  feeMode: z.enum(['deduct', 'add']),
  contactId: text,
  subTypes: z.array(text),
  networkId: z.nullable(text),
  fee: text,
  total: text,
  payee: payeeFacts,
  unitValues,
} satisfies SchemaFor<WithdrawFrozen>)

/** Fields of requests that were parsed when they came: the part that the steps read. */
const commonParams = {
  amount: text,
  most: maybe,
  keep: maybe,
  notAfter: maybe,
  policy: maybe,
  run: maybe,
  requestId: maybe,
}

const convertParams = z.object({
  ...commonParams,
  baseAsset: text,
  quoteAsset: text,
  side: z.enum(['BUY', 'SELL']),
  amountAsset: text,
  worstRate: maybe,
  plannedRate: maybe,
  maxSlippageBps: z.optional(z.number()),
} satisfies SchemaFor<ConvertRequest>)

const withdrawParams = z.object({
  ...commonParams,
  assetSymbol: text,
  feeMode: z.optional(z.enum(['deduct', 'add'])),
  contactId: maybe,
  contactReference: maybe,
} satisfies SchemaFor<WithdrawRequest>)

const facts = {
  intentId: text,
  paramsHash: text,
  createdAt: text,
  notAfter: text,
  version: z.number(),
  attemptNumber: z.number(),
  ref: maybe,
  outcome: maybe,
  why: maybe,
  guardedBy: maybe,
  resolution: z.optional(
    z.object({ by: text, because: text, at: text, movementId: maybe, sameAccount: maybe, spoken: maybe }),
  ),
}
const kind = z.enum(IntentKind)
const state = z.enum(IntentState)

export const intentFields = z.object({ ...facts, kind, state })

/** Schemas of an intent whose terms are settled. Request and frozen terms never change. */
export const SETTLED = {
  [IntentKind.Convert]: { params: convertParams, frozen: convertFrozen, attempt: orderAttempt },
  [IntentKind.Withdraw]: { params: withdrawParams, frozen: withdrawFrozen, attempt: withdrawalAttempt },
}
/** Schema of an intent that ended without an attempt. Perhaps nothing is settled. */
const UNSETTLED = z.record(text, z.unknown())

/** @throws Defect */
function assertIntentFits(record: StoredRecord): void {
  const { pk, intentId, kind: intentKind, state: intentState } = checkRecord(intentFields, record)
  // Permissions depend on the key, so the record must not be an intent of the other kind or of another id.
  if (pk !== recordKey.intent(intentKind, intentId))
    throw new Defect(`the record ${pk} holds the ${intentKind} intent ${intentId}`)
  const isArmed = intentState === IntentState.Armed || record.attempt !== undefined
  if (!isArmed && intentState !== IntentState.Ready) {
    assertFits(UNSETTLED, record.frozen, `${pk}.frozen`)
    return
  }
  const { params, frozen, attempt: attemptSchema } = SETTLED[intentKind]
  assertFits(params, record.params, `${pk}.params`)
  assertFits(frozen, record.frozen, `${pk}.frozen`)
  if (isArmed) assertFits(attemptSchema, record.attempt, `${pk}.attempt`)
}

export function fieldsOfIntent(intent: Intent): RecordFields {
  const { kind, createdAt, intentId } = intent
  return {
    [LISTED_KEY]: listingOf(intent),
    ...requestKeys(kind, createdAt, recordKey.intent(kind, intentId)),
    ...intent,
  }
}

/** The audit's list that contains the intent. It is part of the record, so that no second write can be lost. */
function listingOf({ state, attempt }: Intent): string | undefined {
  // An intent that waits for a person may have moved, so plans count it like an armed one.
  if (!isSettled(state)) return listing.open
  if (state !== IntentState.Done || attempt === undefined) return undefined
  return listing.doneInHour(Math.floor(attempt.iat / 3600))
}

/** `kind`: the required kind, if any. @throws Defect for another kind, and for a record that does not fit */
export function intentOfRecord<Kind extends IntentKind = IntentKind>(
  record: StoredRecord,
  kind?: Kind,
): IntentOf<Kind> {
  assertIntentFits(record)
  // All fields of the shape are present, because each has a schema above.
  const intent = withoutKeys(record) as unknown as Intent
  // Without a required kind, `Kind` stands for either.
  return ofKind(intent, kind ?? (intent.kind as Kind))
}

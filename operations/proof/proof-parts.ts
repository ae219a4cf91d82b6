// Defines the shapes of a proof's parts. The giver of a proof may have written anything into it, so each part is
// checked against its shape before it counts. It does not judge what the parts prove.
import * as z from 'zod/mini'
import { amountText, isoTime, opaqueId } from '../../core/contract/fields.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { parseWith } from '../../core/parse.ts'
import { RequestKind } from '../movements/record-kind.ts'
import { PackFault, type Part } from './pack-file.ts'

const text = z.string().check(z.maxLength(65_536))
const textOrNull = z.nullable(text)
const part = { part: text }

/** Play money exists only in a sandbox, whose keys everybody has. */
export const Money = { Play: 'play money', Account: 'that of the account' } as const
export type Money = (typeof Money)[keyof typeof Money]

const origin = z.strictObject({
  money: z.enum(Money),
  /** Address at which the service was read. */
  service: text,
  /** The account of the key that read; null where the key may not say. */
  account: textOrNull,
  stage: text,
  environment: textOrNull,
})
export type Origin = z.infer<typeof origin>

export const about = z.object({
  ...part,
  /** For an intent its own kind, because an intent of the other kind may have the same id. */
  kind: z.enum(RequestKind),
  id: text,
  /** When the service was read, in service time. */
  at: isoTime,
  from: origin,
  readWith: text,
  /** The public half of the key of decisions, as the deployment's KMS or the desk has it. Absent where people decided nothing. */
  decisionKey: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))),
})
export type About = z.infer<typeof about>

const orderRow = z.object({
  id: opaqueId,
  status: text,
  side: text,
  market: text,
  baseAsset: textOrNull,
  quoteAsset: textOrNull,
  baseAmount: amountText,
  filledBaseAmount: amountText,
  quoteAmount: amountText,
  filledQuoteAmount: amountText,
  rate: text,
})
const withdrawalRow = z.object({
  id: opaqueId,
  subType: text,
  status: text,
  assetSymbol: textOrNull,
  amount: amountText,
  fee: amountText,
  total: amountText,
  createdAt: text,
  transactionHash: textOrNull,
  bankReference: textOrNull,
  networkId: textOrNull,
})
const fill = z.object({ id: opaqueId, baseAmount: amountText, quoteAmount: amountText })
const entry = z.object({
  amount: z.nullable(amountText),
  source: z.nullable(z.object({ type: text, id: text })),
})

export const service = z.object({
  ...part,
  /** Service time. Everything that it shows existed at that time. */
  readAt: isoTime,
  /** For each known quote of the intent; null: the service has no such order. */
  orders: z.optional(z.array(z.object({ id: opaqueId, row: z.nullable(orderRow) }))),
  fills: z.optional(z.array(fill)),
  /** Present for an intent with a withdrawal; null: the service has no such withdrawal. */
  withdrawal: z.optional(z.nullable(withdrawalRow)),
  /**
   * All withdrawals of the asset around the intent's time. None of them may be a second movement of the same intent.
   */
  rows: z.optional(z.array(withdrawalRow)),
  ledger: z.array(entry),
  leftOut: z.optional(text),
})
export type ServicePart = z.infer<typeof service>

export const record = z.object({
  ...part,
  record: z.looseObject({ pk: text, version: z.number(), format: z.number(), stamp: text }),
})

export interface Evidence {
  readonly about: About
  /** By their keys. */
  readonly records: ReadonlyMap<string, StoredRecord>
  readonly services: ReadonlyMap<string, ServicePart>
}

/** @throws PackFault that names the part */
export function evidenceIn(parts: ReadonlyMap<string, Part>): Evidence {
  const records = new Map<string, StoredRecord>()
  const services = new Map<string, ServicePart>()
  for (const [name, value] of parts) {
    if (name.startsWith('record ')) {
      const { record: stored } = fitting(record, value)
      if (name !== `record ${stored.pk}`) throw new PackFault(name, `it holds another record than it says`)
      records.set(stored.pk, stored)
    } else if (name.startsWith('service ')) services.set(name.slice('service '.length), fitting(service, value))
  }
  const known = parts.get('about')
  if (known === undefined) throw new PackFault('about', 'the part is missing')
  return {
    about: fitting(about, known),
    records,
    services,
  }
}

function fitting<Schema extends z.ZodMiniType>(schema: Schema, value: Part): z.output<Schema> {
  try {
    return parseWith(schema, value, value.part)
  } catch (error) {
    throw new PackFault(value.part, error instanceof Error ? error.message : 'it is not of its form')
  }
}

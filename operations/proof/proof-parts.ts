// The parts of a proof, as they are read back. Whoever gives a proof may have written anything into it: each part is held
// against its form before it counts. Shapes only.
import * as z from 'zod/mini'
import { amountText, isoTime, opaqueId } from '../../core/contract/fields.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { parseWith } from '../../core/parse.ts'
import { AskedKind } from '../movements/asked-kind.ts'
import { PackFault, type Part } from './pack-file.ts'

const text = z.string().check(z.maxLength(65_536))
const textOrNull = z.nullable(text)
const part = { part: text }

/** Play money is that of a sandbox, whose keys everybody has. */
export const Money = { Play: 'play money', Account: 'that of the account' } as const
export type Money = (typeof Money)[keyof typeof Money]

/** Where the evidence is from. */
const origin = z.strictObject({
  money: z.enum(Money),
  /** Address at which the service was read. */
  service: text,
  /** That the service was read as; null where the key may not say. */
  account: textOrNull,
  stage: text,
  environment: textOrNull,
})
export type Origin = z.infer<typeof origin>

const about = z.object({
  ...part,
  /** Of an intent its own kind: one of the other kind may have the same id. */
  kind: z.enum(AskedKind),
  id: text,
  /** Service time: when the service was read. */
  at: isoTime,
  from: origin,
  /** The prefix of the key. */
  readWith: text,
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

const service = z.object({
  ...part,
  /** Service time: what it shows then has been there for as long. */
  readAt: isoTime,
  /** Of each quote that is known to have been the intent's own; null: the service has no such order. */
  orders: z.optional(z.array(z.object({ id: opaqueId, row: z.nullable(orderRow) }))),
  fills: z.optional(z.array(fill)),
  /** Of an intent with one; null: the service has no such withdrawal. */
  withdrawal: z.optional(z.nullable(withdrawalRow)),
  /** All of the asset around the intent's time: none of them may be another one of the same intent. */
  rows: z.optional(z.array(withdrawalRow)),
  ledger: z.array(entry),
  /** What was not looked at, in words. */
  leftOut: z.optional(text),
})
export type ServicePart = z.infer<typeof service>

const record = z.object({
  ...part,
  record: z.looseObject({ pk: text, version: z.number(), format: z.number(), stamp: text }),
})

export interface Evidence {
  readonly about: About
  /** By their keys. */
  readonly records: ReadonlyMap<string, StoredRecord>
  /** By intent. */
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

// Plays an insider who may write the journal, or who has taken over the step that settles terms. Between two steps the
// insider changes the record of an intent that has sent nothing, as completely as the product would write it. A
// taken-over step also answers with the hash of what it wrote. Any movement must still be what the execution asked for,
// within the deployed bounds.
import { ANY_INTENT, IntentKind, IntentState, recordKey } from '../../core/contract/records.ts'
import { Verb } from '../../core/contract/states.ts'
import { Defect, Refused } from '../../core/errors.ts'
import type { Intent } from '../../core/journal/intent.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { termsHashOf } from '../../core/journal/terms.ts'
import { hashParams } from '../../core/params-hash.ts'
import { frozenCopy } from '../helpers/frozen-copy.ts'

type Fields = Readonly<Record<string, unknown>>

type Forge = (record: StoredRecord, records: ReadonlyMap<string, StoredRecord>) => StoredRecord

const LATER = '2099-01-01T00:00:00.000Z'
const ANOTHER_PAYEE = { contactId: 'thief', updatedAt: '2025-06-01T00:00:00Z' }

/** The changes that he may make. A change applies to both kinds of record, or leaves a kind unchanged. */
export const FORGERIES = {
  amount: (record) => withFrozen(record, { amount: '23', total: '23' }),
  increment: (record) => withFrozen(record, { amount: '0', increment: '1000' }),
  payee: (record) => withFrozen(record, { contactId: 'thief', payee: { ...frozenOf(record).payee, ...ANOTHER_PAYEE } }),
  bounds: (record) => withFrozen(record, { unitValues: undefined }),
  value: (record) => withFrozen(record, { unitValues: { USD: '0.000001' } }),
  price(record) {
    const { side, maxSlippageBps = 9_999 } = record.params as {
      readonly side?: string
      readonly maxSlippageBps?: number
    }
    return withFrozen(record, { maxSlippageBps, referenceRate: priceForAnything(side) })
  },
  account: (record) => withFrozen(record, { account: 'account-9' }),
  time: (record) => ({ ...record, notAfter: LATER }),
  request(record) {
    const params = { ...(record.params as Fields), amount: '23' }
    return withFrozen({ ...record, params, paramsHash: hashParams(params) }, { amount: '23', total: '23' })
  },
  /** Claims the movement of another intent of the same kind, if there is one. */
  end(record, records) {
    const claims = recordKey.claim(record.kind as IntentKind, '')
    const other = [...records.values()].find(
      ({ pk, intentId }) => pk.startsWith(claims) && intentId !== record.intentId,
    )
    if (other === undefined) return record
    return { ...record, version: record.version + 1, state: IntentState.Done, ref: other.pk.slice(claims.length) }
  },
} as const satisfies Readonly<Record<string, Forge>>

/**
 * When he strikes: before a step that settles terms finds the record, before the step that sends reads it, or right
 * after its creation. In the last case another run that is about to open it finds his version. As the step that
 * settles, he strikes after each of its calls.
 */
export const STRIKES = {
  'once it is opened': new Set<string>(),
  'as the step that settles': new Set<string>(),
  'before the send': new Set<string>([Verb.Order, Verb.Withdraw]),
  'before terms are settled': new Set<string>([Verb.Quote, Verb.CheckWithdrawal]),
} as const

export interface Forgery {
  readonly what: keyof typeof FORGERIES
  readonly when: keyof typeof STRIKES
}

export class Insider {
  readonly #records: Map<string, StoredRecord>
  readonly #forgery: Forgery | undefined
  readonly #struck = new Set<string>()

  constructor(records: Map<string, StoredRecord>, forgery: Forgery | undefined) {
    this.#records = records
    this.#forgery = forgery
  }

  /** Called before a step of this intent. */
  beforeCall(verb: string, intentId: string): void {
    if (this.#forgery === undefined || this.#struck.size > 0 || !STRIKES[this.#forgery.when].has(verb)) return
    this.#strike(this.#forgery, this.#records.get(keyOf(verb, intentId)))
  }

  /** Returns the ports of a step. Once he has taken over the step that settles prices, it finds any quote good. */
  portsOf<Ports>(verb: string, ports: Ports): Ports {
    if (this.#forgery?.what !== 'price' || this.#forgery.when !== 'as the step that settles' || verb !== Verb.Quote)
      return ports
    const indicativeRate = async ({ side }: { readonly side: string }) => priceForAnything(side)
    return { ...ports, service: { ...(ports as { readonly service?: object }).service, indicativeRate } }
  }

  /** Called with the answer of a step of this intent. A step that was taken over answers with the hash of his terms. */
  afterCall<Output>(verb: string, intentId: string, output: Output): Output {
    const { what, when } = this.#forgery ?? {}
    // Where the request has no end of its time, the step that settles sets it: then it may wait for people without an end.
    if (this.#forgery === undefined || when !== 'as the step that settles' || what === 'time') return output
    if (!SETTLING.has(verb)) return output
    const { settled } = output as { readonly settled?: string }
    const pk = keyOf(verb, intentId)
    if (settled === undefined || this.#records.get(pk)?.state !== IntentState.Ready) return output
    this.#strike(this.#forgery, this.#records.get(pk))
    return { ...output, settled: termsHashOf(this.#records.get(pk) as unknown as Intent) }
  }

  afterWrite(record: StoredRecord): void {
    if (this.#forgery?.when !== 'once it is opened' || this.#struck.size > 0) return
    if (record.pk.startsWith(ANY_INTENT) && record.version === 1) this.#strike(this.#forgery, record)
  }

  #strike({ what }: Forgery, record: StoredRecord | undefined): void {
    if (record?.state !== IntentState.Ready) return
    this.#struck.add(String(record.intentId))
    this.#records.set(record.pk, frozenCopy(FORGERIES[what](record, this.#records)))
  }

  /** Whether a step threw because of his change. The state machine then concludes the run. */
  explains(error: unknown, intentId: string): boolean {
    return this.#struck.has(intentId) && (error instanceof Defect || error instanceof Refused)
  }
}

const SETTLING = STRIKES['before terms are settled']

function priceForAnything(side: string | undefined): string {
  return side === 'BUY' ? '1000000' : '1'
}

function keyOf(verb: string, intentId: string): string {
  const kind = verb === Verb.Quote || verb === Verb.Order ? IntentKind.Convert : IntentKind.Withdraw
  return recordKey.intent(kind, intentId)
}

function frozenOf(record: StoredRecord): Fields & { readonly payee?: Fields } {
  return record.frozen as Fields
}

/** Changes only fields that the record has, because a conversion has no payee. */
function withFrozen(record: StoredRecord, change: Fields): StoredRecord {
  const frozen = frozenOf(record)
  const had = Object.entries(change).filter(([field]) => Object.hasOwn(frozen, field))
  return { ...record, frozen: { ...frozen, ...Object.fromEntries(had) } }
}

// Plays people who approve or reject movements of a simulated world. Draws the rule that needs their approval, and their
// decisions. Checks each ARM against these decisions. The check is independent of the product: it compares whole terms and no hash.
import type { Guards } from '../../core/contract/guards.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import type { Intent } from '../../core/journal/intent.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { termsHashOf } from '../../core/journal/terms.ts'
import { hashParams } from '../../core/params-hash.ts'
import { forged, signed } from '../helpers/decision-key.ts'
import { units } from './budget-sums.ts'
import { pickWith, seededRandom } from './choices.ts'
import { asksByPayee, asksByValue, type DrawnGuards, type GivenUp, type Worth } from './drawn-guards.ts'
import { CONVERTED, giving, WITHDRAWN } from './given-up.ts'

export interface Asking {
  /** Times at which people decide on all waiting movements, ms after the start. */
  readonly saysMs: readonly number[]
  readonly says: 'yes' | 'no' | 'yes to other terms' | 'yes to another intent' | 'yes, forged' | 'nothing'
  /** The property of a movement for which the rule needs an approval. `asset`: every movement of the asset needs it. */
  readonly by: 'asset' | 'value' | 'payee'
  /** The value in the rule, as a multiple of one movement's approximate value. A rule by asset ignores it. */
  readonly factor: number
  /** `*`: a rule of the deployment. `one`: a rule of that policy, in a world that has it. */
  readonly scope: '*' | 'one'
}

/** Has its own random source, so that the other draws of a seed stay the same. */
export function drawAsking(seed: number): Asking | undefined {
  const random = seededRandom(seed * 7_919 + 31)
  const pick = <T>(options: readonly T[]) => pickWith(random, options)
  const isAsked = pick([...Array<boolean>(11).fill(false), true])
  const firstMs = pick([1_000, 20_000, 100_000])
  const saysMs = [firstMs, firstMs + 40_000, firstMs + 300_000, firstMs + 1_500_000]
  const others = ['yes to other terms', 'yes to another intent', 'nothing'] as const
  const says = pick(['yes', 'yes', 'yes, forged', 'no', ...others] as const)
  const by = pick(['asset', 'value', 'payee'] as const)
  const factor = pick([0, 0, 0.999, 1, 1.01, 1.02])
  return isAsked ? { saysMs, says, by, factor, scope: pick(['*', '*', 'one'] as const) } : undefined
}

const ASKED_ASSETS = [CONVERTED.BUY, CONVERTED.SELL, WITHDRAWN].map(({ assetSymbol }) => [assetSymbol, '0'] as const)
const APPROVAL: NonNullable<Guards['approval']> = { assets: Object.fromEntries(ASKED_ASSETS) }

/** Adds a rule that needs approvals. `given`: a rule by value takes its bound from the value of this movement. */
export function withAsking(guards: DrawnGuards, { by, factor, scope }: Asking, given: GivenUp): DrawnGuards {
  const isWorthless = guards.worths[given.assetSymbol] === undefined
  if (by === 'asset' || isWorthless) return { ...guards, everywhere: { ...guards.everywhere, approval: APPROVAL } }
  return (by === 'value' ? asksByValue : asksByPayee)(guards, given, factor, scope)
}

/** Whether a rule needs an approval for this intent. `fee`: in settled units. */
function isAsked(record: StoredRecord, fee: string, { everywhere, policies, ofIntents, worths }: DrawnGuards): boolean {
  const policy = ofIntents[Number(String(record.intentId).split('-')[1]) - 1]
  const rules = [everywhere.approval, policy === undefined ? undefined : policies[policy]?.guards?.approval]
  const { assetSymbol, contactId, amount } = giving(record)
  const { feeMode, amount: arrives } = record.frozen as { readonly feeMode?: string; readonly amount: string }
  const given = record.kind === IntentKind.Withdraw && feeMode === 'add' ? units(arrives) + units(fee) : units(amount)
  const worth = worths[assetSymbol]
  return rules.some((rule) => {
    if (rule === undefined) return false
    const values = [rule.above, contactId === undefined ? undefined : rule.contacts?.[contactId]]
    return rule.assets !== undefined || values.some((bound) => bound !== undefined && isAbove(given, worth, bound))
  })
}

function isAbove(given: bigint, worth: Worth | undefined, bound: string): boolean {
  if (worth === undefined) throw new Error('a rule by the value of what is worth nothing')
  return given * worth.num > units(bound) * worth.den
}

interface Table {
  readonly records: ReadonlyMap<string, StoredRecord>
  put(record: StoredRecord, expectedVersion: number | undefined): unknown
}

interface Scheduling {
  later(ms: number, run: () => void, about: { readonly text: () => string }): unknown
}

const OTHER_TERMS = 'f'.repeat(64)

export class People {
  /** Terms that people have approved, as full text. */
  readonly #approved = new Set<string>()
  readonly #guards: DrawnGuards

  constructor(guards: DrawnGuards) {
    this.#guards = guards
  }

  /** Schedules people's decisions, and writes them into the journal as the function Decide does. */
  scheduleDecisions({ saysMs, says }: Asking, journal: Table, scheduler: Scheduling): void {
    if (says === 'nothing') return
    for (const atMs of saysMs)
      scheduler.later(atMs, () => this.#decideAll(says, journal), { text: () => `says ${says}` })
  }

  #decideAll(says: Asking['says'], journal: Table): void {
    for (const [pk, record] of [...journal.records]) {
      if (!pk.startsWith('I#') || record.state !== IntentState.Ready || record.frozen === undefined) continue
      const { intentId, ...intent } = record as unknown as Intent
      const hash = says === 'yes to other terms' ? OTHER_TERMS : termsHashOf(intent)
      const whose = says === 'yes to another intent' ? 'another' : intentId
      const decisionKey = `D#${intent.kind}#${whose}#${hash}`
      if (says === 'yes') this.#approved.add(termsOf(record))
      if (journal.records.has(decisionKey)) continue
      const decision = { decision: says === 'no' ? 'rejected' : 'approved', because: 'audit' } as const
      const said = { by: 'ada', at: '2026-01-01T00:00:00.000Z' }
      const spoken = `N#decide#${decisionKey}`
      const subject = { kind: intent.kind, intent: whose, termsHash: hash }
      const asked = hashParams({ ...decision, ...subject })
      const request = { pk: spoken, version: 1, format: 1, stamp: spoken, ...said, to: 'decide', asked }
      journal.put(request, undefined)
      // Somebody who may write the journal, and has not the key of decisions, speaks in a person's name.
      const sign = says === 'yes, forged' ? forged : signed
      const words = [sign({ ...decision, ...said, spoken }, subject)]
      journal.put({ pk: decisionKey, version: 1, format: 1, stamp: decisionKey, words }, undefined)
    }
  }

  /** Returns why people's decisions do not allow the ARM that writes this record; undefined if they allow it. */
  findUnapprovedArm(armed: StoredRecord): string | undefined {
    const { frozen, attempt } = armed as unknown as { frozen: { fee: string }; attempt: { fee: string } }
    const isDearer = armed.kind === IntentKind.Withdraw && Number(attempt.fee) > Number(frozen.fee)
    if (!isAsked(armed, isDearer ? attempt.fee : frozen.fee, this.#guards)) return undefined
    if (isDearer) return 'an ARM at a dearer fee than people approved'
    return this.#approved.has(termsOf(armed)) ? undefined : 'an ARM of terms that nobody approved'
  }

  /** Whether this unarmed withdrawal must not be sent, because its terms lack an approval. */
  isUnapproved(ready: StoredRecord): boolean {
    const { fee } = ready.frozen as { readonly fee: string }
    return isAsked(ready, fee, this.#guards) && !this.isApproved(ready)
  }

  /** Whether people have approved exactly these terms of a withdrawal. */
  isApproved(ready: StoredRecord): boolean {
    return this.#approved.has(termsOf(ready))
  }
}

function termsOf({ pk, params, frozen, notAfter }: StoredRecord): string {
  return JSON.stringify([pk, params, frozen, notAfter], (_key, value: unknown) => inOrder(value))
}

function inOrder(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

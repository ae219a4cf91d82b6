// Checks the guards at each ARM, send and movement. It computes independently of the product which bounds apply to an
// intent, where each is counted, and the exact value of the movement.
import type { ConvertRequest } from '../../core/contract/convert.ts'
import type { Bound, PolicyGuards } from '../../core/contract/guards.ts'
import type { WithdrawRequest } from '../../core/contract/withdraw.ts'
import type { ConvertIntent } from '../../core/journal/intent.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import type { Span } from '../../core/journal/sending-days.ts'
import { createBudgetSums, isSum, reservedUnits, units } from './budget-sums.ts'
import { INDICATIVE_RATE } from './deals.ts'
import { type DrawnGuards, EARLIER_HOLDER, namesOf, spellingsOf, type Worth } from './drawn-guards.ts'
import type { Machine } from './machine.ts'

type Records = ReadonlyMap<string, StoredRecord>

/** The amount that one attempt sells or sends, in settled units. */
export interface Giving {
  readonly assetSymbol: string
  readonly ticker?: string
  readonly amount: string
  readonly contactId?: string
  readonly market?: string
}

export interface GuardJudge {
  /** Judges a budget's record as it replaces `before`. */
  judgeRecord(record: StoredRecord, before: StoredRecord | undefined, records: Records): string | undefined
  judgeOpened(record: StoredRecord): string | undefined
  /** Judges an intent that was armed. `mayMove`: when it may move; absent where its attempt is dead. */
  judgeArm(record: StoredRecord, records: Records, mayMove: Span | undefined): string | undefined
  /** Judges an ARM by the guards that its machine was deployed with, and by the budgets as it has read them. */
  findOverdrawn(
    record: StoredRecord,
    machine: Pick<Machine, 'deployed' | 'sawBudgets'>,
    records: Records,
  ): string | undefined
  /**
   * Judges an intent of which a copy may be accepted from `fromMs` to `toMs` (service time). For a send this lasts
   * until the copy is dead; for a movement it is one moment.
   */
  judgeTimes(record: StoredRecord, fromMs: number, toMs: number): string | undefined
  /** Judges a movement. `amount`: the part that could be known before the send. */
  judgeMoved(record: StoredRecord, amount: string): string | undefined
  /** Judges at the end how much an intent's movement sold or sent, and whether the records show the same amount. */
  judgeEnd(record: StoredRecord, moved: Moved | undefined, records: Records): string[]
  /** Judges all movements at the end: whether any day, or any 24 hours, exceeded its bound. */
  judgeDays(all: readonly (Moved & { readonly record: StoredRecord })[]): string[]
}

/** When an intent moved, in service time, and how much it sold or sent. */
export interface Moved {
  readonly atMs: number
  readonly amount: string
}

/**
 * `untilMs`: service time until which it may move and therefore counts; infinite where a budget counts calendar days.
 */
interface Reserved {
  readonly amount: string
  readonly untilMs: number
}

interface Applied {
  readonly scope: string
  readonly symbol: string
  /** Whether a day is any 24 hours. No world lasts longer. */
  readonly isRolling: boolean
  readonly bound: Bound
  /** With a bound in values: the value of one unit. */
  readonly worth: Worth | undefined
}

const DAY_MS = 86_400_000
const ONE = 10n ** 18n
const ZERO: ReadonlySet<unknown> = new Set(['REJECTED', 'EXHAUSTED'])
/** The intent is in doubt or waits for a key, so it may still release its reservation. */
const IS_OPEN: ReadonlySet<unknown> = new Set(['READY', 'ARMED', 'ESCALATED'])

/** Restores the requested payee. An insider may change it while an execution uses what it has read before. */
function asAsked(record: StoredRecord): StoredRecord {
  const { contactId } = record.params as { readonly contactId?: string }
  return contactId === undefined ? record : { ...record, frozen: { ...(record.frozen as object), contactId } }
}

/**
 * `drawn`: those of the deployment with the loosest bounds. `giving`: reads what the attempt of a record sells or sends.
 */
export function createGuardJudge(drawn: DrawnGuards, giving: (record: StoredRecord) => Giving): GuardJudge {
  const { everywhere, worths, quiet, ofIntents, areLegs } = drawn
  const policyOf = ({ intentId, params }: StoredRecord) =>
    areLegs ? (params as { readonly policy?: string }).policy : ofIntents[Number(String(intentId).split('-')[1]) - 1]

  /** A leg whose policy gets another name under way also counts under that name. */
  function renamed(record: StoredRecord): StoredRecord {
    const before = policyOf(record)
    const [policy = before] = Object.entries(drawn.policies).find(([, { was }]) => was === before) ?? []
    return { ...record, params: { ...(record.params as object), policy } }
  }

  function setsOf(record: StoredRecord, deployed = drawn): { readonly scope: string; readonly set: PolicyGuards }[] {
    const policy = policyOf(record)
    const set = (policy !== undefined && deployed.policies[policy]?.guards) || {}
    const own = policy === undefined ? [] : namesOf(policy, deployed).map((scope) => ({ scope, set }))
    return [{ scope: '*', set: deployed.everywhere }, ...own]
  }

  function appliedTo(record: StoredRecord, deployed = drawn): Applied[] {
    const { everywhere } = deployed
    const given = giving(record)
    const { assetSymbol, contactId } = given
    const applied: Applied[] = []
    let isRolling = false
    const add = (scope: string, symbol: string, bound: Bound | undefined, isValue: boolean) => {
      const worth = isValue ? worths[assetSymbol] : undefined
      if (bound) applied.push({ scope, symbol, isRolling, bound, worth })
    }
    for (const { scope, set } of setsOf(record, deployed)) {
      isRolling = set.dailyWindow === 'rolling'
      add(scope, 'value:USD', set.total, true)
      for (const bound of boundsOf(set.assets ?? {}, given)) add(scope, `asset:${assetSymbol}`, bound, false)
      if (contactId !== undefined)
        add(`${scope === '*' ? '' : `${scope}/`}contact:${contactId}`, 'value:USD', set.contacts?.[contactId], true)
    }
    isRolling = everywhere.dailyWindow === 'rolling'
    for (const daily of contactId === undefined ? [] : boundsOf(everywhere.dailyOutflow, given))
      add('*', assetSymbol, { daily }, false)
    return applied
  }

  /** Whether `figure` is below the exact value of an amount. */
  const isBelow = (figure: string, amount: string, worth: Worth | undefined) =>
    worth ? units(figure) * worth.den < units(amount) * worth.num : units(figure) < units(amount)

  const limits = new Map<string, string>()
  const noteLimit = (place: string, daily: string) => {
    if (units(limits.get(place) ?? daily) >= units(daily)) limits.set(place, daily)
  }
  const sums = createBudgetSums()
  /** Value that a policy may move in a day without asking people: the same for all policies of a world. */
  const unasked = Object.values(drawn.policies)[0]?.approval?.above

  /** The reservation of an intent: its own entry in the budget, or its part of a sum. */
  function reservedIn(records: Records, key: string, { intentId, kind }: StoredRecord): Reserved | undefined {
    const budget = records.get(key)
    const reserved = budget?.reserved as Record<string, string> | undefined
    const holder = `${kind}#${intentId}`
    const text = reserved?.[holder] ?? (budget && sums.find(budget, holder))
    if (text === undefined) return undefined
    const [amount = '', untilSeconds] = text.split('@')
    return { amount, untilMs: untilSeconds === undefined ? Number.POSITIVE_INFINITY : Number(untilSeconds) * 1000 }
  }

  return {
    judgeRecord(record, before, records) {
      if (record.pk.startsWith('F#')) return judgeList(record, before, records)
      if (!record.pk.startsWith('B#')) return undefined
      const wrong = sums.judge(record, before, records)
      if (wrong !== undefined) return wrong
      const reserved = record.reserved as Record<string, string>
      let counting = 0n
      for (const [holder, amount] of Object.entries(reserved)) {
        if (isSum(holder)) {
          counting += reservedUnits(amount)
          continue
        }
        const intent = records.get(`I#${holder}`)
        if (intent === undefined) return 'a reservation for an intent that is not there'
        // The bounds of an intent are known before any of its attempts.
        const forms = [intent, asAsked(intent), renamed(intent)]
        for (const { scope, symbol, bound } of forms.flatMap((form) => appliedTo(form)))
          if (bound.daily !== undefined) noteLimit(`${scope} ${symbol}`, bound.daily)
        if (!ZERO.has(intent.state)) counting += reservedUnits(amount)
      }
      const [, scope, , symbol] = record.pk.split('#')
      const limit = scope?.endsWith(UNASKED) ? unasked : limits.get(`${scope} ${symbol}`)
      if (limit === undefined) return `a budget that nobody set: ${record.pk}`
      return counting > units(limit) ? 'more is reserved than the limit allows' : undefined
    },

    judgeOpened(record) {
      const { unitValues } = record.frozen as ConvertIntent['frozen']
      const value = unitValues?.USD
      if (value === undefined) return undefined
      const worth = worths[giving(record).assetSymbol]
      if (worth === undefined) return 'a value of what is worth nothing'
      const beyond = units(value) * worth.den - ONE * worth.num
      // Two steps are each rounded up, and the second multiplies the excess of the first.
      return beyond < 0n || beyond >= 4n * worth.den
        ? `a unit is worth ${worth.num}/${worth.den}, not ${value}`
        : undefined
    },

    judgeArm(record, records, mayMove) {
      const dear = judgePrice(record, everywhere.worstSlippageBps)
      if (dear !== undefined) return dear
      const { amount, contactId, market } = giving(record)
      for (const { set } of setsOf(record)) {
        if (contactId !== undefined && set.allowedContacts?.includes(contactId) === false)
          return 'an ARM for a contact that is not allowed'
        if (market !== undefined && set.allowedMarkets?.includes(market) === false)
          return 'an ARM on a market that is not allowed'
      }
      for (const { bound, worth, ...applied } of appliedTo(record)) {
        if (bound.largest !== undefined && isBelow(bound.largest, amount, worth)) return 'an ARM above the largest'
        if (bound.daily === undefined || mayMove === undefined) continue
        const { fromMs, toMs } = mayMove
        if (applied.isRolling && isFilled(records.get(keyOn(applied, fromMs - DAY_MS)), fromMs))
          return 'an ARM within 24 hours of what has filled its bound'
        for (const key of new Set([keyOn(applied, fromMs), keyOn(applied, toMs)])) {
          const reserved = reservedIn(records, key, record)
          if (reserved === undefined) return `an ARM without a reservation in ${key}`
          if (isBelow(reserved.amount, amount, worth)) return `an ARM of more than is reserved in ${key}`
          if (reserved.untilMs < toMs) return `an ARM that may move once its reservation in ${key} counts no more`
        }
      }
      return judgeTaking(record, giving(record), records)
    },

    findOverdrawn(record, { deployed, sawBudgets }, records) {
      const { amount } = giving(record)
      const own = `${record.kind}#${record.intentId}`
      for (const { bound, worth = ONE_TO_ONE, ...applied } of appliedTo(record, deployed)) {
        for (const [key, { reserved }] of sawBudgets) {
          if (bound.daily === undefined || !isOf(applied, key)) continue
          // Whether the movement of the day before still counts depends on the time (isFilled).
          const others = Object.entries(reserved as Record<string, string>).filter(
            ([holder]) => holder !== own && holder !== EARLIER_HOLDER && !ZERO.has(records.get(`I#${holder}`)?.state),
          )
          const left = others.reduce((rest, [, text]) => rest - reservedUnits(text), units(bound.daily))
          if (left * worth.den < units(amount) * worth.num) return `an ARM beyond what ${key} leaves of ${bound.daily}`
        }
      }
      return undefined
    },

    judgeTimes(record, fromMs, toMs) {
      const scopes = ['*', policyOf(record)]
      const isQuiet = quiet.some((each) => scopes.includes(each.scope) && fromMs < each.toMs && each.fromMs <= toMs)
      return isQuiet ? 'sent or moved in quiet hours, or sent so that it could move in them' : undefined
    },

    judgeMoved(record, amount) {
      const { most } = record.params as WithdrawRequest
      if (most !== undefined && units(amount) > units(most))
        return `a movement of ${amount}, beyond the most of ${most}`
      const above = appliedTo(record).find(
        ({ bound: { largest }, worth }) => largest && isBelow(largest, amount, worth),
      )
      return above && 'a movement above the largest'
    },

    judgeEnd(record, moved, records) {
      const intentId = String(record.intentId)
      const found: string[] = []
      for (const { bound, worth, ...applied } of appliedTo(record)) {
        if (bound.daily === undefined) continue
        if (moved === undefined) {
          if (ZERO.has(record.state) || IS_OPEN.has(record.state)) continue
          const counting = [...records.keys()].filter((key) => isOf(applied, key) && reservedIn(records, key, record))
          found.push(...counting.map((key) => `${key} counts ${intentId}, which moved nothing`))
          continue
        }
        const key = keyOn(applied, moved.atMs)
        const reserved = reservedIn(records, key, record)
        if (reserved === undefined || ZERO.has(record.state))
          found.push(`${intentId} moved, and ${key} does not count it`)
        else if (isBelow(reserved.amount, moved.amount, worth)) found.push(`${intentId} moved more than ${key} counts`)
        else if (reserved.untilMs < moved.atMs) found.push(`${intentId} moved when ${key} counted it no more`)
      }
      return found
    },

    judgeDays(all) {
      const sums = new Map<string, { readonly limit: bigint; sum: bigint }>()
      for (const { record, atMs, amount } of all) {
        const counted = new Set<string>()
        for (const { bound, worth = ONE_TO_ONE, ...applied } of appliedTo(record)) {
          if (bound.daily === undefined) continue
          // Sums in the smallest units that both sides have in common.
          const key = `${keyOn(applied, applied.isRolling ? 0 : atMs)} ${worth.den} ${bound.daily}`
          // Two equal bounds count once.
          if (counted.has(key)) continue
          counted.add(key)
          const day = sums.get(key) ?? { limit: units(bound.daily) * worth.den, sum: 0n }
          day.sum += units(amount) * worth.num
          sums.set(key, day)
        }
      }
      return [...sums].flatMap(([key, { limit, sum }]) => (sum > limit ? [`more moved than ${key} allows`] : []))
    },
  }
}

/** Whether a movement of the day before still fills the bound of a budget. */
function isFilled(dayBefore: StoredRecord | undefined, nowMs: number): boolean {
  const [, untilSeconds] =
    (dayBefore?.reserved as Record<string, string> | undefined)?.[EARLIER_HOLDER]?.split('@') ?? []
  return untilSeconds !== undefined && Number(untilSeconds) * 1000 > nowMs - DAY_MS
}

/** The list of a floor loses only movements that have ended, and never what waits for a person. */
function judgeList(record: StoredRecord, before: StoredRecord | undefined, records: Records): string | undefined {
  const [taking, known = {}] = [record.taking, before?.taking] as Record<string, string>[]
  const isOpen = (holder: string) => !records.has(`I#${holder}`) || IS_OPEN.has(records.get(`I#${holder}`)?.state)
  const lost = Object.keys(known).find((holder) => taking?.[holder] === undefined && isOpen(holder))
  return lost && `a floor forgets ${lost}, which may still take something`
}

/** Before its ARM, a movement under a floor must have registered at least the amount that it takes. */
function judgeTaking({ kind, intentId, params }: StoredRecord, given: Giving, records: Records): string | undefined {
  if ((params as Pick<ConvertRequest, 'keep'>).keep === undefined) return undefined
  const taking = records.get(`F#${given.assetSymbol}`)?.taking as Record<string, string> | undefined
  const registered = taking?.[`${kind}#${intentId}`]
  return registered === undefined || units(registered) < units(given.amount)
    ? `an ARM under a floor of which others count ${registered ?? 'nothing'}, and it takes ${given.amount}`
    : undefined
}

/** Compares the rate of the quoted amounts with every limit of the request and the plan. */
function judgePrice({ params, attempt }: StoredRecord, worstBps = 10_000): string | undefined {
  const { side, worstRate, plannedRate, maxSlippageBps: askedBps = 10_000 } = params as Partial<ConvertRequest>
  const { terms } = attempt as Partial<NonNullable<ConvertIntent['attempt']>>
  if (!terms) return undefined
  const tightestBps = Math.min(askedBps, worstBps)
  const maxSlippageBps = tightestBps === 10_000 ? undefined : tightestBps
  const rate = Number(terms.quoteAmount) / Number(terms.baseAmount)
  const slipping = maxSlippageBps === undefined ? [] : [INDICATIVE_RATE, plannedRate]
  const share = 1 + ((side === 'BUY' ? 1 : -1) * (maxSlippageBps ?? 0)) / 10_000
  const limits = [worstRate, ...slipping.map((from) => from && Number(from) * share)].filter((limit) => limit)
  // The limits differ by some parts in ten thousand, so 0.001 is within rounding.
  const isBroken = limits.some((limit) =>
    side === 'BUY' ? rate > Number(limit) + 0.001 : rate < Number(limit) - 0.001,
  )
  return isBroken ? `an ARM at ${rate}, which is beyond ${limits.join(', ')}` : undefined
}

/** Ends the scope of what a policy moves without asking people. */
const UNASKED = '/unasked'
const ONE_TO_ONE: Worth = { num: 1n, den: 1n }

type Place = Pick<Applied, 'scope' | 'symbol'>

function keyOn({ scope, symbol }: Place, serviceMs: number): string {
  return `B#${scope}#${new Date(serviceMs).toISOString().slice(0, 10)}#${symbol}`
}

function isOf({ scope, symbol }: Place, key: string): boolean {
  const [kind, of, , what] = key.split('#')
  return kind === 'B' && of === scope && what === symbol
}

/** Looks up both names of the asset. Where guards bound it under both, both bounds hold. */
function boundsOf<Entry>(byCode: Readonly<Record<string, Entry>>, given: Giving): Entry[] {
  return spellingsOf(given).flatMap((name) => byCode[name] ?? [])
}

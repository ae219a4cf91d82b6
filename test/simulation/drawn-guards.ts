// Draws the guards of a simulated world: those of treasury.json and of two policies, the policy of each intent, the
// market prices, and the quiet hours. They are drawn once, because parsing them takes time.
import { type Bound, type Guards, guards as guardsSchema, type PolicyGuards } from '../../core/contract/guards.ts'
import { type Policy, policy as policySchema } from '../../core/contract/policies.ts'
import { pickWith, seededRandom } from './choices.ts'

/** Exact value of one unit of an asset: `num / den` of the valuation asset. */
export interface Worth {
  readonly num: bigint
  readonly den: bigint
}

/** Holder of the reservation that fills a total of any 24 hours from the day before. */
export const EARLIER_HOLDER = 'withdraw#day-before'

/** Rates by `BASE-QUOTE SIDE`: those of the side that gives the value, and those of the other side. */
type Prices = Readonly<Record<string, string>>

/** Service time, epoch ms; `toMs` is exclusive. `scope`: `*` for everything, or a policy. */
export interface QuietStretch {
  readonly scope: string
  readonly fromMs: number
  readonly toMs: number
}

export interface DrawnGuards {
  readonly everywhere: Guards
  readonly policies: Readonly<Record<string, Policy>>
  /** The names of policies that the journal remembers from earlier files. */
  readonly remembered?: readonly (readonly string[])[]
  /** The policy of each intent, by its number. Later intents have no policy. */
  readonly ofIntents: readonly (string | undefined)[]
  /** Intents are legs of runs, and have the policy that their request names. */
  readonly areLegs?: boolean
  /** Values of the assets that intents sell or send. */
  readonly worths: Readonly<Record<string, Worth>>
  readonly prices: Prices
  readonly quiet: readonly QuietStretch[]
  /**
   * Number of reservations from which a budget's record has sums. Absent: the deployed number, which no world reaches.
   */
  readonly sumsFrom?: number
}

/** The asset and the amounts that the intents of a world sell or send. */
export interface GivenUp {
  readonly assetSymbol: string
  /** A second name that guards may use. */
  readonly ticker?: string
  /** Approximate settled units of one movement. */
  readonly units: number
  readonly startMs: number
  readonly contactId?: string
  readonly market?: string
}

interface NamedAsset {
  readonly assetSymbol: string
  readonly ticker?: string
}

type Pick = <T>(options: readonly T[]) => T

const DAY_MINUTES = 1_440
/** Zones without daylight saving, and their distance ahead of UTC. */
const ZONES = [
  { timeZone: 'UTC', aheadMinutes: 0 },
  { timeZone: 'Asia/Kathmandu', aheadMinutes: 345 },
  { timeZone: 'America/Phoenix', aheadMinutes: -420 },
]

/**
 * Draws `count` sets for a world; the number of a set is its seed. `givens`: what the intents of each kind sell or
 * send.
 */
export function drawGuardSets(count: number, ...givens: GivenUp[]): DrawnGuards[] {
  return Array.from({ length: count }, (_, number) => {
    const random = seededRandom(number * 104_729 + (givens[0]?.units ?? 0))
    const pick: Pick = (options) => pickWith(random, options)
    const plain = drawSet(pick, givens)
    const drawn = number % 8 < 6 ? plain : withBothSpellings(plain, givens, pick)
    const named = number % 3 === 0 ? withOldNames(drawn, pickWith(random, FORMER)) : drawn
    return number % 2 === 1 ? withRollingDays(named) : named
  })
}

/** Bounds each asset under its other spelling too. Both bounds hold, and count in one record. */
function withBothSpellings(drawn: DrawnGuards, givens: readonly GivenUp[], pick: Pick): DrawnGuards {
  const { assets = {}, dailyOutflow } = drawn.everywhere
  const others = givens.flatMap((given) => {
    const code = spellingsOf(given).find((name) => !(name in assets))
    return code === undefined ? [] : [[code, { daily: sized(pick, given.units) }] as const]
  })
  const outflows = givens.flatMap((given) => {
    const code = spellingsOf(given).find((name) => !(name in dailyOutflow))
    return given.contactId === undefined || code === undefined ? [] : [[code, sized(pick, given.units)] as const]
  })
  return {
    ...drawn,
    everywhere: {
      ...drawn.everywhere,
      assets: { ...assets, ...Object.fromEntries(others) },
      dailyOutflow: { ...dailyOutflow, ...Object.fromEntries(outflows) },
    },
  }
}

/** How policies are renamed: by their present file alone, twice, or by a file before, while the present one is silent. */
const FORMER = [
  { isSaid: true, remembered: [] },
  { isSaid: true, remembered: ['older-', 'old-'] },
  { isSaid: false, remembered: ['old-', ''] },
] as const

/** Renames the policies. Their counts and halts apply under every name. */
function withOldNames(
  { policies, ...drawn }: DrawnGuards,
  { isSaid, remembered }: (typeof FORMER)[number],
): DrawnGuards {
  const names = Object.keys(policies)
  return {
    ...drawn,
    policies: mapped(policies, (policy, name) => ({ ...policy, ...(isSaid && { was: `old-${name}` }) })),
    remembered: remembered.length === 0 ? [] : names.map((name) => remembered.map((prefix) => `${prefix}${name}`)),
  }
}

/** All names that a policy has had, the oldest first. */
export function namesOf(policy: string, { policies, remembered = [] }: DrawnGuards): readonly string[] {
  const was = policies[policy]?.was
  const before = remembered.find((names) => names.includes(was ?? policy)) ?? []
  return [...new Set([...before, ...(was === undefined ? [] : [was]), policy])]
}

/** Makes a day any period of 24 hours. */
function withRollingDays({ everywhere, policies, ...drawn }: DrawnGuards): DrawnGuards {
  const dailyWindow = 'rolling' as const
  const rolling = Object.entries(policies).map(([name, policy]) => {
    return [name, { ...policy, guards: { ...policy.guards, dailyWindow } }] as const
  })
  return { ...drawn, everywhere: { ...everywhere, dailyWindow }, policies: Object.fromEntries(rolling) }
}

/**
 * Adds a rule that asks people about movements above `factor` times the value of `given`. `scope`: who has the rule.
 */
export function asksByValue(drawn: DrawnGuards, given: GivenUp, factor: number, scope: string): DrawnGuards {
  return withApproval(drawn, { above: valueAt(drawn, given, factor) }, scope)
}

/** The same rule for movements to the contact of `given`. */
export function asksByPayee(drawn: DrawnGuards, given: GivenUp, factor: number, scope: string): DrawnGuards {
  const { contactId } = given
  if (contactId === undefined) return drawn
  return withApproval(drawn, { contacts: { [contactId]: valueAt(drawn, given, factor), other: '0' } }, scope)
}

function valueAt({ worths }: DrawnGuards, { assetSymbol, units }: GivenUp, factor: number): string {
  const { num, den } = worths[assetSymbol] as Worth
  return String(Math.round((units * factor * 1_000 * Number(num)) / Number(den)) / 1_000)
}

function withApproval(drawn: DrawnGuards, approval: NonNullable<Guards['approval']>, scope: string): DrawnGuards {
  const policy = drawn.policies[scope]
  if (policy === undefined) return { ...drawn, everywhere: { ...drawn.everywhere, approval } }
  const asking = { ...policy, guards: { ...policy.guards, approval } }
  return { ...drawn, policies: { ...drawn.policies, [scope]: asking } }
}

/** Bounds the value of everything in a day: room for one movement of `given`, and for nothing beside it. */
export function withRoomForOne(drawn: DrawnGuards, { assetSymbol, units }: GivenUp): DrawnGuards {
  const { num, den } = drawn.worths[assetSymbol] as Worth
  // A little more, because the value of a unit is rounded up.
  const daily = String(Math.ceil((units * 1_001 * Number(num)) / Number(den)) / 1_000)
  return { ...noGuards({ total: { daily } }), worths: drawn.worths, prices: drawn.prices }
}

/** Bounds the value of everything in a day: room for `most` movements of `given`, in a record that soon has sums. */
export function withSums(drawn: DrawnGuards, given: GivenUp, most: number, sumsFrom: number): DrawnGuards {
  const { dailyWindow } = drawn.everywhere
  const full = withRoomForOne(drawn, { ...given, units: given.units * most })
  return { ...full, everywhere: { ...full.everywhere, ...(dailyWindow && { dailyWindow }) }, sumsFrom }
}

/** Multiplies what may move in a day by the guards of the deployment. */
export function withDaily({ everywhere, ...drawn }: DrawnGuards, factor: number): DrawnGuards {
  const times = (figure: string) => String(Math.round(Number(figure) * factor * 1_000) / 1_000)
  const bounded = <Of extends Bound>({ daily, ...bound }: Of) => ({ ...bound, ...(daily && { daily: times(daily) }) })
  const { total, assets = {}, contacts = {}, dailyOutflow } = everywhere
  return {
    ...drawn,
    everywhere: {
      ...everywhere,
      ...(total && { total: bounded(total) }),
      assets: mapped(assets, bounded),
      contacts: mapped(contacts, bounded),
      dailyOutflow: mapped(dailyOutflow, times),
    },
  }
}

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  change: (from: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

function drawSet(pick: Pick, givens: readonly GivenUp[]): DrawnGuards {
  const worths: Record<string, Worth> = {}
  const prices: Record<string, string> = {}
  for (const { assetSymbol } of givens) {
    const drawn = drawWorth(pick, assetSymbol)
    worths[assetSymbol] = drawn.worth
    Object.assign(prices, drawn.prices)
  }
  const quiet: QuietStretch[] = []
  const set = (scope: string) => drawGuards(pick, givens, worths, scope, quiet)
  const everywhere = set('*')
  const outflows = givens.map((given) => pick([{}, { [named(pick, given)]: sized(pick, given.units) }]))
  return {
    everywhere: guardsSchema.parse({ ...everywhere, dailyOutflow: Object.assign({}, ...outflows) }),
    policies: { one: policyWith(set('one')), two: policyWith(set('two')) },
    ofIntents: pick([
      [undefined, 'one', 'two'],
      ['one', 'one', 'two'],
      ['one', 'two', 'one'],
      ['two', undefined, 'two'],
    ]),
    ...{ worths, prices, quiet },
  }
}

function policyWith(guards: PolicyGuards): Policy {
  return policySchema.parse({ kind: 'fund', asset: 'EUR', atLeast: '1', from: [{ asset: 'USD' }], guards })
}

function drawGuards(
  pick: Pick,
  givens: readonly GivenUp[],
  worths: Readonly<Record<string, Worth>>,
  scope: string,
  quiet: QuietStretch[],
): PolicyGuards {
  const worthOf = ({ assetSymbol, units }: GivenUp) => {
    const { num, den } = worths[assetSymbol] as Worth
    return (units * Number(num)) / Number(den)
  }
  const bound = (size: number) => ({
    ...(pick([true, true, false]) && { daily: sized(pick, size) }),
    ...(pick([true, false, false]) && { largest: sized(pick, size) }),
  })
  const often = () => pick([true, false, false])
  const other = { daily: '0', largest: '0' }
  const guards: Record<string, object> = {}
  if (often()) guards.total = bound(worthOf(givens.length === 1 ? (givens[0] as GivenUp) : pick(givens)))
  for (const given of givens) {
    const { contactId, market } = given
    if (often()) guards.assets = { ...guards.assets, [named(pick, given)]: bound(given.units), OTHER: other }
    if (contactId && often()) guards.contacts = { [contactId]: bound(worthOf(given)), other }
    if (contactId && often()) guards.allowedContacts = ['other', ...pick([[], [contactId], [contactId]])]
    if (market && often()) guards.allowedMarkets = ['OTHER-USD', ...pick([[], [market], [market]])]
  }
  // All kinds use the same start, because they have the same `startMs`.
  if (often()) guards.quietHours = [drawQuiet(pick, givens[0]?.startMs ?? 0, scope, quiet)]
  return guards
}

function named(pick: Pick, given: GivenUp): string {
  const [assetSymbol, ticker] = spellingsOf(given)
  return pick([assetSymbol, assetSymbol, ticker])
}

/** The two names by which a world's guards may call an asset. */
export function spellingsOf({
  assetSymbol,
  ticker = assetSymbol.toLowerCase(),
}: NamedAsset): readonly [string, string] {
  return [assetSymbol, ticker]
}

/** A figure slightly below or above the size of one or two movements. */
function sized(pick: Pick, size: number): string {
  const factor = pick([0.999, 1, 1.001, 1.02, 1.999, 2, 2.02, 2.5, 10])
  return String(Math.round(size * factor * 1_000) / 1_000)
}

/** A quiet period that starts shortly before or after the start, in a zone's wall clock. */
function drawQuiet(pick: Pick, startMs: number, scope: string, quiet: QuietStretch[]) {
  const fromMs = startMs + pick([-3, 0, 1, 2, 4]) * 60_000
  const toMs = fromMs + pick([1, 2, 4, 10, 60]) * 60_000
  quiet.push({ scope, fromMs, toMs })
  const { timeZone, aheadMinutes } = pick(ZONES)
  const shown = (ms: number) => {
    const minute = (((ms / 60_000 + aheadMinutes) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
    return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
  }
  return { from: shown(fromMs), to: shown(toMs), timeZone }
}

/** Draws a market in either direction, or through a hub. The dearer of its two sides gives the value. */
function drawWorth(pick: Pick, asset: string): { readonly worth: Worth; readonly prices: Prices } {
  return pick<{ worth: Worth; prices: Prices }>([
    { worth: { num: 13n, den: 5n }, prices: { [`${asset}-USD SELL`]: '2.5', [`${asset}-USD BUY`]: '2.6' } },
    { worth: { num: 100n, den: 29n }, prices: { [`USD-${asset} BUY`]: '0.3', [`USD-${asset} SELL`]: '0.29' } },
    {
      worth: { num: 7n, den: 2n },
      prices: { [`EUR-${asset} BUY`]: '0.7', [`EUR-${asset} SELL`]: '0.6', 'EUR-USD SELL': '2', 'EUR-USD BUY': '2.1' },
    },
  ])
}

/** Guards of treasury.json alone: without policies, quiet hours and values. */
export function noGuards(everywhere: object): DrawnGuards {
  return {
    ...{ everywhere: guardsSchema.parse(everywhere), policies: {}, ofIntents: [] },
    ...{ worths: {}, prices: {}, quiet: [] },
  }
}

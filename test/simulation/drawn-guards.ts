// Draws the guards of a simulated world: what treasury.json says of everything and of two policies, which
// intent is on whose behalf, what markets tell, and when it is quiet. Made once, as parsing them takes time.
import { type Guards, guards as guardsSchema, type PolicyGuards } from '../../core/contract/guards.ts'
import { type Policy, policy as policySchema } from '../../core/contract/policies.ts'
import { pickWith, seededRandom } from './choices.ts'

/** What a unit of an asset is worth, exactly: `num / den` of the valuation asset. */
export interface Worth {
  readonly num: bigint
  readonly den: bigint
}

/** By `BASE-QUOTE SIDE`: what tells so, and the other side's rates, which do not. */
type Prices = Readonly<Record<string, string>>

/** Of service time, epoch ms; the end is not in it. Whose: `*` for all, or a policy. */
export interface QuietStretch {
  readonly scope: string
  readonly fromMs: number
  readonly toMs: number
}

export interface DrawnGuards {
  readonly everywhere: Guards
  readonly policies: Readonly<Record<string, Policy>>
  /** The policy of each intent, by its number; further ones have none. */
  readonly ofIntents: readonly (string | undefined)[]
  /** Of each asset that is given up. */
  readonly worths: Readonly<Record<string, Worth>>
  readonly prices: Prices
  readonly quiet: readonly QuietStretch[]
  /** From how many reservations on a record of a budget has sums; absent: as deployed, from more than a world has. */
  readonly sumsFrom?: number
}

/** What the intents of a world give up. */
export interface GivenUp {
  readonly assetSymbol: string
  /** By which guards may name it as well. */
  readonly ticker?: string
  /** Settled units of one of them, about. */
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
/** Zones without a change of the clock, and how far ahead of UTC they are. */
const ZONES = [
  { timeZone: 'UTC', aheadMinutes: 0 },
  { timeZone: 'Asia/Kathmandu', aheadMinutes: 345 },
  { timeZone: 'America/Phoenix', aheadMinutes: -420 },
]

/** So many for a world, told apart by their number. `givens`: what its intents give up, by kind. */
export function drawGuardSets(count: number, ...givens: GivenUp[]): DrawnGuards[] {
  return Array.from({ length: count }, (_, number) => {
    const random = seededRandom(number * 104_729 + (givens[0]?.units ?? 0))
    const pick: Pick = (options) => pickWith(random, options)
    const plain = drawSet(pick, givens)
    const drawn = number % 8 < 6 ? plain : withBothSpellings(plain, givens, pick)
    const named = number % 3 === 0 ? withOldNames(drawn) : drawn
    return number % 2 === 1 ? withRollingDays(named) : named
  })
}

/** Each asset that is bounded for everything is so under its other spelling too: both bounds hold, and count in one record. */
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

/** The policies were renamed: what counts of them, and what halts them, does so by either name. */
function withOldNames({ policies, ...drawn }: DrawnGuards): DrawnGuards {
  const renamed = Object.entries(policies).map(([name, policy]) => [name, { ...policy, was: `old-${name}` }] as const)
  return { ...drawn, policies: Object.fromEntries(renamed) }
}

/** All names that a policy has had, the oldest first. */
export function namesOf(
  policy: string,
  { policies }: { readonly policies: DrawnGuards['policies'] },
): readonly string[] {
  const was = policies[policy]?.was
  return was === undefined ? [policy] : [was, policy]
}

/** A day is any 24 hours there. */
function withRollingDays({ everywhere, policies, ...drawn }: DrawnGuards): DrawnGuards {
  const dailyWindow = 'rolling' as const
  const rolling = Object.entries(policies).map(([name, policy]) => {
    return [name, { ...policy, guards: { ...policy.guards, dailyWindow } }] as const
  })
  return { ...drawn, everywhere: { ...everywhere, dailyWindow }, policies: Object.fromEntries(rolling) }
}

/** People are asked of a movement above so many times the value of one of `given`. `scope`: whose rule it is. */
export function asksByValue(drawn: DrawnGuards, given: GivenUp, factor: number, scope: string): DrawnGuards {
  return withApproval(drawn, { above: valueAt(drawn, given, factor) }, scope)
}

/** The same, of what goes to the contact of `given`. */
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

/** Of the values of everything in a day: room for one movement of `given`, and for nothing beside it. */
export function withRoomForOne(drawn: DrawnGuards, { assetSymbol, units }: GivenUp): DrawnGuards {
  const { num, den } = drawn.worths[assetSymbol] as Worth
  // A little more, as what a unit is worth is rounded up.
  const daily = String(Math.ceil((units * 1_001 * Number(num)) / Number(den)) / 1_000)
  return { ...noGuards({ total: { daily } }), worths: drawn.worths, prices: drawn.prices }
}

/** Of the values of everything in a day: room for so many movements of `given`, in a record that soon has sums. */
export function withSums(drawn: DrawnGuards, given: GivenUp, most: number, sumsFrom: number): DrawnGuards {
  const { dailyWindow } = drawn.everywhere
  const full = withRoomForOne(drawn, { ...given, units: given.units * most })
  return { ...full, everywhere: { ...full.everywhere, ...(dailyWindow && { dailyWindow }) }, sumsFrom }
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
  // Of all alike: any of them says when the start is.
  if (often()) guards.quietHours = [drawQuiet(pick, givens[0]?.startMs ?? 0, scope, quiet)]
  return guards
}

function named(pick: Pick, given: GivenUp): string {
  const [assetSymbol, ticker] = spellingsOf(given)
  return pick([assetSymbol, assetSymbol, ticker])
}

/** The two names that a world's guards give an asset. */
export function spellingsOf({
  assetSymbol,
  ticker = assetSymbol.toLowerCase(),
}: NamedAsset): readonly [string, string] {
  return [assetSymbol, ticker]
}

/** Around what one or two of them need, on either side of it. */
function sized(pick: Pick, size: number): string {
  const factor = pick([0.999, 1, 1.001, 1.02, 1.999, 2, 2.02, 2.5, 10])
  return String(Math.round(size * factor * 1_000) / 1_000)
}

/** From soon after the start, or already before it, in a zone's wall clock. */
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

/** By a market of either direction, or through a hub; of its two sides, the dearer one counts. */
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

/** Those of treasury.json and nothing else: no policy, no quiet hours, no values. */
export function noGuards(everywhere: object): DrawnGuards {
  return {
    ...{ everywhere: guardsSchema.parse(everywhere), policies: {}, ofIntents: [] },
    ...{ worths: {}, prices: {}, quiet: [] },
  }
}

// One round of a rebalance: who has too much, who too little, and who helps. What is outside of its band is
// brought to its target. Everything that moves takes both its ends towards their targets, so that two runs
// never undo each other's work; only a hub may be led past it, by half of its band.
import { type Decimal, greatest, least, minus, plus, ZERO } from '../money/decimal.ts'
import type { Desk } from './desk.ts'
import type { End, Flows } from './flows.ts'
import type { Drift, Stand } from './targets.ts'

/** Larger than any sum: what takes the rest takes all. */
const BOUNDLESS = (10n ** 48n) as Decimal

export interface RoundTerms {
  readonly desk: Desk
  /** Those that something may be planned with; those with the largest drift first. */
  readonly stands: readonly Stand[]
  readonly driftOf: (stand: Stand) => Drift
  /** Assets that are, or would be left, outside of their bands. */
  readonly triggered: ReadonlySet<string>
  /** Is the drift worth a conversion? Not asked of hubs: theirs is traded by trading others. */
  readonly isWorthIts: (stand: Stand, drift: Drift) => boolean
}

/** An asset that may give or take in a round, but not both. */
interface Party {
  readonly source: End
  readonly sink: End
  /** Of `source.rest` and `sink.rest` when the round began. */
  readonly startSource: Decimal
  readonly startSink: Decimal
}

export function runStages(flows: Flows, terms: RoundTerms): void {
  const { stands, triggered } = terms
  const outside = stands
    .filter((stand) => triggered.has(stand.asset) && (stand.isHub || terms.isWorthIts(stand, terms.driftOf(stand))))
    .map((stand) => partyOf(stand, terms))
  const hubs = stands.filter(({ isHub }) => isHub).map((stand) => ({ stand, party: partyOf(stand, terms) }))
  const idleHubs = hubs.filter(({ stand }) => !triggered.has(stand.asset)).map(({ party }) => party)

  matchAll(flows, outside, outside)
  if (!isOpen(outside)) return
  matchBoth(flows, outside, idleHubs)
  if (!isOpen(outside)) return
  matchBoth(flows, outside, hubsToHalfTheirBand(hubs, outside, terms))
  if (!isOpen(outside)) return
  const helpers = stands
    .filter((stand) => !stand.isHub && !triggered.has(stand.asset) && terms.isWorthIts(stand, terms.driftOf(stand)))
    .map((stand) => partyOf(stand, terms))
  matchBoth(flows, outside, helpers)
}

function partyOf(stand: Stand, { desk, driftOf }: RoundTerms): Party {
  const { drift } = driftOf(stand)
  const supply = desk.supplyOf(stand.asset).value
  const tooMuch = stand.takesRest ? greatest(ZERO, minus(stand.value, stand.amount ?? ZERO)) : greatest(ZERO, drift)
  const startSource = least(tooMuch, supply)
  const startSink = stand.takesRest ? BOUNDLESS : drift < 0n ? (-drift as Decimal) : ZERO
  return {
    source: { asset: stand.asset, rest: startSource },
    sink: { asset: stand.asset, rest: startSink },
    startSource,
    startSink,
  }
}

/** A little more or less of a hub spares conversions of what is within its band. Half, so that it stays within. */
function hubsToHalfTheirBand(
  hubs: readonly { readonly stand: Stand; readonly party: Party }[],
  outside: readonly Party[],
  terms: RoundTerms,
): readonly Party[] {
  return hubs
    .filter(({ stand }) => !stand.takesRest)
    .map(({ stand, party: idle }) => {
      const party = outside.find(({ source }) => source.asset === stand.asset) ?? idle
      const half = (terms.driftOf(stand).band / 2n) as Decimal
      const { drift } = terms.driftOf(stand)
      const gave = minus(party.startSource, party.source.rest)
      const took = minus(party.startSink, party.sink.rest)
      const spare = minus(terms.desk.supplyOf(stand.asset).value, gave)
      const source = took > 0n ? ZERO : least(spare, greatest(ZERO, minus(plus(drift, half), gave)))
      const sink = gave > 0n ? ZERO : greatest(ZERO, minus(minus(half, drift), took))
      return {
        source: { asset: stand.asset, rest: source },
        sink: { asset: stand.asset, rest: sink },
        startSource: source,
        startSink: sink,
      }
    })
}

function isOpen(parties: readonly Party[]): boolean {
  return parties.some(({ source, sink }) => source.rest > 0n || sink.rest > 0n)
}

function matchBoth(flows: Flows, outside: readonly Party[], others: readonly Party[]): void {
  if (others.length === 0) return
  matchAll(flows, outside, others)
  matchAll(flows, others, outside)
}

/** What has taken does not give as well, and the other way round: that would be two conversions for nothing. */
function matchAll(flows: Flows, givers: readonly Party[], takers: readonly Party[]): void {
  flows.match(
    givers.filter((party) => party.source.rest > 0n && party.sink.rest === party.startSink).map(({ source }) => source),
    takers.filter((party) => party.sink.rest > 0n && party.source.rest === party.startSource).map(({ sink }) => sink),
  )
}

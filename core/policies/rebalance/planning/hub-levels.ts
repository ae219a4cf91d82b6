// Keeps each hub's distance from its target during a round of a rebalance, and says what a hub may give or take up to a limit.
// The examples are of USD in the example of stages.ts.
import { BOUNDLESS, type Decimal, greatest, least, minus, negate, partOf, plus, ZERO } from '../../../money/decimal.ts'
import type { End } from '../../../planning/conversions/flows.ts'
import type { PlanningContext } from '../../../planning/planning-context.ts'
import type { Drift, Member } from './portfolio.ts'

/**
 * How far a hub may be moved, as the drift of USD in the example. `halfway-in`: to -200 from below, or to +200 from above.
 * `target`: to 0. `halfway-past`: to +200 from below, or to -200 from above. `no-limit`: only for the hub that takes the rest,
 * and only upwards.
 */
export type Reach = 'halfway-in' | 'target' | 'halfway-past' | 'no-limit'

/** The hubs' distances from their targets during a round. In the example USD goes from -500 over -200, 0 and +200 to +450. */
export interface HubLevels {
  /** Hubs that may give, each with the value that it may give. Flows reduce the `rest` of these ends. */
  sources(reach: Reach, only?: (hub: Member) => boolean): readonly End[]
  /** Hubs that may take, in the same way. */
  sinks(reach: Reach, only?: (hub: Member) => boolean): readonly End[]
  /** Moves the levels by what the ends of the last calls have lost of their `rest`, and forgets these ends. */
  recordMoved(): void
  /** Hubs that could give more if they held it already: the first phase brings it, so only the second could spend it. */
  waitingForFirstPhase(): readonly string[]
}

interface Level {
  readonly member: Member
  readonly halfBand: Decimal
  /** Value less target, at this point of the round. */
  drift: Decimal
  /** Value that it can give now, whatever it receives. */
  spendable: Decimal
}

export function createHubLevels(
  hubs: readonly Member[],
  driftOf: (member: Member) => Drift,
  context: PlanningContext,
): HubLevels {
  const levels = hubs.map((member): Level => {
    const { band, target } = driftOf(member)
    return {
      member,
      halfBand: partOf(band, 1n, 2n, 'down'),
      drift: minus(member.value, target ?? ZERO),
      spendable: context.supplyOf(member.asset).value,
    }
  })
  let handedOut: { level: Level; end: End; start: Decimal; as: 'source' | 'sink' }[] = []

  function handOut(as: 'source' | 'sink', only: (hub: Member) => boolean, roomOf: (level: Level) => Decimal) {
    const ends: End[] = []
    for (const level of levels) {
      const room = roomOf(level)
      if (room <= 0n || !only(level.member)) continue
      const end = { asset: level.member.asset, rest: room }
      handedOut.push({ level, end, start: room, as })
      ends.push(end)
    }
    return ends
  }

  return {
    sources: (reach, only = () => true) =>
      handOut('source', only, ({ drift, spendable, halfBand }) => {
        const aim = reach === 'halfway-in' ? halfBand : reach === 'target' ? ZERO : negate(halfBand)
        return least(spendable, minus(drift, aim))
      }),
    sinks: (reach, only = () => true) =>
      handOut('sink', only, ({ member, drift, halfBand }) => {
        if (reach === 'no-limit') return member.takesRest ? BOUNDLESS : ZERO
        const aim = reach === 'halfway-in' ? negate(halfBand) : reach === 'target' ? ZERO : halfBand
        return minus(aim, drift)
      }),
    recordMoved() {
      for (const { level, end, start, as } of handedOut) {
        const moved = greatest(ZERO, minus(start, end.rest))
        if (moved === 0n) continue
        level.drift = as === 'source' ? minus(level.drift, moved) : plus(level.drift, moved)
        if (as === 'source') level.spendable = minus(level.spendable, moved)
      }
      handedOut = []
    },
    waitingForFirstPhase: () =>
      levels
        .filter(({ drift, halfBand, spendable }) => plus(drift, halfBand) > 0n && spendable === 0n)
        .map(({ member }) => member.asset),
  }
}

// How far hubs are from their targets while a round goes on. A hub is what others are traded with, so it gives
// way: outside of its band it is brought back halfway, further only where others have too much or too little
// left, and then up to half of its band beyond its target.
import { type Decimal, greatest, least, minus, plus, ZERO } from '../../money/decimal.ts'
import type { End } from '../conversions/flows.ts'
import type { PlanningContext } from '../planning-context.ts'
import type { Drift, Member } from './portfolio.ts'

/**
 * How far hubs are led: back to half of their band, to their target, to half of their band beyond it; without
 * end, which is for what takes the rest.
 */
export type Reach = 'edge' | 'target' | 'beyond' | 'rest'

/** Larger than any sum. */
const BOUNDLESS = (10n ** 48n) as Decimal

export interface HubLevels {
  /** Those hubs that may give, and how much; `account` reads off what they gave. */
  sources(reach: Reach, only?: (hub: Member) => boolean): readonly End[]
  sinks(reach: Reach, only?: (hub: Member) => boolean): readonly End[]
  /** Of the ends handed out since: what is gone of their `rest`. */
  account(): void
  /** Hubs that would give more, had they it already: what they are brought is there in the second phase only. */
  waiting(): readonly string[]
}

interface Level {
  readonly member: Member
  readonly half: Decimal
  /** Value less target, as it stands in this round. */
  level: Decimal
  /** What it can give now, whatever it is brought. */
  spare: Decimal
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
      half: (band / 2n) as Decimal,
      level: minus(member.value, target ?? ZERO),
      spare: context.supplyOf(member.asset).value,
    }
  })
  let handedOut: { one: Level; end: End; start: Decimal; way: 'source' | 'sink' }[] = []

  function handOut(way: 'source' | 'sink', only: (hub: Member) => boolean, roomOf: (one: Level) => Decimal) {
    const ends: End[] = []
    for (const one of levels) {
      const room = roomOf(one)
      if (room <= 0n || !only(one.member)) continue
      const end = { asset: one.member.asset, rest: room }
      handedOut.push({ one, end, start: room, way })
      ends.push(end)
    }
    return ends
  }

  return {
    sources: (reach, only = () => true) =>
      handOut('source', only, ({ level, spare, half }) => {
        const aim = reach === 'edge' ? half : reach === 'target' ? ZERO : negative(half)
        return least(spare, minus(level, aim))
      }),
    sinks: (reach, only = () => true) =>
      handOut('sink', only, ({ member, level, half }) => {
        if (reach === 'rest') return member.takesRest ? BOUNDLESS : ZERO
        const aim = reach === 'edge' ? negative(half) : reach === 'target' ? ZERO : half
        return minus(aim, level)
      }),
    account() {
      for (const { one, end, start, way } of handedOut) {
        const moved = greatest(ZERO, minus(start, end.rest))
        if (moved === 0n) continue
        one.level = way === 'source' ? minus(one.level, moved) : plus(one.level, moved)
        if (way === 'source') one.spare = minus(one.spare, moved)
      }
      handedOut = []
    },
    waiting: () =>
      levels
        .filter(({ level, half, spare }) => plus(level, half) > 0n && spare === 0n)
        .map(({ member }) => member.asset),
  }
}

function negative(value: Decimal): Decimal {
  return -value as Decimal
}

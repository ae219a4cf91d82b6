// Reads what became of the legs of a run, as far as one call has time. Thousands of legs take more reads than one call has time
// for. The call then records the legs that it has read, and the next call reads the others.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { MOST_LEGS } from '../../contract/plan.ts'
import { Transient } from '../../errors.ts'
import type { RunPorts } from '../ports.ts'
import { type FrozenLeg, frozenLegs, type LegResult, legOf, type RunRecord } from '../record/run-record.ts'
import { trimmedOfLongRun } from '../record/trimming.ts'
import { type LegEnd, settleLeg } from './settle-leg.ts'

/** Legs between two looks at the time. They take two minutes if each read takes its whole 20 s. */
const LEGS_AT_A_TIME = 50

export interface Reading {
  /** Why a leg was not sent. */
  readonly why: string
  /** Names who settles the run: only a later call of the same reads on from legs that may still change. */
  readonly by: string
  /** By intent id: the rows that are left to other runs. */
  readonly left: ReadonlyMap<string, LegResult>
}

/** `legs`: all of them. `handedOver`: the run with the legs that were read so far. */
type ReadLegs = { readonly legs: readonly LegEnd[] } | { readonly handedOver: RunRecord }

/** @throws Transient, Defect: then no leg could be read since the last call */
export async function readLegs(
  run: RunRecord,
  { why, by, left: leftRows }: Reading,
  ports: RunPorts,
): Promise<ReadLegs> {
  const frozen = frozenLegs(run)
  // The machine of a rebalance settles its runs in one call. They have at most this many legs.
  const mayHandOver = frozen.length > MOST_LEGS
  const legs = mayHandOver ? legsBefore(run, by) : new Map<string, LegEnd>()
  const left = frozen.filter(({ intentId }) => !legs.has(intentId))
  for (let at = 0; at < left.length; at += LEGS_AT_A_TIME) {
    if (mayHandOver && at > 0 && !ports.hasTime()) return handOver(run, legs, by, ports)
    const batch = left.slice(at, at + LEGS_AT_A_TIME)
    try {
      const read = await mapBounded(batch, READS_AT_ONCE, (leg) =>
        settleLeg(run, leg, { why, left: leftRows.get(leg.intentId) }, ports),
      )
      for (const end of read) legs.set(end.frozen.intentId, end)
    } catch (error) {
      if (mayHandOver && at > 0 && error instanceof Transient) return handOver(run, legs, by, ports)
      throw error
    }
  }
  return { legs: frozen.flatMap(({ intentId }) => legs.get(intentId) ?? []) }
}

/** By intent id: the legs that earlier calls have read, and that need no other read. */
function legsBefore(run: RunRecord, by: string): Map<string, LegEnd> {
  const { settling, results } = run
  const read = new Map(settling?.legs.map((each) => [each.intentId, each]))
  const endOf = (frozen: FrozenLeg): LegEnd | undefined => {
    const { moved, tiesOut, isFinal } = read.get(frozen.intentId) ?? {}
    const result = results[frozen.intentId]
    if (result === undefined || moved === undefined || tiesOut === undefined || isFinal === undefined) return undefined
    return isFinal || settling?.by === by
      ? { frozen, leg: legOf(run, frozen), result, moved, tiesOut, isFinal }
      : undefined
  }
  return new Map(
    frozenLegs(run).flatMap((frozen) => {
      const end = endOf(frozen)
      return end === undefined ? [] : [[frozen.intentId, end] as const]
    }),
  )
}

async function handOver(
  run: RunRecord,
  legs: ReadonlyMap<string, LegEnd>,
  by: string,
  { runs }: RunPorts,
): Promise<ReadLegs> {
  const kept = frozenLegs(run).flatMap(({ intentId }) => legs.get(intentId) ?? [])
  const read = kept.map(({ frozen: { intentId }, moved, tiesOut, isFinal }) => ({ intentId, moved, tiesOut, isFinal }))
  const results = trimmedOfLongRun(
    Object.fromEntries(kept.map(({ frozen: { intentId }, result }) => [intentId, result])),
  )
  return {
    handedOver: await runs.advance(run, { settling: { by, legs: read }, results: { ...run.results, ...results } }),
  }
}

// The common state of all who take part in the kills: the world, the processes, the counts, and the violations.
import type { AskedIntent } from './asked-intents.ts'
import { createProcesses, type Processes } from './processes.ts'
import type { DeskWorld } from './world.ts'

export interface Counts {
  /** Killed processes, by their role at that time. */
  desks: number
  clients: number
  /** The desks that were clients with a desk of their own. */
  clientDesks: number
  commands: number
  /** Commands that ended without a result and were run again, by the error's code. */
  readonly again: Map<string, number>
}

/** An ended intent with the output of its command. */
export interface EndedIntent {
  readonly asked: AskedIntent
  /** The text as printed. */
  readonly result: string
}

export interface Campaign {
  readonly world: DeskWorld
  readonly processes: Processes
  readonly seed: number
  readonly counts: Counts
  readonly violations: string[]
  readonly ended: EndedIntent[]
  /** How long an intent takes that nobody kills, with the check of its result. */
  usualMs: number
  /** True after the last kill: clients then begin nothing new. */
  isOver: boolean
}

export function createCampaign(world: DeskWorld, seed: number): Campaign {
  const violations: string[] = []
  const onHang = (name: string, longestMs: number) =>
    violations.push(`${name}: still running after ${longestMs / 1000} s`)
  return {
    world,
    processes: createProcesses(world.dir, onHang),
    seed,
    counts: { desks: 0, clients: 0, clientDesks: 0, commands: 0, again: new Map() },
    violations,
    ended: [],
    usualMs: 0,
    isOver: false,
  }
}

export const killsOf = ({ counts }: Campaign): number => counts.desks + counts.clients

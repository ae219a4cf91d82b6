// What all who take part in the kills share: the world, the processes, what was counted, and what broke.
import type { AskedIntent } from './asked-intents.ts'
import { createProcesses, type Processes } from './processes.ts'
import type { DeskWorld } from './world.ts'

export interface Counts {
  /** Processes that were killed, by what they were then. */
  desks: number
  clients: number
  /** Of the desks, those that were a client which had brought up a desk of its own. */
  clientDesks: number
  commands: number
  /** Commands that ended without a result and were run again, by the code of the error. */
  readonly again: Map<string, number>
}

/** An intent that has ended, with what its command said. */
export interface EndedIntent {
  readonly asked: AskedIntent
  /** As printed. */
  readonly result: string
}

export interface Campaign {
  readonly world: DeskWorld
  readonly processes: Processes
  readonly seed: number
  readonly counts: Counts
  readonly violations: string[]
  readonly ended: EndedIntent[]
  /** How long an intent takes here that nobody kills, with the look at its result. */
  usualMs: number
  /** True once the last kill has been made: clients begin nothing new. */
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

// The frame of every simulated world: lets executions enter their intents as a schedule says, lets
// all faults end, enters each intent once more, and gathers what broke.
import { type Choices, type FaultClass, seededChoices } from './choices.ts'
import type { GuardJudge } from './guard-judge.ts'
import { JournalModel } from './journal-model.ts'
import { DRIVER, Scheduler, type Told } from './scheduler.ts'
import { Stopped } from './steps.ts'
import { textOf } from './trace.ts'
import { Witness, type WitnessedAttempt } from './witness.ts'
import { type Detail, stateText } from './world-state.ts'

/** An execution that starts, or starts again. */
export interface Entry {
  readonly intentId: string
  readonly delayMs: number
}

/** What every schedule holds, whatever its world. */
export interface BaseSchedule {
  readonly seed: number
  /** Faults of all classes that may happen. */
  readonly faults: number
  /** Classes of which none happens, so that the others come to more. */
  readonly without: readonly FaultClass[]
  readonly entries: readonly Entry[]
  /** When a person halts everything, and when sending goes on. */
  readonly halt?: { readonly fromMs: number; readonly untilMs: number }
}

export interface Ended<Report> {
  readonly ends: readonly Report[]
  /** Of the entries after all faults: one for each intent that came to an end. */
  readonly lastEnds: readonly Report[]
  readonly violations: string[]
  readonly certaintyMs: readonly number[]
  readonly virtualMs: number
  /** Whether it was left because what would come was known. */
  readonly isCut: boolean
  /** Every fault that happened, with the state that each intent was in. */
  readonly situations: Situation[]
}

export interface Situation {
  readonly fault: string
  readonly states: readonly string[]
}

/** The service of a world, as far as the frame needs it. */
export interface ServiceModel {
  mayGoDown: boolean
  readonly longAgoMs: number
  /** What it is in; the rest is in its details. */
  text(): string
  details(): Iterable<Detail>
}

export interface Stage {
  readonly scheduler: Scheduler
  readonly journal: JournalModel
  readonly witness: Witness
  readonly situations: Situation[]
}

/** A world before anything has happened in it. */
export interface Setting {
  readonly startMs: number
  /** The machines' clocks minus the service's. */
  readonly skewMs: number
  readonly fenceMs: (attempt: WitnessedAttempt) => number
  readonly deadMs: (attempt: WitnessedAttempt) => number
  readonly guards: GuardJudge
}

/** Virtual time within which every intent ends once faults have stopped. */
const BOUNDED_MS = 4 * 3_600_000

/** `choices`: drawn from the schedule's seed unless given. */
export function setStage(
  { seed, faults, without }: BaseSchedule,
  choices: Choices = seededChoices(seed, faults, without),
  { startMs, skewMs, fenceMs, deadMs, guards }: Setting,
): Stage {
  const scheduler = new Scheduler(choices, startMs)
  const witness = new Witness({
    nowMs: () => scheduler.nowMs,
    serviceMs: () => scheduler.nowMs - skewMs,
    fenceMs,
    deadMs,
    guards,
    records: () => journal.records,
  })
  const journal: JournalModel = new JournalModel(witness)
  const situations: Situation[] = []
  choices.listen((fault) => {
    const states = [...witness.intents.values()].map(({ record }) => String(record.state))
    situations.push({ fault, states: states.length > 0 ? states : ['none'] })
  })
  return { scheduler, journal, witness, situations }
}

/** What an execution starts with, of one state machine or the other. */
export interface Begun<Request> {
  readonly execution: string
  readonly startedAt: string
  readonly request: Request
}

/** `environments`: those that are idle; `execute` is the state machine of one execution. */
export async function runWorld<Report>(
  { scheduler, journal, witness, situations }: Stage,
  schedule: BaseSchedule,
  { service, environments }: { readonly service: ServiceModel; readonly environments: Told },
  execute: (intentId: string, name: string) => Promise<Report>,
): Promise<Ended<Report>> {
  const ends: Report[] = []
  const { violations, certaintyMs } = witness
  const known = { violations, certaintyMs, situations }
  /** Tells whoever chooses of every state until faults stop; from then on nothing is chosen. */
  const stateTeller = (): (() => void) | undefined => {
    const { choices } = scheduler
    const state = () => {
      const { shared, own } = scheduler.tell()
      const all = [shared, environments.text(), journal.text(), service.text(), textOf(ends)].join('\n\n')
      const present = { nowMs: scheduler.nowMs, longAgoMs: service.longAgoMs }
      const details = [...service.details(), ...witness.details()]
      return () => stateText(present, { shared: all, own }, details)
    }
    const cut = () => scheduler.cut()
    const { arrive } = choices
    return (
      arrive && (() => arrive({ nowMs: scheduler.nowMs, next: scheduler.next, parked: scheduler.parked, state, cut }))
    )
  }
  const enter = async (intentId: string, name: string, delayMs: number): Promise<void> => {
    try {
      await scheduler.park(DRIVER, delayMs, { text: () => `${name} starts` })
      ends.push(await execute(intentId, name))
    } catch (error) {
      if (!(error instanceof Stopped)) violations.push(`${name} broke: ${error}`)
    }
  }
  const startMs = scheduler.nowMs
  for (const [at, { intentId, delayMs }] of schedule.entries.entries()) {
    void enter(intentId, `${intentId}/${at + 1}`, delayMs)
  }
  if (schedule.halt) throwSwitch(scheduler, journal, schedule.halt)
  const tellState = stateTeller()
  if (tellState) scheduler.watch(tellState)
  await scheduler.run()
  if (!scheduler.isCut) tellState?.()
  scheduler.watch(() => undefined)
  if (scheduler.isCut) return { ...known, ends, lastEnds: [], virtualMs: scheduler.nowMs - startMs, isCut: true }

  scheduler.choices.calmDown()
  service.mayGoDown = false
  const before = ends.length
  const calmMs = scheduler.nowMs
  for (const intentId of new Set(schedule.entries.map((entry) => entry.intentId))) {
    void enter(intentId, `${intentId}/last`, 0)
  }
  await scheduler.run()
  if (scheduler.nowMs - calmMs > BOUNDED_MS) violations.push('no end within bounded time once faults had stopped')
  witness.judgeEnd()
  const lastEnds = ends.slice(before)
  const virtualMs = scheduler.nowMs - startMs
  return { ...known, ends, lastEnds, virtualMs, isCut: false }
}

/** A person halts everything at some moment, and lets it go on later. */
function throwSwitch(scheduler: Scheduler, journal: JournalModel, halt: { fromMs: number; untilMs: number }): void {
  const record = { pk: 'H#*', by: 'ada', because: 'audit', at: new Date(scheduler.nowMs).toISOString() }
  const put = (version: number, halted: boolean) =>
    journal.put({ ...record, version, stamp: `switch-${version}`, halted }, version === 1 ? undefined : version - 1)
  scheduler.later(halt.fromMs, () => put(1, true), { text: () => 'halt' })
  scheduler.later(halt.untilMs, () => put(2, false), { text: () => 'resume' })
}

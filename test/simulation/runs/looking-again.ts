// Keeps the executions of whole runs as Step Functions keeps them, and calls the product's LookAgain, which enters again what
// stopped in doubt. Once no fault happens any more, it must leave nothing in doubt but what waits for a person.
import { intentIdOf } from '../../../core/contract/fields.ts'
import { LAST_AUTOMATIC_ENTRY } from '../../../core/contract/look-again.ts'
import { ConvertEnd, WithdrawEnd } from '../../../core/contract/outcomes.ts'
import type { IntentKind } from '../../../core/contract/records.ts'
import { RunEnd } from '../../../core/contract/runs.ts'
import { MACHINE_OF_INTENTS, type StateMachine, Verb } from '../../../core/contract/states.ts'
import { findLastEntry } from '../../../core/triggers/entries.ts'
import type { KnownExecution, Start, Started } from '../../../core/triggers/starter.ts'
import { lookAgain } from '../../../functions/look-again/look-again.ts'
import { mayAskPerson } from '../asked-persons.ts'
import type { Environments } from '../environments.ts'
import type { Schedule } from '../schedule.ts'
import type { Stage } from '../stage.ts'
import type { PeoplePorts } from './plan-people.ts'

const EVERY_MS = 300_000
/** Ends with which a state machine fails. */
const FAILURES: ReadonlySet<string> = new Set([
  ...[WithdrawEnd.NeedsAttention, WithdrawEnd.OwnFault, WithdrawEnd.Stuck],
  ...[ConvertEnd.NeedsAttention, ConvertEnd.OwnFault, ConvertEnd.Stuck],
  ...[RunEnd.NeedsAttention, RunEnd.OwnFault],
])

type Kept = KnownExecution & { readonly stateMachine: StateMachine }

export class Executions {
  readonly #kept = new Map<string, Kept>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Whether the name is new. */
  begin({ stateMachine, name, input }: Start): boolean {
    if (this.#kept.has(name)) return false
    this.#kept.set(name, { stateMachine, status: 'RUNNING', stoppedAtMs: undefined, input: JSON.stringify(input) })
    return true
  }

  /** `outcome` is undefined where the execution was stopped. */
  end(name: string, outcome: string | undefined): void {
    const kept = this.#kept.get(name)
    if (kept === undefined) return
    const isFailure = outcome !== undefined && FAILURES.has(outcome)
    const status = outcome === undefined ? 'ABORTED' : isFailure ? 'FAILED' : 'SUCCEEDED'
    this.#kept.set(name, { ...kept, status, stoppedAtMs: this.#nowMs(), ...(isFailure && { error: outcome }) })
  }

  find(stateMachine: StateMachine, name: string): KnownExecution | undefined {
    const kept = this.#kept.get(name)
    return kept?.stateMachine === stateMachine ? kept : undefined
  }

  /** Names of the executions that were stopped or that failed. */
  stopped(stateMachine: StateMachine): string[] {
    const isStopped = (kept: Kept) => kept.stateMachine === stateMachine && /ABORTED|FAILED/.test(kept.status)
    return [...this.#kept].flatMap(([name, kept]) => (isStopped(kept) ? [name] : [])).reverse()
  }
}

interface LookingAgain {
  readonly stage: Stage
  readonly executions: Executions
  readonly environments: Environments<PeoplePorts>
  /** Starts an execution whose name is free. */
  start(start: Start): void
}

/** Calls LookAgain at each tick of its schedule, for so long. */
export function lookAgainEvery(looking: LookingAgain, forMs: number): void {
  const { scheduler } = looking.stage
  for (let atMs = EVERY_MS; atMs <= forMs; atMs += EVERY_MS)
    scheduler.later(atMs, () => void look(looking), { text: () => 'look again' })
}

async function look({ stage, executions, environments, start }: LookingAgain): Promise<void> {
  const environment = environments.take(Verb.LookAgain)
  const { machine, ports } = environment
  machine.beginCall(Verb.LookAgain, {}, Verb.LookAgain)
  const answered = async <Answer>(answer: () => Answer): Promise<Answer> => {
    await machine.pause()
    const done = answer()
    await machine.hear()
    return done
  }
  try {
    await lookAgain(
      {},
      {
        ...ports,
        clock: machine,
        timing: ports.treasury.timing,
        list: async (name) => ({ names: await ports.index.list(name, Number.MAX_SAFE_INTEGER), isCutOff: false }),
        service: { clock: ports.service.clock, assertAnswers: async () => void (await ports.service.health()) },
        findExecution: (stateMachine, name) => answered(() => executions.find(stateMachine, name)),
        listStopped: (stateMachine) => answered(() => ({ names: executions.stopped(stateMachine), isCutOff: false })),
        starter: {
          start: (wanted) =>
            answered((): Started => {
              const known = executions.find(wanted.stateMachine, wanted.name)
              if (known === undefined) start(wanted)
              return known?.status === 'RUNNING' || known === undefined ? 'started' : 'ended'
            }),
        },
      },
    )
    environments.giveBack(environment)
  } catch (error) {
    // The next tick looks again.
    const isFault = error instanceof Error && /^(Transient|KeyFault|OwnFault|Crash)$/.test(error.constructor.name)
    if (!isFault) stage.witness.noteArm(`look again broke: ${error}`)
  }
}

/** Returns which intents LookAgain has left in doubt, although nobody stopped them and no person has to be asked. */
export async function judgeLeft(
  stage: Stage,
  executions: Executions,
  schedule: Schedule,
  machine: StateMachine,
): Promise<string[]> {
  const found: string[] = []
  for (const [id, { record }] of stage.witness.intents) {
    if (record.state !== 'ARMED' || mayAskPerson(id, schedule, stage)) continue
    const find = (name: string) => executions.find(MACHINE_OF_INTENTS[record.kind as IntentKind], name)
    const { kept, entry } = await findLastEntry(id, find, { isLeg: true })
    const { run = '' } = record.params as { readonly run?: string }
    const ofRun = await findLastEntry(run, (name) => executions.find(machine, name))
    const isForPeople = [kept, ofRun.kept].some((last) => last === undefined || last.status === 'ABORTED')
    const isLast = Math.max(entry, ofRun.entry) >= LAST_AUTOMATIC_ENTRY
    if (!isForPeople && !isLast) found.push(`${intentIdOf(id)} is left in doubt by each look`)
  }
  return found
}

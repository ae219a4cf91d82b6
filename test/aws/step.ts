// Defines a step of the test in a real account, and the commands that a step may run. A step can be entered again, so
// it reads before it judges.
import * as z from 'zod/mini'
import { type Command, commandText, type Finished, operatorCommands, userCommands, type World } from './commands.ts'
import type { Setup } from './setup.ts'

export interface Step {
  readonly name: string
  /** One sentence for a person. */
  readonly what: string
  readonly plan: Plan
  /** Remainders in the account from the beginning of this step until another step removes them. */
  readonly leaves?: readonly Remainder[]
  /** Remainders that are gone once this step is done. */
  readonly removes?: readonly Remainder[]
  run(walk: Walk): Promise<void>
}

/** For a person, before the step is run. */
export interface Plan {
  readonly creates: string
  /** AWS asks about this for it. Fees of the service are not in it. */
  readonly usd: number
  readonly moves: string
  readonly minutes: number
}

/** Observations of a step: words and figures without names, ids or secrets, so that doubles see the same. */
export type Facts = Readonly<Record<string, string | number | boolean>>

export interface StepReport {
  readonly name: string
  readonly isDone: boolean
  readonly seconds: number
  readonly facts: Facts
  /** The first line of the failure. */
  readonly why?: string | undefined
}

export type Remainder = 'secrets' | 'stacks' | 'journal' | 'halt' | 'denial' | 'role' | 'backups' | 'restored'

/** Something is not as it must be. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
}

export class Walk {
  readonly setup: Setup
  readonly world: World
  readonly user: ReturnType<typeof userCommands>
  readonly operator: ReturnType<typeof operatorCommands>
  #seen: Facts = {}

  constructor(setup: Setup, world: World) {
    this.setup = setup
    this.world = world
    this.user = userCommands(setup)
    this.operator = operatorCommands(setup)
  }

  /** Equal in every entry of a step, and different in the next test. */
  idOf(what: string): string {
    return `${this.setup.environment}-${this.setup.began}-${what}`
  }

  /** Returns any answer, also of a failure. */
  try(command: Command): Promise<Finished> {
    this.world.tell(`    $ ${commandText(command)}`)
    return this.world.run(command)
  }

  /** @throws StepFailure unless it exits with 0 */
  async must(command: Command): Promise<string> {
    const { exitCode, stderr, stdout } = await this.try(command)
    if (exitCode === 0) return stdout
    const last = (stderr.trim() || stdout.trim()).split('\n').slice(-5).join('\n      ')
    throw new StepFailure(`exit ${exitCode}: ${commandText(command)}\n      ${last}`)
  }

  /** @throws StepFailure unless it exits with 0 and answers in this form */
  async read<Schema extends z.ZodMiniType>(command: Command, schema: Schema): Promise<z.infer<Schema>> {
    const text = await this.must(command)
    let answer: unknown
    try {
      answer = JSON.parse(text)
    } catch {
      throw new StepFailure(`${commandText(command)}: expected JSON; got ${text.slice(0, 200)}`)
    }
    const parsed = schema.safeParse(answer)
    if (parsed.success) return parsed.data
    throw new StepFailure(`${commandText(command)}: an answer of another shape: ${z.prettifyError(parsed.error)}`)
  }

  /** Keeps what the step saw for its report. */
  see(facts: Facts): void {
    this.#seen = { ...this.#seen, ...facts }
  }

  /** Returns what was seen since the last call. */
  takeSeen(): Facts {
    const seen = this.#seen
    this.#seen = {}
    return seen
  }

  note(line: string): void {
    this.world.tell(`    ${line}`)
  }

  assert(holds: boolean, otherwise: string): asserts holds {
    if (!holds) throw new StepFailure(otherwise)
  }
}

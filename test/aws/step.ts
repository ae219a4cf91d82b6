// What a step of the test of a real account is, and what it may ask. A step can be entered again: it looks before it judges.
import * as z from 'zod/mini'
import { type Command, commandText, type Finished, operatorCommands, userCommands, type World } from './commands.ts'
import type { Setup } from './setup.ts'

export interface Step {
  readonly name: string
  /** One sentence for a person. */
  readonly what: string
  /** What the account has from the moment on at which this step begins, until `removes` of another step names it. */
  readonly leaves?: readonly Remainder[]
  /** What the account no longer has, once this step is done. */
  readonly removes?: readonly Remainder[]
  run(walk: Walk): Promise<void>
}

export type Remainder = 'secrets' | 'stacks' | 'journal' | 'halt'

/** Something is not as it must be. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
}

export class Walk {
  readonly setup: Setup
  readonly world: World
  readonly user: ReturnType<typeof userCommands>
  readonly operator: ReturnType<typeof operatorCommands>

  constructor(setup: Setup, world: World) {
    this.setup = setup
    this.world = world
    this.user = userCommands(setup)
    this.operator = operatorCommands(setup)
  }

  /** The same in every entry of a step, and different in the next test. */
  idOf(what: string): string {
    return `${this.setup.environment}-${this.setup.began}-${what}`
  }

  /** Whatever it answers. */
  try(command: Command): Promise<Finished> {
    this.world.tell(`    $ ${commandText(command)}`)
    return this.world.run(command)
  }

  /** @throws StepFailure where it does not end with 0 */
  async must(command: Command): Promise<string> {
    const { exitCode, stderr, stdout } = await this.try(command)
    if (exitCode === 0) return stdout
    const last = (stderr.trim() || stdout.trim()).split('\n').slice(-5).join('\n      ')
    throw new StepFailure(`exit ${exitCode}: ${commandText(command)}\n      ${last}`)
  }

  /** @throws StepFailure where it does not end with 0, or answers with something else */
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

  note(line: string): void {
    this.world.tell(`    ${line}`)
  }

  assert(holds: boolean, otherwise: string): asserts holds {
    if (!holds) throw new StepFailure(otherwise)
  }
}

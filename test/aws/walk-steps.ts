// Runs the steps one after another, and prints the result of each. It stops at a failed step, and prints how to resume
// and what is in the account, so that no remainder is left silently. At a double of AWS it may go on.
import type { Setup } from './setup.ts'
import { type Remainder, type Step, StepFailure, type StepReport, type Walk } from './step.ts'
import { assertPlace } from './steps/deployments.ts'

export interface WalkEnd {
  readonly isDone: boolean
  /** Remainders of this test in the account. */
  readonly left: readonly Remainder[]
}

export interface WalkOptions {
  readonly steps: readonly Step[]
  /** The first step to run; the steps before it were done in an earlier walk. Absent: the first of all. */
  readonly from?: string | undefined
  /** The command that resumes at a step. */
  readonly again: (step: string, isDestroying?: boolean) => string
  /** Called after each step, also after one that failed. */
  readonly report?: (step: StepReport) => void
  /** Goes on after a failed step, and names it at the end. */
  readonly isGoingOn?: boolean
}

export async function walkSteps(walk: Walk, options: WalkOptions): Promise<WalkEnd> {
  const { again, from, isGoingOn = false, report = () => {}, steps } = options
  const { world } = walk
  const failed: string[] = []
  const first = from === undefined ? 0 : steps.findIndex(({ name }) => name === from)
  if (first < 0) throw new TypeError(`there is no step ${from}`)
  const left = new Set<Remainder>()
  for (const [at, step] of steps.entries()) {
    const { leaves = [], name, removes = [], run, what } = step
    for (const one of leaves) left.add(one)
    if (at >= first) {
      world.tell(`${String(at + 1).padStart(2)}  ${name}: ${what}`)
      const began = world.now().getTime()
      const done = (isDone: boolean, why?: string) => {
        const seconds = Math.round((world.now().getTime() - began) / 1_000)
        report({ name, isDone, seconds, facts: walk.takeSeen(), ...(why !== undefined && { why }) })
      }
      try {
        // The step `before` checked this in an earlier walk, maybe with other credentials.
        if (at === first && at > 0) await assertPlace(walk)
        await run(walk)
      } catch (error) {
        done(false, error instanceof StepFailure ? error.message.split('\n')[0] : 'a bug of this test')
        world.tell(`    FAILED: ${failureText(error)}`)
        failed.push(name)
        if (isGoingOn) continue
        reportFailure(walk, { name, left: [...left], again })
        return { isDone: false, left: [...left] }
      }
      done(true)
      world.tell(`    ok`)
    }
    for (const one of removes) left.delete(one)
  }
  if (failed.length > 0) world.tell(`failed: ${failed.join(', ')}`)
  if (left.size > 0) reportLeft(walk, [...left])
  return { isDone: failed.length === 0, left: [...left] }
}

interface Failure {
  readonly name: string
  readonly left: readonly Remainder[]
  readonly again: WalkOptions['again']
}

/** A bug of this test is printed completely. */
function failureText(error: unknown): string {
  return error instanceof StepFailure ? error.message : (error instanceof Error && error.stack) || String(error)
}

function reportFailure(walk: Walk, { again, left, name }: Failure): void {
  const { world } = walk
  reportLeft(walk, left)
  world.tell('to go on, once that is put right:')
  world.tell(`  ${again(name)}`)
  if (left.length > 0) {
    world.tell('or to take everything away:')
    world.tell(`  ${again('destroy', true)}`)
  }
}

function reportLeft({ setup, world }: Walk, left: readonly Remainder[]): void {
  const { account, region } = setup.place
  world.tell(left.length === 0 ? 'nothing is left in the account' : `left in account ${account}, ${region}:`)
  for (const one of left) world.tell(`  ${remainderText(setup, one)}`)
}

export function remainderText({ names, place }: Setup, one: Remainder): string {
  const { convertMachineArn, homeRole, secrets, stateStack, table } = names
  const texts: Readonly<Record<Remainder, string>> = {
    stacks: `the stacks of ${stateStack.replace(/SluiceState$/, '')}Sluice*, or some of them, with the role ${homeRole}`,
    journal: `the table ${table}, under deletion protection`,
    secrets: `the secrets ${secrets.join(', ')}`,
    halt: `a halt of everything, and an execution of ${convertMachineArn} that it holds`,
    denial: `a policy of the audit's role that denies it the journal`,
    role: `the role ${names.testRole}, which may do everything for CloudFormation and AWS Backup`,
    backups: `recovery points, some cents a month, in the vaults ${names.vault} of ${place.region} and ${names.otherRegion}`,
    restored: `the table ${names.restored}`,
  }
  return texts[one]
}

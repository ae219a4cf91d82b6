// `sluice run`: checks all its inputs, then runs one operation to its end on the embedded AWS, or on AWS. The same --id gives
// the same result again, also after kill -9.
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { idMadeOf, newRunId, parseRunId } from '../../operations/movements/intent-id.ts'
import { nextAfterRefusal } from '../../operations/runs/after-refusal.ts'
import { type FaultFlags, wantedFaults } from '../../operations/runs/faults/wanted-faults.ts'
import { type MetFault, metLines } from '../../operations/runs/faults/with-faults.ts'
import type { Operation, RunResult } from '../../operations/runs/operation.ts'
import { inputOf, isRequestFile, readRequest } from '../../operations/runs/run-input.ts'
import { type CheckedRun, runToEnd } from '../../operations/runs/run-to-end.ts'
import { findRequester } from '../../place/decider.ts'
import { withWhatMoved } from '../../place/desk/what-moved.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { operationErrorOf, usageError } from '../../place/operation-error.ts'
import { findPlace, noteService, readKeys } from '../../place/place.ts'
import { mentionsMaintenance, nextAfterMaintenance } from '../../place/words/maintenance.ts'
import type { RunWords } from '../../views/runs/policy-run-words.ts'
import { commandWith, exampleWords, INVOCATION } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import type { Output } from '../terminal/output.ts'
import { createProgress } from '../terminal/progress.ts'
import { printResult } from './print-result.ts'

/** Flags of every `sluice run` command, as commander gives them. */
export interface RunFlags extends ConnectionFlags, Pick<FaultFlags, 'fault' | 'control'> {
  readonly input?: string
  /** The operand: a file, `-`, or the name of a policy. */
  readonly given?: string
  readonly id?: string
  /** Who asks for a policy's run. */
  readonly by?: string
  readonly directly?: true
}

interface AskedRun<Request extends object, Result extends RunResult> extends CheckedRun<Request, Result> {
  readonly words: RunWords<Request, Result>
  readonly runId: string
}

/** @throws OperationError without a result; exit 3 where the id may have moved before, whatever fails now */
export async function runOperation<Request extends object, Result extends RunResult>(
  operation: Operation<Request, Result>,
  words: RunWords<Request, Result>,
  flags: RunFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const runId = flags.id === undefined ? newRunId() : parseRunId(flags.id)
  try {
    return await runChecked(operation, words, flags, runId, context)
  } catch (error) {
    // Without an id the run is new, so nothing can have moved for it before this command.
    if (flags.id === undefined && operationErrorOf(error).code !== 'key_at_fault') throw error
    const again = { do: 'same', id: runId } as const
    throw await withWhatMoved(error, { intentId: idMadeOf(operation.verb, runId), flags, again }, context)
  }
}

async function runChecked<Request extends object, Result extends RunResult>(
  operation: Operation<Request, Result>,
  words: RunWords<Request, Result>,
  flags: RunFlags,
  runId: string,
  context: CommandContext,
): Promise<ExitCode> {
  const run = await checkRun(operation, words, flags, runId, context)
  const progress = createProgress(context.output, context.clock)
  await noteService(run.place)
  const asked = `${words.ask(run.request)}, id ${run.runId}, intent ${run.intentId}`
  progress.line({ label: operation.verb, text: asked, tone: 'plain' })
  let met: readonly MetFault[] | undefined
  const onMet = (faults: readonly MetFault[]) => {
    met = faults
  }
  try {
    const result = await runToEnd({ ...run, onMet }, progress)
    progress.end()
    printResult(words, result, context, run.faults && { faults: met ?? null, lines: metText(met) })
    reportEnd(result, run, context.output)
    return operation.exitCode(result)
  } catch (error) {
    progress.end()
    if (run.faults !== undefined) for (const line of metText(met)) context.output.note(line)
    throw error
  } finally {
    progress.end()
  }
}

function metText(met: readonly MetFault[] | undefined): readonly string[] {
  return met === undefined ? ['met: unknown; the sandbox ended before it could be asked'] : metLines(met)
}

async function checkRun<Request extends object, Result extends RunResult>(
  operation: Operation<Request, Result>,
  words: RunWords<Request, Result>,
  flags: RunFlags,
  runId: string,
  context: CommandContext,
): Promise<AskedRun<Request, Result>> {
  const { verb } = operation
  const input = inputOf(flags, commandWith(exampleWords(verb), flags))
  const { stdin, variables } = context
  const place = findPlace(flags, context)
  const { settings } = place
  const faults = wantedFaults(flags, verb, settings)
  if (input === '-' && settings.service?.keysFile === '-') {
    const message = '--input and --keys: expected one of them on standard input; got both'
    throw usageError('usage', message, 'put one of them into a file')
  }
  // An operand that is not a file may be the name of a policy, where the operation runs policies.
  const { named } = operation
  const isName = named !== undefined && flags.given !== undefined && !isRequestFile(input)
  const known = isName ? await place.treasury() : undefined
  const request =
    named !== undefined && known !== undefined ? named(input, known) : await readRequest(input, operation.schema, stdin)
  const treasury = await place.treasury()
  const roles = operation.keyRoles(request, treasury, flags)
  const requester = findRequester(flags, variables)
  const service = await readKeys(place, roles)
  const intentId = idMadeOf(verb, runId)
  return {
    operation,
    words,
    watch: words.watch,
    place,
    request,
    treasury,
    service,
    ...(faults && { faults }),
    ownId: runId,
    requester,
    isDirect: flags.directly === true,
    runId,
    intentId,
    again: { do: 'same', id: runId },
  }
}

/** Outcomes with the exit code of a failure, after which something may have moved all the same. */
const MAY_HAVE_MOVED: ReadonlySet<string> = new Set([RunEnd.PartlySettled, RunEnd.OffTarget])

function reportEnd<Request extends object, Result extends RunResult>(
  result: Result,
  { operation, words, request, again }: AskedRun<Request, Result>,
  output: Output,
): void {
  const exitCode = operation.exitCode(result)
  const style = exitCode === ExitCode.Done ? 'green' : 'red'
  output.note(`${output.style(style, result.outcome)}  ${words.describe(result, request)}`)
  if (mentionsMaintenance(result.why)) {
    const isZero = exitCode === ExitCode.Failed && !MAY_HAVE_MOVED.has(result.outcome)
    output.next(nextAfterMaintenance(again, isZero))
    return
  }
  const own = words.nextAfter?.(result)
  if (own !== undefined) {
    output.next([...own, { ...again, why: 'this result again' }])
    return
  }
  if (exitCode === ExitCode.NeedsPerson) {
    output.next([
      `check ${words.movementOf(result)} at the service; docs/runbook.md says what to check`,
      { do: 'list-cases', why: 'what is known about it, and what waits for it' },
      { ...again, why: `the same run again; another id would be another ${operation.noun}` },
    ])
    return
  }
  if (result.outcome === ConvertEnd.Rejected) {
    output.next(nextAfterRefusal(result.why, again))
    return
  }
  output.next([{ ...again, why: 'this result again' }, `${INVOCATION} run ${operation.verb} --help`])
}

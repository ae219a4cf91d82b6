// `sluice run …`: checks everything it was given, then brings one operation to its end on the
// embedded AWS. Run again with the same --id it gives the same result, also after kill -9.
import { StateMachine } from '../functions/contract/states.ts'
import type { Treasury } from '../functions/contract/treasury.ts'
import type { ServiceKey } from '../functions/shared/keys/key-source.ts'
import type { Service } from './built-in-sandbox.ts'
import { CommandError, commandErrorOf, usageError } from './command-error.ts'
import { attentionCommand, exampleOf, INVOCATION, sameCommand } from './command-line.ts'
import { assertTestStage, readKeys, readTreasury } from './configuration.ts'
import type { CommandContext } from './context.ts'
import { type EmbeddedRun, withEmbeddedRun } from './embedded-run.ts'
import { ExitCode } from './exit-code.ts'
import { type Found, followExecution } from './follow-execution.ts'
import { intentIdOf, newRunId, parseRunId } from './intent-id.ts'
import type { Operation, RunResult } from './operation.ts'
import type { Output } from './output.ts'
import { createProgress, type Progress } from './progress/progress.ts'
import { watchExecution } from './progress/watch-execution.ts'
import { readRequest } from './run-input.ts'
import type { RunFlags } from './run-words.ts'
import { assertSameAccount, findAccountId } from './service-account.ts'
import { assertReachable } from './service-address.ts'
import { resolveSettings, type Settings } from './settings.ts'
import { serviceFolder } from './state/state-layout.ts'

/** A run whose input, configuration and keys are all known to be well formed. */
interface CheckedRun<Request extends object, Result extends RunResult> {
  readonly operation: Operation<Request, Result>
  readonly settings: Settings
  readonly request: Request
  readonly treasury: Treasury
  readonly service: (Service & { readonly readingKey: ServiceKey }) | undefined
  readonly runId: string
  readonly intentId: string
  /** The command that continues this run. */
  readonly again: string
  /** The command that lists what halted among the runs that are kept with it. */
  readonly look: string
}

/** @throws CommandError when there is no result. */
export async function runOperation<Request extends object, Result extends RunResult>(
  operation: Operation<Request, Result>,
  flags: RunFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const run = await checkRun(operation, flags, context)
  const progress = createProgress(context.output, context.clock)
  const asked = `${operation.ask(run.request)}, id ${run.runId}, intent ${run.intentId}`
  progress.line({ label: operation.verb, text: asked, tone: 'plain' })
  try {
    const result = await runEmbedded(run, progress, context)
    progress.end()
    context.output.data(JSON.stringify(result))
    tellEnd(result, run, context.output)
    return operation.exitCode(result.outcome)
  } finally {
    progress.end()
  }
}

async function checkRun<Request extends object, Result extends RunResult>(
  operation: Operation<Request, Result>,
  flags: RunFlags,
  { argv, variables, stdin }: CommandContext,
): Promise<CheckedRun<Request, Result>> {
  const { input } = flags
  if (input === undefined || input === '') {
    throw usageError(
      'usage',
      '--input: expected a file, or - for standard input; got nothing',
      exampleOf(operation.verb),
    )
  }
  const settings = resolveSettings(flags, variables)
  const runId = flags.id === undefined ? newRunId() : parseRunId(flags.id)
  if (input === '-' && settings.service?.keysFile === '-') {
    const message = '--input and --keys: expected one of them on standard input; got both'
    throw usageError('usage', message, 'put one of them into a file')
  }
  const request = await readRequest(input, operation.schema, stdin)
  const treasury = readTreasury(settings.configFile)
  const { keyRole, verb } = operation
  const keys = settings.service && (await readKeys(settings.service.keysFile, treasury, keyRole, stdin))
  const service = settings.service && keys && { url: settings.service.url, keys: keys.text, readingKey: keys.reading }
  if (service === undefined) assertTestStage(treasury)
  const intentId = intentIdOf(verb, runId)
  return {
    operation,
    settings,
    request,
    treasury,
    service,
    runId,
    intentId,
    again: sameCommand(argv, runId),
    look: attentionCommand(flags),
  }
}

function runEmbedded<Request extends object, Result extends RunResult>(
  run: CheckedRun<Request, Result>,
  progress: Progress,
  context: CommandContext,
): Promise<Result> {
  const { operation, settings, treasury, service, intentId, request, again } = run
  const folder = serviceFolder(settings.stateDir, service?.url)
  const options = {
    ...settings,
    treasury,
    folder,
    service,
    prepare: async () => {
      if (service === undefined) return
      await assertReachable(service.url)
      assertSameAccount(folder.accountFile, await findAccountId(service.url, service.readingKey, context.clock))
    },
    onEvent: watchExecution(intentId, request, operation.narration, progress),
    progress,
    again,
  }
  return withEmbeddedRun(options, context, async (embedded) => {
    tellOthers(embedded, intentId, progress)
    const onFound = (found: Found) => tellFound(found, progress)
    const { stateMachine, noun } = operation
    const following = followExecution(embedded.aws, { stateMachine, intentId, request, noun, onFound })
    return operation.resultOf(await following.catch((error: unknown) => Promise.reject(inDoubt(error, run))))
  })
}

function tellFound(found: Found, progress: Progress): void {
  const texts: Readonly<Record<Found, string | undefined>> = {
    new: undefined,
    finished: 'this id has already run: its result, nothing is started',
    'under way': 'an earlier run was cut off: going on where it stopped',
    failed: 'an earlier run did not come to an end: entering the state that failed again',
  }
  const text = texts[found]
  if (text !== undefined) progress.line({ label: 'found', text, tone: 'plain' })
}

/** Unfinished executions of other ids went on when the embedded AWS booted. */
function tellOthers({ aws }: EmbeddedRun, intentId: string, progress: Progress): void {
  const others = Object.values(StateMachine)
    .flatMap((stateMachine) => aws.listExecutions(stateMachine))
    .filter((execution) => execution.status === 'RUNNING' && execution.name !== intentId)
  if (others.length === 0) return
  const text = `unfinished runs that go on meanwhile, and are not waited for: ${others.length}`
  progress.line({ label: 'found', text, tone: 'plain' })
}

/** Once an execution may have been started, a fault here says nothing about what moved. */
function inDoubt(
  error: unknown,
  { again, operation }: { readonly again: string; readonly operation: { readonly doubt: string } },
): CommandError {
  const known = commandErrorOf(error)
  if (known.code !== 'defect') return known
  const message = `${known.message}; ${operation.doubt}`
  const next = `do not start it under another id; go on with: ${again}`
  return new CommandError({ exitCode: ExitCode.NeedsPerson, code: 'in_doubt', message, next }, { cause: error })
}

function tellEnd<Request extends object, Result extends RunResult>(
  result: Result,
  { operation, request, again, look }: CheckedRun<Request, Result>,
  output: Output,
): void {
  const exitCode = operation.exitCode(result.outcome)
  const style = exitCode === ExitCode.Done ? 'green' : 'red'
  output.note(`${output.style(style, result.outcome)}  ${operation.describe(result, request)}`)
  if (exitCode === ExitCode.NeedsPerson) {
    output.next([
      `look at ${operation.movementOf(result)} at the service; docs/runbook.md says what to check`,
      `${look}   # what is known of it, and what waits for it`,
      `${again}   # the same run again; another id would be another ${operation.noun}`,
    ])
    return
  }
  output.next([`${again}   # this result again`, `${INVOCATION} run ${operation.verb} --help`])
}

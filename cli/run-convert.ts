// `sluice run convert`: checks everything it was given, then brings one conversion to its end on
// the embedded AWS. Run again with the same --id it gives the same result, also after kill -9.
import type { ConvertRequest } from '../functions/contract/convert.ts'
import { ConvertEnd } from '../functions/contract/outcomes.ts'
import { StateMachine } from '../functions/contract/states.ts'
import { Stage, type Treasury } from '../functions/contract/treasury.ts'
import { CommandError, commandErrorOf, usageError } from './command-error.ts'
import { EXAMPLE, sameCommand } from './command-line.ts'
import { readKeys, readTreasury } from './configuration.ts'
import type { CommandContext } from './context.ts'
import { readConvertRequest } from './convert-input.ts'
import { type ConvertResult, convertResultOf, describeResult } from './convert-result.ts'
import { type EmbeddedRun, openEmbeddedRun } from './embedded-run.ts'
import { convertExitCode, ExitCode } from './exit-code.ts'
import { type Found, followExecution, orInterrupted } from './follow-execution.ts'
import { intentIdOf, newRunId, parseRunId } from './intent-id.ts'
import type { RunConvertFlags } from './program.ts'
import { askText } from './progress/event-lines.ts'
import { createProgress, type Progress } from './progress/progress.ts'
import { watchExecution } from './progress/watch-execution.ts'
import { assertReachable } from './service-address.ts'
import { resolveSettings, type Settings } from './settings.ts'
import { assemblyFolder, serviceFolder } from './state/state-layout.ts'
import { lockState } from './state/state-lock.ts'

/** A run whose input, configuration and keys are all known to be well formed. */
interface CheckedRun {
  readonly settings: Settings
  readonly request: ConvertRequest
  readonly treasury: Treasury
  readonly service: { readonly url: string; readonly keys: string } | undefined
  readonly runId: string
  readonly intentId: string
  /** The command that continues this run. */
  readonly again: string
}

/** @throws CommandError when there is no result. */
export async function runConvert(flags: RunConvertFlags, context: CommandContext): Promise<ExitCode> {
  const run = await checkRun(flags, context)
  const progress = createProgress(context.output, context.clock)
  progress.line({
    label: 'convert',
    text: `${askText(run.request)}, id ${run.runId}, intent ${run.intentId}`,
    tone: 'plain',
  })
  try {
    const result = await runLocked(run, progress, context)
    progress.end()
    context.output.data(JSON.stringify(result))
    tellEnd(result, run, context)
    return convertExitCode(result.outcome)
  } finally {
    progress.end()
  }
}

async function checkRun(flags: RunConvertFlags, { argv, variables, stdin }: CommandContext): Promise<CheckedRun> {
  const { input } = flags
  if (input === undefined || input === '') {
    throw usageError('usage', '--input: expected a file, or - for standard input; got nothing', EXAMPLE)
  }
  const settings = resolveSettings(flags, variables)
  const runId = flags.id === undefined ? newRunId() : parseRunId(flags.id)
  if (input === '-' && settings.service?.keysFile === '-') {
    throw usageError(
      'usage',
      '--input and --keys: expected one of them on standard input; got both',
      'put one of them into a file',
    )
  }
  const request = await readConvertRequest(input, stdin)
  const treasury = readTreasury(settings.configFile)
  const service = settings.service && {
    url: settings.service.url,
    keys: await readKeys(settings.service.keysFile, treasury, stdin),
  }
  if (service === undefined && treasury.service.stage === Stage.Live) {
    throw usageError(
      'configuration',
      'service.stage: expected test, because the built-in sandbox has test keys; got live',
      'add --service URL --keys FILE, or name a test configuration with --config FILE',
    )
  }
  return {
    settings,
    request,
    treasury,
    service,
    runId,
    intentId: intentIdOf('convert', runId),
    again: sameCommand(argv, runId),
  }
}

async function runLocked(run: CheckedRun, progress: Progress, context: CommandContext): Promise<ConvertResult> {
  const { stateDir } = run.settings
  const lock = await orInterrupted(
    lockState({
      stateDir,
      clock: context.clock,
      onWait: (pid) =>
        progress.line({ label: 'waiting', text: `${stateDir} is in use by process ${pid}`, tone: 'wait' }),
    }),
    context.interrupted,
    run.again,
  )
  try {
    if (run.service !== undefined) {
      await orInterrupted(assertReachable(run.service.url), context.interrupted, run.again)
    }
    return await runEmbedded(run, progress, context)
  } finally {
    lock.release()
  }
}

async function runEmbedded(run: CheckedRun, progress: Progress, context: CommandContext): Promise<ConvertResult> {
  const { settings, treasury, service, intentId, request } = run
  const embedded = await openEmbeddedRun({
    treasury,
    configFile: settings.configFile,
    assemblyCacheDir: assemblyFolder(settings.stateDir),
    folder: serviceFolder(settings.stateDir, service?.url),
    service,
    onEvent: watchExecution(intentId, request, progress),
    onSynthesis: () =>
      progress.line({
        label: 'synth',
        text: 'writing the cloud assembly (once for this source and configuration)',
        tone: 'plain',
      }),
  })
  try {
    tellOthers(embedded, intentId, progress)
    const following = followExecution(embedded.aws, {
      stateMachine: StateMachine.Convert,
      intentId,
      request,
      onFound: (found) => tellFound(found, progress),
    })
    return convertResultOf(await orInterrupted(following, context.interrupted, run.again))
  } catch (error) {
    throw inDoubt(error, run)
  } finally {
    await embedded.close()
  }
}

function tellFound(found: Found, progress: Progress): void {
  const texts: Readonly<Record<Found, string | undefined>> = {
    new: undefined,
    finished: 'this id has already run: its result, nothing is started',
    'under way': 'an earlier run was cut off: going on where it stopped',
    failed: 'an earlier run ended in doubt: entering it again',
  }
  const text = texts[found]
  if (text !== undefined) progress.line({ label: 'found', text, tone: 'plain' })
}

/** Unfinished executions of other ids went on when the embedded AWS booted. */
function tellOthers({ aws }: EmbeddedRun, intentId: string, progress: Progress): void {
  const others = aws
    .listExecutions(StateMachine.Convert)
    .filter(({ name, status }) => status === 'RUNNING' && name !== intentId)
  if (others.length === 0) return
  const count = others.length === 1 ? 'another unfinished run goes' : `${others.length} other unfinished runs go`
  progress.line({ label: 'found', text: `${count} on meanwhile; this command does not wait for it`, tone: 'plain' })
}

/** Once an execution may have been started, a fault here says nothing about what moved. */
function inDoubt(error: unknown, run: CheckedRun): CommandError {
  const known = commandErrorOf(error)
  if (known.code !== 'defect') return known
  return new CommandError(
    {
      exitCode: ExitCode.NeedsPerson,
      code: 'in_doubt',
      message: `${known.message}; an order may have been placed`,
      next: `do not start it under another id; go on with: ${run.again}`,
    },
    { cause: error },
  )
}

function tellEnd(result: ConvertResult, { request, again }: CheckedRun, { output }: CommandContext): void {
  const tone = result.outcome === ConvertEnd.Filled ? 'green' : 'red'
  output.note(`${output.style(tone, result.outcome)}  ${describeResult(result, request)}`)
  if (convertExitCode(result.outcome) === ExitCode.NeedsPerson) {
    output.next([
      `look at ${result.orderId === undefined ? 'recent orders' : `order ${result.orderId}`} at the service; docs/runbook.md says what to check`,
      `${again}   # enters the same run again; another id would be another conversion`,
    ])
    return
  }
  output.next([`${again}   # the same id gives this result again`, 'npm run sluice -- run convert --help'])
}

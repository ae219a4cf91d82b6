// `sluice run convert`: checks everything it was given, then brings one conversion to its end on
// the embedded AWS. Run again with the same --id it gives the same result, also after kill -9.
import type { ConvertRequest } from '../functions/contract/convert.ts'
import { ConvertEnd } from '../functions/contract/outcomes.ts'
import { StateMachine } from '../functions/contract/states.ts'
import type { Treasury } from '../functions/contract/treasury.ts'
import type { ServiceKey } from '../functions/shared/keys/key-source.ts'
import type { Service } from './built-in-sandbox.ts'
import { CommandError, commandErrorOf, usageError } from './command-error.ts'
import { EXAMPLE, INVOCATION, sameCommand } from './command-line.ts'
import { assertTestStage, readKeys, readTreasury } from './configuration.ts'
import type { CommandContext } from './context.ts'
import { readConvertRequest } from './convert-input.ts'
import { type ConvertResult, convertResultOf, describeResult } from './convert-result.ts'
import { type EmbeddedRun, withEmbeddedRun } from './embedded-run.ts'
import { convertExitCode, ExitCode } from './exit-code.ts'
import { type Found, followExecution } from './follow-execution.ts'
import { intentIdOf, newRunId, parseRunId } from './intent-id.ts'
import type { Output } from './output.ts'
import type { RunConvertFlags } from './program.ts'
import { askText } from './progress/event-lines.ts'
import { createProgress, type Progress } from './progress/progress.ts'
import { watchExecution } from './progress/watch-execution.ts'
import { assertSameAccount, findAccountId } from './service-account.ts'
import { assertReachable } from './service-address.ts'
import { resolveSettings, type Settings } from './settings.ts'
import { serviceFolder } from './state/state-layout.ts'

/** A run whose input, configuration and keys are all known to be well formed. */
interface CheckedRun {
  readonly settings: Settings
  readonly request: ConvertRequest
  readonly treasury: Treasury
  readonly service: (Service & { readonly readingKey: ServiceKey }) | undefined
  readonly runId: string
  readonly intentId: string
  /** The command that continues this run. */
  readonly again: string
}

/** @throws CommandError when there is no result. */
export async function runConvert(flags: RunConvertFlags, context: CommandContext): Promise<ExitCode> {
  const run = await checkRun(flags, context)
  const progress = createProgress(context.output, context.clock)
  const asked = `${askText(run.request)}, id ${run.runId}, intent ${run.intentId}`
  progress.line({ label: 'convert', text: asked, tone: 'plain' })
  try {
    const result = await runEmbedded(run, progress, context)
    progress.end()
    context.output.data(JSON.stringify(result))
    tellEnd(result, run, context.output)
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
    const message = '--input and --keys: expected one of them on standard input; got both'
    throw usageError('usage', message, 'put one of them into a file')
  }
  const request = await readConvertRequest(input, stdin)
  const treasury = readTreasury(settings.configFile)
  const keys = settings.service && (await readKeys(settings.service.keysFile, treasury, stdin))
  const service = settings.service && keys && { url: settings.service.url, keys: keys.text, readingKey: keys.reading }
  if (service === undefined) assertTestStage(treasury)
  const intentId = intentIdOf('convert', runId)
  return { settings, request, treasury, service, runId, intentId, again: sameCommand(argv, runId) }
}

function runEmbedded(run: CheckedRun, progress: Progress, context: CommandContext): Promise<ConvertResult> {
  const { settings, treasury, service, intentId, request, again } = run
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
    onEvent: watchExecution(intentId, request, progress),
    progress,
    again,
  }
  return withEmbeddedRun(options, context, async (embedded) => {
    tellOthers(embedded, intentId, progress)
    const onFound = (found: Found) => tellFound(found, progress)
    const following = followExecution(embedded.aws, { stateMachine: StateMachine.Convert, intentId, request, onFound })
    return convertResultOf(await following.catch((error: unknown) => Promise.reject(inDoubt(error, again))))
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
  const others = aws
    .listExecutions(StateMachine.Convert)
    .filter((execution) => execution.status === 'RUNNING' && execution.name !== intentId)
  if (others.length === 0) return
  const text = `unfinished runs that go on meanwhile, and are not waited for: ${others.length}`
  progress.line({ label: 'found', text, tone: 'plain' })
}

/** Once an execution may have been started, a fault here says nothing about what moved. */
function inDoubt(error: unknown, again: string): CommandError {
  const known = commandErrorOf(error)
  if (known.code !== 'defect') return known
  const message = `${known.message}; an order may have been placed`
  const next = `do not start it under another id; go on with: ${again}`
  return new CommandError({ exitCode: ExitCode.NeedsPerson, code: 'in_doubt', message, next }, { cause: error })
}

function tellEnd(result: ConvertResult, { request, again }: CheckedRun, output: Output): void {
  const style = result.outcome === ConvertEnd.Filled ? 'green' : 'red'
  output.note(`${output.style(style, result.outcome)}  ${describeResult(result, request)}`)
  if (convertExitCode(result.outcome) === ExitCode.NeedsPerson) {
    const what = result.orderId === undefined ? 'the latest orders' : `order ${result.orderId}`
    output.next([
      `look at ${what} at the service; docs/runbook.md says what to check`,
      `${again}   # the same run again; another id would be another conversion`,
    ])
    return
  }
  output.next([`${again}   # this result again`, `${INVOCATION} run convert --help`])
}

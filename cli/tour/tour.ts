// `npm start`: the whole of Sluice on one machine, from nothing. Three conversions against the
// built-in sandbox, then the proof that what moved is what was intended.
import { rmSync } from 'node:fs'
import { ConvertEnd } from '../../functions/contract/outcomes.ts'
import { StateMachine } from '../../functions/contract/states.ts'
import { CommandError } from '../command-error.ts'
import { INVOCATION } from '../command-line.ts'
import { assertTestStage, readTreasury } from '../configuration.ts'
import type { CommandContext } from '../context.ts'
import { type ConvertResult, convertResultOf } from '../convert-result.ts'
import { type EmbeddedRun, withEmbeddedRun } from '../embedded-run.ts'
import { ExitCode } from '../exit-code.ts'
import { followExecution } from '../follow-execution.ts'
import { intentIdOf } from '../intent-id.ts'
import type { Output } from '../output.ts'
import { askText, convertNarration } from '../progress/convert-lines.ts'
import { createProgress, elapsedText, type Progress } from '../progress/progress.ts'
import { watchExecution } from '../progress/watch-execution.ts'
import { type Flags, resolveSettings, Variable } from '../settings.ts'
import { tourFolder } from '../state/state-layout.ts'
import { type TieOut, tieOut } from '../tie-out.ts'
import { type TourConversion, tourConversions } from './conversions.ts'
import { readIntents } from './journal-reading.ts'
import { conversionTable, type ToldConversion, tieOutLines, tiesOut } from './tour-report.ts'
import { arrange, readWitness } from './witness.ts'

/** Fixed, so that every tour meets the same keys, balances and prices. */
const SEED = 'tour'

/** @throws CommandError when the tour could not be finished, or under `--json` does not tie out. */
export async function runTour(flags: Pick<Flags, 'state' | 'config'>, context: CommandContext): Promise<ExitCode> {
  const { output, clock, variables } = context
  // Always against the built-in sandbox, whatever service the variables name.
  const { stateDir, configFile } = resolveSettings(flags, {
    ...variables,
    [Variable.service]: undefined,
    [Variable.keys]: undefined,
  })
  const treasury = readTreasury(configFile)
  assertTestStage(treasury)
  const startMs = clock.nowMs()
  const progress = createProgress(output, clock)
  const folder = tourFolder(stateDir)
  const watchers = tourConversions.map(({ title, request }) =>
    watchExecution(intentOf(title), request, convertNarration, progress),
  )
  const options = {
    stateDir,
    configFile,
    treasury,
    folder,
    sandboxSeed: SEED,
    prepare: () => {
      // Its own two entries only: --state may name a directory in which `start` is somebody else's.
      for (const entry of [folder.awsDir, folder.sandboxFile]) rmSync(entry, { recursive: true, force: true })
    },
    onEvent: (...event: Parameters<ReturnType<typeof watchExecution>>) => {
      for (const watch of watchers) watch(...event)
    },
    progress,
    again: 'npm start',
  }
  try {
    return await withEmbeddedRun(options, context, async (embedded) => {
      const told = await convertAll(embedded, progress)
      const outcome = await tieOutTour(embedded, told)
      progress.end()
      tell(told, outcome, elapsedText(clock.nowMs() - startMs).trim(), output)
      return tiesOut(outcome) ? ExitCode.Done : ExitCode.DoesNotTieOut
    })
  } finally {
    progress.end()
  }
}

function intentOf(title: string): string {
  return intentIdOf('convert', `tour: ${title}`)
}

/** One after the other: an arranged mishap meets the conversion it is meant for. */
async function convertAll(embedded: EmbeddedRun, progress: Progress): Promise<ToldConversion[]> {
  const told: ToldConversion[] = []
  for (const conversion of tourConversions) {
    const { title, request } = conversion
    const text = `${told.length + 1} of ${tourConversions.length}, ${title}: ${askText(request)}`
    progress.line({ label: 'convert', text, tone: 'plain' })
    told.push({ title, result: await convertOne(conversion, embedded) })
  }
  return told
}

async function convertOne(
  { title, request, mishap }: TourConversion,
  { aws, sandbox }: EmbeddedRun,
): Promise<ConvertResult> {
  if (mishap !== undefined && sandbox !== undefined) await arrange(sandbox.controlUrl, mishap)
  const finished = await followExecution(aws, {
    stateMachine: StateMachine.Convert,
    intentId: intentOf(title),
    request,
    noun: 'conversion',
    onFound: () => {},
  })
  return convertResultOf(finished)
}

async function tieOutTour({ aws, sandbox }: EmbeddedRun, told: readonly ToldConversion[]): Promise<TieOut> {
  if (sandbox === undefined) throw new TypeError('the tour needs the built-in sandbox')
  const [tableName] = aws.resources().tables.map(({ name }) => name)
  if (tableName === undefined) throw new TypeError('the assembly declares no journal table')
  const intents = await readIntents({ endpointUrl: aws.endpointUrl, tableName })
  const results = told.map(({ result }) => result)
  const outcome = tieOut({ ...(await readWitness(sandbox.controlUrl)), intents, results })
  // Each of the tour's conversions is to end filled: one certified to zero would tie out as well.
  const unfilled = told.filter(({ result }) => result.outcome !== ConvertEnd.Filled)
  const findings = unfilled.map(({ title, result }) => `"${title}" ended ${result.outcome}: ${result.why ?? ''}`)
  return { ...outcome, findings: [...outcome.findings, ...findings] }
}

function tell(told: readonly ToldConversion[], outcome: TieOut, took: string, output: Output): void {
  if (output.json) {
    if (!tiesOut(outcome)) throw doesNotTieOut(outcome)
    output.data(
      JSON.stringify({ conversions: told.map(({ title, result }) => ({ title, ...result })), tieOut: outcome }),
    )
    return
  }
  for (const line of ['', ...conversionTable(told), '', ...tieOutLines(outcome, told)]) output.data(line)
  output.note(`done in ${took}`)
  output.next([
    `echo '${JSON.stringify(tourConversions[0]?.request)}' > convert.json`,
    `${INVOCATION} run convert --input convert.json --id first`,
    'npm run check',
  ])
}

function doesNotTieOut({ tied, of, findings }: TieOut): CommandError {
  const message = [`tie-out: ${tied} of ${of}`, ...findings].join('\n')
  const next = 'npm start   # without --json it shows each movement'
  return new CommandError({ exitCode: ExitCode.DoesNotTieOut, code: 'does_not_tie_out', message, next })
}

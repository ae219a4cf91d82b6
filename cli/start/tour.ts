// `sluice start`: shows all of Sluice on one machine, from an empty state. It runs a rebalance, a sweep and a conversion of a
// deposit against the built-in sandbox, which misbehaves in between. Then it proves that exactly the intended amounts moved.

import { rmSync } from 'node:fs'
import path from 'node:path'
import { DURABLE } from '@sluice/embedded-aws'
import { isProfile, PROFILES, type ProfileName } from '@sluice/service-sandbox'
import { type TieOut, tieOut } from '../../core/audit/tie-out.ts'
import type { Clock } from '../../core/clock.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { withRunJournal } from '../../operations/runs/policy-run.ts'
import { assertTestStage, readTreasury } from '../../place/configuration.ts'
import { isPackage, type Progress, rootDir } from '../../place/context.ts'
import { findRequester } from '../../place/decider.ts'
import { type EmbeddedSession, withEmbeddedSession } from '../../place/desk/embedded-session.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { OperationError, unfit } from '../../place/operation-error.ts'
import { type Flags, resolveSettings, Variable } from '../../place/settings.ts'
import { tourFolder } from '../../place/state/state-layout.ts'
import { watchRuns } from '../../views/narration/watch-run.ts'
import { INVOCATION, quoted } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { screenWidth } from '../terminal/listing.ts'
import { createProgress, elapsedText } from '../terminal/progress.ts'
import { writePages } from './tour-pages.ts'
import { ARRIVAL, BALANCED, SEED, tourTreasury } from './tour-policies.ts'
import { proveRuns } from './tour-proofs.ts'
import { legTable, resultsOf, tieOutLines, tiesOut } from './tour-report.ts'
import { readIntents, runTourPolicies, type TourRuns } from './tour-runs.ts'
import {
  arrange,
  createMishapReporter,
  type MetFault,
  MISHAPS_TEXT,
  mishaps,
  payIn,
  readMetFaults,
  readWitness,
  unmetMishaps,
} from './witness.ts'

const VERIFIER = path.relative('', path.join(rootDir, 'docs/verify-proof.mjs'))

/** Wait between two reads of the sandbox's log. */
const POLL_MS = 100

/** Profiles with which the tour takes minutes instead of seconds (180 to 195 s each, in November 2026), and why. */
const LONG_PROFILES: Partial<Record<ProfileName, string>> = {
  hostile: 'answers are lost, and the waits until their fences are real',
  slow: 'a withdrawal takes two of them, and is polled at longer and longer intervals',
  'slow-work': 'answers come too late, and the waits until their fences are real',
}

interface Toured extends TourRuns {
  readonly outcome: TieOut
  readonly mishaps: readonly MetFault[]
  readonly pages: readonly string[]
  readonly proofs: readonly string[]
}

interface TourFlags extends Pick<Flags, 'state' | 'config'> {
  readonly profile?: string
}

interface TourHooks {
  /** Awaited after the runs have ended, while other commands can still read them. A test holds the tour here. */
  readonly whenEnded?: () => Promise<void>
}

/** @throws OperationError when the tour could not be finished, or under `--json` does not tie out. */
export async function runTour(
  flags: TourFlags,
  context: CommandContext,
  { whenEnded }: TourHooks = {},
): Promise<ExitCode> {
  const { output, clock, variables } = context
  const { profile } = flags
  if (!isProfile(profile)) {
    const problem = `expected a name that the sandbox knows; got "${profile}"`
    throw unfit('profile', problem, `use one of ${Object.keys(PROFILES).join(', ')}`)
  }
  // The tour always uses the built-in sandbox, even if the variables name a service.
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
  const cause = profile && LONG_PROFILES[profile]
  if (cause !== undefined) {
    const text = `${profile}: takes about three minutes, because ${cause}`
    progress.line({ label: 'sandbox', text, tone: 'wait' })
  }
  const options = {
    stateDir,
    configFile: folder.configFile,
    treasury,
    roles: [],
    progress,
    arranged: { seed: SEED, ...(profile !== undefined && { profile }) },
    prepare: () => {
      // Only the tour's own entries are removed, because the `start` of --state may belong to somebody else.
      for (const entry of [folder.awsDir, folder.sandboxFile]) rmSync(entry, { recursive: true, force: true })
      DURABLE.makeFolder(path.dirname(folder.configFile))
      DURABLE.replace(folder.configFile, tourTreasury(treasury))
      return folder
    },
    onEvent: watchRuns(progress),
    again: { do: 'tour' } as const,
    command: 'start',
    tour: { folder: folder.name, configFile: folder.configFile },
  }
  try {
    return await withEmbeddedSession(options, context, async (embedded) => {
      const by = findRequester({}, variables)
      const toured = await tour(embedded, { stateDir, treasury: readTreasury(folder.configFile), by }, progress, clock)
      await whenEnded?.()
      progress.end()
      const took = elapsedText(clock.nowMs() - startMs).trim()
      printTour(toured, { state: flags.state, configFile: folder.configFile, took }, context)
      return tiesOut(toured.outcome) ? ExitCode.Done : ExitCode.DoesNotTieOut
    })
  } finally {
    progress.end()
  }
}

async function tour(
  { aws, sandbox }: EmbeddedSession,
  {
    stateDir,
    treasury,
    by,
  }: { readonly stateDir: string; readonly treasury: Treasury; readonly by: string | undefined },
  progress: Progress,
  clock: Clock,
): Promise<Toured> {
  if (sandbox === undefined) throw new TypeError('the tour needs the built-in sandbox')
  const { controlUrl } = sandbox
  for (const mishap of mishaps) await arrange(controlUrl, mishap)
  progress.line({ label: 'sandbox', text: MISHAPS_TEXT, tone: 'wait' })
  await payIn(controlUrl, ARRIVAL)
  progress.line({ label: 'sandbox', text: `${ARRIVAL.credit} ${ARRIVAL.assetSymbol} arrive`, tone: 'plain' })
  const running = withRunJournal(aws, (journal) => runTourPolicies(aws, journal, { by, clock }))
  const [runs, met] = await Promise.all([running, watchMishaps(controlUrl, running, progress, clock)])
  const { reports } = runs
  const intents = await readIntents(aws)
  const outcome = tieOut({ ...(await readWitness(controlUrl)), intents, results: resultsOf(reports) })
  // Each run of the tour must end settled. A run that moved nothing would tie out as well.
  const runIds = reports.map(({ runId }) => runId)
  const proofs = await proveRuns(runIds, { aws, sandbox, treasury, stateDir, clock })
  const findings = [...outcome.findings, ...runs.findings, ...unmetMishaps(met), ...proofs.findings]
  const pages = await writePages(reports, { aws, treasury, stateDir })
  return { ...runs, outcome: { ...outcome, findings }, mishaps: met, pages, proofs: proofs.files }
}

/** Reports each mishap when it is met, until the runs have ended. @returns all mishaps that were met */
async function watchMishaps(
  controlUrl: string,
  running: Promise<unknown>,
  progress: Progress,
  clock: Clock,
): Promise<readonly MetFault[]> {
  const reportNew = createMishapReporter(progress)
  let isOver = false
  const over = () => {
    isOver = true
  }
  const ended = running.then(over, over)
  for (;;) {
    // The log is read once more after the end, because the last mishap may have been met just before it.
    const isLast = isOver
    const met = await readMetFaults(controlUrl)
    reportNew(met)
    if (isLast) return met
    await Promise.race([ended, clock.sleep(POLL_MS)])
  }
}

function printTour(
  { reports, outcome, mishaps: met, pages, proofs }: Toured,
  {
    state,
    configFile,
    took,
  }: { readonly state: string | undefined; readonly configFile: string; readonly took: string },
  context: Pick<CommandContext, 'output' | 'stdout'>,
): void {
  const { output } = context
  if (output.json) {
    if (!tiesOut(outcome)) throw doesNotTieOut(outcome)
    output.data(JSON.stringify({ runs: reports, mishaps: met, tieOut: outcome, pages, proofs }))
    return
  }
  for (const line of ['', ...legTable(reports, screenWidth(context)), '', ...tieOutLines(outcome, reports)])
    output.text(line)
  output.note(`done in ${took}; the reports, as pages that make no network requests:`)
  for (const page of pages) output.note(`  ${page}`)
  output.note('and a proof of each, which others can check without you:')
  for (const proof of proofs) output.note(`  ${proof}`)
  const where = { config: configFile, ...(state !== undefined && { state }) }
  output.next([
    `${INVOCATION} setup init --out policies.json   # policies of your own`,
    { do: 'plan', policy: BALANCED, at: where, why: 'what this policy would do in a sandbox of its own' },
    ...(proofs[0] === undefined
      ? []
      : [`${INVOCATION} proof check ${quoted(proofs[0])}   # or node ${quoted(VERIFIER)} FILE`]),
    ...(isPackage ? [] : ['npm run check']),
  ])
}

function doesNotTieOut({ tied, of, findings }: TieOut): OperationError {
  const message = [`tie-out: ${tied} of ${of}`, ...findings].join('\n')
  const next = `${INVOCATION} start   # without --json it shows each movement`
  return new OperationError({ exitCode: ExitCode.DoesNotTieOut, code: 'does_not_tie_out', message, next })
}

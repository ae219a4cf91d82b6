// `npm run scale`: how far so many runs a day are from each quota, and which breaks first.
import { readFileSync, writeFileSync } from 'node:fs'
import { COUNTS_FILE, RUN_KINDS, readCounts } from './counts.ts'
import { readFlags, WrongUsage } from './flags.ts'
import { assess } from './model.ts'
import { drawScale, SCALE_PAGE } from './page.ts'
import { textOf } from './text.ts'
import { USUAL } from './workload.ts'

const HELP = `Usage: npm run scale -- [--runs-a-day N] [--mix KIND=PARTS,…] [--limit NAME=VALUE …] [--json]

Says for so many runs a day how much of each quota they take in the busiest hour, how long they wait in line, and
what breaks first at how many runs a day. It reckons with what a run was counted to use (bench/scale/counts.json), and
reaches nothing. docs/scale.md says where each limit is from, and what to do about it.

  --runs-a-day N      1 to 1000000000 (default: ${USUAL.runsADay})
  --mix KIND=PARTS,…  how many parts of the runs are of each kind: ${RUN_KINDS.join(', ')}
                      (default: ${RUN_KINDS.map((kind) => `${kind}=${USUAL.mix[kind] * 100}`).join(',')})
  --peak-factor F     the rate of the busiest hour, by the mean rate: 1 to 24 (default: ${USUAL.peakFactor})
  --assets N          over which withdrawals are spread, 1 to 1000 (default: ${USUAL.assets})
  --policies N        over which rebalances are spread, 1 to 100 (default: ${USUAL.policies})
  --in-doubt SHARE    of withdrawals whose answer is lost, 0 to 1 (default: ${USUAL.inDoubt})
  --by-webhook SHARE  of runs that a deposit starts, 0 to 1 (default: ${USUAL.byWebhook})
  --without-budget    no daily budget counts all movements
  --limit NAME=VALUE  another limit than the default one; may be given for several
  --seed N            of the simulated lines (default: 1)
  --json              print everything as JSON
  --measure           count anew what runs use, and keep it (some minutes)
  --write             draw the tables of docs/scale.md anew`

/** How often each kind is run to be counted. */
const MEASURED_RUNS = 5

async function main(args: readonly string[]): Promise<void> {
  const { does, json, limits, seed, workload } = readFlags(args)
  if (does === 'help') console.log(HELP)
  else if (does === 'write') writeFileSync(SCALE_PAGE, drawScale(readFileSync(SCALE_PAGE, 'utf8'), readCounts()))
  else if (does === 'measure') {
    // It brings the embedded AWS along, which nothing else here needs.
    const { measureCounts } = await import('./measure.ts')
    writeFileSync(COUNTS_FILE, `${JSON.stringify(await measureCounts(MEASURED_RUNS, console.error), null, 2)}\n`)
  } else {
    const assessment = assess(workload, readCounts(), limits, seed)
    console.log(json ? JSON.stringify(assessment, null, 2) : textOf(assessment))
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error
  console.error(`${error.message}\nnpm run scale -- --help says what there is`)
  process.exitCode = 2
}

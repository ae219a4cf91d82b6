// `npm run days`: so many simulated days of a treasury with a policy of each kind, a line every ten days, what
// came of it, and a line for each broken promise.
import { appendFileSync, writeFileSync } from 'node:fs'
import { readCountedFlags } from '../../helpers/counted-flags.ts'
import { countBy } from '../../wind-tunnel/tunnel.ts'
import { judge } from './judge.ts'
import { type Evidence, runDays } from './run-days.ts'
import { writeScript } from './script.ts'

const HELP = `Example:
  npm run days -- --days 100 --seed 1

A treasury of six policies, one of each kind and a shadow, run by their schedules and by deposits: the synthesized
assembly on the embedded AWS against the HTTP sandbox, both on one virtual clock. Prices wander, crash (day 25) and
rally (day 50), money comes and goes, an equity is split (day 40), the service is in maintenance (day 60) and fails
now and then, schedules are delivered twice. Judged by the sandbox's books against the journal and the audit.

  --days N     how many, 1 to 400 (default: 100)
  --seed S     a whole number; the same gives the same days (default: by chance)
  --keep FILE  writes the evidence there as JSON, and what functions logged beside it, to look into a finding

Threads and sockets take turns as they like: a seed gives the same prices, deposits and faults.
Exit codes: 0 no promise was broken; 1 one was; 2 wrong usage.`

const MOST_DAYS = 400

async function main(args: readonly string[]): Promise<number> {
  const given = readCountedFlags(args, { count: 'days', usual: 100, most: MOST_DAYS, help: HELP, texts: ['keep'] })
  return typeof given === 'number' ? given : report(given.count, given.seed, given.texts.keep)
}

async function report(days: number, seed: number, keep: string | undefined): Promise<number> {
  const startedMs = performance.now()
  const seconds = () => ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`days ${days}, seed ${seed}`)
  const script = writeScript(seed, days)
  if (keep !== undefined) writeFileSync(`${keep}.log`, '')
  const evidence = await runDays({
    ...{ script, seed, days },
    onProgress: (day, text) => console.log(`day ${day}: ${text}; ${seconds()} s`),
    ...(keep !== undefined && {
      onFunctionLog: (name, line) => appendFileSync(`${keep}.log`, `${name} ${line}\n`),
    }),
  })
  if (keep !== undefined) writeFileSync(keep, JSON.stringify({ ...evidence, claims: [...evidence.claims] }, null, 1))
  const findings = judge(evidence, script, days)
  for (const finding of findings) console.log(finding)
  tell(evidence)
  console.log(`findings ${findings.length}, in ${seconds()} s`)
  if (findings.length > 0) console.log(`  again: npm run days -- --days ${days} --seed ${seed} --keep FILE`)
  return findings.length === 0 ? 0 : 1
}

function tell({ runs, oracle, intents, duplicates }: Evidence): void {
  const ends = countBy(runs, ({ policy, outcome }) => `${policy} ${outcome}`)
  for (const [end, count] of Object.entries(ends).sort()) console.log(`  ${end} ${count}`)
  const starts = Object.entries(countBy(runs, ({ trigger }) => trigger?.by ?? 'nobody'))
  console.log(`runs ${runs.length}, by ${starts.map(([by, count]) => `${by} ${count}`).join(', ')}`)
  const states = Object.entries(countBy(intents, ({ state }) => state))
  console.log(`intents ${intents.length}: ${states.map(([state, count]) => `${state} ${count}`).join(', ')}`)
  console.log(`movements ${oracle.movements.length}; deliveries done twice ${duplicates}`)
  const { requests, requestsTotal } = oracle
  const faults = Object.entries(
    countBy(
      requests.flatMap((request) => request.faults ?? []),
      (kind) => kind,
    ),
  )
  const met = faults.map(([kind, count]) => `${kind} ${count}`).join(', ')
  console.log(`requests ${requestsTotal}; the last ${requests.length} met ${met || 'no fault'}`)
}

process.exitCode = await main(process.argv.slice(2))

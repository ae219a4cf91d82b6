// `npm run payouts` pays a long payout file under lost answers and kills, and counts the movements in the sandbox's books.
import { readFileSync } from 'node:fs'
import { type Flags, findingText, runProgram } from '../campaigns/program.ts'
import { payUnderKills } from './payout-campaign.ts'

const HELP = `Example:
  npm run payouts -- --rows 60 --seed 7
  npm run payouts -- --rows 1995

Pays a payout file of twelve assets with a service in this process, of which one
answer in twenty to a send is lost. On the way the command is killed with
kill -9 and begun again. Then the file is given again, and corrected with five
rows more. At the end each row must have moved once by the service's own books,
and nothing else. Prints time, memory, and what AWS would charge.

  --rows N   rows of the file (default: 60)
  --kills N  how often the command is killed (default: 3)
  --seed S   of the moments and the lost answers, a whole number
             (default: by chance); processes take turns as they like

Exit codes: 0 each row once; 1 not so; 2 wrong usage.`

const MOST_ROWS = 1_995
const PROGRAM = {
  help: HELP,
  count: { name: 'rows', default: 60, most: MOST_ROWS },
  texts: ['kills'],
}
const KILLS = 3
const MOST_KILLS = 50
const LOST_SHARE = 0.05

async function pay(flags: Flags): Promise<boolean> {
  const { count: rows, seed } = flags
  const kills = flags.whole('kills', 0, MOST_KILLS) ?? KILLS
  const onProgress = (text: string) => console.error(text)
  const { violations, ...paid } = await payUnderKills({ rows, kills, seed, lost: LOST_SHARE, onProgress })
  if (violations.length > 0) {
    console.log(findingText(`seed ${seed}`, violations, `payouts -- --rows ${rows} --kills ${kills} --seed ${seed}`))
  }
  const { seconds, mostMemoryMb, lostAnswers } = paid
  console.log(
    `rows ${paid.rows}, lost answers ${lostAnswers}, kills ${paid.kills}, seed ${seed}, in ${seconds.toFixed(0)} s, ` +
      `${mostMemoryMb.toFixed(0)} MB at most, ${dollarsOf(paid.rows).toFixed(2)} USD on AWS; violations ${violations.length}`,
  )
  return violations.length === 0
}

/** By what `npm run cost` counts for a withdrawal. A run's own steps, some hundreds, cost less than a cent. */
function dollarsOf(rows: number): number {
  const figures: Readonly<Record<string, number>> = JSON.parse(
    readFileSync(new URL('../../bench/cost/figures.json', import.meta.url), 'utf8'),
  )
  const thousand = figures['withdrawal, completed 30 s after its send']
  if (thousand === undefined) throw new Error('bench/cost/figures.json has no withdrawal')
  return (rows / 1_000) * thousand
}

process.exitCode = await runProgram(PROGRAM, pay)

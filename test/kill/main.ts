// `npm run kill` kills processes that move money at random moments, and counts the movements in the sandbox's ledger.
// This file reads the flags, and chooses what is killed.

import { type Flags, findingText, runProgram } from '../campaigns/program.ts'
import { profileOf } from '../campaigns/service-profile.ts'
import { killDeskAndClients } from './desk/desk-kills.ts'
import { failDisks } from './disk/disk-faults.ts'
import { killWholeRuns } from './whole-runs.ts'

const HELP = `Example:
  npm run kill -- --kills 100 --seed 1
  npm run kill -- --desk --kills 100 --seed 7
  npm run kill -- --disk --kills 100 --seed 7

Conversions, withdrawals, rebalances and sweeps in turn, each with an id of its own. While one runs, its process is
killed with kill -9 at a random moment and the same command is started again, up to three times; then it runs to its
end, and once more. At the end each id must have given one result, and the sandbox's ledger must have one movement for
each, for a run of a policy one for each of its legs, and no other.

With --desk: one state directory, the service in a process that is not killed, one "sluice serve", and at once four
clients that convert and withdraw, look, halt and resume. The desk, a client or both are killed at random moments; serve
is started again after a pause, and each intent's command until it has given the same result twice. At the end each
intent must have one movement or a certified zero, by the service's ledger, by the journal, and by what its command said.
No command may hang, and none that was not killed may end with an exit code that is not expected.

With --disk: at a drawn write the disk fails, for a while or for good, or the process is killed, or the power is cut, in
the first command of a new directory, in a later one, or in a desk with two clients. The same line over a sound disk must
then end as one movement, with the result that was acknowledged.

  --kills N  how many (default: 100)
  --seed S   of the moments, a whole number (default: by chance); processes take turns as they like, so with --desk the
             same seed asks for the same intents and draws the same kills, but they do not meet at the same points
  --profile NAME  how the sandbox behaves, such as hostile (default: prompt); slow work takes 1 to 3 seconds here
  --desk     kill a desk and its clients
  --disk     fail the disk; --profile has no effect

Exit codes: 0 one movement for each intent and each leg; 1 not so; 2 wrong usage.`

const MOST_KILLS = 10_000

const PROGRAM = {
  help: HELP,
  count: { name: 'kills', default: 100, most: MOST_KILLS },
  texts: ['profile'],
  switches: ['desk', 'disk'],
}

async function kill(flags: Flags): Promise<boolean> {
  const { count: mostKills, seed } = flags
  const profile = profileOf(flags)
  const way = ['desk', 'disk'].find((each) => flags.has(each))
  const startedMs = performance.now()
  const killed = await (way === 'desk' ? killDeskAndClients : way === 'disk' ? failDisks : killWholeRuns)({
    mostKills,
    seed,
    profile,
  })
  const service = `${profile === undefined ? '' : ` --profile ${profile}`}${way === undefined ? '' : ` --${way}`}`
  const again = `kill -- --kills ${mostKills} --seed ${seed}${service}`
  const { violations } = killed
  if (violations.length > 0) console.log(findingText(`seed ${seed}`, violations, again))
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  console.log(`${killed.summary}, seed ${seed}, in ${seconds} s; violations ${violations.length}`)
  return violations.length === 0
}

process.exitCode = await runProgram(PROGRAM, kill)

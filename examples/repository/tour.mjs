// `npm start`: plans and carries out each policy of treasury.json with play money, agrees where a person is asked, and
// compares all that moved with the journal.
import { writeFileSync } from 'node:fs'
import { treasury as file } from './app.mjs'
import { payeesOf, rehearse } from './rehearsal.mjs'

const FOLDER = '.tour'
const WAITS = 4
/** The command of `sluice run` for each kind. Payouts have a command of their own. */
const RUNS = { sweep: 'sweep', 'convert-and-withdraw': 'sweep' }

const { treasury, contacts, sluice, ask } = rehearse(file, FOLDER)
const failed = []

/** Shows a command, and what it prints. */
function show(...words) {
  console.log(`\n$ npx sluice ${words.join(' ')}`)
  // A plan is a table. The results of runs are JSON, and their progress is on standard error.
  const { status } = sluice(words, ['ignore', words[0] === 'plan' ? 'inherit' : 'ignore', 'inherit'])
  if (status !== 0 && status !== WAITS) failed.push(`sluice ${words.join(' ')} ended with ${status}`)
  return status
}

/** A hundredth of what the account holds of each asset, to a contact each. */
function writeRows({ assets }) {
  const name = `${FOLDER}/rows.jsonl`
  const rows = ask('service', 'balances').flatMap(({ assetSymbol: asset, balance }) => {
    const amount = (Math.floor(balance) / 100).toFixed(2)
    const [payee] = payeesOf(asset, contacts)
    return assets.includes(asset) && amount > 0 ? [{ id: `row-${asset}`, contactId: payee.id, asset, amount }] : []
  })
  writeFileSync(name, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return name
}

for (const [name, policy] of Object.entries(treasury.policies)) {
  if (policy.kind !== 'payouts') show('plan', name)
  const words =
    policy.kind === 'payouts'
      ? ['payouts', 'run', writeRows(policy), '--policy', name]
      : ['run', RUNS[policy.kind] ?? 'rebalance', name]
  if (show(...words, '--id', `tour-${name}`) !== WAITS) continue
  const { runs } = ask('runs', 'list')
  const { runId } = runs.find((run) => run.policy === name)
  show('approve', runId, '--because', 'tour', '--yes')
}
show('journal', 'verify')
for (const line of failed) console.error(line)
if (failed.length === 0) console.log('\neach policy was carried out, and all that moved is in the journal')
console.log(`look:  npx sluice console --config ${FOLDER}/treasury.json --state ${FOLDER}/state`)
process.exitCode = failed.length === 0 ? 0 : 1

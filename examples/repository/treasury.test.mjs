// Synthesizes the app, and compares it with treasury.json: the policies that functions read, and the schedules. Then plans
// each policy with play money.
import assert from 'node:assert'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { app, treasury } from './app.mjs'
import { rehearse } from './rehearsal.mjs'

const SCHEDULE = 'AWS::Scheduler::Schedule'
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const { policies } = readJson(treasury)
const numbersOf = (texts) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]))
const { directory, stacks } = app.synth()

test('the functions read the policies of the file', () => {
  const copies = readdirSync(directory, { recursive: true }).filter((file) => path.basename(file) === 'treasury.json')
  assert.ok(copies.length > 0)
  for (const copy of copies) assert.partialDeepStrictEqual(readJson(path.join(directory, copy)).policies, policies)
})

test('each policy with a schedule has it on AWS, and no other', () => {
  const resources = stacks.flatMap(({ template }) => Object.values(template.Resources))
  const deployed = resources.filter(({ Type, Properties }) => Type === SCHEDULE && Properties.Name in policies)
  const written = Object.keys(policies).filter((name) => policies[name].schedule !== undefined)
  assert.deepStrictEqual(deployed.map(({ Properties }) => Properties.Name).sort(), written.sort())
})

test('the plan of each policy with play money is what the file says', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'treasury-'))
  try {
    const { treasury: played, ask } = rehearse(treasury, folder)
    for (const [name, policy] of Object.entries(played.policies).filter(([, { kind }]) => kind !== 'payouts')) {
      const plan = ask('plan', name)
      assert.deepStrictEqual([plan.policy, plan.kind], [name, policy.kind])
      if (policy.weights !== undefined) {
        const targets = plan.positions.map(({ asset, targetWeight }) => [asset, Number(targetWeight)])
        assert.partialDeepStrictEqual(Object.fromEntries(targets), numbersOf(policy.weights))
      }
      const payees = [policy, ...(policy.rules ?? [])].map(({ contactId }) => contactId)
      for (const { contactId } of plan.legs.filter(({ kind }) => kind === 'withdraw'))
        assert.ok(payees.includes(contactId))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

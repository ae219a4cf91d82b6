// Synthesizes the app, and compares it with treasury.json: the policies that functions read, and the schedules.
import assert from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { app, treasury } from './app.mjs'

const SCHEDULE = 'AWS::Scheduler::Schedule'
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const { policies } = readJson(treasury)
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

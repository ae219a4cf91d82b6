// Who may change an intent in the journal: an insider in the code of each function, under the function's own role.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IntentKind, JOURNAL_TABLE, recordKey } from '../../core/contract/records.ts'
import { assemble } from '../helpers/assemble.ts'
import { type InsiderEvent, letInsiderIn } from '../helpers/insider.ts'
import { type RunningMachines, startMachines } from '../helpers/running-machines.ts'

const TREASURY = { service: { url: 'https://api.example.com', stage: 'test' }, webhooks: {} }

const folder = mkdtempSync(join(tmpdir(), 'sluice-insider-'))
let machine: RunningMachines
beforeAll(async () => {
  const outDir = join(folder, 'cdk.out')
  assemble(TREASURY, outDir)
  letInsiderIn(outDir, JOURNAL_TABLE)
  machine = await startMachines(outDir)
})
afterAll(async () => {
  await machine?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function put(functionName: string, item: InsiderEvent['insider']['item']): Promise<string> {
  const event: InsiderEvent = { insider: { item } }
  return JSON.parse(await machine.aws.invokeFunction(functionName, JSON.stringify(event))).outcome
}

/** Names of the functions whose role lets them put a record of an intent of a kind. */
async function writersOf(kind: IntentKind): Promise<string[]> {
  const writers: string[] = []
  for (const { name } of machine.aws.resources().functions) {
    const outcome = await put(name, { pk: { S: recordKey.intent(kind, `by-${name}`) } })
    expect(['PUT', 'AccessDeniedException']).toContain(outcome)
    if (outcome === 'PUT') writers.push(name.replace('sluice-', ''))
  }
  return writers.sort()
}

test('a withdrawal is written by the steps of its own state machine, and by the end of a run', async () => {
  expect(await writersOf('withdraw')).toEqual(['check-withdrawal', 'conclude', 'settle-run', 'withdraw'])
})

test('a conversion is written by the steps of its own state machine, and by planners and ends of runs', async () => {
  const writers = ['conclude', 'order', 'plan-rebalance', 'plan-sweep', 'quote', 'settle-run']
  expect(await writersOf('convert')).toEqual(writers)
})

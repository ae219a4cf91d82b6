// Executions that stopped in doubt while the service was down end by themselves afterwards, as one movement or as a
// certified zero. Time is virtual: waits of the state machines advance the service's clock.
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn'
import { expect, test, vi } from 'vitest'
import { type LookAgainReport, lookAgainReport } from '../../core/contract/look-again.ts'
import { JOURNAL_TABLE } from '../../core/contract/records.ts'
import { BREAKER } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { createHalts } from '../../core/journal/halts.ts'
import { settingsOfAws } from '../helpers/aws-settings.ts'
import { runInProcess } from '../unit/cli/run-in-process.ts'
import { useMachines } from './machines.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.01' }
const SEND = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
const AN_HOUR_MS = 3_600_000

const machine = useMachines()

async function look(): Promise<LookAgainReport> {
  return lookAgainReport.parse(JSON.parse(await machine.aws.invokeFunction('sluice-look-again', '{}')))
}

const DOWN = { kind: 'errorBeforeCommit', status: 503, code: 'internal_error' }
const READS = ['/v2/orders/*', '/v2/withdrawals']

const arrange = (method: string, path: string, fault: object) =>
  machine.control('/rules', { match: { method, path, times: 'always' }, fault })

/** From the ARM of an intent on nothing can be looked up, and its send is booked or lost. */
async function goDownOnceArmed(sends: 'booked' | 'lost'): Promise<void> {
  const fault = { kind: sends === 'booked' ? 'dropAfterCommit' : 'dropBeforeCommit' }
  for (const path of ['/v2/orders', '/v2/withdrawals']) await arrange('POST', path, fault)
  machine.hook = async ({ operation, body, phase }) => {
    const { Item } = body as { readonly Item?: { readonly state?: { readonly S: string } } }
    if (operation !== 'PutItem' || phase !== 'before' || Item?.state?.S !== 'ARMED') return undefined
    for (const path of READS) await arrange('GET', path, DOWN)
    return undefined
  }
}

const in9Days = () => new Date(Date.now() + 9 * 24 * AN_HOUR_MS).toISOString()

/** Leaves a conversion and a withdrawal in doubt, with a service that answers nothing. */
async function stopInDoubt(prefix: string, sends: 'booked' | 'lost'): Promise<{ buy: string; send: string }> {
  const ids = { buy: `${prefix}-buy`, send: `${prefix}-send` }
  await goDownOnceArmed(sends)
  const sent = await machine.withdraw(ids.send, { ...SEND, notAfter: in9Days() })
  await machine.clearRules()
  await goDownOnceArmed(sends)
  const bought = await machine.run(ids.buy, { ...BUY, notAfter: in9Days() })
  machine.hook = undefined
  for (const path of [...READS, '/v2/account']) await arrange('GET', path, DOWN)
  expect([bought.report.outcome, sent.report.outcome]).toEqual(['NEEDS_ATTENTION', 'NEEDS_ATTENTION'])
  return ids
}

const namesOf = (executions: readonly { readonly execution: string }[]) => executions.map(({ execution }) => execution)

const filled = ({ outcome }: { readonly outcome: string }) => outcome === 'FILLED'

async function untilAllEnded(): Promise<void> {
  for (const stateMachine of Object.values(StateMachine)) {
    for (const { executionArn } of machine.aws.listExecutions(stateMachine))
      await machine.aws.untilFinished(executionArn)
  }
}

/** Checks, lets the entered executions end, and lets the next wait pass, until nothing is open. */
async function lookUntilNothingIsOpen(): Promise<void> {
  for (let looks = 0; looks < 12; looks += 1) {
    const { outcome } = await look()
    await untilAllEnded()
    if (outcome === 'NOTHING_OPEN') return
    await machine.pass(AN_HOUR_MS)
  }
  throw new Error('something is open for good')
}

/** The commands of a section of the runbook, each as its words. */
function commandsOf(section: string): string[][] {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
  const [, text = ''] = runbook.split(`\n## ${section}\n`)
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(text.split('\n## ')[0] ?? '') ?? []
  return block
    .trim()
    .split('\n')
    .map((line) =>
      [...line.replace(/ # .*$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''),
    )
    .map(([npx, name, ...words]) => {
      expect([npx, name]).toEqual(['npx', 'sluice'])
      return words
    })
}

test('the section of the runbook for an outage of hours works command by command', async () => {
  const { endpointUrl, region, credentials } = machine.aws
  settingsOfAws(endpointUrl, { region, credentials })
  const config = path.join(machine.stateDir, 'treasury.json')
  writeFileSync(config, JSON.stringify({ service: { url: machine.sandbox.baseUrl, stage: 'test' } }))
  const ids = await stopInDoubt('drill', 'booked')
  const client = new DynamoDB({ endpoint: endpointUrl, region, credentials })
  const halts = createHalts(createDynamoStore(client, JOURNAL_TABLE), randomUUID)
  const at = '2026-01-31T00:00:00.000Z'
  await halts.halt({ scope: 'core', by: BREAKER, because: '3 runs in a row did not settle (run rb-1)', at })
  for (let hour = 0; hour < 3; hour += 1) {
    await machine.pass(AN_HOUR_MS)
    expect((await look()).outcome).toBe('NO_ANSWER')
  }
  await machine.clearRules()

  const given = commandsOf('The service was down for hours')
  expect(given.map((words) => words.slice(0, words[0] === 'resume' ? 1 : 2).join(' '))).toEqual([
    'cases list',
    'cases again',
    'resume',
    'cases list',
    'journal audit',
  ])
  const ended: { readonly exitCode: number; readonly stdout: string; readonly stderr: string }[] = []
  for (const words of given) {
    // Nobody can answer a question here.
    const consent = words[0] === 'resume' ? ['--yes'] : []
    ended.push(await runInProcess([...words, ...consent, '--config', config]))
  }
  const [before, again, resumed, after, audit] = ended
  expect(before).toMatchObject({ exitCode: 3, stdout: expect.stringContaining(ids.buy) })
  expect(before?.stdout).toMatch(/policy core .*breaker tripped/)
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/FILLED[\s\S]*COMPLETED/) })
  expect(resumed).toMatchObject({ exitCode: 0, stdout: 'resumed: policy core\n' })
  expect(after).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('nothing needs a person') })
  expect(audit).toMatchObject({ exitCode: 0 })
  expect(await look()).toMatchObject({ outcome: 'NOTHING_OPEN' })
  client.destroy()
  vi.unstubAllEnvs()
})

test.each(['booked', 'lost'] as const)(
  'after hours without the service, sends that were %s end by themselves, each as one movement',
  async (sends) => {
    const known = (await machine.movements()).length
    const ids = await stopInDoubt(sends, sends)
    for (let hour = 0; hour < 3; hour += 1) {
      await machine.pass(AN_HOUR_MS)
      expect(await look()).toMatchObject({ outcome: 'NO_ANSWER', entered: [] })
    }
    await machine.clearRules()

    // Two at once start one entry of each.
    const looks = await Promise.all([look(), look()])
    const entered = [
      { stateMachine: 'sluice-convert', execution: `${ids.buy}_2` },
      { stateMachine: 'sluice-withdraw', execution: `${ids.send}_2` },
    ]
    for (const { execution } of looks.flatMap((each) => each.entered)) expect(namesOf(entered)).toContain(execution)
    expect(new Set(namesOf(looks.flatMap((each) => each.entered)))).toEqual(new Set(namesOf(entered)))
    await lookUntilNothingIsOpen()
    for (const [stateMachine, id] of [
      [StateMachine.Convert, ids.buy],
      [StateMachine.Withdraw, ids.send],
    ] as const) {
      const entries = machine.aws.listExecutions(stateMachine).filter(({ name }) => name.startsWith(id))
      expect(entries.map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
        `${id} FAILED`,
        `${id}_2 SUCCEEDED`,
      ])
    }
    expect(await machine.movements()).toHaveLength(known + 2)
  },
)

test('after a process dies right after one start, the next check starts the rest', async () => {
  const known = (await machine.movements()).length
  const ids = await stopInDoubt('dies', 'booked')
  await machine.pass(AN_HOUR_MS)
  await machine.clearRules()
  let starts = 0
  machine.hook = ({ operation, functionName, phase }) => {
    if (operation !== 'StartExecution' || functionName !== 'sluice-look-again' || phase !== 'after') return undefined
    starts += 1
    return starts === 1 ? 'kill-function' : undefined
  }
  await expect(look()).rejects.toThrow()
  await lookUntilNothingIsOpen()
  expect(starts).toBeGreaterThan(1)
  expect(machine.aws.findExecution(StateMachine.Convert, `${ids.buy}_2`)).toMatchObject({ status: 'SUCCEEDED' })
  expect(machine.aws.findExecution(StateMachine.Withdraw, `${ids.send}_2`)).toMatchObject({ status: 'SUCCEEDED' })
  expect(await machine.movements()).toHaveLength(known + 2)
})

test('a run that ended with a leg in doubt is entered again with it, and ends settled', async () => {
  const known = (await machine.movements()).length
  await goDownOnceArmed('booked')
  const policy = { kind: 'rebalance', weights: { BTC: '0.6', ETH: '0.4' } }
  const { executionArn } = await machine.aws.startExecution({
    stateMachine: StateMachine.Rebalance,
    name: 'month-end',
    input: JSON.stringify({ policy, trigger: { by: 'call' } }),
  })
  const { output = '{}' } = await machine.aws.untilFinished(executionArn)
  expect(JSON.parse(output)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
  machine.hook = undefined
  const doubtful = (await machine.movements()).length - known
  expect(doubtful).toBeGreaterThan(0)
  await machine.pass(AN_HOUR_MS)
  await machine.clearRules()

  expect((await look()).entered).toEqual([{ stateMachine: 'sluice-rebalance', execution: 'month-end_2' }])
  const again = await machine.aws.untilFinished(executionArn.replace('month-end', 'month-end_2'))
  const { outcome, legs } = JSON.parse(again.output ?? '{}')
  expect(['SETTLED', 'PARTLY_SETTLED']).toContain(outcome)
  expect(await machine.movements()).toHaveLength(known + legs.filter(filled).length)
  expect(await look()).toMatchObject({ outcome: 'NOTHING_OPEN' })
})

test('a stopped execution is left to people', async () => {
  const ids = await stopInDoubt('people', 'booked')
  await machine.pass(AN_HOUR_MS)
  await machine.clearRules()
  const request = (name: string) => machine.aws.findExecution(StateMachine.Convert, name)?.input ?? ''
  const client = new SFNClient({
    endpoint: machine.aws.endpointUrl,
    region: machine.aws.region,
    credentials: machine.aws.credentials,
  })
  for (const path of READS) await arrange('GET', path, DOWN)
  const second = await machine.aws.startExecution({
    stateMachine: StateMachine.Convert,
    name: `${ids.buy}_2`,
    input: request(ids.buy),
  })
  await client.send(new StopExecutionCommand({ executionArn: second.executionArn }))
  client.destroy()
  await machine.clearRules()
  await machine.pass(AN_HOUR_MS)
  const { entered, forPeople } = await look()
  expect(namesOf(entered)).toEqual([`${ids.send}_2`])
  expect(forPeople).toBe(1)
})

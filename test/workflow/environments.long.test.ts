// Two environments on one machine: each has its own service, names and journal, and the movements of each tie out.
import { join } from 'node:path'
import { type EmbeddedAws, startEmbeddedAws } from '@sluice/embedded-aws'
import { type Sandbox, startSandbox } from '@sluice/service-sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployedName } from '../../core/contract/deployed-names.ts'
import { reconcileReport } from '../../core/contract/reconcile.ts'
import { JOURNAL_TABLE } from '../../core/contract/records.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { assemble } from '../helpers/assemble.ts'
import { declared } from '../helpers/declared-journal.ts'
import { folderOfFile } from '../helpers/folders.ts'

const folder = folderOfFile()
const ENVIRONMENTS = ['test', 'desk-2'] as const
const running = new Map<string, { readonly aws: EmbeddedAws; readonly sandbox: Sandbox }>()

async function start(environment: string): Promise<void> {
  const service = { url: 'https://service.example', stage: 'test' }
  const assemblyDir = join(folder, `${environment}.out`)
  assemble({ environment, service }, assemblyDir)
  const sandbox = await startSandbox()
  const { secret, privateKeyPem, alg } = sandbox.keys.full
  const aws = await declared(
    startEmbeddedAws({
      assemblyDir,
      stateDir: join(folder, environment),
      parameters: { ServiceUrl: sandbox.baseUrl },
      secrets: { [deployedName('sluice/service-key', environment)]: JSON.stringify({ secret, privateKeyPem, alg }) },
    }),
    environment,
  )
  running.set(environment, { aws, sandbox })
}

beforeAll(async () => {
  for (const environment of ENVIRONMENTS) await start(environment)
})
afterAll(async () => {
  for (const { aws, sandbox } of running.values()) {
    await aws.stop()
    await sandbox.stop()
  }
})

test('have no function, state machine or table of one name', () => {
  const names = [...running.values()].flatMap(({ aws }) => {
    const { functions, stateMachines, tables } = aws.resources()
    return [...functions, ...stateMachines, ...tables].map(({ arn }) => arn)
  })
  expect(names).toContainEqual(expect.stringMatching(`/${deployedName(JOURNAL_TABLE, 'desk-2')}$`))
  expect(new Set(names).size).toBe(names.length)
})

test('move money under one id at once, each at its own service, and tie out', async () => {
  const input = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
  for (const [environment, { aws, sandbox }] of running) {
    const stateMachine = deployedName(StateMachine.Convert, environment)
    const { executionArn } = await aws.startExecution({ stateMachine, name: 'one-id', input: JSON.stringify(input) })
    expect(await aws.untilFinished(executionArn)).toMatchObject({ status: 'SUCCEEDED' })
    const moved = await fetch(`${sandbox.controlUrl}/oracle`).then((answer) => answer.json())
    expect(moved).toMatchObject({ movements: [expect.anything()] })
    const audit = await aws.invokeFunction(deployedName('sluice-reconcile', environment), '{}')
    expect(reconcileReport.parse(JSON.parse(audit))).toMatchObject({ outcome: 'TIES_OUT', findings: [] })
  }
})

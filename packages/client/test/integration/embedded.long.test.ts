// The client against a deployment on the embedded AWS: whatever is lost, repeated or raced, an id is one movement.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { assemble } from '../../../../test/helpers/assemble.ts'
import { type RunningMachines, startMachines } from '../../../../test/helpers/running-machines.ts'
import { type ClientOptions, createClient, ErrorCode } from '../../index.ts'

const purchase = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' } as const
const policies = {
  balanced: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } },
  salaries: { kind: 'payouts', assets: ['USDC'] },
  asked: { kind: 'rebalance', weights: { ETH: '0.6', USDT: '0.4' }, approval: { above: '0' } },
}
const ACCOUNT = '123456789012'

const folder = mkdtempSync(join(tmpdir(), 'sluice-client-'))
let machine: RunningMachines
let sfn: SFNClient
beforeAll(async () => {
  const service = { url: 'https://service.example', stage: 'test', keySecret: 'sluice/service-key', shared: false }
  assemble({ service, timing: { pollInsideSeconds: 0 }, policies }, join(folder, 'cdk.out'))
  machine = await startMachines(join(folder, 'cdk.out'))
  sfn = sfnWith(machine.aws.credentials)
})
afterEach(async () => {
  machine.hook = undefined
  await machine.clearRules()
})
afterAll(async () => {
  sfn?.destroy()
  await machine?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const sfnWith = (credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }) =>
  new SFNClient({ endpoint: machine.aws.endpointUrl, region: machine.aws.region, credentials })
const client = (options: Partial<ClientOptions> = {}) => createClient({ account: ACCOUNT, sfn, ...options, policies })
const movements = async () => (await machine.movements()).length
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: { readonly code?: string }) => error.code,
  )

test('a conversion that five callers ask for under one id is one movement with one result', async () => {
  const known = await movements()
  const handles = await Promise.all(Array.from({ length: 5 }, () => client().convert(purchase, { id: 'invoice-17' })))
  const [first, ...others] = await Promise.all(handles.map((handle) => handle.result()))
  expect(first).toMatchObject({ outcome: 'FILLED', intentId: 'invoice-17', quoteAmount: '250' })
  for (const other of others) expect(other).toEqual(first)
  expect(await (await client().convert(purchase, { id: 'invoice-17' })).result()).toEqual(first)
  expect(await movements()).toBe(known + 1)
})

test('an id that is used for other terms is refused with the fields that differ, and moves nothing', async () => {
  await (await client().convert(purchase, { id: 'invoice-18' })).result()
  const known = await movements()
  const other = client().convert({ ...purchase, amount: '251', maxSlippageBps: 10 }, { id: 'invoice-18' })
  await expect(other).rejects.toMatchObject({ code: ErrorCode.IdTaken, fields: ['amount', 'maxSlippageBps'] })
  expect(await movements()).toBe(known)
})

test('a start without any answer is unknown, and the same call finds its one movement', async () => {
  const known = await movements()
  machine.hook = ({ operation, phase }) => (operation === 'StartExecution' && phase === 'after' ? 'drop' : undefined)
  expect(await codeOf(client().convert(purchase, { id: 'invoice-19' }))).toBe(ErrorCode.StartUnknown)
  machine.hook = undefined
  const handle = await client().convert(purchase, { id: 'invoice-19' })
  expect(await handle.result()).toMatchObject({ outcome: 'FILLED' })
  expect(await movements()).toBe(known + 1)
})

test('a result is waited for while Step Functions answers no read', async () => {
  const handle = await client().convert(purchase, { id: 'invoice-20' })
  let refused = 0
  machine.hook = ({ operation, phase }) => {
    if (operation !== 'DescribeExecution' || phase !== 'before' || refused === 7) return undefined
    refused += 1
    return { errorType: 'ServiceUnavailable', status: 503 }
  }
  expect(await handle.result()).toMatchObject({ outcome: 'FILLED' })
  expect(refused).toBe(7)
})

test('a price that the request forbids is an error that says nothing moved', async () => {
  const known = await movements()
  const handle = await client().convert({ ...purchase, worstRate: '0.01' }, { id: 'too-cheap' })
  await expect(handle.result()).rejects.toMatchObject({
    code: ErrorCode.MovedNothing,
    report: { outcome: 'PRICE_REFUSED', guardedBy: 'price' },
  })
  expect(await movements()).toBe(known)
})

test('a withdrawal is complete with what the contact received', async () => {
  const request = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
  const handle = await client().withdraw(request, { id: 'payout-1' })
  expect(await handle.result()).toMatchObject({ outcome: 'COMPLETED', intentId: 'payout-1', total: '100' })
})

test('a run of a policy settles, and the same id is the same run', async () => {
  const handle = await client().run('balanced', { id: 'monday' })
  const settled = await handle.result()
  expect(settled).toMatchObject({ outcome: 'SETTLED', runId: 'monday', tiesOut: true })
  const known = await movements()
  expect(await (await client().run('balanced', { id: 'monday' })).result()).toEqual(settled)
  expect(await movements()).toBe(known)
})

test('a run of payouts pays each of its rows once, whatever is asked again', async () => {
  const contactId = machine.sandbox.contacts.find(({ reference }) => reference === 'exchange-usdc-eth')?.id ?? ''
  const row = (id: string, amount: string) => ({ id, contactId, asset: 'USDC', amount })
  const rows = [row('june-1', '10'), row('june-2', '20')]
  const known = await movements()
  const settled = await (await client().run('salaries', { id: 'june', rows })).result()
  expect(settled).toMatchObject({ outcome: 'SETTLED', runId: 'june' })
  expect(await movements()).toBe(known + 2)
  expect(await (await client().run('salaries', { id: 'june', rows })).result()).toEqual(settled)
  const other = client().run('salaries', { id: 'june', rows: [row('june-1', '10'), row('june-2', '21')] })
  await expect(other).rejects.toMatchObject({ code: ErrorCode.IdTaken, fields: ['rows'] })

  // A corrected file under another id pays the rest only.
  const corrected = await client().run('salaries', { id: 'june-corrected', rows: [...rows, row('june-3', '30')] })
  expect(await corrected.result()).toMatchObject({
    outcome: 'SETTLED',
    legs: [{ key: expect.stringContaining('june-3') }],
  })
  expect(await movements()).toBe(known + 3)
})

test('a run that starts here cannot pass the approval of its policy', async () => {
  const known = await movements()
  const handle = await client().run('asked', { id: 'tuesday' })
  await expect
    .poll(() => handle.result({ withinMs: 0 }).catch((error) => error))
    .toMatchObject({
      code: ErrorCode.NotYet,
      awaitsApproval: true,
    })
  expect(await movements()).toBe(known)
})

test('an execution that somebody stopped needs a person, and is entered again as the same movement', async () => {
  const known = await movements()
  const { promise: isOrdering, resolve: seeOrdering } = Promise.withResolvers<void>()
  const { promise: mayGoOn, resolve: letGoOn } = Promise.withResolvers<void>()
  machine.hook = async ({ functionName, phase }) => {
    if (functionName !== 'sluice-order' || phase !== 'before') return undefined
    seeOrdering()
    await mayGoOn
    return undefined
  }
  const handle = await client().convert(purchase, { id: 'stopped' })
  await isOrdering
  await sfn.send(new StopExecutionCommand({ executionArn: handle.executionArn }))
  machine.hook = undefined
  letGoOn()
  await expect(handle.result()).rejects.toMatchObject({ code: ErrorCode.NeedsPerson, report: undefined })
  expect(await handle.again()).toBe(true)
  expect(await handle.result()).toMatchObject({ outcome: 'FILLED', intentId: 'stopped' })
  expect(await handle.again()).toBe(false)
  expect(await movements()).toBe(known + 1)
})

test('wrong credentials, accounts and environments are told apart, and start nothing', async () => {
  const known = await movements()
  const stranger = sfnWith({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'none' })
  const ask = (options: Partial<ClientOptions>) => codeOf(client(options).convert(purchase, { id: 'refused' }))
  expect(await ask({ sfn: stranger })).toBe(ErrorCode.NotAllowed)
  expect(await ask({ account: '210987654321' })).toBe(ErrorCode.NoDeployment)
  expect(await ask({ environment: 'staging' })).toBe(ErrorCode.NoDeployment)
  expect(await movements()).toBe(known)
  stranger.destroy()
})

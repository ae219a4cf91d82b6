// Tests the console with --aws, with the AWS SDK's own settings, on the embedded AWS. The console shows what is
// deployed, and an approval there continues there. Loading a page starts nothing, whatever the state of the run.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { EndpointCall } from '@sluice/embedded-aws'
import { beforeAll, expect, test } from 'vitest'
import { deployedAws } from '../cli/deployed-aws.ts'
import { openTestConsole, type TestConsole } from './opened-console.ts'

/** The request brings its policy, because the assembly's treasury.json has no policy. */
const requestFor = (weights: object) => ({
  policy: { kind: 'rebalance', weights, approval: { above: '1' } },
  trigger: { by: 'call' },
})
const MACHINE = 'sluice-rebalance'

const deployed = deployedAws('console on AWS')
let config: string
beforeAll(() => {
  const { service } = deployed()
  config = path.join(service.dir, 'treasury.json')
  writeFileSync(config, JSON.stringify({ service: { url: service.sandbox.baseUrl, stage: 'test' } }))
})

async function waitingRun(name: string, weights: object): Promise<void> {
  const { aws } = deployed()
  const { executionArn } = await aws.startExecution({
    stateMachine: MACHINE,
    name,
    input: JSON.stringify(requestFor(weights)),
  })
  expect(JSON.parse((await aws.untilFinished(executionArn)).output ?? '{}').outcome).toBe('AWAITING_APPROVAL')
}

async function decidePageOf(opened: TestConsole, runId: string) {
  const cookie = await opened.enter()
  const { body, status } = await opened.ask(`/runs/${runId}/decide`, { headers: { cookie } })
  expect(status).toBe(200)
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''
  const form = new URLSearchParams({
    token: field('token'),
    planHash: field('planHash'),
    by: 'ada',
    because: 'as agreed',
  })
  const headers = { cookie, origin: opened.origin, 'content-type': 'application/x-www-form-urlencoded' }
  return {
    cookie,
    body,
    approve: () => opened.ask(`/runs/${runId}/approve`, { method: 'POST', headers, body: form.toString() }),
  }
}

/** The operations requested of Step Functions from now on. */
function watched(refuse: (call: EndpointCall) => boolean = () => false): string[] {
  const operations: string[] = []
  deployed().watch((call) => {
    if (call.phase !== 'before') return undefined
    // Calls of functions are not the console's.
    if (call.functionName === undefined) operations.push(call.operation)
    return refuse(call) ? { errorType: 'AccessDeniedException', status: 400 } : undefined
  })
  return operations
}

test('a plan on AWS is shown and approved, and its run continues there, drawn from the deployed definition', async () => {
  await waitingRun('month-end', { BTC: '0.6', ETH: '0.4' })
  const opened = await openTestConsole({ aws: true, config })
  const page = await decidePageOf(opened, 'month-end')
  expect(page.body).toContain('The run itself checks balances, contacts and prices before it moves anything')
  // The decision belongs to the owner of the credentials.
  expect(page.body).not.toContain('Who decides')
  const begun = await page.approve()
  expect(begun).toMatchObject({ status: 303, headers: { location: `${opened.path}/acts/1` } })
  const act = async () => (await opened.ask('/acts/1', { headers: { cookie: page.cookie } })).body
  await expect.poll(act, { interval: 200 }).toContain('>done</span>')
  const { aws } = deployed()
  const arn = aws.listExecutions(MACHINE).find(({ name }) => name === 'month-end_2')?.executionArn ?? ''
  expect(JSON.parse((await aws.untilFinished(arn)).output ?? '{}').outcome).toBe('SETTLED')
  const { body } = await opened.ask('/runs/month-end', { headers: { cookie: page.cookie } })
  expect(body).toMatch(/approved by arn:aws:/)
  expect(body).toMatch(/<title>SettleRun \(Task\): entered 1 time</)
  for (const each of ['/', '/attention', '/movements', '/audit', '/halt']) {
    const { status, body: told } = await opened.ask(each, { headers: { cookie: page.cookie } })
    expect({ each, status, why: status === 200 ? '' : /class="bad">([^<]*)/.exec(told)?.[1] }).toEqual({
      each,
      status: 200,
      why: '',
    })
  }
})

test('the page of an approved plan that has not continued starts nothing and writes nothing', async () => {
  await waitingRun('cut-off', { BTC: '0.2', ETH: '0.8' })
  const opened = await openTestConsole({ aws: true, config })
  const { cookie, approve } = await decidePageOf(opened, 'cut-off')
  watched(({ operation }) => operation === 'StartExecution')
  await approve()
  const refused = async () => (await opened.ask('/acts/1', { headers: { cookie } })).body
  await expect.poll(refused, { interval: 200 }).toContain('>not done</span>')
  const operations = watched()
  const { body } = await opened.ask('/runs/cut-off/decide', { headers: { cookie } })
  expect(body).toMatch(/approved by arn:aws:/)
  expect(operations.length).toBeGreaterThan(0)
  // Invoke: of the function that returns the deployed configuration.
  expect(operations.filter((operation) => !/^(Invoke$|Get|Batch|Query|Describe|List|Scan)/.test(operation))).toEqual([])
  deployed().watch(undefined)
  expect(
    deployed()
      .aws.listExecutions(MACHINE)
      .map(({ name }) => name),
  ).not.toContain('cut-off_2')
})

test('an approved run is carried out from its page, and without the permission for that the page says which is missing', async () => {
  const opened = await openTestConsole({ aws: true, config })
  const cookie = await opened.enter()
  const ask = async (path: string) => (await opened.ask(path, { headers: { cookie } })).body
  const page = await ask('/runs/cut-off')
  expect(page).toContain('Carry it out now')
  const token = /name="token" value="([^"]*)"/.exec(page)?.[1] ?? ''
  const headers = { cookie, origin: opened.origin, 'content-type': 'application/x-www-form-urlencoded' }
  const carryOut = async () => {
    const begun = await opened.ask('/runs/cut-off/again', { method: 'POST', headers, body: `token=${token}` })
    const act = String(begun.headers.location).slice(opened.path.length)
    await expect.poll(() => ask(act), { interval: 200 }).not.toContain('>under way</span>')
    return ask(act)
  }
  watched(({ operation, functionName }) => operation === 'StartExecution' && functionName === undefined)
  expect(await carryOut()).toContain(
    'these AWS credentials may not start executions of sluice-rebalance (states:StartExecution); nothing was started',
  )
  deployed().watch(undefined)
  expect(await carryOut()).toContain('waits for approval before, settled now')
})

test('a missing run or intent has no page', async () => {
  const opened = await openTestConsole({ aws: true, config })
  const headers = { cookie: await opened.enter() }
  for (const path of ['/runs/nothing', '/intents/nothing']) {
    const { status, body } = await opened.ask(path, { headers })
    expect({ path, status, body }).toEqual({
      path,
      status: 404,
      body: expect.stringMatching(/has no (run|intent) nothing/),
    })
  }
})

test('with expired AWS credentials each page and each decision says so, with the next step', async () => {
  await waitingRun('lapsed', { BTC: '0.3', ETH: '0.7' })
  const opened = await openTestConsole({ aws: true, config })
  const { cookie, approve } = await decidePageOf(opened, 'lapsed')
  const said = async (each: string) => {
    const { status, body } = await opened.ask(each, { headers: { cookie } })
    return { each, status, why: /class="bad">([^<]*)/.exec(body)?.[1], next: /next: ([^<]*)/.exec(body)?.[1] }
  }
  for (const errorType of ['ExpiredTokenException', 'UnrecognizedClientException']) {
    deployed().watch(({ phase, functionName }) =>
      phase === 'before' && functionName === undefined ? { errorType, status: 400 } : undefined,
    )
    for (const each of ['/', '/attention', '/movements', '/audit', '/halt', '/service/balances', '/find?id=x'])
      expect(await said(each)).toEqual({
        ...{ each, status: 502, next: expect.stringContaining('sign in to AWS again') },
        why: expect.stringContaining(errorType),
      })
    // A recent read is shown once more.
    for (const each of ['/runs/lapsed', '/runs/lapsed/decide', '/intents/lapsed'])
      await expect
        .poll(() => said(each))
        .toMatchObject({ each, status: 502, next: expect.stringContaining('sign in to AWS again') })
  }
  await approve()
  const act = async () => (await opened.ask('/acts/1', { headers: { cookie } })).body
  await expect.poll(act, { interval: 200 }).toContain('>not done</span>')
  expect(await act()).toContain('next: sign in to AWS again')
  deployed().watch(undefined)
  expect(await said('/')).toMatchObject({ status: 200 })
})

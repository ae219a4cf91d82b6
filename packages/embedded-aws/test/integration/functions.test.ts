// Tests functions of an assembly in the embedded AWS: their environment, how they end, and what the state machine gets.
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ON_TABLE, oneTask, TABLE, task } from './fixture/assembly.ts'
import { boot, runToEnd, skippingClock } from './fixture/booted.ts'

describe('a function', () => {
  test('answers the state machine that invoked it', async () => {
    const aws = await boot({ functions: { echo: {} }, machines: { Echo: oneTask('echo') } })
    const run = await runToEnd(aws, 'Echo', { amount: '1.50', nested: [null, { a: true }] })
    expect(run).toMatchObject({ status: 'SUCCEEDED', output: { amount: '1.50', nested: [null, { a: true }] } })
  })

  test("sees its template's environment, Lambda's variables and nothing of the host", async () => {
    vi.stubEnv('HOST_ONLY', 'host')
    onTestFinished(() => void vi.unstubAllEnvs())
    const aws = await boot({
      functions: { environment: { environment: { STAGE: 'test' } } },
      machines: { Environment: oneTask('environment') },
    })
    const { output } = await runToEnd(aws, 'Environment')
    expect(output).toMatchObject({
      STAGE: 'test',
      _HANDLER: 'index.environment',
      AWS_REGION: 'us-east-1',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: 'environment',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_ENDPOINT_URL_DYNAMODB: aws.endpointUrl,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.endpointUrl,
      AWS_ENDPOINT_URL_SFN: aws.endpointUrl,
    })
    const known = /^(STAGE|_HANDLER|AWS_[A-Z0-9_]+|LAMBDA_TASK_ROOT|LANG|PATH|TZ)$/
    expect(Object.keys(output as object).filter((name) => !known.test(name))).toEqual([])
  })

  test('gets a context with its name, a request id and the remaining time', async () => {
    const aws = await boot({
      functions: { context: { timeoutSeconds: 10 } },
      machines: { Context: oneTask('context') },
    })
    const { output } = await runToEnd(aws, 'Context')
    expect(output).toMatchObject({ functionName: 'context', hasRequestId: true })
    const { remainingMs } = output as { readonly remainingMs: number }
    expect(remainingMs).toBeGreaterThan(0)
    expect(remainingMs).toBeLessThanOrEqual(10_000)
  })

  test('keeps its module state between invocations of one worker', async () => {
    const aws = await boot({ functions: { count: {} }, machines: { Count: oneTask('count') } })
    await runToEnd(aws, 'Count', {}, 'first')
    expect(await runToEnd(aws, 'Count', {}, 'second')).toMatchObject({ output: { invocations: 2 } })
  })

  test('prints line by line to the log', async () => {
    const lines: string[] = []
    const onFunctionLog = (name: string, line: string) => lines.push(`${name}: ${line}`)
    const aws = await boot({ functions: { print: {} }, machines: { Print: oneTask('print') } }, { onFunctionLog })
    expect(await runToEnd(aws, 'Print')).toMatchObject({ output: null })
    expect(lines.sort()).toEqual(['print: a line of errors', 'print: another line', 'print: one line'])
  })

  test('answers only after all that it printed is in the log', async () => {
    let printed = 0
    const onFunctionLog = () => {
      printed += 1
    }
    const options = { functions: { printMuch: {} }, machines: { Print: oneTask('printMuch') } }
    const aws = await boot(options, { onFunctionLog })
    for (let run = 1; run <= 5; run += 1) {
      await runToEnd(aws, 'Print', {}, `run-${run}`)
      expect(printed).toBe(run * 1000)
    }
  })
})

describe('a folder of code', () => {
  const echo = { functions: { echo: {} }, machines: { Echo: oneTask('echo') } }

  test('is CommonJS, also where it has several files', async () => {
    const code = {
      'index.js': "exports.echo = async () => require('./other.js').answer",
      'other.js': "exports.answer = typeof require === 'function' ? 'CommonJS' : 'module'",
    }
    const aws = await boot({ ...echo, code })
    expect(await runToEnd(aws, 'Echo')).toMatchObject({ output: 'CommonJS' })
  })

  test('is a module where its own package.json says so', async () => {
    const code = {
      'package.json': '{"type":"module"}',
      'index.js': "export const echo = async () => typeof require === 'undefined' ? 'module' : 'CommonJS'",
    }
    const aws = await boot({ ...echo, code })
    expect(await runToEnd(aws, 'Echo')).toMatchObject({ output: 'module' })
  })

  test('that throws while it is loaded fails the invocation with that error', async () => {
    const aws = await boot({ ...echo, code: { 'index.js': "throw new RangeError('too early')" } })
    expect(await runToEnd(aws, 'Echo')).toMatchObject({ error: 'RangeError', cause: { errorMessage: 'too early' } })
  })

  test('is loaded before the first invocation when the workers are prewarmed', async () => {
    const loaded = Promise.withResolvers<string>()
    const code = { 'index.js': "console.log('loaded'); exports.echo = async (event) => event" }
    await boot({ ...echo, code }, { prewarm: true, onFunctionLog: (_name, line) => loaded.resolve(line) })
    await expect(loaded.promise).resolves.toBe('loaded')
  })
})

describe('invocations at once', () => {
  test.each([
    [1, [1, 2]],
    [2, [1, 1]],
  ])('share %i workers', async (workersPerFunction, counts) => {
    const aws = await boot({ functions: { count: {} }, machines: { Count: oneTask('count') } }, { workersPerFunction })
    const runs = await Promise.all(['first', 'second'].map((name) => runToEnd(aws, 'Count', {}, name)))
    expect(runs.map((run) => (run.output as { readonly invocations: number }).invocations).sort()).toEqual(counts)
  })
})

test('executions that have begun end before many others begin', async () => {
  const States = { Quick: task('echo', { Next: 'Slow' }), Slow: task('put') }
  const aws = await boot({
    functions: { echo: {}, put: ON_TABLE },
    machines: { Both: { StartAt: 'Quick', States } },
    resources: { Table: TABLE },
  })
  const ids = Array.from({ length: 120 }, (_, nth) => `run-${nth}`)
  const runs = await Promise.all(ids.map((id) => runToEnd(aws, 'Both', { id }, id)))
  const changes = runs.flatMap(({ executionArn, status, stopDate }) => {
    expect(status).toBe('SUCCEEDED')
    const begun = aws.history(executionArn).find(({ type }) => type === 'TaskStateExited')
    return [
      { atMs: begun?.timestamp.getTime() ?? 0, by: 1 },
      { atMs: stopDate?.getTime() ?? 0, by: -1 },
    ]
  })
  const underWay = changes.sort((a, b) => a.atMs - b.atMs || a.by - b.by)
  const atOnce = underWay.map((_, nth) => underWay.slice(0, nth + 1).reduce((sum, { by }) => sum + by, 0))
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(16)
})

describe('a function that does not answer', () => {
  test('fails its Task with the name and message of what it threw', async () => {
    const aws = await boot({ functions: { fail: {} }, machines: { Fail: oneTask('fail') } })
    expect(await runToEnd(aws, 'Fail')).toMatchObject({
      status: 'FAILED',
      error: 'Transient',
      cause: { errorType: 'Transient', errorMessage: 'try again' },
    })
  })

  test('fails with Runtime.ExitError when its process exits, and is replaced for the next call', async () => {
    const aws = await boot({ functions: { exit: {} }, machines: { Exit: oneTask('exit') } })
    for (const name of ['first', 'second']) {
      expect(await runToEnd(aws, 'Exit', {}, name)).toMatchObject({
        error: 'Runtime.ExitError',
        cause: { errorMessage: expect.stringContaining('exit status 3') },
      })
    }
  })

  test('fails with Sandbox.Timedout when it outlasts its time-out', async () => {
    const aws = await boot({ functions: { hang: { timeoutSeconds: 1 } }, machines: { Hang: oneTask('hang') } })
    expect(await runToEnd(aws, 'Hang')).toMatchObject({
      error: 'Sandbox.Timedout',
      cause: { errorMessage: expect.stringContaining('Task timed out after 1.00 seconds') },
    })
  })

  test('fails with the name of an error that nobody caught', async () => {
    const aws = await boot({ functions: { throwLater: {} }, machines: { Later: oneTask('throwLater') } })
    expect(await runToEnd(aws, 'Later')).toMatchObject({ error: 'Transient' })
  })

  test('fails with Runtime.HandlerNotFound when the bundle has no such export', async () => {
    const aws = await boot({ functions: { missing: {} }, machines: { Missing: oneTask('missing') } })
    expect(await runToEnd(aws, 'Missing')).toMatchObject({ error: 'Runtime.HandlerNotFound' })
  })

  test('ends its Task with States.Timeout when the Task gives up first', async () => {
    const aws = await boot({
      functions: { hang: {} },
      machines: { Hang: oneTask('hang', { TimeoutSeconds: 1 }) },
    })
    const run = await runToEnd(aws, 'Hang')
    expect(run).toMatchObject({ status: 'FAILED', error: 'States.Timeout', cause: undefined })
  })

  test('is tried again as its retrier says, and the waits use the clock', async () => {
    const clock = skippingClock()
    const retry = [{ ErrorEquals: ['Transient'], IntervalSeconds: 7, BackoffRate: 3, MaxAttempts: 5 }]
    const aws = await boot(
      { functions: { recover: {} }, machines: { Recover: oneTask('recover', { Retry: retry }) } },
      { clock },
    )
    expect(await runToEnd(aws, 'Recover', { failures: 2 })).toMatchObject({ output: { invocations: 3 } })
    expect(clock.slept).toEqual([7000, 21_000])
  })

  test('is caught, and the catcher puts error and cause at its ResultPath', async () => {
    const catchers = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.fault', Next: 'Caught' }]
    const aws = await boot({
      functions: { fail: {} },
      machines: {
        Catch: {
          StartAt: 'Try',
          States: { Try: task('fail', { Catch: catchers, End: true }), Caught: { Type: 'Succeed' } },
        },
      },
    })
    expect(await runToEnd(aws, 'Catch', { kept: 1 })).toMatchObject({
      status: 'SUCCEEDED',
      output: { kept: 1, fault: { Error: 'Transient', Cause: expect.stringContaining('try again') } },
    })
  })

  test('cannot be invoked with a role that does not allow it', async () => {
    const aws = await boot({ functions: { echo: {} }, machines: { Echo: oneTask('echo') }, invocable: ['other'] })
    expect(await runToEnd(aws, 'Echo')).toMatchObject({
      error: 'Lambda.AWSLambdaException',
      cause: expect.stringContaining('is not authorized to perform: lambda:InvokeFunction'),
    })
  })

  test('fails with States.DataLimitExceeded when it answers more than a state may hold', async () => {
    const aws = await boot({ functions: { large: {} }, machines: { Large: oneTask('large') } })
    expect(await runToEnd(aws, 'Large', { bytes: 262_143 }, 'over')).toMatchObject({
      error: 'States.DataLimitExceeded',
    })
    expect(await runToEnd(aws, 'Large', { bytes: 262_142 }, 'within')).toMatchObject({ status: 'SUCCEEDED' })
    expect(await runToEnd(aws, 'Large', { bytes: 6_291_456 }, 'far')).toMatchObject({
      error: 'Function.ResponseSizeTooLarge',
    })
  })
})

// Sends 1,000 hostile requests to each port of a process that runs the embedded AWS. The process survives, its memory
// does not grow, its schedules fire and authorised requests are answered.
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type AttackedProcess, type Memory, startAttackedProcess } from '../../../../test/helpers/attacked-process.ts'
import { attack, connected } from '../../../../test/helpers/hostile-requests.ts'
import { ByteBudget, LocalServer, type LocalServerOptions, readBody } from '../../http/local-server.ts'
import { ACCOUNT, oneTask, REGION, TABLE, temporaryDirectory, writeAssembly } from './fixture/assembly.ts'
import type { Started } from './fixture/attacked.ts'
import { anyoneMayCall } from './fixture/function-url.ts'
import { ask } from './fixture/signed.ts'

const MOST_KEPT_BYTES = 32 * 1024 * 1024
/** Above the size of all bodies that a server holds at once, and far below the size of all bodies sent. */
const MOST_GROWTH_BYTES = 300 * 1024 * 1024

const SCHEDULE = {
  Role: {
    Type: 'AWS::IAM::Role',
    Properties: {
      RoleName: 'schedule',
      Policies: [
        {
          PolicyName: 'own',
          PolicyDocument: {
            Statement: [
              {
                Effect: 'Allow',
                Action: 'states:StartExecution',
                Resource: `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:Echo`,
              },
            ],
          },
        },
      ],
    },
  },
  Schedule: {
    Type: 'AWS::Scheduler::Schedule',
    Properties: {
      Name: 'hourly',
      ScheduleExpression: 'cron(30 * * * ? *)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn: { Ref: 'MachineEcho' }, RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] }, Input: '{}' },
    },
  },
}

const { directory, remove } = temporaryDirectory()
let attacked: AttackedProcess<Started>
let started: Started
beforeAll(async () => {
  const assemblyDir = await writeAssembly(path.join(directory, 'cdk.out'), {
    functions: { echo: {} },
    machines: { Echo: oneTask('echo') },
    resources: { Table: TABLE, ...SCHEDULE, ...anyoneMayCall('echo') },
  })
  const script = path.join(import.meta.dirname, 'fixture', 'attacked.ts')
  attacked = await startAttackedProcess<Started>(script, [assemblyDir, path.join(directory, 'state')])
  started = attacked.started
})
afterAll(async () => {
  await attacked?.stop()
  remove()
})

test.each([
  ['the AWS endpoints', () => ({ port: Number(new URL(started.endpointUrl).port), path: '/' })],
  [
    'the functions’ URLs',
    () => ({ port: Number(new URL(started.functionUrl).port), path: new URL(started.functionUrl).pathname }),
  ],
])('%s survive 1,000 hostile requests', async (_name, target) => {
  const { port, path: where } = target()
  expect(await ask(started, 'DynamoDB_20120810.ListTables', {})).toMatchObject({ status: 200 })
  // The first attack allocates the memory that a server keeps for good.
  await attack(port, where, 4)
  const { runs } = await attacked.ask<{ readonly runs: number }>('pass-an-hour')
  const before = await attacked.ask<Memory>('memory')

  // During the second attack, authorised requests are answered and the schedule fires.
  const attacking = attack(port, where)
  for (let nth = 0; nth < 20; nth += 1) {
    expect(await ask(started, 'DynamoDB_20120810.ListTables', {})).toMatchObject({ status: 200 })
  }
  expect(await attacked.ask('pass-an-hour')).toEqual({ runs: runs + 1 })
  await attacking
  // The server may hold some of the accepted bodies until the function has answered.
  const growth = async () => (await attacked.ask<Memory>('memory')).keptBytes - before.keptBytes
  await expect.poll(growth).toBeLessThan(MOST_KEPT_BYTES)
  const { mostBytes } = await attacked.ask<Memory>('memory')
  expect(mostBytes - before.mostBytes).toBeLessThan(MOST_GROWTH_BYTES)
  const answer = await fetch(started.functionUrl, { method: 'POST', body: 'hello' })
  expect([answer.status, await answer.json()]).toMatchObject([200, { rawPath: '/' }])
})

test('a body of 20 MB is answered 413, or its connection is closed, on both ports', async () => {
  const body = Buffer.alloc(20 * 1024 * 1024, 'a')
  for (const url of [started.endpointUrl, started.functionUrl]) {
    const status = await fetch(url, { method: 'POST', body }).then(
      (answer) => answer.status,
      () => 'closed',
    )
    expect([400, 413, 'closed']).toContain(status)
  }
  expect(await ask(started, 'DynamoDB_20120810.ListTables', {})).toMatchObject({ status: 200 })
})

test('an authorised caller gets an error if the request is too large', async () => {
  const response = await ask(started, 'DynamoDB_20120810.PutItem', { text: 'a'.repeat(20 * 1024 * 1024) })
  expect(response).toMatchObject({ status: 413, body: { __type: 'RequestEntityTooLargeException' } })
})

const QUICK = { headersWithinMs: 50, requestWithinMs: 100, takenWithinMs: 100, lookEveryMs: 10 }

/** For clients that send complete requests, on a machine that may be busy. */
const PATIENT = { ...QUICK, headersWithinMs: 60_000, requestWithinMs: 60_000 }

async function serve(answer: LocalServerOptions['answer'], limits = PATIENT): Promise<number> {
  const server = new LocalServer({ answer, keepAliveMs: 60_000, limits })
  await server.listen(0)
  onTestFinished(() => server.close())
  return server.port
}

test.each([
  ['sends nothing', ''],
  ['sends half of its headers', 'POST / HTTP/1.1\r\nHost: a\r\n'],
  ['sends half of its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na'],
])('a client that %s is disconnected', async (_name, text) => {
  const port = await serve(async (request) => {
    await readBody(request, 100)
    return 'no-answer'
  }, QUICK)
  const socket = await connected(port)
  socket.write(text)
  await once(socket, 'close')
})

test('a client that does not read the answer is disconnected', async () => {
  const body = Buffer.alloc(64 * 1024 * 1024)
  const disconnected = Promise.withResolvers<void>()
  const port = await serve(async (request) => {
    request.socket.once('close', () => disconnected.resolve())
    return { status: 200, headers: {}, body }
  })
  const socket = await connected(port)
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await disconnected.promise
  socket.destroy()
})

test('many connections close the oldest unknown connection, and no known connection', async () => {
  const port = await serve(async (request, connections) => {
    connections.keep(request.socket)
    return { status: 200, headers: {}, body: Buffer.from('known') }
  })
  const known = await connected(port)
  known.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(known, 'data')
  const [oldest, ...others] = await Promise.all(Array.from({ length: 300 }, () => connected(port)))
  if (oldest !== undefined && !oldest.closed) await once(oldest, 'close')
  known.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(known, 'data')
  for (const socket of [known, ...others]) socket.destroy()
})

test('bodies beyond the byte budget of a server are refused until other bodies are released', async () => {
  const budget = new ByteBudget(4_000)
  const read: (string | number)[] = []
  const port = await serve(async (request) => {
    const bytes = await readBody(request, 1_000, budget)
    read.push(Buffer.isBuffer(bytes) ? bytes.length : bytes)
    if (Buffer.isBuffer(bytes)) budget.giveBack(bytes.length)
    return { status: 200, headers: {}, body: Buffer.alloc(0) }
  })
  const post = (length: number) => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: Buffer.alloc(length) })
  const hasRoomFor = (bytes: number) => {
    const has = budget.take(bytes)
    if (has) budget.giveBack(bytes)
    return has
  }
  expect(budget.take(3_500)).toBe(true)
  for (const length of [500, 501, 1_001]) await post(length)
  budget.giveBack(3_500)
  await post(1_000)
  // A client that disconnects releases its share of the budget.
  const socket = await connected(port)
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n${'a'.repeat(999)}`)
  await expect.poll(() => hasRoomFor(3_500)).toBe(false)
  socket.destroy()
  await expect.poll(() => hasRoomFor(4_000)).toBe(true)
  expect(read).toEqual([500, 'too-many', 'too-large', 1_000])
})

test('an answer that HTTP cannot carry closes its connection', async () => {
  const port = await serve(async () => ({ status: 200, headers: { 'x-a': 'a\nb' }, body: Buffer.alloc(0) }))
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed')
})

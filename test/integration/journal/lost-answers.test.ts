// Lost or invalid answers of DynamoDB, over a real socket: the functions' client, with the published SDK's retries, and
// the journal's store. A proxy between them carries out a request and cuts the connection.

import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import type { TableClient } from '../../../core/journal/dynamo-table.ts'
import { createListBeginning } from '../../../core/journal/intent-index.ts'
import { createJournal, type Journal, type NewIntent } from '../../../core/journal/journal.ts'
import { nextAttemptMove } from '../../../core/journal/moves.ts'
import { sdkTableClient } from '../../../core/journal/sdk-table-client.ts'
import { requestLimits } from '../../../core/keys/aws-limits.ts'
import { journalClient } from '../../../functions/runtime/clients.ts'
import { settingsOfAws } from '../../helpers/aws-settings.ts'
import { createJournalTable, type DynamoServer, startDynalite } from '../../helpers/dynamo-servers.ts'
import { armed, CONVERSION } from '../../helpers/intents.ts'

/**
 * The fault of one request. `unanswered`: it is carried out, and the connection is cut. `unsent`: the connection is cut
 * before. `silent`: an answer begins and stops. A body: it is carried out, and answered with that body.
 */
type Fault = 'unanswered' | 'unsent' | 'silent' | { readonly body: string }

const TABLE = 'journal'
const ATTEMPTS = 3
let dynamo: DynamoServer
let direct: Journal
let client: TableClient
let ids = 0
/** The faults of the next puts, or of the next reads, in order. */
const faults: Record<string, Fault[]> = {}
/** The answers on DynamoDB's side, in order, such as `PutItem 400`. */
const seen: string[] = []
/** Called after a put was carried out and before its connection is cut. */
let onCut: () => Promise<unknown> = async () => undefined

const proxy = createServer((incoming, response) => void pass(incoming, response))

async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(incoming)
  const [, operation = ''] = String(incoming.headers['x-amz-target']).split('.')
  const fault = faults[operation]?.shift()
  if (fault === 'silent') {
    seen.push(`${operation} silent`)
    response.writeHead(200).write('{"Item":')
    return
  }
  if (fault === 'unsent') {
    seen.push(`${operation} unsent`)
    incoming.socket.destroy()
    return
  }
  const { endpoint } = dynamo.client.config
  const { port } = (await endpoint?.()) ?? {}
  const { headers, method } = incoming
  const onward = httpRequest({ host: '127.0.0.1', port, method, headers, agent: false }, (answer) => {
    void text(answer).then(async (told) => {
      seen.push(`${operation} ${answer.statusCode}`)
      if (fault === 'unanswered') {
        await onCut()
        incoming.socket.destroy()
      } else if (fault !== undefined) response.writeHead(200).end(fault.body)
      else response.writeHead(answer.statusCode ?? 502, answer.headers).end(told)
    })
  })
  onward.end(body)
}

beforeAll(async () => {
  dynamo = await startDynalite()
  await createJournalTable(dynamo.client, TABLE)
  direct = journalOf(dynamo.client)
  const { promise, resolve } = Promise.withResolvers<void>()
  proxy.listen(0, '127.0.0.1', resolve)
  await promise
})
afterAll(async () => {
  proxy.close()
  proxy.closeAllConnections()
  await dynamo?.stop()
})
beforeEach(({ onTestFinished }) => {
  settingsOfAws(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, {
    variables: ['AWS_ENDPOINT_URL_DYNAMODB'],
  })
  client = journalClient()
  for (const operation of Object.keys(faults)) delete faults[operation]
  seen.length = 0
  onCut = async () => undefined
  onTestFinished(() => void vi.unstubAllEnvs())
})

const journalOf = (of: TableClient) => createJournal(createDynamoStore(of, TABLE), () => `stamp-${++ids}`)
const newIntent = (intentId: string): NewIntent<'convert'> => ({
  ...CONVERSION,
  intentId,
  createdAt: '2026-01-01T00:00:00.000Z',
  notAfter: '2026-01-01T01:00:00.000Z',
})

// A create, a replace and a claim: each is applied, loses its answer, and is refused when repeated.
test('a write that was applied, lost its answer and is refused when the SDK repeats it counts as written', async () => {
  const journal = journalOf(client)
  const intentId = `lost-${++ids}`
  const puts = () => seen.splice(0).filter((line) => line.startsWith('PutItem'))
  faults.PutItem = ['unanswered']
  const opened = await journal.open(newIntent(intentId))
  expect(puts()).toEqual(['PutItem 200', 'PutItem 400'])
  faults.PutItem = ['unanswered']
  const moved = await journal.advance(opened, armed(opened, `order-${ids}`))
  expect(puts()).toEqual(['PutItem 200', 'PutItem 400'])
  expect(await direct.find(intentId, 'convert')).toEqual(moved)
  expect(moved).toMatchObject({ state: 'ARMED', version: 2 })
  faults.PutItem = ['unanswered']
  expect(await journal.claim('convert', `order-${ids}`, intentId)).toBeUndefined()
  expect(puts()).toEqual(['PutItem 200', 'PutItem 400'])
})

test('a write whose every answer is lost counts as written, once', async () => {
  faults.PutItem = Array.from({ length: ATTEMPTS }, () => 'unanswered')
  const opened = await journalOf(client).open(newIntent('all-lost'))
  expect(seen).toEqual(['PutItem 200', 'PutItem 400', 'PutItem 400', 'GetItem 200'])
  expect(await direct.find('all-lost', 'convert')).toEqual(opened)
})

test("the SDK's repetition applies a write that was cut off on its way", async () => {
  faults.PutItem = ['unsent']
  const opened = await journalOf(client).open(newIntent('repeated'))
  expect(seen).toEqual(['PutItem unsent', 'PutItem 200'])
  expect(await direct.find('repeated', 'convert')).toEqual(opened)
})

test('a write that never arrived does not count as written', async () => {
  faults.PutItem = Array.from({ length: ATTEMPTS }, () => 'unsent')
  await expect(journalOf(client).open(newIntent('never'))).rejects.toMatchObject({
    name: 'Transient',
    message: 'the journal did not confirm a write (ECONNRESET)',
  })
  expect(await direct.find('never', 'convert')).toBeUndefined()
})

test('a claim that another intent holds stays its own, although the refusal was lost and repeated', async () => {
  await direct.claim('convert', 'held', 'first')
  faults.PutItem = ['unanswered']
  expect(await journalOf(client).claim('convert', 'held', 'second')).toBe('first')
  expect(seen.filter((line) => line.startsWith('PutItem'))).toEqual(['PutItem 400', 'PutItem 400'])
})

test('a process that armed, lost the answer, and was overtaken before the repetition does not send', async () => {
  const ready = await direct.open(newIntent('overtaken'))
  onCut = async () => {
    const found = await direct.find('overtaken', 'convert')
    if (found === undefined) throw new TypeError('the put was not carried out')
    return direct.advance(found, nextAttemptMove(found))
  }
  faults.PutItem = ['unanswered']
  const journal = journalOf(client)
  await expect(journal.advance(ready, armed(ready, 'order'))).rejects.toMatchObject({ name: 'Transient' })
  expect(await direct.find('overtaken', 'convert')).toMatchObject({ version: 3 })
})

/** Bodies that the SDK reads as an answer without fields. A proxy in place of DynamoDB may answer like this. */
const NO_ANSWERS = ['', 'null', '[]', '{}', '"x"', '{"Item":null}']

test("an answer that is not DynamoDB's does not count as a missing record", async () => {
  const store = createDynamoStore(client, TABLE)
  for (const body of NO_ANSWERS) {
    faults.GetItem = [{ body }]
    await expect(store.read('H#*')).rejects.toMatchObject({
      name: 'Transient',
      message: 'the journal did not answer a read (SyntaxError)',
    })
    expect(await store.read('H#*')).toBeUndefined()
  }
})

test('a write that something else than DynamoDB answered is settled by a read', async () => {
  const journal = journalOf(client)
  for (const body of NO_ANSWERS) {
    faults.PutItem = [{ body }]
    const opened = await journal.open(newIntent(`answered-${++ids}`))
    expect(seen.splice(0)).toEqual(['PutItem 200', 'GetItem 200'])
    expect(await direct.find(opened.intentId, 'convert')).toEqual(opened)
  }
})

test("an answer that is not DynamoDB's does not count as an empty list", async () => {
  faults.Query = [{ body: '{}' }]
  await expect(createListBeginning(client, TABLE)('OPEN', 10)).rejects.toThrow(
    'the journal did not list intents (SyntaxError)',
  )
})

test.each(['[]', '"x"', '{"pk":null}', '{"pk":"x"}', '{"pk":{"S":"H#*"},"l":{"L":{}}}'])(
  'an invalid record is an error, and not an empty record: %s',
  async (item) => {
    faults.GetItem = [{ body: `{"Item":${item},"ConsumedCapacity":{"TableName":"journal","CapacityUnits":1}}` }]
    await expect(createDynamoStore(client, TABLE).read('H#*')).rejects.toBeInstanceOf(Error)
  },
)

test('an answer that starts and then stops is dropped, and requested again', async ({ onTestFinished }) => {
  // On a slow machine the limit may end more attempts than the first.
  const limits = requestLimits({ connectionTimeoutMs: 60_000, requestTimeoutMs: 200, attempts: 20 })
  const impatient = new DynamoDBClient(limits)
  onTestFinished(() => impatient.destroy())
  await direct.claim('convert', 'stopped', 'first')
  faults.GetItem = ['silent']
  expect(await journalOf(sdkTableClient(impatient)).findClaim('convert', 'stopped')).toBe('first')
  expect([seen[0], seen.at(-1)]).toEqual(['GetItem silent', 'GetItem 200'])
})

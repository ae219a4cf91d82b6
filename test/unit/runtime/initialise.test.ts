// A function opens its connections before its first call, and reports a wrong environment to its state machine.
import { marshall } from '@aws-sdk/util-dynamodb'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { JOURNAL_FORM } from '../../../core/contract/records.ts'
import { chained } from '../../../core/journal/record-chain.ts'
import { answerJson, startLocalServer } from '../../helpers/local-server.ts'
import { catchLogLines } from '../../helpers/log-lines.ts'
import { USED } from '../../helpers/used-capacity.ts'

beforeEach(() => {
  vi.resetModules()
  catchLogLines()
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** The functions' module, loaded again as Lambda would for this handler. */
function load(
  handler: string,
  env: Record<string, string> = {},
): Promise<typeof import('../../../functions/movements.ts')> {
  for (const [name, value] of Object.entries({ ...env, _HANDLER: handler })) vi.stubEnv(name, value)
  return import('../../../functions/movements.ts')
}

const OWN_TABLE = chained(
  {
    pk: 'A#journal',
    version: 1,
    format: 1,
    stamp: 'stamp',
    tableId: 'table-1',
    at: '2026-01-01T00:00:00.000Z',
    form: JOURNAL_FORM,
  },
  undefined,
)

/** A journal that holds only its owner, and keeps the list of requested records. */
async function startJournal() {
  const asked: string[] = []
  let hear: () => void = () => undefined
  const firstRead = new Promise<void>((resolve) => {
    hear = resolve
  })
  const server = await startLocalServer((request, response) => {
    const { Key } = JSON.parse(request.body.toString()) as { Key?: { pk: { S: string } } }
    if (Key === undefined) {
      // Other requests ask for the table's description, and put records.
      answerJson(response, 200, { Table: { TableId: 'table-1' }, ...USED })
      return
    }
    asked.push(Key.pk.S)
    hear()
    answerJson(response, 200, Key.pk.S === OWN_TABLE.pk ? { Item: marshall(OWN_TABLE), ...USED } : USED)
  })
  onTestFinished(() => server.stop())
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: server.baseUrl,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    SLUICE_JOURNAL_TABLE: 'journal',
    SLUICE_TIMING: '{}',
  }
  return { env, asked, firstRead }
}

const brokenRun = {
  execution: 'intent-1',
  kind: 'convert',
  startedAt: '2026-01-01T00:00:00Z',
  request: { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' },
  fault: { Error: 'Transient', Cause: 'no answer' },
}

test('the function that Lambda names opens its journal before anybody calls it', async () => {
  const { env, asked, firstRead } = await startJournal()
  await load('movements.conclude', env)
  await firstRead
  expect(asked).toEqual(['A#journal'])
})

test.each(['movements.conclude', 'wrapper.handler'])(
  'loaded for %s, a function builds its clients once',
  async (handler) => {
    const { env, asked } = await startJournal()
    const { conclude } = await load(handler, env)
    for (let call = 1; call <= 3; call += 1) {
      expect(await conclude(brokenRun)).toMatchObject({ outcome: 'FAILED' })
    }
    expect(asked.filter((key) => key === 'A#journal')).toHaveLength(1)
  },
)

test.each(['quote', 'order', 'pollOrder', 'conclude'] as const)(
  '%s reports a wrong environment when it is called, so that the state machine learns of it',
  async (verb) => {
    const functions = await load(`movements.${verb}`, { SLUICE_JOURNAL_TABLE: '' })
    for (let call = 1; call <= 2; call += 1) {
      await expect(functions[verb]({ intentId: 'intent-1' })).rejects.toMatchObject({
        name: 'Defect',
        message: expect.stringMatching(
          /^environment SLUICE_[A-Z_]+: expected a value.*; deploy again from treasury\.json$/,
        ),
      })
    }
  },
)

// Whatever the answer is, no secret of the request may appear in an error, in its causes, or in the stored part of an
// answer.
import { inspect } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { settledAmount } from '../../../core/money/amount.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { setUpClient, testKey, withTime } from '../../helpers/client-setup.ts'
import { type Arrived, answerJson, answerProblem, type Respond } from '../../helpers/local-server.ts'
import { holdDeadlines, hostileAnswers, LIMITS } from './hostile-answers.ts'

beforeEach(holdDeadlines)

const secretsOf = (request: Arrived) =>
  `${request.headers.authorization} ${request.headers['x-api-key']} ${request.body.toString()}`

const echoes: readonly { readonly what: string; readonly respond: Respond }[] = [
  {
    what: 'an HTML page that echoes the request',
    respond: (request, response) => response.writeHead(502, { 'content-type': 'text/html' }).end(secretsOf(request)),
  },
  {
    what: 'a problem document that echoes the request in every field',
    respond: (request, response) => {
      const echo = secretsOf(request)
      const secret = echo.split(' ')[1] ?? ''
      answerProblem(response, 401, 'unauthorized', {
        type: echo,
        title: echo,
        detail: `${'x'.repeat(200)}${echo}`,
        instance: echo,
        traceId: secret,
        reason: secret,
        extensions: { echo, [secret]: secret, list: [echo] },
      })
    },
  },
  {
    what: 'a problem document whose code is the secret',
    respond: (request, response) => answerProblem(response, 401, secretsOf(request).split(' ')[1] ?? ''),
  },
  {
    what: 'bytes that are no HTTP',
    respond: (request, _response, socket) => socket.end(`HTTP/1.1 200 OK\r\n${secretsOf(request)}\r\n\r\n`),
  },
  {
    what: 'a status text',
    respond: (request, _response, socket) =>
      socket.end(`HTTP/1.1 500 ${request.headers.authorization}\r\ncontent-length: 0\r\n\r\n`),
  },
  {
    what: 'a redirect',
    respond: (request, response) =>
      response.writeHead(302, { location: `/?${encodeURIComponent(secretsOf(request))}` }).end(),
  },
  {
    what: 'JSON that is none',
    respond: (request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{${secretsOf(request)}`),
  },
  {
    what: 'fields that are not as promised',
    respond: (request, response) => {
      const echo = secretsOf(request)
      answerJson(response, 200, { id: echo, amountIncrement: echo, base: { rate: echo }, data: [echo], [echo]: echo })
    },
  },
]

const reads: Readonly<Record<string, (client: ServiceClient) => Promise<unknown>>> = {
  account: (client) => client.account(),
  asset: (client) => client.asset('BTC'),
  order: (client) => client.findOrder('o-1'),
  fills: (client) => client.fillsOf('o-1', 10),
  balances: (client) => client.balances(),
  withdrawals: (client) => client.listWithdrawals({}, 10),
  contact: (client) => client.contact('c-1'),
  ledger: (client) => client.walkLedger().next(),
  rename: (client) => client.renameContact('c-1', { alias: 'x' }),
  quote: (client) =>
    client.createQuote({ baseAsset: 'BTC', quoteAsset: 'USD', side: 'BUY', amountAsset: 'BTC', amount: '1' }),
}

function expectNoSecretIn(shown: unknown): void {
  const error = shown as { message?: string; stack?: string; cause?: unknown } | undefined
  const text = [
    inspect(shown, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null }),
    JSON.stringify(shown),
    error?.message,
    error?.stack,
    inspect(error?.cause, { depth: 20 }),
  ].join('\n')
  expect(text).not.toContain(testKey.secret.slice(9, 24))
  expect(text).not.toMatch(/eyJ[\w-]{8,}/)
  expect(text).not.toContain(testKey.privateKeyPem.split('\n')[1])
}

describe.each([...echoes, ...hostileAnswers])('$what', ({ respond }) => {
  it('brings no secret into the error of any read', async () => {
    const { client } = await setUpClient(respond, { limits: LIMITS })
    const errors = await Promise.all(
      Object.values(reads).map((read) =>
        read(client).then(
          () => undefined,
          (thrown: unknown) => thrown,
        ),
      ),
    )
    for (const error of errors) {
      expect(error).toBeInstanceOf(Error)
      expectNoSecretIn(error)
    }
  })

  it("brings no secret into the stored part of a send's answer", async () => {
    const { client } = await setUpClient(withTime(respond), { limits: LIMITS })
    await client.clock.measure()
    const amount = settledAmount('BTC', '1', 'amount')
    const order = await client.prepareOrder('q-1', 30)
    const withdrawal = await client.prepareWithdrawal({ amount, feeMode: 'add', contactId: 'c-1' }, 30)
    for (const prepared of [order, withdrawal]) {
      const answer = await prepared.send()
      expect(answer.kind).toBe('unproven')
      expectNoSecretIn(answer)
      expectNoSecretIn(prepared)
    }
  })
})

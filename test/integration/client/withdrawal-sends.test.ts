// A withdrawal arrives once, in settled units, and only a proof counts as a yes or a no.
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { rebasedAmount, settledAmount } from '../../../core/money/amount.ts'
import type { WithdrawalRequest } from '../../../core/service/ports.ts'
import { setUpClient, testKey, withTime } from '../../helpers/client-setup.ts'
import { answerJson, answerProblem, type Respond } from '../../helpers/local-server.ts'
import { hangAfter, holdDeadlines, hostileAnswers, LIMITS } from './hostile-answers.ts'
import { WITHDRAWAL } from './movement-answers.ts'

const REQUEST: WithdrawalRequest = {
  amount: settledAmount('AAPLSPV', '2.10', 'amount'),
  feeMode: 'deduct',
  contactId: 'c-1',
}
const CREATED = { ...WITHDRAWAL, assetFormat: 'base', assetSymbol: 'AAPLSPV', ...WITHDRAWAL.base }

beforeEach(holdDeadlines)

async function sendOne(respond: Respond, request = REQUEST, options: Parameters<typeof setUpClient>[1] = {}) {
  const { server, client, clock } = await setUpClient(withTime(respond), options)
  const prepared = await client.prepareWithdrawal(request, 30)
  const answer = await prepared.send()
  return { server, client, clock, prepared, answer, sent: server.arrived.filter(({ method }) => method === 'POST') }
}

describe('a withdrawal', () => {
  it('is sent once, signed, in settled units of the settled code, to a contact by its id', async () => {
    const { sent, prepared, answer } = await sendOne((_request, response) => answerJson(response, 201, CREATED))
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ target: '/v2/withdrawals', headers: { 'x-api-key': testKey.key.prefix } })
    expect(sent[0]?.body.toString()).toBe(
      '{"assetSymbol":"AAPLSPV","amount":"2.1","feeMode":"deduct","contactId":"c-1"}',
    )
    expect(prepared.facts.bodySha256).toBe(
      createHash('sha256')
        .update(sent[0]?.body ?? '')
        .digest('hex'),
    )
    expect(answer).toMatchObject({
      kind: 'accepted',
      withdrawal: { id: 'w-1', assetSymbol: 'AAPLSPV', amount: '2', fee: '0.1', total: '2.1', status: 'PENDING' },
    })
  })

  it('in rebased units does not compile', async () => {
    const rebased = rebasedAmount('AAPLX', '4', 'amount')
    // @ts-expect-error a rebased amount is no settled one
    const request: WithdrawalRequest = { ...REQUEST, amount: rebased }
    expect(request.amount).toBe(rebased)
  })

  it.each<[string, Partial<WithdrawalRequest>]>([
    ['of nothing', { amount: settledAmount('BTC', '0.0', 'amount') }],
    ['to nobody', { contactId: '' }],
    ['to a dot segment', { contactId: 'a/..' }],
    ['to an encoded dot segment', { contactId: '%2e%2e' }],
    ['to a contact with a line break', { contactId: 'a\nb' }],
    ['to an id of 257 characters', { contactId: 'x'.repeat(257) }],
  ])('%s is refused before anything leaves', async (_what, wrong) => {
    const { server, client } = await setUpClient(withTime(() => undefined))
    await expect(client.prepareWithdrawal({ ...REQUEST, ...wrong }, 30)).rejects.toMatchObject({ name: 'Refused' })
    expect(server.arrived).toHaveLength(0)
  })

  it.each<[string, string, string]>([
    ['a body cut off', 'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"id":', 'cut_off'],
    ['no body', 'content-type: application/json\r\ncontent-length: 0\r\n\r\n', 'not_json'],
    ['HTML', 'content-type: text/html\r\ncontent-length: 4\r\n\r\n<h1>', 'not_json'],
    ['another shape', 'content-type: application/json\r\ncontent-length: 2\r\n\r\n{}', 'not_as_promised'],
    ['a body that never comes', 'content-type: application/json\r\ncontent-length: 9\r\n\r\n', 'timed_out'],
  ])('answered 201 with %s is accepted, and reports that its row is unknown', async (_what, rest, code) => {
    const { answer, sent } = await sendOne(
      (request, response, socket) => {
        const opening = `HTTP/1.1 201 Created\r\n${rest}`
        if (code === 'timed_out') return hangAfter(opening)(request, response, socket)
        socket.write(opening)
        if (code === 'cut_off') socket.end()
      },
      REQUEST,
      { limits: LIMITS },
    )
    expect(answer).toMatchObject({ kind: 'accepted_unread', said: { code, status: 201, business: false } })
    expect(sent).toHaveLength(1)
  })

  it.each(hostileAnswers)('answered with $what is unproven, and arrived once', async ({ respond }) => {
    const { answer, sent } = await sendOne(respond, REQUEST, { limits: LIMITS })
    expect(answer).toMatchObject({ kind: 'unproven', said: { business: false } })
    expect(sent).toHaveLength(1)
  })

  it.each([200, 202])('answered with %s, which is not promised, is unproven', async (status) => {
    const { answer } = await sendOne((_request, response) => answerJson(response, status, CREATED))
    expect(answer).toMatchObject({ kind: 'unproven', said: { code: 'unexpected_status', status } })
  })

  it('refused for business reasons reports that', async () => {
    const { answer } = await sendOne((_request, response) => answerProblem(response, 422, 'unprocessable'))
    expect(answer).toMatchObject({ kind: 'unproven', said: { code: 'unprocessable', business: true } })
  })
})

describe('a send refused for its clock', () => {
  it('is not sent again; service time is measured again before the next one is signed', async () => {
    const { sent, client, server } = await sendOne((_request, response) =>
      answerProblem(response, 401, 'clock_skew', { retryable: true }),
    )
    expect(sent).toHaveLength(1)
    await client.prepareWithdrawal(REQUEST, 30)
    expect(server.arrived.map(({ target }) => target)).toEqual(['/v2/time', '/v2/withdrawals', '/v2/time'])
  })
})

describe('service time', () => {
  it('is measured before the first signature, and again after an hour', async () => {
    const { server, client, clock } = await setUpClient(withTime(() => undefined))
    await client.prepareWithdrawal(REQUEST, 30)
    clock.advance(3_600_000)
    await client.prepareWithdrawal(REQUEST, 30)
    expect(server.arrived).toHaveLength(1)
    clock.advance(1)
    await client.prepareWithdrawal(REQUEST, 30)
    // The clock of this service stands still, so its answer is a jump, and is read once more.
    expect(server.arrived).toHaveLength(3)
  })
})

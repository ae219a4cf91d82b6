// Tests whose decisions a function accepts. It tries decisions signed for another purpose, old and repeated decisions,
// and an STS that lies.
import http, { type ServerResponse } from 'node:http'
import https from 'node:https'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { MOST_ROWS_OF_FILE, payoutRowsOfFile } from '../../../core/contract/payouts.ts'
import type { SignedRequest } from '../../../core/contract/people.ts'
import { recordKey } from '../../../core/contract/records.ts'
import { KeyFault, OwnFault, Refused, Transient } from '../../../core/errors.ts'
import { createAcceptedRequests } from '../../../core/journal/accepted-requests.ts'
import { SIGNED_WITHIN_MS } from '../../../core/people/signed-request.ts'
import { createIdentify, frameSignedRequests } from '../../../functions/runtime/people-frame.ts'
import { signRequest } from '../../../place/aws/sign-request.ts'
import { type LocalServer, startLocalServer } from '../../helpers/local-server.ts'
import { catchLogLines } from '../../helpers/log-lines.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:sluice-decide'
const ANA = 'arn:aws:sts::123456789012:assumed-role/approver/ana'
const TOKEN = 'CanarySessionToken00000000000000000000000'
const CREDENTIALS = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret', sessionToken: TOKEN }
const SAID = '{"decision":"approved"}'
const requested = z.object({ decision: z.string() })

const identity = (Arn = ANA, Account = '123456789012') =>
  JSON.stringify({ GetCallerIdentityResponse: { GetCallerIdentityResult: { Account, Arn, UserId: 'AROA:ana' } } })

let sts: LocalServer
let respond: (response: ServerResponse) => void
let lines: string[]
beforeAll(async () => {
  sts = await startLocalServer((_request, response) => respond(response))
})
afterAll(() => sts.stop())
beforeEach(() => {
  lines = catchLogLines()
  answering(200, identity())
})

function answering(status: number, body: string, headers: Record<string, string> = {}): void {
  respond = (response) => response.writeHead(status, headers).end(body)
}

const word = (arn = ARN, said = SAID) =>
  signRequest(arn, said, { endpoint: sts.baseUrl, region: 'eu-central-1', credentials: CREDENTIALS })

/** A function of its own: its records, and the people whose decisions it acted on. */
function listener(nowMs: () => number = Date.now, stsAddress = sts.baseUrl, fault?: Error) {
  const store = createMemoryStore(() => undefined)
  let ids = 0
  const hearing = {
    identify: createIdentify({ AWS_ENDPOINT_URL_STS: stsAddress }),
    takeWord: createAcceptedRequests(store, () => `id-${++ids}`),
    clock: { nowMs },
  }
  const heard: string[] = []
  const handler = frameSignedRequests('decide', requested, hearing, async (_request, { by }) => {
    heard.push(by)
    if (fault !== undefined) throw fault
    return { outcome: 'APPROVED' }
  })
  /** `caller`: as Lambda names the caller of the URL. */
  const hear = async (said: SignedRequest, invokedFunctionArn = ARN, caller?: string) => {
    const requestContext = { authorizer: { iam: { userArn: caller } } }
    const event = { body: JSON.stringify(said), ...(caller !== undefined && { requestContext }) }
    const answer = await handler(event, { invokedFunctionArn })
    const { statusCode, body } = answer as { statusCode: number; body: string }
    return { status: statusCode, message: (JSON.parse(body) as { message?: string }).message }
  }
  return { hear, heard, store }
}

test('a request with the longest rows of the longest file is read', async () => {
  const { hear, heard } = listener()
  const row = { contactId: 'c'.repeat(36), asset: 'USDC', amount: '1234567.123456', reference: '"'.repeat(140) }
  const rows = Array.from({ length: MOST_ROWS_OF_FILE }, (_, index) => ({ id: `${index}`.padStart(48, '0'), ...row }))
  expect(payoutRowsOfFile.safeParse(rows).error).toBeUndefined()
  expect(await hear(await word(ARN, JSON.stringify({ decision: 'approved', rows })))).toMatchObject({ status: 200 })
  expect(heard).toEqual([ANA])
})

test('the identity is the STS identity of the signature, whatever the event says of a caller', async () => {
  const { hear, heard, store } = listener()
  expect(await hear(await word(), `${ARN}:live`)).toEqual({ status: 200, message: undefined })
  expect(heard).toEqual([ANA])
  const { body, headers } = sts.arrived.at(-1) ?? {}
  expect(body?.toString()).toBe('Action=GetCallerIdentity&Version=2011-06-15')
  expect(headers).toMatchObject({ accept: 'application/json', 'x-sluice-function': ARN })
  expect([...store.records.keys()].filter((key) => key.startsWith(recordKey.spoken('decide', '')))).toHaveLength(1)
})

const BOB = 'arn:aws:sts::123456789012:assumed-role/approver/bob'

test('a permitted caller of the URL brings no decision of somebody else, and does not use it up', async () => {
  const { hear, heard } = listener()
  const said = await word()
  const refused = { status: 400, message: expect.stringContaining('somebody else than its sender signed this request') }
  expect(await hear(said, ARN, BOB)).toEqual(refused)
  expect(heard).toEqual([])
  // The same person may come in another role.
  expect((await hear(said, ARN, 'arn:aws:iam::123456789012:user/Ana')).status).toBe(200)
  expect(heard).toEqual([ANA])
})

test('nothing of a signature or a session token is logged or recorded', async () => {
  const { hear, store } = listener()
  const said = await word()
  await hear(said)
  await hear(said)
  answering(403, '{"Error":{"Code":"SignatureDoesNotMatch"}}')
  await hear(await word())
  const kept = JSON.stringify([lines, [...store.records]])
  expect(lines.length).toBeGreaterThan(2)
  for (const secret of [TOKEN, said.authorization.slice(-64)]) expect(kept).not.toContain(secret)
})

test('a used decision is not taken twice, and signed again it is another decision', async () => {
  const { hear, heard } = listener()
  const said = await word()
  expect((await hear(said)).status).toBe(200)
  expect(await hear(said)).toEqual({ status: 400, message: expect.stringContaining('already accepted') })
  expect((await hear(await word())).status).toBe(200)
  expect(heard).toHaveLength(2)
})

test('a used decision is not taken in another spelling of its signature', async () => {
  const { hear, heard } = listener()
  const said = await word()
  expect((await hear(said)).status).toBe(200)
  const others = [
    said.authorization.replaceAll(', ', ','),
    said.authorization.replace(/[0-9a-f]{64}$/, (signature) => signature.toUpperCase()),
    `${said.authorization} `,
  ]
  for (const authorization of others) expect((await hear({ ...said, authorization })).status).toBe(400)
  expect(heard).toHaveLength(1)
})

test('if one decision arrives twice at the same moment, one is taken', async () => {
  const { hear, heard } = listener()
  const said = await word()
  const answers = await Promise.all([hear(said), hear(said)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(heard).toHaveLength(1)
})

test.each(['\n', '\r\nx-forwarded-for: 1', '\u0000', 'é'])(
  'a session token with %j in it is refused, sent to nobody and written to no log',
  async (text) => {
    const { hear, heard } = listener()
    const before = sts.arrived.length
    const said = { ...(await word()), securityToken: `${TOKEN}${text}${TOKEN}` }
    const answered = await hear(said)
    expect(answered).toEqual({ status: 400, message: expect.stringContaining('body.securityToken') })
    expect([heard, sts.arrived.length - before]).toEqual([[], 0])
    expect(JSON.stringify([lines, answered])).not.toContain(TOKEN)
  },
)

test.each([
  ['Refused', new Refused('the evidence speaks against it'), 400],
  ['Transient', new Transient('the service did not answer'), 503],
  ['OwnFault', new OwnFault('a permission lacks'), 500],
  ['KeyFault', new KeyFault('the key that reads was revoked'), 500],
])('the signer learns the message of a %s', async (_name, fault, status) => {
  const { hear } = listener(Date.now, sts.baseUrl, fault)
  expect(await hear(await word())).toEqual({ status, message: fault.message })
})

const otherDay = (said: SignedRequest) => ({ ...said, date: `20200101${said.date.slice(8)}` })
const unsigned = (name: string) => (said: SignedRequest) => ({
  ...said,
  authorization: said.authorization.replace(new RegExp(`;${name}|${name};`), ''),
})

test.each<[string, (said: SignedRequest) => SignedRequest, string]>([
  ['whose hash was not signed', unsigned('x-sluice-word'), 'the header x-sluice-word to be signed'],
  ['whose function was not signed', unsigned('x-sluice-function'), 'the header x-sluice-function to be signed'],
  ['whose nonce was not signed', unsigned('x-sluice-nonce'), 'the header x-sluice-nonce to be signed'],
  ['whose date was not signed', unsigned('x-amz-date'), 'the header x-amz-date to be signed'],
  ['of another day than its signature', otherDay, 'body.date: expected the day of the signature'],
  [
    'that was signed for another service',
    (said) => ({ ...said, authorization: said.authorization.replace('/sts/', '/iam/') }),
    'expected a signature (version 4) for STS',
  ],
  [
    'that was signed for another region',
    (said) => ({ ...said, authorization: said.authorization.replace('eu-central-1', 'us-east-1') }),
    'expected a signature for STS in eu-central-1',
  ],
])('a decision %s is refused, and STS is not asked', async (_how, change, message) => {
  const { hear, heard } = listener()
  const before = sts.arrived.length
  expect(await hear(change(await word()))).toEqual({ status: 400, message: expect.stringContaining(message) })
  expect([heard, sts.arrived.length - before]).toEqual([[], 0])
})

test.each([SIGNED_WITHIN_MS + 1_000, -SIGNED_WITHIN_MS - 2_000])(
  'a decision whose time is %i ms away is refused',
  async (offMs) => {
    const { hear, heard } = listener(() => Date.now() + offMs)
    expect(await hear(await word())).toEqual({ status: 400, message: expect.stringContaining('set the clock') })
    expect(heard).toEqual([])
  },
)

test('the STS request names this function and the hash of the decision, whatever was signed', async () => {
  const { hear } = listener()
  const [mine, foreign] = [await word(), await word(ARN.replace('decide', 'throw-switch'))]
  await hear({ ...mine, said: '{"decision":"rejected"}' })
  await hear(foreign)
  const [changed, elsewhere] = sts.arrived.slice(-2)
  await hear(await word())
  const good = sts.arrived.at(-1)
  expect(changed?.headers['x-sluice-word']).not.toBe(good?.headers['x-sluice-word'])
  expect(elsewhere?.headers['x-sluice-function']).toBe(ARN)
})

test.each<[string, number, string, string, number]>([
  ['somebody of another account', 200, identity(ANA, '999999999999'), 'another AWS account', 400],
  ['an ARN of another account', 200, identity(ANA.replace('123456789012', '999999999999')), 'another AWS account', 400],
  ['a page', 200, '<html>ana</html>', 'STS gave no identity', 503],
  ['no name', 200, identity(''), 'STS gave no identity', 503],
  ['an identity with an error', 403, identity(), 'STS gave no identity', 503],
  ['more than STS ever says', 200, `${identity()}${' '.repeat(30_000)}`, 'STS gave no identity', 503],
  ['a fault of its own', 500, '{"Error":{"Code":"InternalFailure"}}', 'STS gave no identity', 503],
  ['a refusal', 403, '{"Error":{"Code":"SignatureDoesNotMatch"}}', 'STS: SignatureDoesNotMatch', 400],
])('if STS answers with %s nobody has decided', async (_what, status, body, message, answered) => {
  const { hear, heard, store } = listener()
  answering(status, body)
  expect(await hear(await word())).toEqual({ status: answered, message: expect.stringContaining(message) })
  expect([heard, [...store.records.keys()]]).toEqual([[], []])
})

test('an STS that never ends its answer is abandoned after its time, and nobody has decided', async () => {
  const { hear, heard, store } = listener()
  const said = await word()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  respond = (response) => {
    response.writeHead(200).write(identity().slice(0, -2))
    vi.advanceTimersByTime(3_000)
  }
  expect(await hear(said)).toEqual({ status: 503, message: expect.stringMatching(/did not answer|gave no identity/) })
  expect([heard, [...store.records.keys()]]).toEqual([[], []])
  vi.useRealTimers()
})

test('an STS that redirects is not followed', async () => {
  const { hear, heard } = listener()
  const other = await startLocalServer((_request, response) => response.writeHead(200).end(identity()))
  answering(307, '', { location: `${other.baseUrl}/` })
  expect(await hear(await word())).toEqual({ status: 503, message: expect.stringContaining('status 307') })
  expect([heard, other.arrived]).toEqual([[], []])
  await other.stop()
})

test('an address of STS outside a desk is refused while the function initialises', () => {
  for (const address of ['https://sts.example.com', 'http://127.0.0.1.example.com:80', 'http://10.0.0.1:80'])
    expect(() => createIdentify({ AWS_ENDPOINT_URL_STS: address })).toThrow('expected an address of a desk')
})

test("a deployment asks STS of the function's region, and no other", async () => {
  const asked: unknown[] = []
  vi.spyOn(https, 'request').mockImplementation((options) => {
    const { hostname, headers } = options as https.RequestOptions
    asked.push(hostname)
    return http.request(sts.baseUrl, { method: 'POST', headers: { ...headers } as http.OutgoingHttpHeaders })
  })
  const identify = createIdentify({ AWS_REGION: 'us-east-1' })
  await identify(await word(), { arn: ARN, account: '123456789012', region: 'eu-central-1' })
  await identify(await word(), { arn: ARN, account: '123456789012', region: 'cn-north-1' })
  expect(asked).toEqual(['sts.eu-central-1.amazonaws.com', 'sts.cn-north-1.amazonaws.com.cn'])
  vi.restoreAllMocks()
})

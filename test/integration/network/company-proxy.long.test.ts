// Tests deployed functions in a company's network, whose only way out is a forward proxy with an authority of its own.
// No name of the test resolves anywhere, so what arrives has come through the proxy.
import { expect, onTestFinished, test } from 'vitest'
import { Verb } from '../../../core/contract/states.ts'
import { signRequest } from '../../../place/aws/sign-request.ts'
import { declareOwnTable } from '../../../place/journal/own-table.ts'
import { createJournalTable, startDynalite } from '../../helpers/dynamo-servers.ts'
import { startSandboxBeside } from '../cli/sandbox-beside.ts'
import { type Company, startCompany } from './company.ts'
import { arnOf, deploy } from './deployed-function.ts'

const SERVICE = 'service.company.example'
const CHAT = 'hooks.chat.example'
const awsHost = (service: string) => `${service}.eu-west-1.amazonaws.com`
const PLACE = { account: '123456789012', region: 'eu-west-1' }
const JOURNAL = 'sluice-journal'
const ANA = 'arn:aws:sts::123456789012:assumed-role/operator/ana'
const identity = { GetCallerIdentityResponse: { GetCallerIdentityResult: { Account: PLACE.account, Arn: ANA } } }

async function start() {
  const sandbox = await startSandboxBeside()
  const dynamo = await startDynalite()
  onTestFinished(() => sandbox.stop())
  onTestFinished(() => dynamo.stop())
  await createJournalTable(dynamo.client, JOURNAL)
  await declareOwnTable({ client: dynamo.client, tableName: JOURNAL }, { hasRunBefore: () => false, nowMs: Date.now() })
  const hosts = [SERVICE, CHAT, ...['dynamodb', 'events', 'secretsmanager', 'sts'].map(awsHost)]
  return startCompany(hosts, ({ body, headers }) => {
    if (headers.host === CHAT) return { status: 200, json: {} }
    if (headers.host === awsHost('sts')) return { status: 200, json: identity }
    const target = String(headers['x-amz-target'] ?? '')
    if (target.startsWith('DynamoDB')) return dynamo.baseUrl
    if (target.startsWith('AWSEvents'))
      return { status: 200, json: { FailedEntryCount: 0, Entries: [{ EventId: 'e' }] } }
    if (!target.startsWith('secretsmanager')) return sandbox.baseUrl
    const isOfNotice = String(body).includes('chat')
    return { status: 200, json: { SecretString: isOfNotice ? `https://${CHAT}/s3cret` : sandbox.keys, VersionId: 'v' } }
  })
}

const fileOf = ({ authority, proxy }: Company, except?: readonly string[]) => ({
  service: { url: `https://${SERVICE}`, stage: 'test', shared: false },
  webhooks: { signatureHeader: 'X-Signature' },
  notices: [{ name: 'chat', to: { webhook: { secret: 'chat', shape: 'plain' } }, about: ['halted'] }],
  aws: { ...PLACE, proxy: { url: proxy, ...(except && { except }) }, certificateAuthorities: [authority] },
})

const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '25' }
const asked = { execution: 'intent-1', startedAt: new Date().toISOString(), request }
/** Values that only a deployment knows. */
const known = { SLUICE_SERVICE_URL: `https://${SERVICE}`, SLUICE_JOURNAL_TABLE: JOURNAL, SLUICE_KEY_SECRET: 'key' }

test('a function reaches the journal, its key and the service through the proxy, and trusts the authority', async () => {
  const company = await start()
  const { answer, error, log } = await deploy(fileOf(company)).call(Verb.Quote, asked, known)
  expect({ error, answer }).toMatchObject({ error: undefined, answer: { outcome: 'QUOTED' } })
  expect(new Set(company.tunnels)).toEqual(
    new Set([awsHost('dynamodb'), awsHost('secretsmanager'), SERVICE].map((host) => `${host}:443`)),
  )
  expect(log).toContain('"outcome":"QUOTED"')
})

test('the keys of webhooks are read through the proxy', async () => {
  const company = await start()
  const header = Buffer.from('{"alg":"EdDSA","kid":"unknown"}').toString('base64url')
  const delivery = { headers: { 'x-signature': `${header}..${'A'.repeat(86)}` }, body: '{}', isBase64Encoded: false }
  const queue = { SLUICE_DEPOSIT_QUEUE: `https://${awsHost('sqs')}/123456789012/deposits` }
  const { answer } = await deploy(fileOf(company)).call(Verb.ReceiveWebhook, delivery, { ...known, ...queue })
  expect(answer).toEqual({ statusCode: 401 })
  expect(company.arrived.map(({ target }) => target)).toEqual(['/v2/.well-known/webhook-jwks.json'])
  expect(company.tunnels).toEqual([`${SERVICE}:443`])
})

test('a notice goes to its receiver through the proxy, which resolves the name', async () => {
  const company = await start()
  const test = { source: 'notice-test', notice: 'chat', id: 'n-1' }
  const topics = { SLUICE_TOPIC_PREFIX: 'arn:aws:sns:eu-west-1:123456789012:sluice-notice-' }
  const { answer, log } = await deploy(fileOf(company)).call(Verb.Notify, test, topics)
  expect(answer).toMatchObject({ outcome: 'DELIVERED' })
  expect(company.tunnels).toEqual([`${awsHost('secretsmanager')}:443`, `${CHAT}:443`])
  expect(company.arrived.at(-1)).toMatchObject({ method: 'POST', target: '/s3cret' })
  expect(log).not.toContain('s3cret')
})

test('a proxy that opens TLS to STS names nobody: an approval and a halt are not accepted', async () => {
  const company = await start()
  const said = {
    [Verb.ThrowSwitch]: { action: 'halt', scope: 'everything', because: 'a drill' },
    [Verb.Decide]: { run: 'rb-1', planHash: '0'.repeat(64), decision: 'approved', because: 'it is due' },
  }
  for (const verb of [Verb.ThrowSwitch, Verb.Decide] as const) {
    const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret' }
    const body = JSON.stringify(await signRequest(arnOf(verb), JSON.stringify(said[verb]), { credentials }))
    const { answer } = await deploy(fileOf(company)).call(
      verb,
      { body },
      {
        ...{ ...known, SLUICE_EVENT_BUS: 'sluice', SLUICE_STATE_MACHINES: '{}' },
      },
    )
    expect(answer).toMatchObject({ statusCode: 503, body: expect.stringContaining('UNABLE_TO_VERIFY_LEAF_SIGNATURE') })
  }
  expect(company.tunnels).toContain(`${awsHost('sts')}:443`)
  expect(company.arrived.map(({ headers }) => headers.host)).not.toContain(awsHost('sts'))
})

test('a host that treasury.json excepts is reached without the proxy', async () => {
  const company = await start()
  const direct = { ...known, SLUICE_SERVICE_URL: company.direct }
  const { answer } = await deploy(fileOf(company, ['localhost'])).call(Verb.Quote, asked, direct)
  expect(answer).toMatchObject({ outcome: 'QUOTED' })
  expect(new Set(company.tunnels)).toEqual(new Set([`${awsHost('dynamodb')}:443`, `${awsHost('secretsmanager')}:443`]))
})

test('without the authority a function trusts nobody behind the proxy, and sends nothing', async () => {
  const company = await start()
  const { error } = await deploy(fileOf(company)).call(Verb.Quote, asked, { ...known, NODE_EXTRA_CA_CERTS: undefined })
  expect(error?.name).toBe('Transient')
  expect(company.tunnels.length).toBeGreaterThan(0)
  expect(company.arrived).toEqual([])
})

test('a proxy that refuses is named by the code of the fault, and its address is in no log', async () => {
  const company = await start()
  company.close()
  const { error, log } = await deploy(fileOf(company)).call(Verb.Quote, asked, known)
  expect(error).toEqual({ name: 'Transient', message: expect.stringContaining('(ERR_PROXY_TUNNEL)') })
  expect(`${error?.message}${log}`).not.toContain(new URL(company.proxy).port)
})

// Whether another environment works with the same account at the service, against an AWS with arranged answers.
import { marshall } from '@aws-sdk/util-dynamodb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chained } from '../../../core/journal/record-chain.ts'
import { digestOf, serviceAccountCheck } from '../../../operations/doctor/service-account/service-account-check.ts'
import { settingsOfAws } from '../../helpers/aws-settings.ts'
import { type LocalServer, startLocalServer } from '../../helpers/local-server.ts'
import { USED } from '../../helpers/used-capacity.ts'

const ACCOUNT = 'account-1'
const SAME = digestOf({ account: ACCOUNT, stage: 'live' })
const OTHER = digestOf({ account: 'account-2', stage: 'live' })

interface Arranged {
  /** Tags by the name of the role. */
  readonly roles: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly pin?: { readonly account: string; readonly stage: string } | 'denied' | undefined
  readonly isDenied?: boolean
  /** Foreign roles before ours, two on a page. */
  readonly before?: number
  readonly isEndless?: boolean
  /** The roles after a role was tagged. */
  readonly onceTagged?: Arranged['roles']
}

let server: LocalServer
let arranged: Arranged
let tagged: URLSearchParams[]
beforeEach(async () => {
  arranged = { roles: {}, pin: { account: ACCOUNT, stage: 'live' } }
  tagged = []
  server = await startLocalServer((request, response) => {
    const { body, status = 200 } = answer(String(request.headers['x-amz-target'] ?? ''), request.body.toString())
    response.writeHead(status, { 'content-type': body.startsWith('<') ? 'text/xml' : 'application/x-amz-json-1.0' })
    response.end(body)
  })
  settingsOfAws(server.baseUrl)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.stop()
})

function answer(target: string, body: string): { readonly status?: number; readonly body: string } {
  const { isDenied, pin, roles } = arranged
  if (target.endsWith('GetItem')) {
    expect(JSON.parse(body)).toMatchObject({ TableName: 'live-sluice-journal' })
    if (pin === 'denied') return { status: 400, body: '{"__type":"AccessDeniedException"}' }
    const fields = { account: pin?.account ?? '', stage: pin?.stage ?? '' }
    const record = chained({ pk: 'A#account', version: 1, format: 1, stamp: 'one', ...fields }, undefined)
    return { body: JSON.stringify({ ...USED, ...(pin !== undefined && { Item: marshall(record) }) }) }
  }
  if (isDenied === true)
    return { status: 403, body: '<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>' }
  const asked = new URLSearchParams(body)
  const action = asked.get('Action') ?? ''
  if (action === 'ListRoles') return { body: rolesPage(Number(asked.get('Marker') ?? 0)) }
  if (action === 'TagRole') {
    tagged.push(asked)
    arranged = { ...arranged, roles: arranged.onceTagged ?? roles }
  }
  const tags = Object.entries(roles[asked.get('RoleName') ?? ''] ?? {})
  const members = tags.map(([key, value]) => `<member><Key>${key}</Key><Value>${value}</Value></member>`).join('')
  return {
    body: `<${action}Response><${action}Result><Tags>${members}</Tags><IsTruncated>false</IsTruncated></${action}Result></${action}Response>`,
  }
}

function rolesPage(from: number): string {
  const { before = 0, isEndless, roles } = arranged
  const names = [...Array.from({ length: before }, (_, at) => `a-role-${at}`), ...Object.keys(roles)]
  const page = names.slice(from, from + 2)
  const members = page.map((name) => `<member><RoleName>${name}</RoleName></member>`).join('')
  const isMore = isEndless === true || from + 2 < names.length
  const marker = isMore ? `<Marker>${isEndless === true ? 0 : from + 2}</Marker>` : ''
  return `<ListRolesResponse><ListRolesResult><Roles>${members}</Roles><IsTruncated>${isMore}</IsTruncated>${marker}</ListRolesResult></ListRolesResponse>`
}

const home = (digest?: string, region = 'eu-west-1') =>
  digest === undefined ? {} : { 'sluice:service-account': digest, 'sluice:region': region }
const check = (more?: Parameters<typeof serviceAccountCheck>[1]) => serviceAccountCheck({ environment: 'live' }, more)

test.each<[string, Partial<Arranged>, string, RegExp]>([
  ['alone', { roles: { 'live-sluice-home': home(SAME) } }, 'ok', /no other environment/],
  [
    'beside another account',
    { roles: { 'live-sluice-home': home(SAME), 'sluice-home': home(OTHER) } },
    'ok',
    /each with another account: 1/,
  ],
  [
    'beside the same account, on a later page',
    {
      roles: {
        'live-sluice-home': home(SAME),
        'a-sluice-homestead': home(SAME),
        'desk-sluice-home': home(SAME, 'us-east-1'),
      },
      before: 3,
    },
    'fail',
    /the environment desk in us-east-1 works with the same account at the service/,
  ],
  [
    'beside one without a name',
    { roles: { 'live-sluice-home': home(SAME), 'sluice-home': home(SAME) } },
    'fail',
    /the environment without a name in eu-west-1/,
  ],
  [
    'missingPrices itself beside the same account',
    { roles: { 'live-sluice-home': {}, 'desk-sluice-home': home(SAME) } },
    'fail',
    /environment desk/,
  ],
  [
    'beside a silent one',
    { roles: { 'live-sluice-home': home(SAME), 'desk-sluice-home': {} } },
    'warn',
    /environment desk has no account on record/,
  ],
  ['missingPrices', { roles: { 'live-sluice-home': {} } }, 'warn', /has no account yet/],
  ['told of another', { roles: { 'live-sluice-home': home(OTHER) } }, 'warn', /has another account than the journal/],
  ['without its role', { roles: { 'desk-sluice-home': home(OTHER) } }, 'warn', /there is no role live-sluice-home/],
  ['without a pin', { pin: undefined, roles: { 'live-sluice-home': {} } }, 'ok', /has no account yet/],
  ['that may not be read', { pin: 'denied' }, 'warn', /AccessDenied/],
  ['whose roles may not be listed', { isDenied: true }, 'warn', /not known \(AccessDenied/],
  [
    'with roles without end',
    { roles: { 'live-sluice-home': home(SAME) }, isEndless: true },
    'warn',
    /only \d+ home roles/,
  ],
])('an environment %s', async (_what, changes, status, detail) => {
  arranged = { ...arranged, ...changes }
  expect(await check()).toMatchObject({ check: 'service account', status, detail: expect.stringMatching(detail) })
  expect(tagged).toEqual([])
})

test('its account and region are written on request, and once', async () => {
  arranged = { ...arranged, roles: { 'live-sluice-home': {} } }
  expect(await check({ isWritten: true })).toMatchObject({ status: 'ok' })
  expect(tagged).toHaveLength(1)
  expect(Object.fromEntries(tagged[0] ?? [])).toMatchObject({
    RoleName: 'live-sluice-home',
    'Tags.member.1.Key': 'sluice:service-account',
    'Tags.member.1.Value': SAME,
    'Tags.member.2.Key': 'sluice:region',
    'Tags.member.2.Value': 'eu-west-1',
  })
  arranged = { ...arranged, roles: { 'live-sluice-home': home(SAME) } }
  await check({ isWritten: true })
  expect(tagged).toHaveLength(1)
})

test('of two environments that are verified at once, at least one sees the other', async () => {
  // The other tags its role after this one has begun, and before this one gets its answer.
  const both = { 'live-sluice-home': home(SAME), 'desk-sluice-home': home(SAME) }
  arranged = { ...arranged, roles: { 'live-sluice-home': {}, 'desk-sluice-home': {} }, onceTagged: both }
  expect(await check({ isWritten: true })).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('environment desk'),
  })
})

test("the keys' account counts where the journal has pinned no account yet", async () => {
  arranged = { ...arranged, pin: undefined, roles: { 'live-sluice-home': {}, 'desk-sluice-home': home(SAME) } }
  const known = { account: ACCOUNT, stage: 'live' }
  expect(await check({ known })).toMatchObject({ status: 'fail', detail: expect.stringContaining('environment desk') })
})

test('a test account and a live one are never the same', () => {
  expect(digestOf({ account: ACCOUNT, stage: 'test' })).not.toBe(SAME)
  // A written tag must be found again.
  expect(SAME).toBe('63bf7d3f3b0513cfebefa5924852991d')
})

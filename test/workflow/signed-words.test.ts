// Sends signed decisions of people to the deployed functions: by the URL, by Invoke with an event that the caller
// wrote, repeated, for another plan, and to another function. The embedded AWS's STS checks the signatures.
import { LambdaClient } from '@aws-sdk/client-lambda'
import { expect, test } from 'vitest'
import type { SignedRequest } from '../../core/contract/people.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { peopleDoor } from '../../place/aws/people-door.ts'
import { signRequest } from '../../place/aws/sign-request.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { createRunJournal } from '../../place/journal/run-journal.ts'
import { useMachines } from './machines.ts'

const TREASURY = {
  service: { url: 'https://api.example.com', stage: 'test', shared: false },
  policies: { core: { kind: 'rebalance', mode: 'shadow', weights: { BTC: '0.5', USDC: '0.5' } } },
}
const ANA = 'arn:aws:iam::123456789012:user/ana'

const machine = useMachines({ treasury: TREASURY })

/** The request to each function, and its answer if it accepts. */
const ASKED = {
  'sluice-request-run': { run: `rb-${'0'.repeat(32)}`, request: { policy: 'core' } },
  'sluice-throw-switch': { action: 'halt', scope: 'core', because: 'an audit' },
  'sluice-resume': {
    ...{ action: 'resume', scope: 'core', because: 'an audit' },
    halts: [{ scope: 'core', by: 'x', because: 'x', at: '2026-01-01T00:00:00Z' }],
  },
  'sluice-resolve': {
    ...{ action: 'resolve', kind: 'convert', intent: 'core', movement: null, sameAccount: false, because: 'an audit' },
  },
  'sluice-declare-foreign': { action: 'foreign', movement: 'core', notOf: [], because: 'an audit' },
  'sluice-release': { action: 'release', policy: 'core', because: 'an audit' },
  'sluice-decide': { run: 'waits', planHash: '0'.repeat(64), decision: 'approved', because: 'it is due' },
} as const
type Asked = keyof typeof ASKED
const FUNCTIONS = Object.keys(ASKED) as Asked[]

const arnOf = (name: string) => machine.aws.resources().functions.find((each) => each.name === name)?.arn ?? ''

function signedBy(name: string, to: string, request: object = ASKED[to as Asked]): Promise<SignedRequest> {
  const { endpointUrl: endpoint, region } = machine.aws
  return signRequest(arnOf(to), JSON.stringify(request), { endpoint, region, credentials: machine.aws.addUser(name) })
}

/** Invokes the function directly, with an event that the caller writes. */
async function invoke(to: string, word: object, event: object = {}): Promise<{ status: number; said: string }> {
  const payload = JSON.stringify({ ...event, body: JSON.stringify(word) })
  const { statusCode, body } = JSON.parse(await machine.aws.invokeFunction(to, payload)) as Record<string, string>
  return { status: Number(statusCode), said: body ?? '' }
}

const inTheNameOf = (userArn: string) => ({ requestContext: { authorizer: { iam: { userArn } } } })

test.each(FUNCTIONS)('who writes the event of %s by Invoke speaks in nobody’s name', async (to) => {
  expect(await invoke(to, ASKED[to], inTheNameOf(ANA))).toMatchObject({ status: 400 })
  const { authorization, ...unsigned } = await signedBy('ana', to)
  expect(await invoke(to, unsigned, inTheNameOf(ANA))).toMatchObject({ status: 400 })
  const forged = { ...unsigned, authorization: authorization.replace(/[0-9a-f]{64}$/, 'ab'.repeat(32)) }
  const { said, status } = await invoke(to, forged, inTheNameOf(ANA))
  expect([status, said]).toEqual([400, expect.stringContaining('AWS does not know who signed this request')])
})

/** Calls the function's URL, with a decision that anybody may have signed. */
async function deliver(name: string, to: string, word: SignedRequest): Promise<{ status: number; said: string }> {
  const { url = '' } = machine.aws.functionUrls().find(({ functionName }) => functionName === to) ?? {}
  const { host, hostname, pathname: path, port, protocol } = new URL(url)
  const { endpointUrl: endpoint, region } = machine.aws
  const client = new LambdaClient({ endpoint, region, credentials: machine.aws.addUser(name) })
  const signer = await client.config.signer()
  const body = JSON.stringify(word)
  const signed = await signer.sign({
    ...{ method: 'POST', protocol, hostname, port: Number(port), path, query: {}, body },
    headers: { host, 'content-type': 'application/json' },
  })
  const { host: _host, ...headers } = signed.headers
  client.destroy()
  const answer = await fetch(url, { method: 'POST', headers, body })
  return { status: answer.status, said: await answer.text() }
}

test.each(FUNCTIONS)('%s accepts by its URL only decisions of the person who calls it', async (to) => {
  const word = await signedBy('bob', to)
  const { said, status } = await deliver('ana', to, word)
  expect([status, said]).toEqual([400, expect.stringContaining('somebody else than its sender signed')])
  // The refused delivery did not use the signed decision up.
  expect((await deliver('bob', to, word)).said).not.toMatch(/somebody else than its sender|already accepted/)
})

test.each(FUNCTIONS)('%s takes a decision of bob’s as bob’s, by Invoke too', async (to) => {
  expect(await invoke(to, await signedBy('bob', to), inTheNameOf(ANA))).toMatchObject({ status: 400 })
  const { said } = await invoke(to, await signedBy('bob', to))
  // No plan waits, no halt exists, and nothing is in doubt or stranded, so each function reports that to anybody.
  const none: Partial<Record<Asked, string>> = {
    'sluice-decide': 'no run waits',
    'sluice-resume': 'changed the halt',
    'sluice-resolve': 'the journal has no convert intent core',
    'sluice-declare-foreign': 'no withdrawal and no order core',
    'sluice-release': 'left nothing on their way',
  }
  expect(said).toContain(none[to] ?? 'user/bob')
})

test.each(FUNCTIONS)('%s accepts an intercepted decision neither again nor changed', async (to) => {
  const word = await signedBy('ana', to)
  await invoke(to, word)
  expect((await invoke(to, word)).said).toContain('already accepted')
  const changed = { ...word, said: word.said.replace(/a(?=udit)|core|due/, 'x') }
  expect((await invoke(to, { ...changed, nonce: word.nonce.replace(/^./, '0') })).said).toContain('does not know')
  expect((await invoke(to, { ...(await signedBy('ana', to)), said: changed.said })).said).toContain('does not know')
})

test.each(FUNCTIONS)('%s refuses a decision for another function, though its text would fit', async (to) => {
  const other = FUNCTIONS.find((name) => name !== to) ?? to
  const word = await signedBy('ana', other, ASKED[to])
  expect((await invoke(to, word)).said).toContain('AWS does not know who signed this request')
})

test('an approval of one plan is no approval of another, and by the URL the approver is the signer', async () => {
  const policy = {
    kind: 'rebalance',
    weights: { BTC: '0.2', USDC: '0.8' },
    band: { bps: 10 },
    approval: { above: '0' },
  }
  const { executionArn } = await machine.aws.startExecution({
    ...{ stateMachine: StateMachine.Rebalance, name: 'asks', input: JSON.stringify({ policy }) },
  })
  await machine.aws.untilFinished(executionArn)
  const { approval } = (await createRunJournal(journalTable(machine.aws)).runs.find('asks')) ?? {}
  const word = { run: 'asks', planHash: approval?.planHash ?? '', decision: 'approved', because: 'it is due' } as const
  const ofAnother = await signedBy('ana', 'sluice-decide', { ...word, planHash: 'ab'.repeat(32) })
  const { status } = await invoke('sluice-decide', { ...ofAnother, said: JSON.stringify(word) })
  expect(status).toBe(400)
  const answer = await peopleDoor({ ...machine.aws, credentials: machine.aws.addUser('ana') }).decide(word)
  expect(answer).toMatchObject({ outcome: 'APPROVED', by: ANA })
})

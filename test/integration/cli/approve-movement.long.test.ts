// `approve INTENT` and `reject INTENT` beside a desk: withdrawals from events wait by `guards.approval`, and are sent, end or
// run out of time by people's decisions. The desk checks them again after its own waits.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningInProcess, runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { SERVICE, useCommandsBeside } from './commands.ts'

const GUARDS = { approval: { assets: { USDC: '50' }, twoAbove: '500' } }

const { service, desk, file, write } = useCommandsBeside()
let serving: RunningInProcess
beforeAll(async () => {
  const treasury = { service: { ...SERVICE, shared: false }, guards: GUARDS }
  write('treasury.json', treasury)
  serving = startInProcess(['serve', ...desk(), '--service', service.baseUrl, '--keys', file('keys.json')])
  await serving.firstLine
})
afterAll(() => serving?.interrupt())

const at = (...args: string[]) => runInProcess([...args, ...desk(), '--service', service.baseUrl])
const say = (verb: 'approve' | 'reject', intentId: string, by: string, ...flags: string[]) =>
  at(verb, intentId, '--because', 'as invoiced', '--by', by, ...flags)

interface Waiting {
  readonly intentId: string
  readonly termsHash: string
  readonly missing: number
  readonly terms: readonly string[]
}

async function waiting(): Promise<readonly Waiting[]> {
  const { exitCode, stdout } = await at('cases', 'list', '--json')
  const { movements } = JSON.parse(stdout) as { movements: Waiting[] }
  expect(exitCode).toBe(movements.length > 0 ? 4 : 0)
  return movements
}

async function ask(id: string, amount: string, more: object = {}): Promise<string> {
  const asked = { assetSymbol: 'USDC', amount, contactReference: 'cold-usdc-polygon', ...more }
  const { stdout } = await at('events', 'trigger', 'withdrawal', write(`${id}.json`, asked), '--id', id, '--json')
  return (JSON.parse(stdout) as { execution: string }).execution
}

async function endOf(intentId: string) {
  const find = async () =>
    JSON.parse((await at('movements', 'show', intentId, '--json')).stdout) as Record<string, unknown>
  await expect.poll(async () => (await find()).state, { interval: 2_000 }).not.toMatch(/READY|ARMED/)
  return find()
}

test('withdrawals wait at a desk, show their terms, and end by one approval, two approvals, a rejection, or their time', async () => {
  const ids = {
    one: await ask('one-word', '100'),
    two: await ask('two-words', '1000'),
    no: await ask('a-no', '200'),
    late: await ask('late', '300', { notAfter: new Date(Date.now() + 25_000).toISOString() }),
  }
  // On a slow machine the time of the last is over before the first check.
  const asked = [ids.one, ids.two, ids.no]
  await expect
    .poll(async () => (await waiting()).map(({ intentId }) => intentId))
    .toEqual(expect.arrayContaining(asked))
  const { termsHash } = (await waiting()).find(({ intentId }) => intentId === ids.one) ?? { termsHash: '' }

  const shown = await say('approve', ids.one, 'ana', '--no-input')
  expect(shown.exitCode).toBe(2)
  for (const text of ['send 100 USDC', 'guards.approval asks for people', 'cold-usdc-polygon', 'until ', termsHash])
    expect(shown.stderr).toContain(text)
  const one = await say('approve', ids.one, 'ana', '--yes', '--terms-hash', termsHash)
  expect(one).toMatchObject({ exitCode: 0, stdout: `${ids.one} is approved\n` })

  const unbound = await say('approve', ids.two, 'eve', '--yes', '--plan-hash', '0'.repeat(64))
  expect(unbound).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--plan-hash: expected none') })
  const first = await say('approve', ids.two, 'ana', '--yes')
  expect(first).toMatchObject({ exitCode: 4, stdout: `${ids.two} waits: another person must approve it\n` })
  const again = await say('approve', ids.two, 'ana', '--yes')
  expect(again).toMatchObject({
    exitCode: 4,
    stderr: expect.stringMatching(/ana \(not verified\) approved it at .*; nothing more is recorded/),
  })
  const { stderr } = await at('cases', 'list')
  expect(stderr).toContain('has 1 of 2 approvals (ana (not verified)), and waits for a person to approve it until')
  const second = await say('approve', ids.two, 'bob', '--yes')
  expect(second).toMatchObject({ exitCode: 0, stdout: `${ids.two} is approved\n` })

  const no = await say('reject', ids.no, 'bob', '--yes')
  expect(no).toMatchObject({ exitCode: 0, stdout: `${ids.no} is rejected\n` })

  expect(await endOf(ids.one)).toMatchObject({ state: 'DONE' })
  expect(await endOf(ids.two)).toMatchObject({ state: 'DONE' })
  expect(await endOf(ids.no)).toMatchObject({
    state: 'REJECTED',
    guardedBy: 'approval',
    why: 'bob (not verified) said no: as invoiced',
  })
  expect(await endOf(ids.late)).toMatchObject({ state: 'EXHAUSTED', why: expect.stringContaining('its time ran out') })
  const tooLate = await say('approve', ids.late, 'ana', '--yes')
  expect(tooLate).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('it waits for no approval') })
  expect(await service.withdrawalIds()).toHaveLength(2)
  expect(await waiting()).toEqual([])
})

async function contactOf(reference: string): Promise<{ id: string; alias: string }> {
  const { stdout } = await at('service', 'contacts', '--json', '--keys', file('keys.json'))
  const contacts = JSON.parse(stdout) as { id: string; alias: string; reference: string }[]
  return contacts.find((contact) => contact.reference === reference) ?? { id: '', alias: '' }
}

test('a contact that was renamed since its last payment has both names, at the decision and in the list of cases', async () => {
  const paid = await ask('before-renaming', '60')
  await expect.poll(async () => (await waiting()).map(({ intentId }) => intentId)).toContain(paid)
  await say('approve', paid, 'ana', '--yes')
  await endOf(paid)
  const payee = await contactOf('cold-usdc-polygon')
  await service.control(`/contacts/${payee.id}`, { alias: 'Salaries' })

  const asked = await ask('after-renaming', '70')
  const find = async () => (await waiting()).find(({ intentId }) => intentId === asked)
  await expect.poll(find).toBeDefined()
  const both = `renamed since it was last paid, as "${payee.alias}"`
  expect((await find())?.terms.join()).toContain(`"Salaries" (reference cold-usdc-polygon`)
  expect((await find())?.terms.join()).toContain(both)
  const shown = await say('approve', asked, 'ana', '--no-input')
  expect(shown.stderr).toContain(both)
})

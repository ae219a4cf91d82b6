// Tests payouts against the sandbox, by the product's own planners and steps: each row moves once over all runs, whatever
// files have it. The sandbox's books are the witness.

import { describe, expect, test } from 'vitest'
import { createRunner } from './runner.ts'
import { useSandbox } from './sandbox.ts'

const service = useSandbox()
const { control, contactId } = service
const movements = async () => (await service.movements()).length

const row = (id: string, amount: string, asset = 'EUR', contact = 'house-bank-eur') => ({
  ...{ id, amount, asset },
  contactId: contactId(contact),
})

const payouts = (policy: object) => ({ kind: 'payouts', assets: ['EUR', 'USDC'], ...policy })

const runner = (policy: object = {}, advanceMs = 6_000) =>
  createRunner(service.client, { pay: payouts(policy), renamed: payouts(policy) }, () =>
    control('/clock', { advanceMs }),
  )

const outcomes = (report: { legs: readonly object[] }) =>
  report.legs.map((leg) => ('outcome' in leg ? leg.outcome : undefined))

test('the same rows move once over all runs, and a corrected file moves only what it adds', async () => {
  const { run } = runner()
  const rows = [row('salary-1', '100'), row('salary-2', '200')]
  expect(await run('sweep', 'june', { policy: 'pay', rows })).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
  expect(await run('sweep', 'june-again', { policy: 'pay', rows })).toMatchObject({
    outcome: 'NOTHING_TO_DO',
    legs: [],
  })
  expect(await movements()).toBe(2)

  const more = [...rows, row('salary-3', '300')]
  const report = await run('sweep', 'june-corrected', { policy: 'pay', rows: more })
  expect(report).toMatchObject({
    outcome: 'SETTLED',
    legs: [{ leg: { key: 'pay-salary-3', once: 'payout/salary-3/1' } }],
  })
  expect(await movements()).toBe(3)
})

test('a row that was paid is refused by its id under other terms, and nothing beside it moves', async () => {
  const { run } = runner()
  await run('sweep', 'june', { policy: 'pay', rows: [row('a', '100')] })
  const changed = { policy: 'pay', rows: [row('a', '101'), row('b', '50')] }
  const report = await run('sweep', 'june-changed', changed)
  expect(report).toMatchObject({ outcome: 'GUARDED', legs: [] })
  expect('why' in report && report.why).toMatch(
    /row a: intent [0-9a-f]{40} has its id with another amount 100, and the row has 101/,
  )
  expect(await movements()).toBe(1)
})

test('a row whose withdrawal failed and came back is paid by the next file, also with other terms', async () => {
  const { run } = runner()
  const fault = { kind: 'failLater', afterMs: 0 }
  await control('/rules', { match: { method: 'POST', path: '/v2/withdrawals' }, fault })
  const refused = await run('sweep', 'june', { policy: 'pay', rows: [row('a', '100')] })
  expect(outcomes(refused)).toEqual(['FAILED_REFUNDED'])
  const before = await movements()
  const report = await run('sweep', 'june-again', { policy: 'pay', rows: [row('a', '99')] })
  expect(report).toMatchObject({ outcome: 'SETTLED', legs: [{ leg: { once: 'payout/a/2' } }] })
  expect(await movements()).toBe(before + 1)
})

test('a row that one policy has paid is not paid by another, nor under its id in capitals', async () => {
  const { run } = runner()
  await run('sweep', 'june', { policy: 'pay', rows: [row('a', '100')] })
  const before = await movements()
  const again = await run('sweep', 'june-again', { policy: 'renamed', rows: [row('a', '100'), row('A', '100')] })
  expect(again.outcome).not.toBe('SETTLED')
  const changed = await run('sweep', 'june-changed', { policy: 'renamed', rows: [row('A', '99')] })
  expect(changed).toMatchObject({ why: expect.stringContaining('intent') })
  expect(await movements()).toBe(before)
})

test('what rows lack is bought first, and then each row goes whole', async () => {
  await control('/balance', { assetSymbol: 'EUR', balance: '100' })
  const { run } = runner({ assets: ['EUR'], from: [{ asset: 'USD' }] })
  const report = await run('sweep', 'june', { policy: 'pay', rows: [row('a', '150'), row('b', '70')] })
  expect(report).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
  expect(outcomes(report)).toEqual(['FILLED', 'COMPLETED', 'COMPLETED'])
  expect(await movements()).toBe(3)
})

test('a file with more rows than a request holds is one run, with one approval, and pays each row once', async () => {
  const { run, runPorts, pages, approve } = runner({ approval: { above: '0' }, runLifeSeconds: 86_400 }, 200)
  const rows = Array.from({ length: 210 }, (_, index) =>
    index % 2 === 0 ? row(`long-${index}`, '1') : row(`long-${index}`, '1', 'USDC', 'subsidiary'),
  )
  const request = { policy: 'pay', pages: await pages.keep(rows) }
  const waiting = await run('sweep', 'june', request)
  expect(waiting).toMatchObject({ outcome: 'AWAITING_APPROVAL', plan: { legs: { length: 210 } } })
  expect(await movements()).toBe(0)
  await approve('june')
  expect(await run('sweep', 'june', request, 2)).toMatchObject({
    outcome: 'SETTLED',
    tiesOut: true,
    legs: { length: 210 },
  })
  expect(await movements()).toBe(210)
  expect((await runPorts.runs.find('june'))?.request).toEqual(request)
  const again = { policy: 'pay', pages: await pages.keep([...rows, row('long-210', '2')]) }
  await run('sweep', 'corrected', again)
  await approve('corrected')
  expect(await run('sweep', 'corrected', again, 2)).toMatchObject({ outcome: 'SETTLED', legs: { length: 1 } })
  expect(await movements()).toBe(211)
})

describe('an approved file moves nothing after an insider has changed', () => {
  type PagedList = { readonly at: readonly string[]; readonly pages: readonly string[] }
  const approved = async () => {
    const world = runner({ approval: { above: '0' } })
    const rows = Array.from({ length: 500 }, (_, index) => row(`long-${index}`, '1', 'EUR', 'house-bank-eur'))
    const request = { policy: 'pay', pages: await world.pages.keep(rows) }
    await world.run('sweep', 'june', request)
    await world.approve('june')
    const record = world.records.get('R#june')
    const lists = record?.pages as readonly PagedList[]
    const legs = lists.find(({ at }) => at.join('.') === 'plan.legs')
    const page = world.records.get(`G#${legs?.pages[0]}`)
    if (record === undefined || page === undefined) throw new Error('the record has no pages')
    const [first, ...others] = page.entries as { readonly request: object }[]
    const entries = [{ ...first, request: { ...first?.request, amount: '900' } }, ...others]
    return { ...world, request, record, lists, page, entries }
  }

  test('a page of its plan', async () => {
    const { run, restart, request, page, entries, store } = await approved()
    await store.replace({ ...page, entries, version: 2 }, 1)
    restart()
    await expect(run('sweep', 'june', request, 2)).rejects.toThrow(`the page ${page.pk} was changed`)
    expect(await movements()).toBe(0)
  })

  test('the page that its record names', async () => {
    const { run, request, record, lists, page, entries, pages, store } = await approved()
    const [hash = ''] = await pages.keep(entries)
    const renamed = lists.map((list) => ({
      ...list,
      pages: list.pages.map((each) => (`G#${each}` === page.pk ? hash : each)),
    }))
    await store.replace({ ...record, pages: renamed, version: record.version + 1 }, record.version)
    expect(await run('sweep', 'june', request, 2)).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    expect(await movements()).toBe(0)
  })
})

test.each([
  ['without rows', { policy: 'pay' }, 'input.rows: policy pay pays the rows of a file; got none'],
  [
    'of a whole policy',
    { policy: { kind: 'payouts', assets: ['EUR'], mode: 'shadow' } },
    'expected the name of a policy of treasury.json',
  ],
])('a request %s is refused, and says what it needs', async (_what, request, why) => {
  const rows = typeof request.policy === 'string' ? {} : { rows: [row('a', '1')] }
  expect(await runner().run('sweep', 'june', { ...request, ...rows })).toMatchObject({
    outcome: 'FAILED',
    why: expect.stringContaining(why),
  })
})

// Tests the output of a run with a wrong input: that the id was first used now and nothing was sent, the field and
// value, and what to do.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningInProcess, runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

let service: ArrangedService
let config: string
/** Without it each run would start its functions again. */
let desk: RunningInProcess
beforeAll(async () => {
  service = await startArrangedService('refused input')
  config = path.join(service.dir, 'treasury.json')
  writeFileSync(config, JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' } }))
  desk = startInProcess(['serve', ...place()])
  await desk.firstLine
})
afterAll(async () => {
  await desk?.interrupt()
  await service?.stop()
})

const place = () => ['--state', path.join(service.dir, 'state'), '--config', config, ...service.flags()]

function run(verb: 'convert' | 'withdraw', id: string, request: object) {
  const input = path.join(service.dir, `${id}.json`)
  writeFileSync(input, JSON.stringify(request))
  return runInProcess(['run', verb, '--id', id, '--input', input, ...place()])
}

const buy = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const send = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
const FIRST_USE = 'this id is used for the first time, and is refused before anything was sent'

test.each([
  ['convert', { ...buy, amount: '0.5' }, 'amountAsset: USDC, amount: 0.5)', 'markets'],
  ['withdraw', { ...send, amount: '100000000000' }, 'does not cover the total of 100000000000', undefined],
] as const)(
  'a refused new id of %s is reported as new, and the second time as used',
  async (verb, request, message, list) => {
    const id = `fresh-${verb}`
    const first = await run(verb, id, request)
    expect(first.exitCode).toBe(1)
    expect(first.stderr).toContain(FIRST_USE)
    expect(first.stderr).not.toContain('already')
    expect(first.stderr).toContain(message)
    expect(first.stderr).toMatch(/^next: {2}a corrected request needs another --id: /m)
    if (list !== undefined)
      expect(first.stderr).toMatch(new RegExp(`^ +npx sluice service ${list} --state .* --config ${config}`, 'm'))

    const again = await run(verb, id, request)
    expect({ ...again, stderr: '' }).toEqual({ ...first, stderr: '' })
    expect(again.stderr).toContain('this id has already run: its result, nothing is started')
    expect(again.stderr).not.toContain(FIRST_USE)
  },
)

test.each([
  ['convert', { ...buy, baseAsset: 'NOPE', amountAsset: 'NOPE' }, 'input.baseAsset: ', '(assetSymbol: NOPE)', 'assets'],
  ['withdraw', { ...send, assetSymbol: 'NOPE' }, 'input.assetSymbol: ', '(assetSymbol: NOPE)', 'assets'],
  ['withdraw', { ...send, contactReference: 'nobody' }, 'input.contactReference: ', ' nobody;', 'contacts'],
  [
    ...(['withdraw', { assetSymbol: 'USDC', amount: '1', contactId: 'gone' }] as const),
    ...(['input.contactId: ', '(contactId: gone)', 'contacts'] as const),
  ],
] as const)('%s of %j names the field and the value that were given', async (verb, request, field, value, list) => {
  const { exitCode, stdout, stderr } = await run(verb, `${verb}-${field}`.replaceAll(/[^a-zA-Z-]/g, ''), request)
  expect(exitCode).toBe(1)
  const { outcome, why } = JSON.parse(stdout)
  expect({ outcome, why }).toEqual({ outcome: 'REJECTED', why: expect.stringContaining(field) })
  expect(why).toContain(value)
  expect(stderr).toMatch(new RegExp(`^ +npx sluice service ${list} --state .* --config ${config} *#`, 'm'))
})

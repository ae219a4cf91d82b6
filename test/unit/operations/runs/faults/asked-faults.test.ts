// The faults that a person may ask for are those that a sandbox can make.
import { startSandbox } from '@sluice/service-sandbox'
import { expect, test } from 'vitest'
import { FAULTS, faultNames } from '../../../../../operations/runs/faults/fault-names.ts'
import { wantedFaults } from '../../../../../operations/runs/faults/wanted-faults.ts'
import { metLines } from '../../../../../operations/runs/faults/with-faults.ts'

const BUILT_IN = { stateDir: '/state', configFile: '/treasury.json' }
const named = (url: string) => ({ ...BUILT_IN, service: { url, keysFile: 'keys.json' } })
const SANDBOX = 'http://127.0.0.1:4010'
const lost = { fault: ['lost-answer'] }

test('faults are requested from the built-in sandbox, and from a sandbox of this machine with a given control API', () => {
  expect(wantedFaults({}, 'convert', named('https://api.example.com'))).toBeUndefined()
  expect(wantedFaults(lost, 'convert', BUILT_IN)).toMatchObject({
    faults: [{ name: 'lost-answer', paths: ['/v2/orders'] }],
    controlUrl: undefined,
  })
  const control = `${SANDBOX}/_control`
  expect(wantedFaults({ ...lost, control }, 'sweep', named(SANDBOX))).toMatchObject({
    faults: [{ paths: ['/v2/orders', '/v2/withdrawals'] }],
    controlUrl: control,
  })
})

test.each([
  ['a service without a control API', lost, named('https://api.example.com'), 'expected a sandbox as the service'],
  ['a local service without one', lost, named(SANDBOX), 'no address of its control API'],
  ['AWS', { ...lost, aws: true } as const, BUILT_IN, 'whose service may be real'],
  ['a control API elsewhere', { ...lost, control: 'https://example.com/_control' }, named(SANDBOX), 'of this machine'],
  ['one of another port', { ...lost, control: 'http://127.0.0.1:1/_control' }, named(SANDBOX), 'another address than'],
  ['a control API without a service', { ...lost, control: `${SANDBOX}/_control` }, BUILT_IN, 'that service names'],
  ['a control API without a fault', { control: `${SANDBOX}/_control` }, named(SANDBOX), 'is for fault'],
  ['a fault that there is not', { fault: ['lost-anser'] }, BUILT_IN, 'did you mean lost-answer?'],
  ['what every object has', { fault: ['constructor'] }, BUILT_IN, 'expected one of lost-request, lost-answer'],
  ['a fault that the verb cannot meet', { fault: ['failed-withdrawal'] }, BUILT_IN, 'which run convert cannot meet'],
  ['a fault twice', { fault: ['lost-answer', 'lost-answer'] }, BUILT_IN, 'expected once; got twice'],
])('%s is refused with exit 2', (_what, flags, settings, message) => {
  const asked = () => wantedFaults(flags, 'convert', settings)
  expect(asked).toThrow(message)
  expect(asked).toThrow(expect.objectContaining({ exitCode: 2 }))
})

test('the sandbox knows every named fault, and each of its own kinds has a name', async () => {
  const sandbox = await startSandbox()
  try {
    for (const { fault } of Object.values(FAULTS)) {
      const body = JSON.stringify({ match: { method: 'POST', path: '/v2/orders' }, fault })
      expect(await fetch(`${sandbox.controlUrl}/rules`, { method: 'POST', body })).toMatchObject({ ok: true })
    }
    const unknown = await fetch(`${sandbox.controlUrl}/rules`, {
      method: 'POST',
      body: '{"match":{"path":"*"},"fault":{"kind":"?"}}',
    })
    const kinds = /expected one of ([A-Za-z, ]+)\./.exec(await unknown.text())?.[1]?.split(', ') ?? []
    expect(new Set(Object.values(FAULTS).map(({ fault }) => fault.kind))).toEqual(new Set(kinds))
  } finally {
    await sandbox.stop()
  }
})

test('each verb has its own faults', () => {
  expect(faultNames('convert')).toContain('expired-quote')
  expect(faultNames('withdraw')).toContain('failed-withdrawal')
  expect(faultNames('withdraw')).not.toContain('expired-quote')
  expect(faultNames('sweep')).toEqual(Object.keys(FAULTS))
})

test('faults that occurred are described in words', () => {
  const of = (what: string, met: number) => ({ fault: what.replace(' ', '-'), what, request: 'POST /v2/orders', met })
  expect(metLines([of('lost answer', 1), of('rate limit', 2), of('lost request', 0)])).toEqual([
    'met: lost answer to POST /orders, once',
    'met: rate limit at POST /orders, 2 times',
  ])
  expect(metLines([of('lost answer', 0)])).toEqual(['met: no fault; lost-answer had no effect'])
})

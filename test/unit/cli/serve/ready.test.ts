import { expect, test } from 'vitest'
import { printReady, type Ready } from '../../../../cli/serve/ready.ts'
import { createOutput } from '../../../../cli/terminal/output.ts'
import { recorded } from '../terminal/recorded-stream.ts'

const READY: Ready = {
  eventsUrl: 'http://127.0.0.1:4000',
  region: 'us-east-1',
  credentialsFile: '/state/credentials',
  functionUrls: [{ functionName: 'sluice-webhook', url: 'http://127.0.0.1:4001/sluice-webhook' }],
  eventBus: 'sluice',
  service: 'http://127.0.0.1:4002',
  schedules: [{ name: 'core', expression: 'rate(1 day)', zone: 'UTC', isEnabled: false }],
}

function told(screen: { readonly isTTY?: boolean; readonly columns?: number }, isJsonl: boolean): string {
  const stdout = recorded(screen)
  printReady(READY, isJsonl, {
    stdout,
    output: createOutput({ stdout, stderr: recorded(), json: false, term: 'xterm' }),
  })
  return stdout.text
}

test('a person at a terminal reads on lines of 80 columns where it answers', () => {
  const text = told({ isTTY: true, columns: 80 }, false)
  expect(text).toMatch(/^service +http:\/\/127\.0\.0\.1:4002\nevents +http:\/\/127\.0\.0\.1:4000, bus sluice\n/)
  expect(text).toMatch(/\nsluice-webhook +http:\/\/127\.0\.0\.1:4001\/sluice-webhook\n/)
  expect(text).toMatch(/\nschedule core +rate\(1 day\) \(UTC\), disabled\n$/)
})

test('a program reads one JSON line, also at a terminal where it asks for lines of JSON', () => {
  expect(told({}, false)).toBe(`${JSON.stringify(READY)}\n`)
  expect(told({ isTTY: true, columns: 80 }, true)).toBe(`${JSON.stringify(READY)}\n`)
})

// `sluice serve` shows programs and people where it can be reached.
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

function printed(screen: { readonly isTTY?: boolean; readonly columns?: number }, isJsonl: boolean): string {
  const stdout = recorded(screen)
  printReady(READY, isJsonl, {
    stdout,
    output: createOutput({ stdout, stderr: recorded(), json: false, term: 'xterm' }),
  })
  return stdout.text
}

test('at a terminal the addresses are on lines of 80 columns', () => {
  const text = printed({ isTTY: true, columns: 80 }, false)
  expect(text).toMatch(/^service +http:\/\/127\.0\.0\.1:4002\nevents +http:\/\/127\.0\.0\.1:4000, bus sluice\n/)
  expect(text).toMatch(/\nsluice-webhook +http:\/\/127\.0\.0\.1:4001\/sluice-webhook\n/)
  expect(text).toMatch(/\nschedule core +rate\(1 day\) \(UTC\), disabled\n$/)
})

test('a program gets one JSON line, and with --jsonl also at a terminal', () => {
  expect(printed({}, false)).toBe(`${JSON.stringify(READY)}\n`)
  expect(printed({ isTTY: true, columns: 80 }, true)).toBe(`${JSON.stringify(READY)}\n`)
})

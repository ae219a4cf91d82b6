// A test that leaves something of its process changed is named, and the change is taken back.
import dns from 'node:dns'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { changedSince, readFacts, takeBack } from '../../helpers/process-facts.ts'

test.each<readonly [name: string, change: () => void]>([
  ['variable SLUICE_LEFT', () => (process.env.SLUICE_LEFT = 'left')],
  ['the object process.argv', () => (process.argv = [...process.argv])],
  ['the arguments', () => process.argv.push('--left')],
  ['the exit code', () => (process.exitCode = 7)],
  ['the folder', () => process.chdir(tmpdir())],
  ['the umask', () => process.umask(0o117)],
  ['the clock', () => (globalThis.Date = class extends Date {} as DateConstructor)],
  ['fetch', () => (globalThis.fetch = async () => new Response())],
  ['Math.random', () => (Math.random = () => 0.5)],
  ['Error.stackTraceLimit', () => (Error.stackTraceLimit = 1)],
  ['http.globalAgent', () => (http.globalAgent = new http.Agent())],
  ['the order of DNS results', () => dns.setDefaultResultOrder('ipv6first')],
  ['console.log', () => (console.log = () => undefined)],
  ['console.error', () => (console.error = () => undefined)],
])('%s, left changed, is named, and is restored', (name, change) => {
  const before = readFacts()
  expect(changedSince(before)).toEqual([])
  change()
  const left = changedSince(before)
  takeBack(before)
  expect(left).toEqual([name])
  expect(changedSince(before)).toEqual([])
})

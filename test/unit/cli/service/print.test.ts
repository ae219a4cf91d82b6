// A list of the service is cut only visibly, as a table, JSON or lines of JSON.
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { type Form, printListing } from '../../../../cli/service/print.ts'
import { createOutput } from '../../../../cli/terminal/output.ts'
import { amountField, field, listing } from '../../../../operations/service/columns.ts'
import { recorded } from '../terminal/recorded-stream.ts'

const columns = [field('id'), amountField('amount')]

/** A listing that counts the records taken from it. */
function counted(total: number) {
  const taken = { count: 0 }
  async function* records() {
    for (let index = 1; index <= total; index++) {
      taken.count = index
      yield { id: `r${index}`, amount: String(index) }
    }
  }
  return { taken, view: listing(columns, records()) }
}

async function printed(total: number, form: Form, limit?: number) {
  const stdout = recorded()
  const stderr = recorded()
  const output = createOutput({ stdout, stderr, json: form !== 'table', term: undefined })
  const { taken, view } = counted(total)
  const failure = await printListing(view, { form, limit }, { stdout, output }).catch((error: unknown) => error)
  return { stdout: stdout.text, stderr: stderr.text, taken, failure }
}

test('a table is cut at 100 rows, and says so', async () => {
  const { stdout, stderr, taken } = await printed(5_000, 'table')
  expect(stdout.split('\n')).toHaveLength(1 + 100 + 1)
  expect(stderr).toBe('the first 100; there are more: --limit N shows N of them, --csv and --jsonl all\n')
  expect(taken.count).toBe(101)
})

test('an empty table is its titles, and a note', async () => {
  expect(await printed(0, 'table')).toMatchObject({ stderr: 'none\n', stdout: expect.stringContaining('id') })
})

test('a limit that is not reached is not mentioned', async () => {
  expect(await printed(3, 'table', 3)).toMatchObject({ stderr: '' })
})

test('one JSON value holds all of a list, or as many as the limit says', async () => {
  expect(JSON.parse((await printed(150, 'json')).stdout)).toHaveLength(150)
  expect(JSON.parse((await printed(150, 'json', 2)).stdout)).toEqual([
    { id: 'r1', amount: '1' },
    { id: 'r2', amount: '2' },
  ])
})

test('JSON is never cut off silently: beyond 10,000 records it is refused', async () => {
  const { stdout, failure } = await printed(10_001, 'json')
  expect(stdout).toBe('')
  expect(failure).toMatchObject({ exitCode: 2, message: expect.stringContaining('at most 10000 records') })
})

test('each record is a line of JSON, up to the limit', async () => {
  const { stdout, taken } = await printed(50, 'jsonl', 2)
  expect(stdout).toBe('{"id":"r1","amount":"1"}\n{"id":"r2","amount":"2"}\n')
  expect(taken.count).toBeLessThanOrEqual(3)
})

test('a slow reader is waited for', async () => {
  const waiting: (() => void)[] = []
  const stdout = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => waiting.push(done) })
  const output = createOutput({ stdout, stderr: recorded(), json: true, term: undefined })
  const { taken, view } = counted(1_000)
  const printing = printListing(view, { form: 'jsonl', limit: undefined }, { stdout, output })
  await new Promise(setImmediate)
  expect(taken.count).toBe(1)
  stdout.destroy()
  await printing
  expect(taken.count).toBeLessThan(5)
})

test('a pipe that is closed ends the walk', async () => {
  const stdout = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => done(new Error('EPIPE')) })
  stdout.on('error', () => {})
  const output = createOutput({ stdout, stderr: recorded(), json: true, term: undefined })
  const { taken, view } = counted(1_000_000)
  await printListing(view, { form: 'jsonl', limit: undefined }, { stdout, output })
  expect(taken.count).toBeLessThan(5)
})

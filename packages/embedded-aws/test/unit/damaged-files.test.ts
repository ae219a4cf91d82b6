// Files of a state directory that something else has changed: each is refused by its name, with what to do, and the
// refusal repeats nothing of what is in it.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { OutboxFile } from '../../delivery/outbox-file.ts'
import { SecretStore } from '../../secrets/secret-store.ts'
import { QueueStore } from '../../sqs/queue-store.ts'
import { DefinitionStore } from '../../states/definition-store.ts'
import { DamagedLog } from '../../states/execution-log.ts'
import { type Machines, startProcess, temporaryDirectory } from './executed.ts'
import { only } from './interpreted.ts'

const clock = { nowMs: () => 1_000, sleep: async () => undefined }
const QUEUE = { name: 'dead', arn: 'arn:dead', visibilityTimeoutSeconds: 30, retentionSeconds: 100 }
const HIDDEN = 'svc_live_hidden'

/** Runs `open`, which must refuse. */
function refusal(open: () => unknown): string {
  try {
    open()
  } catch (error) {
    if (error instanceof Error) return `${error.name}: ${error.message}`
  }
  return expect.fail('it was not refused')
}

test.each([`{"key":[{"id":"${HIDDEN}"`, `["${HIDDEN}"]`, `{"key":[{"secretString":"${HIDDEN}"}]}`, ''])(
  'secrets that cannot be read: %j',
  (text) => {
    const file = path.join(temporaryDirectory(), 'secrets.json')
    writeFileSync(file, text)
    const told = refusal(() => new SecretStore(file))
    expect(told).toMatch(/^Refusal: \/.*secrets\.json: is damaged, .*; restore it from a copy, or move it out/)
    expect(told).not.toContain(HIDDEN)
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)

test.each([`{"message":{"body":"${HIDDEN}`, `"${HIDDEN}"`, '{}'])('a line of a queue: %j', (line) => {
  const directory = temporaryDirectory()
  new QueueStore(directory, QUEUE, clock, () => 'id').send('whole', {})
  const [file = ''] = globSync(path.join(directory, '*.jsonl'))
  const text = `${readFileSync(file, 'utf8')}${line}\n`
  writeFileSync(file, text)
  const told = refusal(() => new QueueStore(directory, QUEUE, clock, () => 'id'))
  expect(told).toContain(`${file}:2: is damaged`)
  expect(told).not.toContain(HIDDEN)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test.each([`{"job":{"work":"${HIDDEN}`, '{"job":{}}', '1'])('a line of an outbox: %j', (line) => {
  const file = path.join(temporaryDirectory(), 'outbox.jsonl')
  writeFileSync(file, `${line}\n`)
  const told = refusal(() => new OutboxFile(file))
  expect(told).toMatch(/outbox\.jsonl:1: is damaged, .*can be requested again$/)
  expect(told).not.toContain(HIDDEN)
})

test('a definition that was changed is put right where it is known, and refused where it is not', () => {
  const directory = temporaryDirectory()
  const text = JSON.stringify(only({ Type: 'Succeed' }))
  const hash = new DefinitionStore(directory).put(text, 'M')
  const file = path.join(directory, `${hash}.json`)
  writeFileSync(file, '{}')
  expect(refusal(() => new DefinitionStore(directory).get(hash, 'M'))).toContain(`${file}: is not the definition`)
  new DefinitionStore(directory).put(text, 'M')
  expect(readFileSync(file, 'utf8')).toBe(text)
})

const machines: Machines = { machines: { M: only({ Type: 'Succeed' }) } }

test.each([
  ['cut off in its last line', (text: string) => text.slice(0, -5)],
  ['cut off after a line', (text: string) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)],
  ['empty', () => ''],
])('the file of an execution that has ended, %s, is named, and its name starts nothing', async (_how, cut) => {
  const directory = temporaryDirectory()
  const first = startProcess(directory, machines)
  first.executions.start('M', 'a', '{}')
  await first.untilQuiet()
  const [file = ''] = globSync(path.join(directory, 'executions/M/finished/a.*.jsonl'))
  writeFileSync(file, cut(readFileSync(file, 'utf8')))
  const { executions } = startProcess(directory, machines)
  executions.resume()
  expect(() => executions.find('M', 'a')).toThrow(DamagedLog)
  expect(refusal(() => executions.find('M', 'a'))).toContain(`${file} lacks the end of its execution`)
  expect(() => executions.start('M', 'a', '{}')).toThrow(expect.objectContaining({ name: 'ExecutionAlreadyExists' }))
})

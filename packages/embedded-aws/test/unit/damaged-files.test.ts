// Tests files of a state directory that were changed from outside. The error for each file names it and a remedy, and
// repeats nothing of the contents.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { OutboxFile } from '../../delivery/outbox.ts'
import { SecretStore } from '../../secrets/secret-store.ts'
import { QueueStore } from '../../sqs/queue-store.ts'
import { DefinitionStore } from '../../states/definition-store.ts'
import { DamagedLog } from '../../states/execution-log.ts'
import { type Machines, startProcess, temporaryDirectory } from './executed.ts'
import { only } from './interpreted.ts'

const clock = { nowMs: () => 1_000, sleep: async () => undefined }
const QUEUE = { name: 'dead', arn: 'arn:dead', visibilityTimeoutSeconds: 30, retentionSeconds: 100 }
const HIDDEN = 'svc_live_hidden'

/** The error of `open`, which must refuse. */
function refusal(open: () => unknown): string {
  try {
    open()
  } catch (error) {
    if (error instanceof Error) return `${error.name}: ${error.message}`
  }
  return expect.fail('open did not refuse')
}

test.each([`{"key":[{"id":"${HIDDEN}"`, `["${HIDDEN}"]`, `{"key":[{"secretString":"${HIDDEN}"}]}`, ''])(
  'unreadable secrets: %j',
  (text) => {
    const file = path.join(temporaryDirectory(), 'secrets.json')
    writeFileSync(file, text)
    const message = refusal(() => new SecretStore(file))
    expect(message).toMatch(/^Refusal: \/.*secrets\.json: is damaged, .*; restore it from a copy, or move it out/)
    expect(message).not.toContain(HIDDEN)
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)

test.each([`{"message":{"body":"${HIDDEN}`, `"${HIDDEN}"`, '{}'])('a line of a queue: %j', (line) => {
  const directory = temporaryDirectory()
  new QueueStore(directory, QUEUE, clock, () => 'id').send('whole', {})
  const [file = ''] = globSync(path.join(directory, '*.jsonl'))
  const text = `${readFileSync(file, 'utf8')}${line}\n`
  writeFileSync(file, text)
  const message = refusal(() => new QueueStore(directory, QUEUE, clock, () => 'id'))
  expect(message).toContain(`${file}:2: is damaged`)
  expect(message).not.toContain(HIDDEN)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test.each([`{"job":{"work":"${HIDDEN}`, '{"job":{}}', '1'])('a line of an outbox: %j', (line) => {
  const file = path.join(temporaryDirectory(), 'outbox.jsonl')
  writeFileSync(file, `${line}\n`)
  const message = refusal(() => new OutboxFile(file))
  expect(message).toMatch(/outbox\.jsonl:1: is damaged, .*can be requested again$/)
  expect(message).not.toContain(HIDDEN)
})

test('a changed definition is restored if the assembly has it, and otherwise refused', () => {
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
])('the file of an execution that has ended, %s, is reported, and its name cannot be started', async (_name, cut) => {
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

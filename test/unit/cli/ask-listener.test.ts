// Tests the question who receives alarms, before a deployment, and the effect of the answer.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { addressOf, askListener, withListener } from '../../../cli/deploy/ask-listener.ts'
import { loadTreasury } from '../../../core/treasury/config.ts'
import { temporaryFolder } from '../../helpers/folders.ts'

const SERVICE = '"service":{"url":"https://api.example.com","stage":"test"}'

function asking(text: string, answers?: readonly string[]) {
  const file = path.join(temporaryFolder(), 'treasury.json')
  writeFileSync(file, text)
  const told: string[] = []
  const left = [...(answers ?? [])]
  const terminal = { question: async () => left.shift() ?? '' }
  const asked = askListener({
    file,
    terminal: answers === undefined ? undefined : terminal,
    tell: (line) => void told.push(line),
  })
  return { asked, file, told, text: () => readFileSync(file, 'utf8') }
}

test('an answer goes into the file, and nothing else in it changes', async () => {
  const before = `{\n    ${SERVICE},\n    "requesters": [ ]\n}\n`
  const one = asking(before, ['nobody', ' on-call@example.com '])
  await one.asked
  expect(loadTreasury(one.file).alarms).toEqual({ page: ['mailto:on-call@example.com'] })
  expect(one.text().replace('\n  "alarms": {"page":["mailto:on-call@example.com"]},', '')).toBe(before)
  expect(one.told).toEqual([
    expect.stringContaining('expected an address'),
    expect.stringContaining('AWS asks a mail address to confirm'),
  ])
})

test.each([
  ['if nobody can be asked', undefined],
  ['if the person gives no address', ['']],
  ['after three invalid ones', ['a', 'b', 'c', 'on-call@example.com']],
])('%s the file stays, and a hint says how to name a receiver', async (_where, answers) => {
  const one = asking(`{${SERVICE}}`, answers)
  await one.asked
  expect(one.text()).toBe(`{${SERVICE}}`)
  expect(one.told.at(-1)).toMatch(/^nobody hears the alarms of this deployment; in the file: "alarms"/)
})

test('nothing is asked if somebody receives alarms already, or if the file cannot be used', async () => {
  const heard = ['"page":["mailto:a@b.example"]', '"topicArn":"arn:aws:sns:eu-west-1:123456789012:t"']
  for (const text of [...heard.map((alarms) => `{${SERVICE},"alarms":{${alarms}}}`), '{']) {
    const one = asking(text, ['on-call@example.com'])
    await one.asked
    expect({ text: one.text(), told: one.told }).toEqual({ text, told: [] })
  }
})

test('a file with alarms is left to its writer', () => {
  expect(withListener(`{${SERVICE},"alarms":{"ticket":["mailto:a@b.example"]}}`, 'mailto:b@b.example')).toBeUndefined()
})

test.each([
  ['on-call@example.com', 'mailto:on-call@example.com'],
  ['mailto:on-call@example.com', 'mailto:on-call@example.com'],
  ['https://alerts.example.com/v2/$&', 'https://alerts.example.com/v2/$&'],
  ['http://alerts.example.com', undefined],
  ['https://user:secret@alerts.example.com', undefined],
  ['+34600000000', undefined],
])('%s gives the address %s', (answer, address) => {
  expect(addressOf(answer)).toBe(address)
})

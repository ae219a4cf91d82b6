// Tests that every file that a person gives to a command is read as Windows writes it: UTF-16 or a mark, and \r\n.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../helpers/folders.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'

const ENCODINGS: readonly (readonly [name: string, encode: (text: string) => Buffer])[] = [
  ['UTF-16', (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])],
  ['UTF-8 with a mark', (text) => Buffer.from(`\uFEFF${text}`)],
]
const treasury = { service: { url: 'http://127.0.0.1:9', stage: 'test' } }
const buy = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '25' }
const linesOf = (content: object) => `${JSON.stringify(content, undefined, 2).replaceAll('\n', '\r\n')}\r\n`

test.each(ENCODINGS)('configuration, input and keys in %s are read', async (_name, encode) => {
  const folder = temporaryFolder()
  const file = (name: string, content: object) => {
    const to = path.join(folder, name)
    writeFileSync(to, encode(linesOf(content)), { mode: 0o600 })
    return to
  }
  const config = file('treasury.json', treasury)
  expect(await runInProcess(['policies', '--config', config, '--json'])).toMatchObject({ exitCode: 0 })
  const service = ['--service', 'http://127.0.0.1:9', '--keys', file('keys.json', JSON.parse(makeKey('Ed').material))]
  // No answer comes from there: all files were read before.
  const state = ['--state', path.join(folder, 'state'), '--config', config]
  for (const words of [
    ['whoami', ...service, ...state],
    ['run', 'convert', file('buy.json', buy), '--id', 'a', ...service, ...state],
  ]) {
    const { exitCode, stderr } = await runInProcess(words)
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/ECONNREFUSED|GET .* failed/) })
  }
})

test('a file in another encoding is refused with its encoding, before anything is sent', async () => {
  const config = path.join(temporaryFolder(), 'treasury.json')
  writeFileSync(config, Buffer.from('{"note":"Zürich"}', 'latin1'))
  const { exitCode, stderr } = await runInProcess(['policies', '--config', config])
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(/got another encoding, such as Win/),
  })
})

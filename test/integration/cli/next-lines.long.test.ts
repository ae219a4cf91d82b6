// The suggestions after a command: each suggested command names the same configuration, state directory and service, so that
// it can be pasted. All commands run, one after the other.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderOfFile } from '../../helpers/folders.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { COMMANDS_TREASURY } from './commands-treasury.ts'

/** It has a space, because a path has to be quoted too. */
const dir = path.join(folderOfFile(), 'next lines')
const file = (name: string) => path.join(dir, name)
beforeAll(() => {
  mkdirSync(dir)
  const buy = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
  writeFileSync(file('buy.json'), JSON.stringify(buy))
  writeFileSync(file('small.json'), JSON.stringify({ ...buy, amount: '0.5' }))
  writeFileSync(file('F.json'), COMMANDS_TREASURY)
})

const SAID = ['--because', 'a test', '--by', 'ada']
/** The waiting run, once it has been started. */
let waiting = 'run-1'

/** The suggested commands. A call of help needs no connection flags. */
function commandsIn(stderr: string): string[] {
  const [, lines = ''] = /^next: {2}(.*)$/ms.exec(stderr) ?? []
  return lines
    .split('\n')
    .flatMap((line) => /(npx sluice .*)$/.exec(line)?.[1] ?? [])
    .map((line) => line.replace(/ +#.*$/, ''))
    .filter((line) => !line.endsWith('--help') && !line.startsWith('npx sluice setup init '))
}

describe('with a state directory and a configuration', () => {
  const place = () => ['--config', file('F.json'), '--state', file('S')]

  test.each<readonly [words: string, argv: () => readonly string[]]>([
    ['policies', () => []],
    ['plan', () => ['nope']],
    ['plan', () => ['odd']],
    ['run convert', () => []],
    ['run convert', () => [file('buy.json'), '--id', 'a']],
    ['run convert', () => [file('small.json'), '--id', 'b']],
    ['run rebalance', () => ['nope']],
    ['run rebalance', () => ['held', '--id', 'held']],
    ['run sweep', () => ['payout']],
    ['plan', () => ['held']],
    ['policies', () => []],
    ['runs list', () => []],
    ['runs list', () => ['--policy', 'nope']],
    ['runs list', () => ['--policy', 'No Name']],
    ['movements show', () => [waiting]],
    ['movements show', () => ['nothing']],
    ['runs report', () => [waiting]],
    ['cases list', () => []],
    ['approve', () => ['nothing', ...SAID]],
    ['reject', () => [waiting, ...SAID, '--yes']],
    ['approve', () => [waiting, ...SAID, '--yes']],
    ['cases again', () => ['--armed']],
    ['cases again', () => ['nothing']],
    ['cases resolve', () => ['cv-1', '--none', ...SAID, '--yes']],
    ['cases foreign', () => ['wd-1', ...SAID, '--yes']],
    ['cases release', () => ['held', ...SAID, '--yes']],
    ['halt', () => ['--policy', 'nope', ...SAID]],
    ['halt', () => SAID],
    ['cases list', () => []],
    ['plan', () => ['held']],
    ['resume', () => ['--policy', 'held', ...SAID]],
    ['resume', () => SAID],
    ['whoami', () => []],
    ['setup doctor', () => ['--asset', 'NOPE']],
    ['service balances', () => []],
    ['service assets', () => ['NOPE']],
    ['service markets', () => ['--price', 'BUY']],
    ['service orders', () => []],
    ['service contacts rename', () => ['nobody', '--alias', 'x', '--yes']],
    ['service balances', () => ['--history', 'NOPE']],
    ['journal audit', () => ['--since', 'yesterday']],
    ['journal audit', () => []],
  ])('the suggestions after %s name the same flags', async (words, argv) => {
    const { stdout, stderr } = await runInProcess([...words.split(' '), ...argv(), ...place()])
    const { runId } = words === 'run rebalance' && stdout !== '' ? JSON.parse(stdout) : {}
    if (runId !== undefined) waiting = runId
    const commands = commandsIn(stderr)
    expect(commands, stderr).not.toEqual([])
    for (const line of commands) {
      expect(line).toContain(` --config '${file('F.json')}'`)
      expect(line).toContain(` --state '${file('S')}'`)
    }
  })
})

test('with --aws, the suggestions use AWS too', async () => {
  const { stderr } = await runInProcess(['cases', 'again', '--aws', '--config', file('F.json')])
  expect(commandsIn(stderr)).toEqual([`npx sluice cases list --aws --config '${file('F.json')}'`])
})

test('with a service, the suggestions use the same service, and never contain a key', async () => {
  const place = ['--service', 'http://127.0.0.1:9', '--keys', file('none.json'), '--config', file('F.json')]
  const { stderr } = await runInProcess(['plan', 'nope', ...place])
  expect(commandsIn(stderr)).toEqual([`npx sluice policies --service http://127.0.0.1:9 --config '${file('F.json')}'`])
})

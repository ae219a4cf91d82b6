// Every command with arguments and its exit code, for one state directory. They are in this order, because a command may
// need the effect of an earlier one.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { COMMANDS_TREASURY } from './commands-treasury.ts'

const SAID = ['--because', 'a test', '--by', 'ada']
const NOWHERE = ['--service', 'http://127.0.0.1:9', '--keys', '/nowhere.json']

export interface CommandRow {
  readonly name: string
  /** `waiting`: the run that waits for approval. */
  readonly argv: (waiting: string) => readonly string[]
  readonly exitCode: number
}

/** Writes the files that the commands read to `dir`, and returns the rows. */
export function commandsIn(dir: string): readonly CommandRow[] {
  const file = (name: string) => path.join(dir, name)
  const buy = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
  const send = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
  writeFileSync(file('buy.json'), JSON.stringify(buy))
  writeFileSync(file('send.json'), JSON.stringify(send))
  writeFileSync(file('policies.json'), COMMANDS_TREASURY)
  const rows: readonly (readonly [name: string, argv: CommandRow['argv'], exitCode: number])[] = [
    // start.long.test.ts has the tour itself.
    ['start', () => ['--profile', 'nobody'], 2],
    ['whoami', () => [], 0],
    ['setup diff', () => [], 8],
    // The service lacks the asset of the policy `odd`.
    ['setup doctor', () => [], 1],
    ['policies', () => [], 0],
    ['runs list', () => [], 2],
    ['movements list', () => [], 2],
    ['run convert', () => [file('buy.json'), '--id', 'a'], 0],
    ['run convert', () => [file('buy.json'), '--id', 'a'], 0],
    ['run withdraw', () => [file('send.json'), '--id', 'b'], 0],
    ['run rebalance', () => ['empty'], 0],
    ['run rebalance', () => ['held', '--id', 'held'], 4],
    ['run sweep', () => ['payout'], 2],
    ['payouts template', () => ['--policy', 'held'], 2],
    ['payouts check', () => [file('buy.json'), '--policy', 'held'], 1],
    ['payouts run', () => [file('buy.json'), '--policy', 'held'], 2],
    ['payouts results', () => [file('buy.json'), '--policy', 'held'], 2],
    ['plan', () => ['held'], 0],
    ['policies', () => [], 0],
    ['runs list', () => ['--limit', '2'], 0],
    ['runs list', () => ['--policy', 'nobody'], 2],
    ['movements show', (waiting) => [waiting], 4],
    ['movements show', () => ['nothing'], 1],
    ['movements show', () => ['a'], 0],
    ['movements show', () => ['b', '--kind', 'withdraw'], 0],
    ['movements show', () => ['a', '--sentences'], 0],
    ['runs show', () => ['held', '--sentences'], 4],
    ['runs show', () => ['nothing'], 1],
    ['movements list', () => ['--limit', '1'], 0],
    ['movements export', () => ['--out', file('table.csv')], 0],
    ['movements export', () => [], 2],
    ['books', () => ['--from', '2020-01-01', '--out', file('books.journal')], 0],
    ['books', () => ['--from', '2020-01-01'], 2],
    ['costs', () => [], 0],
    ['costs', () => ['--from', 'spring'], 2],
    ['statement', () => ['--from', '2020-01-01'], 0],
    ['statement', () => ['--from', '2020-01-01', '--to', '2019-01-01'], 2],
    ['logs', () => ['--limit', '3'], 0],
    ['logs', () => ['held'], 0],
    ['logs', () => ['nothing'], 1],
    ['logs', () => ['--since', 'yesterday'], 2],
    ['runs report', (waiting) => [waiting], 0],
    ['proof make', () => ['a', '--out', file('a.proof')], 0],
    ['proof make', (waiting) => [waiting], 0],
    ['proof make', () => ['nothing'], 1],
    ['proof make', () => [], 2],
    ['proof check', () => [file('a.proof')], 6],
    ['proof check', () => [file('buy.json')], 1],
    ['proof check', () => [file('nowhere')], 2],
    ['cases list', () => [], 4],
    ['reject', (waiting) => [waiting, ...SAID], 2],
    ['reject', (waiting) => [waiting, ...SAID, '--yes'], 0],
    ['approve', (waiting) => [waiting, ...SAID, '--yes'], 1],
    ['cases list', () => [], 0],
    ['cases again', () => ['--armed'], 0],
    ['cases again', () => ['a'], 0],
    ['cases again', () => ['nothing'], 1],
    ['cases again', () => [], 2],
    ['cases resolve', () => ['cv-1', '--none', ...SAID, '--yes'], 1],
    ['cases foreign', () => ['wd-1', ...SAID, '--yes'], 1],
    ['cases release', () => ['held', ...SAID, '--yes'], 1],
    ['halt', () => SAID, 0],
    ['run convert', () => [file('buy.json'), '--id', 'a', '--input', 'b'], 2],
    ['resume', () => SAID, 0],
    ['people list', () => ['--limit', '1'], 0],
    ['people list', () => ['--did', 'slept'], 2],
    ['people export', () => ['--out', file('people.csv')], 0],
    ['people export', () => [], 2],
    ['whoami', () => [], 0],
    ['service balances', () => [], 0],
    ['service assets', () => [], 0],
    ['service assets', () => ['NOTHING'], 1],
    ['service markets', () => ['BTC-USDC'], 0],
    ['service markets', () => ['BTC-USDC', '--price', 'BUY'], 0],
    ['service markets', () => ['--price', 'BUY'], 2],
    ['service orders', () => ['--limit', '1'], 0],
    ['service orders', () => ['--fills'], 0],
    ['service withdrawals', () => [], 0],
    ['service deposits', () => [], 0],
    ['service contacts', () => [], 0],
    ['service contacts rename', () => ['nobody', '--alias', 'x', '--yes'], 1],
    ['service ledger', () => [], 0],
    ['service balances', () => ['--history', 'USDC'], 0],
    ['service balances', () => ['--granularity', 'day'], 2],
    ['journal audit', () => [], 0],
    ['journal verify', () => [], 0],
    ['journal rebuild', () => [], 0],
    ['journal export', () => ['--to', file('export')], 0],
    ['journal export', () => ['--to', file('')], 2],
    [
      'setup init',
      () => ['--out', file('new.json'), '--kind', 'rebalance', '--weights', 'BTC=0.5,USDC=0.5', '--no-input'],
      0,
    ],
    ['run convert', () => [file('buy.json'), '--id', 'mishap', '--fault', 'lost-answer'], 0],
    ['run convert', () => [file('buy.json'), '--fault', 'nothing'], 2],
    ['serve', () => ['--port', '0'], 2],
    ['console', () => ['--port', '0'], 2],
    ['events trigger conversion', () => [file('buy.json'), '--id', 'a'], 1],
    ['events trigger withdrawal', () => [file('buy.json')], 2],
    ['events trigger rebalance', () => ['empty', '--wait', '0'], 2],
    ['events trigger sweep', () => [], 2],
    ['events dead-letters list', () => [], 1],
    ['events dead-letters show', () => ['nothing'], 1],
    ['events dead-letters resend', () => ['nothing'], 1],
    ['events dead-letters drop', () => ['nothing', '--yes'], 2],
    ['events notices set', () => ['nobody'], 2],
    ['events notices test', () => ['nobody'], 1],
    ['keys generate', () => ['--embedded', ...NOWHERE.slice(0, 2)], 2],
    ['keys stage', () => ['--embedded', ...NOWHERE.slice(0, 2)], 2],
    ['keys verify', () => ['--embedded', ...NOWHERE.slice(0, 2)], 2],
    ['keys promote', () => ['--embedded', ...NOWHERE.slice(0, 2)], 2],
    ['keys status', () => ['--embedded', ...NOWHERE.slice(0, 2)], 2],
    ['keys protect', () => ['--config', file('nothing.json')], 2],
    ['keys adopt', () => [...NOWHERE, ...SAID, '--yes'], 2],
    ['setup completion', () => ['bash'], 0],
    ['setup repository', () => [dir], 2],
    ['deploy', () => ['--first'], 2],
  ]
  return rows.map(([name, argv, exitCode]) => ({ name, argv, exitCode }))
}

interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Checks that a command printed one line of JSON, and returns the run if it waits. */
export function runWaitingIn({ exitCode, stdout, stderr }: Ended): string | undefined {
  const [stream, other] = stdout === '' ? [stderr, stdout] : [stdout, stderr]
  expect(other).toBe('')
  expect(stream.split('\n')).toHaveLength(2)
  const printed: unknown = JSON.parse(stream)
  if (stdout === '') expect(printed).toEqual({ error: expect.objectContaining({ code: expect.any(String) }) })
  const isWaiting = typeof printed === 'object' && printed !== null && 'runId' in printed && exitCode === 4
  return isWaiting ? String(printed.runId) : undefined
}

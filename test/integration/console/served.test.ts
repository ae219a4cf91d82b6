// On a terminal, serve opens the console and shows its link; both end together. In a pipe there is no console, because
// the link would get into a log.
import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import { runProgram } from '../../../cli/program.ts'
import { createOutput } from '../../../cli/terminal/output.ts'
import { systemClock } from '../../../core/clock.ts'
import { folderOfFile } from '../../helpers/folders.ts'
import { recorded } from '../../unit/cli/terminal/recorded-stream.ts'

const dir = folderOfFile()
beforeAll(() => {
  const service = { url: 'https://api.example.com', stage: 'test' }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify({ service }))
})

function serve(isTTY: boolean, ...more: string[]) {
  const stopping = new AbortController()
  const [stdout, stderr] = [recorded({ isTTY, columns: 400 }), recorded()]
  const argv = ['serve', '--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json'), ...more]
  const ended = runProgram({
    ...{ argv, variables: { USER: 'ada' }, stdin: Readable.from([]), stdout, clock: systemClock },
    output: createOutput({ stdout, stderr, json: false, term: undefined }),
    catchInterruption: () => stopping.signal,
  })
  return { stdout, ended, stop: () => stopping.abort() }
}

function statusOf(url: string): Promise<number | string> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => resolve(response.resume().statusCode ?? 0)).on('error', (error) =>
      resolve('code' in error ? String(error.code) : error.message),
    )
  })
}

const LINK = /http:\/\/127\.0\.0\.1:[0-9]+\/open\/[\w-]{43}/

test('on a terminal the link is shown and opens the console, which ends with the serve', async () => {
  const { stdout, ended, stop } = serve(true)
  await expect.poll(() => stdout.text).toMatch(LINK)
  const [link = ''] = LINK.exec(stdout.text) ?? []
  expect(await statusOf(link)).toBe(200)
  expect(await statusOf(link)).toBe(403)
  stop()
  expect(await ended).toBe(0)
  expect(await statusOf(link)).toBe('ECONNREFUSED')
})

test.each([
  ['in a pipe', false, []],
  ['with --jsonl', true, ['--jsonl']],
  ['with --no-console', true, ['--no-console']],
] as const)('%s there is no console', async (_where, isTTY, more) => {
  const { stdout, ended, stop } = serve(isTTY, ...more)
  await expect.poll(() => stdout.text).toContain('127.0.0.1')
  stop()
  expect(await ended).toBe(0)
  expect(stdout.text).not.toMatch(LINK)
})

// A page that stays open while its server dies, returns, or has no room for it. Uses Chromium if there is one.
import { get, type IncomingMessage } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from '../cli/command-line.ts'
import { SERVICE, useCommands } from '../cli/commands.ts'
import { enter, hasChromium, startBrowser } from './browser.ts'
import { openTestConsole } from './opened-console.ts'

const buy = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }

const { file, write, place } = useCommands()
const running: Running[] = []
const convert = (id: string) => runInProcess(['run', 'convert', file('buy.json'), '--id', id, ...place()])

beforeAll(async () => {
  const service = SERVICE
  write('treasury.json', { service })
  write('buy.json', { ...buy, maxSlippageBps: 50 })
})
afterAll(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGINT')
    await ended
  }
})

function start(...args: string[]): Running {
  const started = startSluice([...args, ...place()])
  running.push(started)
  return started
}

async function end({ child, ended }: Running, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  await ended
}

describe.skipIf(!hasChromium)('in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  const linkOf = async ({ firstLine }: Running) => (JSON.parse(await firstLine) as { url: string }).url

  test('a page of a restarted console says that its session has ended, with the next step', async () => {
    await convert('first')
    const one = start('console', '--json')
    const link = await linkOf(one)
    const visitor = await enter(browser, link, { width: 1280 })
    const { page } = await visitor.visit('/')
    await page.locator('#live', { hasText: 'updated by itself, as of' }).waitFor()
    await end(one, 'SIGKILL')
    await page.locator('#live', { hasText: 'the connection is lost, and is tried again' }).waitFor()
    await linkOf(start('console', '--json', '--port', new URL(link).port))
    await page.locator('#live', { hasText: 'the session has ended. Run sluice console and open the link' }).waitFor()
    expect(await page.locator('#main').innerText()).toContain('Last runs')
    await visitor.context.close()
  })

  test('a link in a notice leads to its page in a browser that is in the console, and to nothing in another', async () => {
    const link = await linkOf(start('console', '--json'))
    const { origin } = new URL(link)
    const visitor = await enter(browser, link, { width: 1280 })
    const { page } = await visitor.visit('/')
    const noticed = await visitor.context.newPage()
    await noticed.goto(`${origin}/go/halt`)
    await noticed.waitForURL(`${new URL('halt', page.url())}`)
    expect(await noticed.locator('h1').innerText()).toBe('Halt')
    await visitor.context.close()
    const other = await browser.newContext()
    const stranger = await other.newPage()
    await stranger.goto(`${origin}/go/halt`)
    expect(await stranger.locator('#main').innerText()).toContain('This page needs a session of the console')
    expect(stranger.url()).toBe(`${origin}/go/halt`)
    await other.close()
  })

  test('a page over a desk that dies and returns continues by itself', async () => {
    const one = start('serve', '--jsonl')
    await one.firstLine
    const visitor = await enter(browser, await linkOf(start('console', '--json')), { width: 1280 })
    const { page } = await visitor.visit('/')
    await page.locator('#live', { hasText: 'updated by itself, as of' }).waitFor()
    await end(one, 'SIGKILL')
    await runInProcess(['halt', '--by', 'ada', '--because', 'while it was down', ...place()])
    await page.locator('#place', { hasText: 'while it was down' }).waitFor()
    await start('serve', '--jsonl').firstLine
    await runInProcess(['resume', '--by', 'ada', '--because', 'it is back', '--yes', ...place()])
    await page.locator('#place', { hasNotText: 'while it was down' }).waitFor()
    expect(await page.locator('#live').innerText()).toContain('updated by itself, as of')
    await visitor.context.close()
  })
})

test('one stream beyond the limit is refused with a message, and accepted once another has ended', async () => {
  const opened = await openTestConsole({ state: file('state'), config: file('treasury.json') })
  const cookie = await opened.enter()
  const listen = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const url = `${opened.origin}${opened.path}/live?topic=audit`
      get(url, { headers: { cookie }, agent: false }, resolve).on('error', reject)
    })
  const streams: IncomingMessage[] = []
  for (let count = 0; count < 32; count += 1) streams.push(await listen())
  expect(streams.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 32 }, () => 200))
  const refused = await opened.ask('/live?topic=audit', { headers: { cookie } })
  expect(refused).toMatchObject({ status: 503, body: 'too many pages are open' })
  streams.pop()?.destroy()
  const again = async () => {
    const stream = await listen()
    stream.destroy()
    return stream.statusCode
  }
  await expect.poll(again).toBe(200)
  for (const stream of streams) stream.destroy()
})

// The console in a real browser, against a serve with live runs. It covers each page, people's acts on it, the keyboard
// alone, narrow and dark screens, missing JavaScript, and hostile texts of the service. Skipped by name without
// Chromium.
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { servicePage } from '../../../views/pages/service.ts'
import { everyPage } from '../../unit/cli/console/every-page.ts'
import { type RunningInProcess, runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from '../cli/command-line.ts'
import { type SandboxBeside, startSandboxBeside } from '../cli/sandbox-beside.ts'
import {
  accessibilityFaults,
  cutInCharts,
  cutInTables,
  drawingsAtTheirEdge,
  enter,
  hasChromium,
  lowTargets,
  overflowOf,
  startBrowser,
  type Visitor,
} from './browser.ts'

/** The longest alias that the sandbox accepts. */
const EVIL = `</td><script>alert(1)</script><img src=x onerror=alert(2)>\u202egnp.exe\u2066 `.padEnd(128, 'x')
const LONG = `${EVIL}${'字x'.repeat(5_000)}`

const timing = { tokenLifeSeconds: 5, leewaySeconds: 0, visibilitySeconds: 15, pollInsideSeconds: 0, pollWaits: 0 }
const policies = {
  core: { kind: 'rebalance', weights: { SOL: '0.5', EUR: '0.5' }, turnover: { day: '900000' } },
  held: { kind: 'rebalance', weights: { BTC: '0.5', ETH: '0.5' }, approval: { above: '1' } },
  shares: {
    ...{ kind: 'rebalance', weights: { NVDASPV: '0.5', COINSPV: '0.5' }, hubs: ['USD'] },
    ...{ approval: { above: '1' }, turnover: { day: '900000' } },
  },
  paid: {
    kind: 'sweep',
    rules: [{ assets: ['USDC'], keep: { target: '90000' }, contactId: '' }],
    approval: { above: '1' },
  },
}
const send = { assetSymbol: 'USDC', amount: '100', contactReference: 'subsidiary' }

describe.skipIf(!hasChromium)('the console in Chromium', () => {
  let dir: string
  let service: SandboxBeside
  let serving: RunningInProcess
  let opened: Running
  let browser: Browser
  let visitor: Visitor
  const place = () => [
    ...['--state', path.join(dir, 'state'), '--config', path.join(dir, 'treasury.json')],
    ...['--service', service.baseUrl, '--keys', path.join(dir, 'keys.json')],
  ]
  const look = () => place().slice(0, -2)

  beforeAll(async () => {
    dir = mkdtempSync(path.join(tmpdir(), 'sluice-browser-'))
    service = await startSandboxBeside()
    writeFileSync(path.join(dir, 'keys.json'), service.keys, { mode: 0o600 })
    writeFileSync(path.join(dir, 'send.json'), JSON.stringify(send))
    const { stdout } = await runInProcess([
      'service',
      'contacts',
      '--json',
      '--service',
      service.baseUrl,
      '--keys',
      path.join(dir, 'keys.json'),
    ])
    const contacts = JSON.parse(stdout) as { id: string; reference: string | null }[]
    const contactId = contacts.find(({ reference }) => reference === 'exchange-usdc-eth')?.id
    const paid = { ...policies.paid, rules: [{ ...policies.paid.rules[0], contactId }] }
    const treasury = { service: { url: 'https://api.example.com', stage: 'test', shared: true }, timing }
    writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify({ ...treasury, policies: { ...policies, paid } }))
    await service.control(`/contacts/${contactId}`, { alias: EVIL })
    serving = startInProcess(['serve', '--jsonl', ...place()])
    await serving.firstLine
    browser = await startBrowser()
    opened = startSluice(['console', '--json', ...place()])
    const { url } = JSON.parse(await opened.firstLine) as { url: string }
    visitor = await enter(browser, url, { width: 1280 })
  })
  afterEach(async () => {
    // An open page is drawn again with every event.
    for (const page of visitor.context.pages()) await page.close()
  })
  afterAll(async () => {
    await browser?.close()
    opened?.child.kill('SIGINT')
    await opened?.ended
    await serving?.interrupt()
    await service?.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  async function run(verb: string, policy: string, id: string): Promise<string> {
    const { stdout } = await runInProcess(['run', verb, policy, '--id', id, '--json', ...place()])
    return (JSON.parse(stdout) as { runId: string }).runId
  }

  const textOf = async (page: Page) => (await page.locator('body').innerText()).replaceAll('\u202f', ' ')

  test('a live run is followed to its end, through a wait for a fence, without a reload', async () => {
    await service.arrange('/v2/orders', { kind: 'dropBeforeCommit' })
    const before = await visitor.visit('/')
    const running = startInProcess(['run', 'rebalance', 'core', '--id', 'live', '--json', ...place()])
    await before.page.locator('#under-way a[href*="/runs/"]').first().waitFor()
    await before.page.locator('#under-way a[href*="/runs/"]').first().click()
    await before.page.locator('#timeline .what', { hasText: 'fence wait' }).first().waitFor()
    await before.page.locator('#outcome .badge', { hasText: 'SETTLED' }).waitFor()
    expect((await running.ended).exitCode).toBe(0)
    const text = await textOf(before.page)
    for (const word of [
      'quote',
      'send',
      'fence wait',
      'attempt ended',
      'proven',
      'settled',
      'planned rate',
      'actual rate',
    ])
      expect(text).toContain(word)
    await before.page.locator('.machine g.taken', { hasText: 'SettleRun' }).first().waitFor()
    expect(before.faults).toEqual([])
  })

  test('a plan is approved from its page, after a check whether it holds, and the run continues to its end', async () => {
    const runId = await run('rebalance', 'held', 'approved')
    const { page, faults } = await visitor.visit('/')
    await page.locator('#needs li', { hasText: runId }).locator('a').first().click()
    expect(await textOf(page)).toContain('It was checked now, and it holds.')
    await page.locator('#approve-because').fill('month end, as agreed')
    await page.locator('#approve-by').fill('ada')
    await page.getByRole('button', { name: 'Approve this plan' }).click()
    await page.locator('#act .badge', { hasText: 'settled' }).waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    expect(await textOf(page)).toContain('approved by ada (not verified)')
    const { stdout } = await runInProcess(['movements', 'show', runId, '--json', ...look()])
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'SETTLED',
      approval: { decision: 'approved', by: 'ada (not verified)', because: 'month end, as agreed' },
    })
    expect(faults).toEqual([])
  })

  test('a plan with a hostile payee shows its text as text, within its box, and is rejected from its page', async () => {
    const runId = await run('sweep', 'paid', 'rejected')
    const { page, faults } = await visitor.visit(`/runs/${runId}/decide`)
    const text = await textOf(page)
    expect(text).toContain('<script>alert(1)</script>')
    expect(text).toContain('\\u202eg')
    expect(await overflowOf(page)).toBe(0)
    await page.locator('#reject-because').fill('not this payee')
    await page.locator('#reject-by').fill('ada')
    await page.getByRole('button', { name: 'Reject this plan' }).click()
    await page.locator('#act .badge', { hasText: 'rejected by a person' }).waitFor()
    const { stdout } = await runInProcess(['movements', 'show', runId, '--json', ...look()])
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'DISAPPROVED', approval: { by: 'ada (not verified)' } })
    expect(faults).toEqual([])
  })

  test('hostile texts of 10,000 characters are shown as text, cut and counted, and the layout holds', async () => {
    const everywhere = {
      halts: [{ scope: '*', by: LONG, because: LONG, at: LONG }],
      journal: LONG,
      service: LONG,
      stage: LONG,
    }
    const column = { title: LONG, isAmount: false, isTime: false, isId: false }
    const columns = [column, { ...column, isAmount: true }, { ...column, isTime: true }, { ...column, isId: true }]
    const rows = Array.from({ length: 3 }, () => [LONG, LONG, LONG, LONG])
    const body = servicePage({ ...everywhere, query: 'ledger', columns, rows, isCut: true, readAt: LONG })
    for (const width of [1280, 400]) {
      const other = await visitor.onScreen({ width })
      await other.context.route('**/service/ledger', (route) =>
        route.fulfill({ body, contentType: 'text/html; charset=utf-8' }),
      )
      const { page, faults } = await other.visit('/service/ledger')
      expect(await page.locator('script:not([src]), img').count()).toBe(0)
      expect(await textOf(page)).toContain('characters more)')
      expect(await overflowOf(page)).toBe(0)
      expect(faults).toEqual([])
      await other.context.close()
    }
  })

  test('a plan that no longer holds cannot be approved, and the page says why', async () => {
    const runId = await run('sweep', 'paid', 'stale')
    await service.control('/balance', { assetSymbol: 'USDC', balance: '95000' })
    const { page } = await visitor.visit(`/runs/${runId}/decide`)
    expect(await textOf(page)).toContain('no longer holds')
    expect(await page.getByRole('button', { name: 'Approve this plan' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Reject this plan' }).count()).toBe(1)
    await service.control('/balance', { assetSymbol: 'USDC', balance: '120000' })
  })

  test('a withdrawal in doubt is resolved from its page: evidence first, then a question, then a yes', async () => {
    await service.arrange('/v2/withdrawals', { kind: 'dropAfterCommit' })
    const asked = ['run', 'withdraw', '--id', 'doubt', '--input', path.join(dir, 'send.json'), '--json', ...place()]
    const { intentId } = JSON.parse((await runInProcess(asked)).stdout) as { intentId: string }
    const { page, faults } = await visitor.visit('/attention')
    const own = page.locator(`#case-${intentId}`)
    expect(await own.innerText()).toContain('ESCALATED')
    const candidates = own.locator('table', { hasText: 'Payee' })
    expect(await candidates.innerText()).toContain('that was asked for')
    await own.locator(`#resolve-${intentId}-movement`).fill('no-such-id')
    await own.locator(`#resolve-${intentId}-because`).fill('seen in the dashboard')
    await own.locator(`#resolve-${intentId}-by`).fill('ada')
    await own.getByRole('button', { name: 'Examine it…' }).click()
    await page.locator('#act .badge', { hasText: 'not done' }).waitFor()
    expect(await textOf(page)).toContain('the service has no withdrawal no-such-id')

    await page.goto('./attention')
    await own.locator(`#choose-${intentId}-0-because`).fill('seen in the dashboard')
    await own.locator(`#choose-${intentId}-0-by`).fill('ada')
    await own.getByRole('button', { name: 'This is its movement…' }).click()
    await page.locator('#ask', { hasText: `settle intent ${intentId}` }).waitFor()
    const before = await runInProcess(['cases', 'list', '--json', ...look()])
    expect(JSON.parse(before.stdout).intents).toHaveLength(1)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.locator('#act .badge', { hasText: 'done' }).waitFor()
    const after = await runInProcess(['cases', 'list', '--json', ...look()])
    expect(JSON.parse(after.stdout).intents).toEqual([])
    expect(faults).toEqual([])
  })

  test('sending is halted and resumed from any page in two steps, by the keyboard alone', async () => {
    const { page } = await visitor.visit('/movements')
    const press = async (until: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab')
        const active = await page.evaluate(
          '(document.activeElement.innerText || document.activeElement.id || "").trim()',
        )
        if (active === until) return page.keyboard.press('Enter')
      }
      throw new Error(`the keyboard never came to ${until}`)
    }
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Skip to the content')
    await Promise.all([page.waitForURL('**/halt'), press('Halt…')])
    await Promise.all([page.waitForURL('**/acts/*'), press('Halt now')])
    await page.locator('#act', { hasText: 'halted' }).waitFor()
    const halted = await runInProcess(['cases', 'list', '--json', ...look()])
    expect(JSON.parse(halted.stdout).halts).toMatchObject([{ scope: '*' }])
    await page.goto('./')
    expect(await textOf(page)).toContain('Sending is halted.')
    await page.goto('./halt')
    await page.locator('#resume-0-because').fill('it was a drill')
    await page.getByRole('button', { name: 'Resume everything' }).click()
    await page.locator('#act', { hasText: 'resumed' }).waitFor()
    expect(JSON.parse((await runInProcess(['cases', 'list', '--json', ...look()])).stdout).halts).toEqual([])
  })

  test('an audit runs on demand, and a policy is planned, without leaving the console', async () => {
    const { page } = await visitor.visit('/audit')
    await page.getByRole('button', { name: 'Audit now' }).click()
    await page
      .locator('#act .badge', { hasText: /done|does not tie out/ })
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.locator('#audits .card').first().waitFor()
    await page.goto('./policies/core')
    await page.getByRole('button', { name: 'Plan it now' }).click()
    await page.locator('#act .badge', { hasText: 'planned' }).waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    expect(await textOf(page)).toContain('What it would do at')
  })

  test('movements are filtered, found by any id, and exported as CSV', async () => {
    const { page } = await visitor.visit('/movements?kind=withdraw')
    const rows = await page.locator('tbody tr:not(.below)').count()
    expect(rows).toBe(1)
    expect(await page.locator('tbody th a').first().innerText()).toContain('send 100 USDC to ')
    const id = (await page.locator('tbody th code').first().innerText()).trim()
    const movementId = await page.locator('.below code').first().innerText()
    await page.locator('#find').fill(movementId)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/intents/${id}`)
    const csv = await page.context().request.get('./movements.csv?kind=withdraw')
    expect(csv.headers()['content-type']).toBe('text/csv; charset=utf-8')
    expect((await csv.text()).split('\r\n')[0]).toMatch(/^asked at,kind,asked/)
    expect(await csv.text()).toContain(movementId)
  })

  test('at 400 px every amount, badge and time of the queue, the overview and the people stands whole', async () => {
    await run('rebalance', 'shares', 'narrow')
    await run('sweep', 'paid', 'narrow')
    const phone = await visitor.onScreen({ width: 400 })
    for (const { each, least } of [
      { each: '/queue', least: 6 },
      { each: '/', least: 20 },
      { each: '/people', least: 2 },
    ]) {
      const { page } = await phone.visit(each)
      expect(await page.locator('.wide :is(td.amount, .badge, time)').count()).toBeGreaterThanOrEqual(least)
      expect({ each, cut: await cutInTables(page) }).toEqual({ each, cut: [] })
      expect({ each, overflow: await overflowOf(page) }).toEqual({ each, overflow: 0 })
    }
    const { page } = await phone.visit('/queue')
    expect(await textOf(page)).toMatch(/Sells [\d. …]+ NVDASPV, buys /)
    await phone.context.close()
  })

  test('no page has an accessibility fault, breaks its security policy, or is wider than a screen', async () => {
    const runId = (await runInProcess(['runs', 'list', '--json', ...look()])).stdout
    const newest = (JSON.parse(runId) as { runs: { runId: string }[] }).runs.map((one) => one.runId)
    const pages = [
      ...['/', '/attention', '/queue', '/movements', '/audit', '/events', '/people', '/halt', '/policies/core'],
      ...['/statement?from=2020-01-01', '/costs'],
      ...['balances', 'orders', 'fills', 'withdrawals', 'deposits', 'contacts', 'ledger'].map(
        (name) => `/service/${name}`,
      ),
      ...[`/runs/${newest.at(-1)}`, `/runs/${newest[0]}`, `/runs/${newest[0]}/decide`, '/acts/1', '/runs/none'],
    ]
    for (const { width, scheme } of [
      { width: 1280, scheme: 'light' },
      { width: 400, scheme: 'dark' },
    ] as const) {
      const other = await visitor.onScreen({ width, scheme })
      for (const each of pages) {
        const { page, faults } = await other.visit(each)
        expect({ each, width, overflow: await overflowOf(page) }).toEqual({ each, width, overflow: 0 })
        expect({ each, width, atEdge: await drawingsAtTheirEdge(page) }).toEqual({ each, width, atEdge: 0 })
        expect({ each, width, cut: await cutInCharts(page) }).toEqual({ each, width, cut: [] })
        if (width === 400) expect({ each, low: await lowTargets(page) }).toEqual({ each, low: [] })
        expect({ each, width, found: await accessibilityFaults(page) }).toEqual({ each, width, found: [] })
        // A page for a missing item has that status, which the browser reports as a fault.
        expect({ each, faults: faults.filter((fault) => !fault.includes('status of')) }).toEqual({ each, faults: [] })
        await page.emulateMedia({ media: 'print' })
        const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor')
        expect({ each, scheme, paper }).toEqual({ each, scheme, paper: 'rgb(255, 255, 255)' })
        await page.close()
      }
      await other.context.close()
    }
  })

  test('no kind of page has an accessibility fault, also where it shows an act, a plan or a doubt', async () => {
    const page = await visitor.context.newPage()
    for (const [name, body] of everyPage('some text')) {
      // The script of the console is not at this address.
      await page.setContent(body.replace(/<script src[^>]*><\/script>/, ''))
      expect({ name, found: await accessibilityFaults(page) }).toEqual({ name, found: [] })
    }
  })

  test('a server on another port of this host gets no cookie of the console, whatever the person opens there', async () => {
    const asked: (string | undefined)[] = []
    const other = createServer((request, response) => {
      asked.push(`${request.headers.cookie ?? 'no cookie'}, ${request.headers.referer ?? 'no referer'}`)
      response.setHeader('content-type', 'text/html').end('<img src="/image"><form method="post" action="/form">')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    try {
      const { page } = await visitor.visit('/halt')
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
      await page.goto(url)
      await page.goto(`${url}acts/1`)
      await Promise.all([page.waitForURL(`${url}form`), page.evaluate('document.forms[0].submit()')])
      await page.close()
    } finally {
      other.close()
    }
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.filter((one) => one?.includes('sluice'))).toEqual([])
  })

  test('with more open pages than browser connections, each is updated, and another one opens', async () => {
    const many = await visitor.onScreen({ width: 1280 })
    const pages = []
    for (let count = 0; count < 9; count += 1) pages.push((await many.visit('/')).page)
    for (const page of pages) await page.locator('#live', { hasText: 'updated by itself, as of' }).waitFor()
    await many.context.close()
  })

  test('a page whose stream is refused asks again, and is live once there is room', async () => {
    const refused = await visitor.onScreen({ width: 1280 })
    let refusals = 0
    await refused.context.route('**/live?*', async (route) => {
      if (refusals === 2) return route.continue()
      refusals += 1
      await route.fulfill({ status: 503, contentType: 'text/plain', body: 'too many pages are open' })
    })
    const { page } = await refused.visit('/')
    await expect.poll(() => refusals).toBe(2)
    await page.locator('#live', { hasText: 'updated by itself, as of' }).waitFor()
    await refused.context.close()
  })

  test('without JavaScript every page is readable, and a form works', async () => {
    const plain = await visitor.onScreen({ width: 1280, javaScript: false })
    const { page } = await plain.visit('/')
    expect(await textOf(page)).toContain('The account now')
    await page.goto('./policies/core')
    await page.getByRole('button', { name: 'Plan it now' }).click()
    // The page waits some seconds for an act before it shows one that is under way. Without JavaScript, a person loads it again.
    while (!(await textOf(page)).includes('What became of it')) await page.reload()
    await plain.context.close()
  })

  test('the console continues after the serve has ended, and names the parts that it cannot show', async () => {
    const other = await visitor.onScreen({ width: 1280 })
    const { page } = await other.visit('/')
    await page.locator('#live', { hasText: 'updated by itself, as of' }).waitFor()
    await serving.interrupt()
    await page.goto('./')
    expect(await textOf(page)).toContain('Last runs')
    await other.context.close()
  })
})

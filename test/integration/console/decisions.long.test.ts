// Decisions from outdated pages: two at once, a form that is sent again, and changes between reading and clicking. Each
// form is sent as a browser sends it, from the page as it was loaded.
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningInProcess, runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { SERVICE, useCommandsBeside } from '../cli/commands.ts'
import { openTestConsole } from './opened-console.ts'

const timing = { tokenLifeSeconds: 5, leewaySeconds: 0, visibilitySeconds: 15, pollInsideSeconds: 0, pollWaits: 0 }
const SEND = { assetSymbol: 'USDC', amount: '100', contactReference: 'subsidiary' }
const held = { kind: 'rebalance', approval: { above: '1' } }

const { service, file, write } = useCommandsBeside()
let serving: RunningInProcess
let contactId: string
let payee: string
let bank: string
const place = () => ({
  state: file('state'),
  config: file('treasury.json'),
  service: service.baseUrl,
  keys: file('keys.json'),
})
const placed = () => Object.entries(place()).flatMap(([name, value]) => [`--${name}`, value])

beforeAll(async () => {
  const known = await runInProcess(['service', 'contacts', '--json', ...placed().slice(4)])
  const contacts = JSON.parse(known.stdout) as { id: string; reference: string | null }[]
  contactId = contacts.find(({ reference }) => reference === 'exchange-usdc-eth')?.id ?? ''
  payee = contacts.find(({ reference }) => reference === 'subsidiary')?.id ?? ''
  bank = contacts.find(({ reference }) => reference === 'house-bank-eur')?.id ?? ''
  const rules = [{ assets: ['USDC'], keep: { target: '90000' }, contactId }]
  const policies = {
    twice: { ...held, weights: { SOL: '0.5', EUR: '0.5' } },
    stopped: { ...held, weights: { USDT: '0.5', GBP: '0.5' } },
    both: { ...held, weights: { BTC: '0.5', ETH: '0.5' } },
    paid: { kind: 'sweep', rules, approval: { above: '1' } },
    salaries: { kind: 'payouts', assets: ['CHF'] },
    wages: { kind: 'payouts', assets: ['EUR'] },
  }
  const guards = { approval: { assets: { USDC: '150' } } }
  const treasury = {
    service: { ...SERVICE, shared: true },
    timing,
    policies,
    guards,
  }
  write('treasury.json', treasury)
  serving = startInProcess(['serve', '--jsonl', ...placed()])
  await serving.firstLine
})
afterAll(() => serving?.interrupt())

async function waitingRun(verb: string, policy: string, id: string): Promise<string> {
  const { stdout } = await runInProcess(['run', verb, policy, '--id', id, '--json', ...placed()])
  const { runId, outcome } = JSON.parse(stdout) as { runId: string; outcome: string }
  expect(outcome).toBe('AWAITING_APPROVAL')
  return runId
}

/** The value of an attribute, as a browser reads it. */
function read(value: string): string {
  const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return value.replace(/&(amp|lt|gt|quot|#39);/g, (_whole, name: string) => signs[name] ?? '')
}

/** A browser tab, with the forms of the page as it was loaded. */
async function openTab() {
  const opened = await openTestConsole(place())
  const cookie = await opened.enter()
  const ask = async (page: string) => (await opened.ask(page, { headers: { cookie } })).body
  let yes = ''
  return {
    /** The answer that the last act asks for. */
    yes: () => yes,
    async load(page: string) {
      const body = await ask(page)
      const forms = [...body.matchAll(/<form method="post" action="([^"]*)".*?<\/form>/gs)].map(
        ([text, action = '']) => ({
          to: action.slice(opened.path.length),
          hidden: [...text.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value = '']) => [
            name,
            read(value),
          ]),
        }),
      )
      return {
        body,
        forms,
        /** Sends the form, and returns the text of its page once it has ended. */
        async send(
          to: string,
          fields: Readonly<Record<string, string>> = {},
          { at = 0, picks = [] }: { readonly at?: number; readonly picks?: readonly string[] } = {},
        ): Promise<string> {
          const found = forms.filter((form) => form.to === to)[at]
          if (found === undefined) throw new Error(`no form to ${to}; there are ${forms.map((form) => form.to)}`)
          const sent = new URLSearchParams({
            because: 'as agreed',
            by: 'ada',
            ...Object.fromEntries(found.hidden),
            ...fields,
          })
          for (const each of picks) sent.append('pick', each)
          const headers = { cookie, origin: opened.origin, 'content-type': 'application/x-www-form-urlencoded' }
          const { status, headers: answered } = await opened.ask(to, { method: 'POST', headers, body: sent.toString() })
          expect(status).toBe(303)
          const act = String(answered.location).slice(opened.path.length)
          const text = async () =>
            (/<p class="outcome">.*?<\/main>/s.exec(await ask(act))?.[0] ?? '').replace(/<[^>]*>/g, '')
          await expect.poll(text, { interval: 200 }).not.toMatch(/^under way/)
          yes = /name="yes" value="([^"]*)"/.exec(await ask(act))?.[1] ?? ''
          return await text()
        },
      }
    },
  }
}

const recordOf = async (runId: string) =>
  JSON.parse((await runInProcess(['movements', 'show', runId, '--json', ...placed().slice(0, -2)])).stdout) as {
    readonly outcome: string
    readonly approval: { readonly decision?: string; readonly by?: string; readonly planHash: string }
    readonly legs: readonly unknown[]
  }

async function expectUndecided(runId: string): Promise<void> {
  const { outcome, approval } = await recordOf(runId)
  expect([outcome, approval.decision]).toEqual(['AWAITING_APPROVAL', undefined])
}

test('a plan that is approved twice at once runs once, and a form that is sent again moves nothing', async () => {
  const runId = await waitingRun('rebalance', 'twice', 'twice')
  const tab = await openTab()
  const [one, other] = [await tab.load(`/runs/${runId}/decide`), await tab.load(`/runs/${runId}/decide`)]
  const queue = await tab.load('/queue')
  const before = await service.orderIds()
  const texts = await Promise.all([one.send(`/runs/${runId}/approve`), other.send(`/runs/${runId}/approve`)])
  const { legs } = await recordOf(runId)
  // The later one finds a run that is decided, or that has ended, by how far the earlier one has come.
  for (const text of texts) expect(text).toMatch(/^(settled|not done)/)
  expect(texts.join()).toContain('settled')
  expect((await tab.load('/acts/1')).body).toMatch(
    /<h1>Approve: twice, \d+ \w+ \d\d:\d\d<\/h1>\n<p class="subject"><code class="id">rb-/,
  )
  // The page has shown the plan. Now it shows the result of the run.
  for (const text of texts) expect(text).not.toContain('AWAITING_APPROVAL')
  expect(await one.send(`/runs/${runId}/approve`)).toContain('this id has already run: its result, nothing is started')
  expect(await one.send(`/runs/${runId}/reject`)).toContain('is SETTLED: it waits for nobody; nothing was recorded')
  expect((await service.orderIds()).length - before.length).toBe(legs.length)
  expect(await recordOf(runId)).toMatchObject({ outcome: 'SETTLED', approval: { decision: 'approved' } })
  // Another person's old pages say whose approval counted, and do not call theirs done.
  const late = await one.send(`/runs/${runId}/approve`, { by: 'bob' })
  expect(late).toContain('ada (not verified) approved it at')
  const pick = `run ${(await recordOf(runId)).approval.planHash} ${runId}`
  const queued = await queue.send('/queue/decide', { verb: 'approve', by: 'bob' }, { picks: [pick] })
  expect(queued).toContain('0 of 1 decided')
  expect(queued).toContain('ada (not verified) approved it at')
  const { stdout } = await runInProcess(['people', 'list', '--did', 'approved', '--json', ...placed().slice(0, -2)])
  expect(JSON.parse(stdout)).toMatchObject({ acts: [{ by: 'ada (not verified)', about: runId }] })
})

test('a plan that is approved while everything is halted has no dead end: the resume carries it out, once', async () => {
  const runId = await waitingRun('rebalance', 'stopped', 'stopped')
  const tab = await openTab()
  const before = await service.orderIds()
  const page = await tab.load(`/runs/${runId}/decide`)
  await (await tab.load('/halt')).send('/halt', { policy: '' })
  await page.send(`/runs/${runId}/approve`)
  const halted = await tab.load(`/runs/${runId}`)
  expect(halted.body).toContain('was approved, and waits: sending is halted (everything), by ada')
  expect(halted.body).not.toContain('waits for a person')
  expect((await tab.load(`/runs/${runId}/decide`)).forms.filter(({ to }) => to.includes(runId))).toEqual([])
  expect((await tab.load('/attention')).body).toContain(
    'was approved, and waits: sending is halted (everything), by ada',
  )
  const text = await (await tab.load('/halt')).send('/resume')
  expect(text).toContain(`(${runId}), which people decided on during the halt, ended: settled`)
  const { legs, outcome } = await recordOf(runId)
  expect([outcome, (await service.orderIds()).length - before.length]).toEqual(['SETTLED', legs.length])
})

test('of an approval and a rejection at once, one counts, and the other person learns whose', async () => {
  const runId = await waitingRun('rebalance', 'both', 'both')
  const tab = await openTab()
  const [one, other] = [await tab.load(`/runs/${runId}/decide`), await tab.load(`/runs/${runId}/decide`)]
  const texts = await Promise.all([
    one.send(`/runs/${runId}/approve`, { by: 'ada' }),
    other.send(`/runs/${runId}/reject`, { by: 'bob' }),
  ])
  const { outcome, approval } = await recordOf(runId)
  expect(texts.filter((text) => !text.startsWith('not done'))).toHaveLength(1)
  const whose = [`is already ${approval.decision} by ${approval.by}`, `is ${outcome}: it waits`]
  expect(whose.some((text) => texts.join().includes(text))).toBe(true)
  expect(outcome).toBe(approval.decision === 'approved' ? 'SETTLED' : 'DISAPPROVED')
})

test('a price that moved between reading and clicking voids the click', async () => {
  await service.control('/balance', { assetSymbol: 'BTC', credit: '1' })
  const runId = await waitingRun('rebalance', 'both', 'priced')
  const tab = await (await openTab()).load(`/runs/${runId}/decide`)
  expect(tab.body).toContain('It was checked now, and it holds.')
  await service.control('/price', { market: 'ETH-BTC', mid: '0.06' })
  expect(await tab.send(`/runs/${runId}/approve`)).toMatch(
    /no longer holds: the indicative rate .*; nothing was recorded/,
  )
  await expectUndecided(runId)
  await service.control('/price', { market: 'ETH-BTC', mid: null })
})

test('a contact that was changed between reading and clicking voids the click, and the plan can be rejected', async () => {
  const runId = await waitingRun('sweep', 'paid', 'paid')
  const tab = await (await openTab()).load(`/runs/${runId}/decide`)
  await service.control(`/contacts/${contactId}`, { destination: 'another address' })
  const text = await tab.send(`/runs/${runId}/approve`)
  expect(text).toContain(`contact ${contactId} has changed since; nothing was recorded`)
  await expectUndecided(runId)
  expect(await tab.send(`/runs/${runId}/reject`)).toMatch(/^rejected by a person/)
})

test("a waiting movement is shown with its terms, and its form's decision sends or ends it", async () => {
  const ask = async (id: string) => {
    write(`${id}.json`, { ...SEND, amount: '200' })
    const put = ['events', 'trigger', 'withdrawal', file(`${id}.json`), '--id', id, '--json', ...placed().slice(0, -2)]
    return (JSON.parse((await runInProcess(put)).stdout) as { execution: string }).execution
  }
  const known = await service.withdrawalIds()
  const [wanted, unwanted] = [await ask('wanted'), await ask('unwanted')]
  const tab = await openTab()
  const waits = async () => (await tab.load('/attention')).forms.map(({ to }) => to)
  const forms = [wanted, unwanted].map((id) => `/intents/${id}/approve`)
  await expect.poll(waits).toEqual(expect.arrayContaining(forms))
  const page = await tab.load('/attention')
  for (const text of ['Movements that wait', 'spends at most 200 USDC', 'It waits for a person to approve it.'])
    expect(page.body).toContain(text)
  expect(await page.send(`/intents/${wanted}/approve`)).toMatch(/^done .*approved/)
  expect(await page.send(`/intents/${unwanted}/reject`, { by: 'bob' })).toMatch(/^done .*rejected/)
  // A form of the old page, after somebody else's decision.
  expect(await page.send(`/intents/${unwanted}/approve`)).toMatch(/not done/)
  expect(await waits()).not.toContain(forms[0])
  const stateOf = async (id: string) =>
    (
      JSON.parse((await runInProcess(['movements', 'show', id, '--json', ...placed().slice(0, -2)])).stdout) as {
        state: string
      }
    ).state
  await expect.poll(() => stateOf(wanted), { interval: 2_000 }).toBe('DONE')
  await expect.poll(() => stateOf(unwanted), { interval: 2_000 }).toBe('REJECTED')
  expect((await service.withdrawalIds()).length - known.length).toBe(1)
})

test('several plans and movements are decided at once, each by its hash, and one that changed leaves the others decided', async () => {
  write('queued.json', { ...SEND, amount: '201.25' })
  const put = ['events', 'trigger', 'withdrawal', file('queued.json'), '--id', 'queued', '--json']
  const { execution } = JSON.parse((await runInProcess([...put, ...placed().slice(0, -2)])).stdout)
  await service.control('/balance', { assetSymbol: 'SOL', credit: '1000' })
  const runId = await waitingRun('rebalance', 'twice', 'queued')
  const tab = await openTab()
  const picksOf = async (query = '') =>
    [...(await tab.load(`/queue${query}`)).body.matchAll(/name="pick" value="([^"]*)"/g)].map(([, pick = '']) => pick)
  await expect.poll(() => picksOf('?find=201.25')).toHaveLength(1)
  expect((await picksOf('?find=subsidiary')).map((pick) => pick.split(' ').at(-1))).toEqual([execution])
  const [movement = expect.fail()] = await picksOf('?find=201.25')
  const [plan = expect.fail()] = await picksOf(`?find=${runId}`)
  const other = plan.replace(/[0-9a-f]{8}/, '00000000')
  const before = (await service.withdrawalIds()).length
  const page = await tab.load('/queue')
  // A hash of the other kind binds to nothing.
  const [asRun, asMovement] = [movement.replace(/^\w+/, 'run'), plan.replace(/^\w+/, 'withdraw')]
  const unbound = await page.send('/queue/decide', { verb: 'approve' }, { picks: [asRun, asMovement] })
  expect(unbound).toContain('0 of 2 decided')
  const text = await page.send('/queue/decide', { verb: 'approve' }, { picks: [other, movement] })
  expect(text).toContain('1 of 2 decided')
  expect(text).toMatch(/Not decided: 1\s.*twice, \d+ \w+ \d\d:\d\d: .*another plan than you have seen/s)
  expect(text).toContain('Approved: 1')
  await expectUndecided(runId)
  await expect.poll(async () => (await service.withdrawalIds()).length - before, { interval: 2_000 }).toBe(1)
  expect(await page.send('/queue/decide', { verb: 'reject' }, { picks: [plan] })).toContain('1 of 1 decided')
  expect(await recordOf(runId)).toMatchObject({ outcome: 'DISAPPROVED' })
  expect(await picksOf(`?find=${runId}`)).toEqual([])
})

test('a payout file is checked, asked about with its totals, and paid once, however often its form is sent', async () => {
  await service.control('/balance', { assetSymbol: 'CHF', balance: '1000' })
  const known = (await service.withdrawalIds()).length
  const to = '/policies/salaries/payouts'
  const tab = await openTab()
  const page = await tab.load('/policies/salaries')
  const fileOf = (...rows: string[]) => ['id,contactId,asset,amount,reference', ...rows].join('\r\n')
  const faulty = fileOf(`a,${payee},CHF,-10,"=1+1 <b>"`, `b,nobody,CHF,20,`, `c,${payee},CHF,0,`)
  const refused = await page.send(to, { rows: faulty })
  for (const each of ['2amount: expected', '3bthe service knows no such contact', '4amount: expected more than zero'])
    expect(refused).toContain(each)
  expect(refused).toContain('correct the rows and check again; nothing was sent')
  // The rows are still there, to be corrected where they are.
  expect((await tab.load('/acts/1')).body).toContain(
    `\n${faulty.replaceAll('"', '&#34;').replace('<b>', '&#60;b&#62;')}</textarea>`,
  )

  // Longer than what a page shows of a text.
  const small = Array.from({ length: 8 }, (_, index) => `small-${index},${payee},CHF,1,${'Long '.repeat(20)}`)
  const rows = fileOf(`a,${payee},CHF,10,"A ""quoted"" <b>text</b>"`, `b,${payee},CHF,20,`, ...small)
  expect(await page.send(to, { rows })).toContain('Nothing is written yet')
  expect(await service.withdrawalIds()).toHaveLength(known)
  // The second act of this console asks, and its form has the file.
  const asking = await tab.load('/acts/2')
  expect(asking.body).toContain('pay 10 rows to 1 payee by policy salaries, 38 CHF in all')
  expect(asking.body).toContain('of 10 rows, 10 would be paid now')
  expect(asking.body).not.toContain('SHADOWED')
  const paid = await Promise.all([asking.send(to), asking.send(to)])
  for (const text of paid) expect(text).toMatch(/^settled /)
  expect(await service.withdrawalIds()).toHaveLength(known + 10)
  expect(await asking.send(to)).toMatch(/^settled /)
  expect(await service.withdrawalIds()).toHaveLength(known + 10)
  // A person says yes to a sum without the rows that are paid already.
  await page.send(to, { rows: fileOf(`a,${payee},CHF,10,"A ""quoted"" <b>text</b>"`, `late,${payee},CHF,3,`) })
  expect((await tab.load('/acts/6')).body).toContain('pay 1 of 2 rows to 1 payee by policy salaries, 3 CHF in all?')
})

test('the page of payouts gives a template of its contacts, and takes its lines, with who is paid in the question', async () => {
  const to = '/policies/salaries/payouts'
  const tab = await openTab()
  const page = await tab.load('/policies/salaries')
  expect(page.body).toContain(`${to}.csv">A template`)
  const template = (await tab.load(`${to}.csv`)).body
  expect(template).toContain(`\r\n,subsidiary,${payee},CHF,,\r\n`)
  expect(await page.send(to, { rows: template })).toContain('amount: expected the amount to pay; got none')
  const rows = 'id,contactReference,asset,amount\nby-name,subsidiary,CHF,2\n'
  expect(await page.send(to, { rows })).toContain('Nothing is written yet')
  const asking = await tab.load('/acts/2')
  expect(asking.body).toContain('pay 1 row to 1 payee by policy salaries, 2 CHF in all')
  expect(asking.body).toMatch(new RegExp(`2 CHF to &#34;Subsidiary&#34; \\(reference subsidiary, .*id ${payee}\\)`))
  expect(await asking.send(to)).toMatch(/^settled /)
})

test('a run that waits for a bank says so with the next check, and ends once a person checks what the bank has done', async () => {
  const known = await service.withdrawalIds()
  await service.arrange('/v2/withdrawals', { kind: 'failLater', afterMs: 7 * 24 * 3_600_000 })
  writeFileSync(file('wages.csv'), `id,contactId,asset,amount,reference\nw-1,${bank},EUR,10,Wages\n`)
  const pay = ['payouts', 'run', file('wages.csv'), '--policy', 'wages', '--id', 'wages', ...placed()]
  const paying = startInProcess(pay)
  const tab = await openTab()
  const links = async () => /href="\/[^"]*\/runs\/(sw-\w+)">wages,/.exec((await tab.load('/')).body)?.[1] ?? ''
  await expect.poll(links).not.toBe('')
  const runId = await links()
  const load = () => tab.load(`/runs/${runId}`)
  await expect.poll(async () => (await load()).body).toContain('waits for a bank</span>')
  const page = await load()
  expect(page.body).toContain('1 of 1 leg is sent, and waits for the bank')
  expect(page.body).toContain('The next check is at')
  const { stderr } = await runInProcess(['service', 'balances', ...placed()])
  expect(stderr).toContain('EUR to')
  expect(stderr).toContain('is sent and not confirmed since')
  await service.control('/maintenance', { on: true })
  for (const command of ['service balances', 'whoami']) {
    const down = await runInProcess([...command.split(' '), ...placed()])
    expect([command, down.exitCode, down.stderr]).toEqual([
      command,
      1,
      expect.stringMatching(/is sent and not conf.*maintenance/s),
    ])
  }
  await service.control('/maintenance', { on: false })
  expect(await page.send(`/runs/${runId}/check`)).toContain('0 of 1 movement ended at the service')
  const paid = (await service.withdrawalIds()).filter((id) => !known.includes(id))
  await service.control(`/withdrawals/${paid[0]}`, { status: 'COMPLETED' })
  expect(await page.send(`/runs/${runId}/check`)).toContain('under way before, settled now')
  expect((await load()).forms.filter(({ to }) => to.endsWith('/check'))).toEqual([])
  expect(await recordOf(runId)).toMatchObject({ outcome: 'SETTLED' })
  expect((await service.withdrawalIds()).length - known.length).toBe(1)
  const list = ['movements', 'list', '--kind', 'withdraw', '--json', ...placed().slice(0, -2)]
  const { asked } = JSON.parse((await runInProcess(list)).stdout) as { asked: { run?: string; outcome?: string }[] }
  expect(asked.find(({ run }) => run === runId)).toMatchObject({ state: 'DONE', outcome: 'COMPLETED' })
  await paying.interrupt()
})

test('two people halt at once: sending is halted, and neither gets an error', async () => {
  const tab = await openTab()
  const [one, other] = [await tab.load('/halt'), await tab.load('/halt')]
  const texts = await Promise.all([one.send('/halt', { by: 'ada' }), other.send('/halt', { by: 'bob' })])
  for (const text of texts) expect(text).toMatch(/^done halted/)
  expect((await tab.load('/halt')).forms.map(({ to }) => to)).toEqual(['/halt', '/resume'])
})

test('only the halt that was read is resumed', async () => {
  const tab = await openTab()
  const read = await tab.load('/halt')
  await read.send('/halt', { by: 'carol', because: 'an alarm' })
  expect(await read.send('/resume')).toContain('the halt that was read is no longer in force; nothing was changed')
  const anew = await tab.load('/halt')
  expect(anew.body).toContain('an alarm')
  expect(await anew.send('/resume')).toMatch(/^done resumed/)
  expect(await anew.send('/resume')).toContain('is no longer in force')
})

test('two people settle one case at once: one counts, and the other learns that it is settled', async () => {
  await service.arrange('/v2/withdrawals', { kind: 'dropAfterCommit' })
  const known = await service.withdrawalIds()
  write('send.json', SEND)
  const run = ['run', 'withdraw', file('send.json'), '--id', 'in-doubt', '--json', ...placed()]
  const { intentId } = JSON.parse((await runInProcess(run)).stdout) as { intentId: string }
  const movement = (await service.withdrawalIds()).find((id) => !known.includes(id)) ?? ''
  const tab = await openTab()
  const [one, other] = [await tab.load('/attention'), await tab.load('/attention')]
  const to = `/intents/${intentId}/resolve`
  expect(await one.send(to, { movement })).toContain('Nothing is written yet')
  const yes = tab.yes()
  const texts = await Promise.all([
    one.send(to, { movement, yes, by: 'ada' }),
    other.send(to, { movement, yes, by: 'bob' }),
    runInProcess([
      'cases',
      'resolve',
      intentId,
      '--movement',
      movement,
      '--by',
      'cyd',
      '--because',
      'seen',
      '--yes',
      ...placed(),
    ]).then(({ stdout, stderr }) => (stdout === '' ? `not done ${stderr}` : `done ${stdout}`)),
  ])
  expect(texts.filter((text) => text.startsWith('done'))).toHaveLength(1)
  for (const text of texts) expect(text).toMatch(/^(done|not done .*(is DONE|meanwhile))/)
  expect((await service.withdrawalIds()).filter((id) => !known.includes(id))).toEqual([movement])
})

test('a plan that cannot be checked is not reported to hold', async () => {
  const { stdout } = await runInProcess(['runs', 'list', '--json', ...placed().slice(0, -2)])
  const { runId } = (JSON.parse(stdout) as { runs: { runId: string; outcome: string }[] }).runs.find(
    ({ outcome }) => outcome === 'AWAITING_APPROVAL',
  ) ?? { runId: '' }
  await service.arrange(
    '/v2/balances',
    { kind: 'errorBeforeCommit', status: 503, code: 'maintenance' },
    { method: 'GET', times: 50 },
  )
  const { body } = await (await openTab()).load(`/runs/${runId}/decide`)
  expect(body).toContain('whether the plan still holds could not be checked')
  expect(body).not.toContain('and it holds')
})

test('a page reports that the service refuses the key or does not answer, and is not called missing', async () => {
  const opened = await openTestConsole(place())
  const headers = { cookie: await opened.enter() }
  const orders = () => opened.ask('/service/orders', { headers })
  const refusing = { kind: 'errorBeforeCommit', status: 403, code: 'insufficient_scope' }
  await service.arrange('/v2/orders', refusing, { method: 'GET', times: 1 })
  expect(await orders()).toMatchObject({ status: 502, body: expect.stringContaining('403') })
  await service.stop()
  expect(await orders()).toMatchObject({ status: 502, body: expect.stringContaining('Load this page again.') })
})

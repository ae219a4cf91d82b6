// Payouts from the shell, end to end: a file is checked, paid, given again and corrected. The witness is a service in the test's
// process.
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { openTestConsole } from '../console/opened-console.ts'
import { startSluice } from './command-line.ts'
import { SERVICE, useCommandsBeside } from './commands.ts'

const { service, place, keys, file, write } = useCommandsBeside()
let bank: string
let payee: string
beforeAll(async () => {
  const policies = {
    salaries: { kind: 'payouts', assets: ['USDC'] },
    asked: { kind: 'payouts', assets: ['EUR'], approval: { above: '0' } },
    float: { kind: 'fund', asset: 'GBP', atLeast: '1', from: [{ asset: 'CHF' }] },
  }
  const treasury = {
    service: { ...SERVICE, shared: false },
    // A withdrawal that stays under way is given up after a second. The others end at once.
    timing: { pollInsideSeconds: 0, pollFirstWaitSeconds: 1, pollWaits: 1 },
    policies,
  }
  write('treasury.json', treasury)
  const { stdout } = await runInProcess(['service', 'contacts', '--json', ...place(), ...keys()])
  const contacts: { id: string; reference: string }[] = JSON.parse(stdout)
  bank = contacts.find(({ reference }) => reference === 'house-bank-eur')?.id ?? ''
  payee = contacts.find(({ reference }) => reference === 'subsidiary')?.id ?? ''
})

/** Writes the rows, each `id,amount` with more fields after them, and returns the path. */
function filed(name: string, rows: readonly string[], asset = 'USDC'): string {
  const lines = rows.map((row) => {
    const [id, amount, contact = payee] = row.split(',')
    return `${id},${contact},${asset},${amount},"Salary, ${id}"`
  })
  writeFileSync(file(name), `\uFEFFid,contactId,asset,amount,reference\r\n${lines.join('\r\n')}\r\n`)
  return file(name)
}

const payouts = (verb: string, name: string, ...more: string[]) => {
  const policy = more.includes('--policy') ? [] : ['--policy', 'salaries']
  return runInProcess(['payouts', verb, name, ...policy, ...place(), ...(verb === 'results' ? [] : keys()), ...more])
}
const paid = async () => (await service.withdrawalIds()).length

test('a check reports totals, and each finding with its line, and pays nothing', async () => {
  const sound = await payouts('check', filed('june.csv', ['a,10', 'b,20']))
  expect(sound).toMatchObject({ exitCode: 0 })
  expect(sound.stdout).toMatch(/USDC +all +2 +30/)
  const odd = await payouts('check', filed('odd.csv', ['a,10', 'b,20,nobody', 'c,0.0000001']), '--json')
  expect(odd.exitCode).toBe(1)
  expect(JSON.parse(odd.stdout)).toMatchObject({
    toPay: 0,
    findings: [
      { line: 3, id: 'b', says: expect.stringContaining('no such contact') },
      { line: 4, id: 'c', says: expect.stringContaining('no multiple') },
    ],
  })
  const both = await payouts('check', filed('both.csv', ['a,-10', 'b,20,nobody', 'a,1']), '--json')
  expect(JSON.parse(both.stdout)).toMatchObject({
    toPay: 0,
    findings: [
      { line: 2, says: expect.stringContaining('amount: expected') },
      { line: 3, id: 'b', says: expect.stringContaining('no such contact') },
    ],
  })
  expect(await paid()).toBe(0)
})

test('a check says how many rows go to banks where they are more than go at once', async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, index) => `bank-${index},1,${bank}`)
  const check = (count: number) =>
    payouts('check', filed(`banks-${count}.csv`, rows(count), 'EUR'), '--policy', 'asked', '--json')
  expect(JSON.parse((await check(5)).stdout)).toMatchObject({ toPay: 5, notes: [] })
  expect(JSON.parse((await check(6)).stdout)).toMatchObject({
    toPay: 6,
    findings: [],
    notes: [
      {
        says: expect.stringMatching(
          /^6 rows go to banks, 5 at a time, .* may take 120 h\. The run sends rows for 900 s\..* under another id/,
        ),
      },
    ],
  })
})

test('a file pays each row once, and again nothing, and its results are listed', async () => {
  const { exitCode, stdout } = await payouts('run', file('june.csv'), '--id', 'june', '--csv')
  expect(exitCode).toBe(0)
  const [titles, ...rows] = stdout.trim().split('\r\n')
  expect(titles).toMatch(/^line,id,amount,asset,outcome,fee,contact,reference/)
  expect(rows.map((row) => row.split(',').slice(0, 5).join())).toEqual([
    '2,a,10,USDC,COMPLETED',
    '3,b,20,USDC,COMPLETED',
  ])
  expect(rows[0]).toContain('"Salary, a"')
  expect(await paid()).toBe(2)
  expect(await payouts('run', file('june.csv'), '--id', 'june')).toMatchObject({ exitCode: 0 })
  expect(await payouts('run', file('june.csv'), '--id', 'june-again', '--by', 'ada')).toMatchObject({ exitCode: 0 })
  expect(await paid()).toBe(2)
  const people = await runInProcess(['people', 'export', ...place()])
  expect(people.stdout).toMatch(/,ada \(not verified\),asked,run,.*,under the id june-again,/)
})

test('a corrected file pays the rest, and a paid row with other terms stops it', async () => {
  const corrected = filed('corrected.csv', ['a,10', 'b,20', 'c,30'])
  const sameId = await payouts('run', corrected, '--id', 'june')
  expect(sameId.exitCode).toBe(2)
  expect(sameId.stderr).toContain('--id: this id was used for other rows: row c was not among them; nothing was sent')
  expect(sameId.stderr).toMatch(/next: {2}give a corrected file another --id: .* the row is left out/)
  expect(await payouts('run', corrected)).toMatchObject({ exitCode: 0 })
  expect(await paid()).toBe(3)
  const changed = await payouts('run', filed('changed.csv', ['a,11', 'd,40']))
  expect(changed.exitCode).toBe(1)
  expect(changed.stderr).toMatch(/GUARDED .*row a: intent \w+ has its id with another amount 10, and the row has 11/)
  expect(changed.stderr).toMatch(/changed\.csv.* --policy salaries --id OTHER/)
  expect(changed.stderr).toContain('# pays only the rows that are not paid, once the file has no finding')
  expect(await paid()).toBe(3)
  const results = await payouts('results', file('changed.csv'), '--json')
  expect(results.exitCode).toBe(1)
  expect(JSON.parse(results.stdout)).toMatchObject({
    rows: [
      { id: 'a', outcome: 'OTHER_TERMS', why: 'it has another amount 10, and the row has 11' },
      { id: 'd', outcome: 'NOT_BEGUN' },
    ],
  })
})

test('a file whose only row was paid with another amount is not reported as paid', async () => {
  const { exitCode, stderr } = await payouts('results', filed('dearer.csv', ['a,1000']))
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('1 row: 1 OTHER_TERMS') })
})

test('a row whose withdrawal is still under way is not sent again, and its file is not reported as paid', async () => {
  const before = await paid()
  await service.arrange('/v2/withdrawals', { kind: 'failLater', afterMs: 7 * 24 * 3_600_000 })
  const slow = filed('slow.csv', ['slow,15'])
  expect(await payouts('run', slow)).toMatchObject({ exitCode: 3 })
  const again = await payouts('run', slow)
  expect(again.stderr).toContain('NOTHING_TO_DO')
  expect(again.stderr).toContain('1 row: 1 STUCK')
  expect(again.exitCode).toBe(1)
  expect(await paid()).toBe(before + 1)
  // It ends after its run was settled, and only its own execution learns of the end.
  await service.advance(8 * 24 * 3_600_000)
  const [row] = JSON.parse((await payouts('results', slow, '--json')).stdout).rows
  await runInProcess(['cases', 'again', row.intentId, ...place(), ...keys()])
  expect((await payouts('results', slow)).stderr).toContain('1 row: 1 FAILED_REFUNDED')
  expect(await paid()).toBe(before + 1)
})

test('a row whose withdrawal failed without a refund says so while it is read and at its end', async () => {
  await service.arrange('/v2/withdrawals', { kind: 'failLater', afterMs: 0, refund: false })
  const given = filed('failed.csv', ['failed,15'])
  const treasury = JSON.parse(readFileSync(file('treasury.json'), 'utf8'))
  const timing = { pollInsideSeconds: 0, pollFirstWaitSeconds: 2, pollLongestWaitSeconds: 2, pollWaits: 3 }
  write('patient.json', { ...treasury, timing })
  const patient = ['--config', file('patient.json')]
  const run = startSluice([
    ...['payouts', 'run', given, '--policy', 'salaries', '--id', 'failed', '--state', file('state')],
    ...[...patient, '--service', service.baseUrl, ...keys()],
  ])
  const results = async () => JSON.parse((await payouts('results', given, '--json', ...patient)).stdout).rows
  const why = expect.stringContaining('ended as failed, and its refund is not visible yet')
  await expect.poll(results, { timeout: 60_000, interval: 300 }).toMatchObject([{ outcome: 'REFUND_DUE', why }])
  const { stderr } = await run.ended
  expect(stderr).toMatch(/pay-failed: failed, not refunded \(/)
  expect(stderr).not.toContain('pay-failed: on its way')
  expect(await results()).toMatchObject([{ outcome: 'STUCK', why }])
})

test('payees by reference or alias are shown as their contacts, paid by id once, and found again without the service', async () => {
  await service.control('/balance', { assetSymbol: 'USDC', balance: '1000' })
  const named = (name: string, rows: readonly string[], titles = 'id,contactReference,asset,amount') => {
    writeFileSync(file(name), [titles, ...rows].join('\n'))
    return file(name)
  }
  const twoNames = ['n1,subsidiary,USDC,1', 'n2,Subsidiary,USDC,2']
  const checked = await payouts('check', named('named.csv', twoNames))
  expect(checked).toMatchObject({ exitCode: 0 })
  expect(checked.stdout).toMatch(new RegExp(`"Subsidiary" \\(reference subsidiary, .*id ${payee}\\)`))
  const before = await paid()
  const run = await payouts('run', file('named.csv'), '--id', 'named', '--json')
  const rows = JSON.parse(run.stdout).rows as object[]
  expect(rows).toMatchObject([
    { id: 'n1', contactId: payee, outcome: 'COMPLETED' },
    { id: 'n2', contactId: payee, outcome: 'COMPLETED' },
  ])
  expect(await paid()).toBe(before + 2)
  expect(JSON.parse((await payouts('results', file('named.csv'), '--json')).stdout).rows).toEqual(rows)
  const other = await payouts('results', named('other.csv', ['n1,House bank EUR,USDC,1']), '--json')
  expect(JSON.parse(other.stdout).rows).toMatchObject([{ outcome: 'OTHER_TERMS' }])
  const wrong = await payouts('run', named('wrong-name.csv', ['n3,subsidiary,USDC,1', 'n4,subsidary,USDC,1']))
  expect(wrong).toMatchObject({ exitCode: 2 })
  expect(wrong.stderr).toContain('line 3: contactReference: expected the reference or alias of one contact; none has')
  expect(wrong.stderr).toMatch(/did you mean [Ss]ubsidiary\?/)
  const titles = 'id,contactId,contactReference,asset,amount'
  const renamed = await payouts('run', named('renamed.csv', [`n5,${payee},house-bank-eur,USDC,1`], titles))
  expect(renamed).toMatchObject({ exitCode: 1 })
  expect(renamed.stderr).toContain(`GUARDED`)
  expect(renamed.stderr).toContain(`expected the reference or alias of contact ${payee}`)
  expect(await paid()).toBe(before + 2)
})

/** Sends the form of a page of the console, and returns the page of what became of it. */
async function openForms() {
  // The console shows a directory that has runs.
  await payouts('check', filed('forms.csv', ['form-1,1']))
  const opened = await openTestConsole({
    ...{ state: file('state'), config: file('treasury.json') },
    ...{ service: service.baseUrl, keys: file('keys.json') },
  })
  const cookie = await opened.enter()
  const read = async (page: string) => (await opened.ask(page, { headers: { cookie } })).body
  const token = /name="token" value="([^"]*)"/.exec(await read('/policies/salaries'))?.[1] ?? ''
  const headers = { cookie, origin: opened.origin, 'content-type': 'application/x-www-form-urlencoded' }
  return async (to: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ token, by: 'ada', ...fields }).toString()
    const begun = await opened.ask(to, { method: 'POST', headers, body })
    const act = String(begun.headers.location).slice(opened.path.length)
    await expect.poll(() => read(act), { timeout: 20_000 }).not.toContain('>under way</span>')
    return read(act)
  }
}

test('a yes at the console is to the payees that were shown: a label that has moved meanwhile is asked about again', async () => {
  await service.control('/balance', { assetSymbol: 'USDC', balance: '1000' })
  const { stdout } = await runInProcess(['service', 'contacts', '--json', ...place(), ...keys()])
  const contacts: { id: string; alias: string; reference: string }[] = JSON.parse(stdout)
  const other = contacts.find(({ reference }) => reference === 'exchange-usdc-eth')
  const own = contacts.find(({ id }) => id === payee)
  if (other === undefined || own === undefined) throw new TypeError('there is one contact alone')
  const rename = (id: string, alias: string) => service.control(`/contacts/${encodeURIComponent(id)}`, { alias })
  const send = await openForms()
  const rows = 'id,contactReference,asset,amount\nmoved-1,Cold wallet,USDC,20'
  await rename(payee, 'Cold wallet')
  const yesIn = (page: string) => /name="yes" value="([^"]*)"/.exec(page)?.[1] ?? ''
  const pay = (yes = '') => send('/policies/salaries/payouts', { rows, id: 'moved', ...(yes && { yes }) })
  const before = await paid()
  const shown = await pay()
  expect(shown).toContain(payee)
  expect(await pay('1')).toContain('Nothing is written yet')
  await rename(payee, own.alias)
  await rename(other.id, 'Cold wallet')
  const anew = await pay(yesIn(shown))
  expect(anew).toContain('Nothing is written yet')
  expect(anew).toContain(other.id)
  expect(await paid()).toBe(before)
  expect(await pay(yesIn(anew))).not.toContain('name="yes"')
  expect(await paid()).toBe(before + 1)
  await rename(other.id, other.alias)
})

test('a template lists whom the policy may pay, pays nothing as it is, and pays the line that is filled in', async () => {
  const out = file('template.csv')
  const written = await runInProcess([
    'payouts',
    'template',
    '--policy',
    'salaries',
    '--out',
    out,
    ...place(),
    ...keys(),
  ])
  expect(written).toMatchObject({ exitCode: 0, stdout: '' })
  const text = readFileSync(out, 'utf8')
  expect(text).toContain(`\r\n,subsidiary,${payee},USDC,,\r\n`)
  expect(text).not.toContain(bank)
  const before = await paid()
  const unedited = await payouts('run', out)
  expect(unedited).toMatchObject({ exitCode: 2 })
  expect(unedited.stderr).toContain('line 3: amount: expected the amount to pay; got none')
  expect(await paid()).toBe(before)
  const line = text.split('\r\n').find((each) => each.startsWith(',subsidiary')) ?? ''
  writeFileSync(out, [text.split('\r\n', 1)[0], line.replace(/^,(.*),,$/, 't1,$1,3,June')].join('\r\n'))
  expect(await payouts('run', out)).toMatchObject({ exitCode: 0 })
  expect(await paid()).toBe(before + 1)
})

test('a file is approved as one, and pays nothing before', async () => {
  await service.control('/balance', { assetSymbol: 'EUR', balance: '1000' })
  const rows = filed('euros.csv', ['e1,10', 'e2,20'], 'EUR')
  const before = await paid()
  const waiting = await payouts('run', rows, '--policy', 'asked', '--id', 'euros', '--json')
  expect(waiting.exitCode).toBe(4)
  expect(await paid()).toBe(before)
  const second = () => payouts('run', filed('second.csv', ['e3,30'], 'EUR'), '--policy', 'asked', '--id', 'second')
  expect(await second()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ALREADY_RUNNING') })
  const { run } = JSON.parse(waiting.stdout)
  const decision = ['--because', 'checked', '--by', 'ada', '--yes', ...place(), ...keys()]
  expect(await runInProcess(['approve', run, ...decision])).toMatchObject({ exitCode: 0 })
  expect(await paid()).toBe(before + 2)
  // An id that only met another run is not used up.
  const begun = await second()
  expect(begun).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('AWAITING_APPROVAL') })
  expect(begun.stderr).toMatch(/next: {2}npx sluice approve \S+ --because TEXT/)
  const [, waitingRun = ''] = /AWAITING_APPROVAL {2}run (\S+):/.exec(begun.stderr) ?? []
  expect(await runInProcess(['reject', waitingRun, ...decision])).toMatchObject({ exitCode: 0 })
})

test('rows whose answers are lost, or whose process is killed, are paid once each', async () => {
  const known = await service.withdrawalIds()
  const rows = ['k1,1', 'k2,2', 'k3,3', 'k4,4', 'k5,5']
  await service.arrange('/v2/withdrawals', { kind: 'dropAfterCommit' }, { method: 'POST', times: 2 })
  const input = filed('killed.csv', rows)
  const command = ['payouts', 'run', input, '--policy', 'salaries', '--id', 'killed', ...place(), ...keys()]
  const first = startSluice(command)
  await service.untilMoved(known)
  first.child.kill('SIGKILL')
  await first.ended
  expect(await payouts('run', input, '--id', 'killed')).toMatchObject({ exitCode: 0 })
  expect(await payouts('run', filed('more.csv', [...rows, 'k6,6']))).toMatchObject({ exitCode: 0 })
  expect(await paid()).toBe(known.length + 6)
  expect((await payouts('results', file('more.csv'))).exitCode).toBe(0)
})

test('a file whose payee has changed since its plan is not approved, and the error names the command that plans it anew', async () => {
  const waiting = await payouts('run', filed('stale.csv', ['stale,10'], 'EUR'), '--policy', 'asked', '--json')
  const { run } = JSON.parse(waiting.stdout)
  await service.control(`/contacts/${payee}`, { alias: 'Elsewhere' })
  const before = await paid()
  const decision = ['--because', 'checked', '--by', 'ada', '--yes', ...place(), ...keys()]
  const { exitCode, stderr } = await runInProcess(['approve', run, ...decision])
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining('payouts run FILE --policy asked --id ID'),
  })
  expect(await paid()).toBe(before)
})

test.each([
  [
    'a policy of another kind',
    ['--policy', 'float'],
    '--policy: expected a policy that pays the rows of files; got one of kind fund',
  ],
  ['a faulty file', [], 'line 2: id: expected'],
])('%s is refused before anything is asked', async (_what, more, message) => {
  const { exitCode, stderr } = await payouts('run', filed('wrong.csv', ['=1,5']), ...more)
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) })
})

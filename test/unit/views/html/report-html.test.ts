// The saved report of a run shows everything that the run did, in exact figures, and is safe to open.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RunEnd, type RunReport, runReport } from '../../../../core/contract/runs.ts'
import { runBadge } from '../../../../views/html/outcome-badge.ts'
import { reportHtml } from '../../../../views/html/report-html.ts'
import type { LegCourse } from '../../../../views/html/run-timeline.ts'
import { tieOutText } from '../../../../views/runs/report-sentences.ts'
import { plan, rebalanced, samples, swept, withHostile } from '../runs/sample-run.ts'

/** Tags that a page may hold: its own. */
const OWN_TAGS = new Set(
  'html head meta title style body main header section footer label input h1 h2 p span dl dt dd div table thead tbody tr th td code svg text rect circle line ol li time script'.split(
    ' ',
  ),
)

function pageOf(report: RunReport, legs: Parameters<typeof reportHtml>[0]['legs'] = []): string {
  return reportHtml({ report, legs })
}

function tagsOf(page: string): string[] {
  return [...page.matchAll(/<\/?([A-Za-z][^\s>/]*)/g)].map(([, name]) => name as string)
}

test('a page shows the plan, its results, and every id whole', () => {
  const page = pageOf(rebalanced)
  for (const text of [
    'PARTLY_SETTLED',
    'one leg of two moved nothing',
    'by a schedule (2026-01-31T09:00:00Z)',
    'BTC is 6.4 % over its target',
    'b'.repeat(40),
    'order/1 x',
    'approved by ada at 2026-01-31 09:00:02: month end.',
    'within the band of 1 %',
    'cut to what is left of the day',
    'the quote is 80 basis points worse than indicated',
    'Fill 1: 0.1 for 6\u202f390 on BTC-USDC.',
    '<td class="amount" data-title="drift, USD">-3\u202f200</td>',
  ]) {
    expect(page).toContain(text)
  }
  expect(pageOf(swept)).toContain(`0x${'e'.repeat(64)}`)
})

test('a balance left in a hub has its own part, and without a balance there is no part', () => {
  expect(pageOf(rebalanced)).toContain('<p>12 EURC that earlier runs left on the way has gone on.</p>')
  expect(pageOf(swept)).not.toContain('Left on the way')
})

test('a fill that was worse than indicated shows by how much, and the quoted and the filled rate', () => {
  const [row] = /<tr><th scope="row">sell-BTC-USDC<\/th>.*?<\/tr>/.exec(pageOf(rebalanced)) ?? ['']
  const exact = row.replace(/<span class="few">.*?<\/span>/g, '')
  const cells = [...exact.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, text]) => text?.replace(/<[^>]*>/g, '').trim())
  // The expected loss of the sale to the spread, and the actual loss: 10 USDC more, each worth 6397.3 / 6400 USD.
  expect(cells).toEqual([
    ...['filled', '0.1', 'BTC', '6\u202f390', 'USDC', '64\u202f000', '63\u202f900', '15.6', '3.2', '13.195781'],
  ])
})

test("the decimal points of a column's amounts are aligned", () => {
  const page = pageOf(rebalanced)
  expect(page).toContain('<td class="amount" data-title="holding"> 1   </td>')
  expect(page).toContain('<td class="amount" data-title="holding">11.25</td>')
})

test('the outcome and whether it ties out come before everything else', () => {
  const page = pageOf(rebalanced)
  const tieOut = page.indexOf(tieOutText(rebalanced))
  expect(page.indexOf('>partly settled</span>')).toBeGreaterThan(0)
  expect(tieOut).toBeGreaterThan(page.indexOf('>partly settled</span>'))
  expect(tieOut).toBeLessThan(page.indexOf('<section id="legs"'))
})

test('values and amounts are in groups of three, in sentences too, and ids are not', () => {
  const reason = 'the target is 12345.5 USDC; see order 20260131 BTC'
  const [settled] = rebalanced.legs
  if (settled === undefined) throw new TypeError('no sample')
  const page = pageOf({ ...rebalanced, legs: [{ ...settled, leg: { ...settled.leg, reason } }] })
  for (const text of [
    '100\u202f000 USD',
    '9\u202f600.5 USD',
    'the target is 12\u202f345.5 USDC; see order 20260131 BTC',
  ])
    expect(page).toContain(text)
})

test('the amounts that all legs gave and brought are summed by asset, without legs that moved nothing', () => {
  const [settled] = rebalanced.legs
  if (settled === undefined) throw new TypeError('no sample')
  const text = pageOf({ ...rebalanced, legs: [settled, settled, ...rebalanced.legs.slice(1)] })
  const rows = [
    ...text.matchAll(/<tr><th scope="row">(BTC|USDC)<\/th>((?:<td class="amount"[^>]*>[^<]*<\/td>){3})<\/tr>/g),
  ]
  const cells = rows.map(([, asset, amounts = '']) => [
    asset,
    ...amounts
      .replace(/<[^>]*>/g, ' ')
      .trim()
      .split(/ {2,}/),
  ])
  expect(cells).toEqual([
    ['BTC', '0.2', '0', '-0.2'],
    ['USDC', '0', '12\u202f780', '+12\u202f780'],
  ])
})

const course: Omit<LegCourse, 'key'> = {
  ...{ intentId: 'b'.repeat(40), kind: 'convert', state: 'DONE', createdAt: '2026-01-31T09:00:02Z' },
  facts: [
    {
      ...{ fact: 'quoted', at: '2026-01-31T09:00:02.1Z', orderId: 'order/0', expiresAt: '2026-01-31T09:00:07Z' },
      terms: { market: 'BTC-USDC', rate: '63910.12345678901', baseAmount: '0.1', quoteAmount: '6391' },
    },
    {
      fact: 'attempt ended',
      at: '2026-01-31T09:00:02.2Z',
      why: 'the quote had expired',
      wasInDoubt: false,
      movement: 'order',
    },
    {
      fact: 'sent',
      at: '2026-01-31T09:00:02.3Z',
      movement: 'order',
      orderId: 'order/1 x',
      isCertain: true,
      nonce: 'n',
      key: 'k',
    },
    { fact: 'answered', at: '2026-01-31T09:00:02.4Z', answer: 'none', code: 'timed_out' },
  ],
}

test('every attempt is in the timeline: an expired quote, a lost answer, and the attempt that moved', () => {
  const page = pageOf(rebalanced, [course])
  for (const text of [
    'The service quoted 0.1 for 6\u202f391 in BTC-USDC, at a rate of 63\u202f910.12345…',
    'This attempt moved nothing: the quote had expired.',
    'No answer came within',
  ])
    expect(page).toContain(text)
  expect(page.indexOf('the quote had expired')).toBeLessThan(page.indexOf('No answer came'))
  expect(page).toContain('The attempts of 1 leg are not shown here.')
  expect(page).toMatch(/<circle class="wait"[^>]*><title>\d+\. sell-BTC-USDC: answer<\/title>/)
})

test('the table of positions has the order of the chart: the largest value first', () => {
  const turned = pageOf({ ...rebalanced, plan: { ...plan, positions: [...plan.positions].reverse() } })
  expect(turned.indexOf('<th scope="row">BTC</th><td class="amount" data-title="holding"> 1')).toBeLessThan(
    turned.indexOf('<th scope="row">ETH</th><td class="amount" data-title="holding">11'),
  )
  expect(turned.indexOf('text-anchor="end">BTC<')).toBeLessThan(turned.indexOf('text-anchor="end">ETH<'))
})

test('a leg of more than one attempt shows their number', () => {
  const [settled] = rebalanced.legs
  if (settled?.conversion === undefined) throw new TypeError('no sample')
  const legs = [{ ...settled, conversion: { ...settled.conversion, attempts: 3 } }]
  expect(pageOf({ ...rebalanced, legs })).toContain('3 attempts; at most one of them moved money.')
})

test('the data of the run are in the page as JSON, including hostile text', () => {
  for (const hostile of ['</script><script>alert(1)</script>', '<!--<script>', '\u2028\u202e\ud800', '"\\']) {
    const report = withHostile(rebalanced, hostile)
    const [, json = ''] = /<script type="application\/json" id="run">(.*?)<\/script>/s.exec(pageOf(report)) ?? []
    const { timeline, ...rest } = JSON.parse(json)
    expect(rest).toEqual(JSON.parse(JSON.stringify(report)))
    expect(timeline[0]).toEqual({ at: report.startedAt, of: 'run', what: 'started', text: expect.any(String) })
  }
})

test('the data of a page are those of the contract, and the lines of its timeline', () => {
  const [, json = ''] =
    /<script type="application\/json" id="run">(.*?)<\/script>/s.exec(pageOf(rebalanced, [course])) ?? []
  const { timeline, ...rest } = JSON.parse(json)
  // The contract drops unknown fields.
  expect(runReport.parse(rest)).toEqual(rest)
  for (const line of timeline)
    expect(Object.keys(line).filter((name) => !['at', 'of', 'what', 'text'].includes(name))).toEqual([])
})

test('weights are drawn before, as the target, and after', () => {
  const page = pageOf(rebalanced)
  for (const name of ['before', 'target', 'after']) expect(page.split(`<rect class="${name}"`)).toHaveLength(3)
  expect(page).toContain('<title>target 57.6 %</title>')
  // The widest bar fills the space, and the others are proportional to their weights.
  const widths = [...page.matchAll(/<rect class="before"[^>]*width="([\d.]+)%"/g)].map(([, width]) => Number(width))
  expect((widths[1] as number) / (widths[0] as number)).toBeCloseTo(0.36 / 0.64, 2)
})

test('a long figure is cut for people, and its cell has every digit for the switch', () => {
  const position = { ...plan.positions[0], holding: '1.234567891', value: '79012.345678', weight: '0.640012' }
  const page = pageOf({ ...rebalanced, plan: { ...plan, positions: [position as never] } })
  for (const [few, all] of [
    ['1.23456', '1.234567891'],
    ['79\u202f012.34', '79\u202f012.345678'],
    ['64', '64.0012'],
  ] as const)
    expect(page).toContain(
      `<span class="digits" title="${all}"><span class="few">${few}</span><span class="all">${all}</span></span></td>`,
    )
  expect(page.match(/id="every-digit"/g)).toHaveLength(1)
  expect(pageOf({ ...swept, legs: [] })).not.toContain('id="every-digit"')
})

test('a payout is drawn by its amounts: 20,000 that leave 100,000 are a fifth of its bar, and no share is named', () => {
  const position = {
    ...{ asset: 'USDC', holding: '100000', spendable: '100000', price: '1', value: '100000', weight: '1' },
    ...{ afterHolding: '80000.123456789', afterValue: '80000', afterWeight: '1' },
  }
  const page = pageOf({ ...swept, plan: { ...(swept.plan ?? expect.fail()), positions: [position] } })
  const part = /<section id="weights".*?<\/section>/s.exec(page)?.[0] ?? ''
  const widths = [...part.matchAll(/<rect class="\w+"[^>]*width="([\d.]+)%"/g)].map(([, width]) => Number(width))
  expect((widths[1] as number) / (widths[0] as number)).toBeCloseTo(0.8, 2)
  expect(part).toContain('80\u202f000.12 after</text>')
  expect(part).toContain('-19\u202f999.876543211')
  expect(part).not.toMatch(/[0-9] %|weight %|target %/)
})

test('a page loads nothing: no script that runs, no address, and a policy that forbids both', () => {
  for (const sample of samples) {
    const page = pageOf(sample)
    expect(page).not.toMatch(
      /<script(?! type="application\/json" id="run">)|<link|<img|<iframe|\ssrc=|\shref=|url\(|@import|https?:/i,
    )
    expect(page).toContain('default-src &#39;none&#39;')
    expect(page).toMatch(/prefers-color-scheme: dark[\s\S]*@media print/)
  }
})

test('whatever a label contains, it stays text', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '</td><script>alert(1)</script>',
      '" onload="alert(1)',
      "' style='x",
      '<!--',
      ']]>',
      '</style>',
      '&lt;b&gt;',
      '\u202egnp',
    ),
  )
  const shape = (page: string) => tagsOf(page).join()
  fc.assert(
    fc.property(hostile, fc.constantFrom(...samples), (text, sample) => {
      const page = pageOf(withHostile(sample, text))
      expect(tagsOf(page).filter((name) => !OWN_TAGS.has(name))).toEqual([])
      // The same page except for its texts: nothing was opened, closed or hidden.
      const isEmpty = text === ''
      if (!isEmpty) expect(shape(page)).toBe(shape(pageOf(withHostile(sample, 'x'))))
      expect(page).not.toMatch(/\u202e|<!--/)
    }),
    { numRuns: 300 },
  )
})

test.each([...Object.values(RunEnd), 'RUNNING' as const])('a run that is %s has a page', (outcome) => {
  const { plan: _plan, ...unplanned } = { ...rebalanced, outcome, legs: [] }
  for (const report of [{ ...rebalanced, outcome }, unplanned] satisfies RunReport[]) {
    const page = pageOf(report)
    expect(page).toContain(`<p class="outcome">${runBadge(outcome, 'approved').text}`)
    expect(page).not.toMatch(/undefined|NaN|\[object/)
    expect(page).not.toContain('does not know')
  }
})

test('a huge run has a page of at most 2 MB that names its omissions', () => {
  const long = 'x'.repeat(50_000)
  const [position] = plan.positions
  const [settled] = rebalanced.legs
  const fill = settled?.conversion?.fills?.[0]
  if (position === undefined || settled === undefined || fill === undefined) throw new TypeError('no sample')
  const conversion = {
    ...settled.conversion,
    fills: Array.from({ length: 500 }, () => fill),
  } as typeof settled.conversion
  const page = pageOf({
    ...rebalanced,
    why: long,
    plan: {
      ...plan,
      positions: Array.from({ length: 10_000 }, (_, index) => ({ ...position, asset: `A${index}` })),
      nonLegs: Array.from({ length: 10_000 }, () => ({ asset: 'BTC', code: 'guard' as const, reason: long })),
    },
    legs: Array.from({ length: 200 }, (_, index) => ({
      ...settled,
      leg: { ...settled.leg, key: `leg-${index}`, reason: long },
      conversion,
    })),
  })
  expect(page.length).toBeLessThan(2_000_000)
  expect(page).toContain('too long to be in this page')
  expect(page).toContain('and 9750 more')
  expect(page).toContain('(49000 characters more)')
})

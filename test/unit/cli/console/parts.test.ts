// The parts of pages show figures, times and machines readably, and escape other people's text.
import { expect, test } from 'vitest'
import type { RunReport } from '../../../../core/contract/runs.ts'
import { table } from '../../../../views/html/html-table.ts'
import { BOX, layOut, MORE_ENDS, machineDrawing, readMachine } from '../../../../views/html/machine-drawing.ts'
import { happeningsOfIntent, happeningsOfRun, timeline } from '../../../../views/html/run-timeline.ts'
import { grouped, lasted, moment, rate } from '../../../../views/html/shown-figures.ts'

const EVIL = `</td><script>alert(1)</script><img src=x onerror="x">\u202eabc\u2066`

test('an amount keeps its digits, in groups of three before the point', () => {
  expect(['0', '999', '1000', '-1234567.0001234', '+10000', '12,5', ''].map(grouped)).toEqual([
    ...['0', '999', '1\u202f000', '-1\u202f234\u202f567.0001234', '+10\u202f000', '12,5', ''],
  ])
})

test.each([
  ['1288.62509930693786', '1288.625099…'],
  ['0.000012345678901234', '0.00001234567890…'],
  ['123456789012.987', '123456789012.98…'],
  ['0.9226', '0.9226'],
  ['64000', '64000'],
  ['', ''],
])('a rate of %s is shown in ten digits, as %s', (text, shown) => {
  expect(rate(text)).toBe(shown)
})

test('a moment is shown in UTC and is complete for programs, and any other text is shown unchanged', () => {
  expect(moment('2026-01-31T09:00:05.5+01:00')?.text).toBe(
    '<time datetime="2026-01-31T08:00:05.500Z" title="2026-01-31T08:00:05.500Z">2026-01-31 08:00:05</time>',
  )
  expect(moment('<b>')?.text).toBe('<span>&#60;b&#62;</span>')
  expect(moment(null)).toBeUndefined()
})

test('a duration is shown in two units at most', () => {
  expect([0, 4_230, 65_000, 3_700_000, -1].map(lasted)).toEqual(['0.0 s', '4.2 s', '1 min 5 s', '1 h 1 min', '0.0 s'])
})

test('a table escapes what it shows, leaves out empty columns, and says how many rows are missing', () => {
  const rows = Array.from({ length: 260 }, (_, index) => ({ name: EVIL, none: '', amount: `${index}.5` }))
  const { text } = table(
    'Names',
    [
      { title: 'name', text: ({ name }) => name, isHead: true },
      { title: 'none', text: ({ none }) => none },
      { title: 'amount', text: ({ amount }) => amount, isAmount: true },
    ],
    rows,
  )
  expect(text).not.toMatch(/<script|<img|\u202e|>none</)
  expect(text).toContain('\\u202e')
  expect(text).toContain('and 10 more')
})

const definition = JSON.stringify({
  StartAt: 'Plan',
  States: {
    Plan: { Type: 'Task', Next: 'Legs', Catch: [{ Next: 'Broke' }] },
    Legs: {
      Type: 'Map',
      Next: 'Outcome',
      ItemProcessor: { StartAt: 'Leg', States: { Leg: { Type: 'Task', End: true } } },
    },
    Outcome: { Type: 'Choice', Choices: [{ Next: 'Plan' }, { Next: 'Good' }, { Next: 'Bad' }], Default: 'Worse' },
    Good: { Type: 'Succeed' },
    Bad: { Type: 'Fail' },
    Worse: { Type: 'Fail' },
    Broke: { Type: 'Fail' },
  },
})

test('a machine is read from the start on, and ends that were not reached share one box', () => {
  const machine = readMachine(definition, new Set(['Good']))
  expect(machine?.states).toEqual(['Plan', 'Legs', MORE_ENDS, 'Outcome', 'Leg', 'Good'])
  expect(machine?.edges).toContainEqual({ from: 'Outcome', to: 'Plan', isInner: false })
  expect([...(machine?.inner ?? [])]).toEqual(['Leg'])
  expect(readMachine('{"States":', new Set())).toBeUndefined()
  expect(readMachine('{"States":{}}', new Set())).toBeUndefined()
})

test('a drawing shows each state that was entered, how often, the arrows between them, and the current state', () => {
  const steps = ['Plan', 'Legs', 'Leg', 'Leg', 'Outcome'].map((state) => ({ did: 'entered' as const, state, at: '' }))
  const text = machineDrawing('sluice-x', definition, { status: 'RUNNING', steps })?.text ?? ''
  expect(text).toContain('the path taken: Plan, Legs, Leg, Leg, Outcome')
  expect(text).toContain('<title>Leg (Task): entered 2 times</title>')
  expect(text).toMatch(/class="Choice taken current"/)
  expect(text).toMatch(/class="way taken"[^>]*><title>Plan to Legs</)
  // A Map continues after its states are done.
  expect(text).toMatch(/class="way taken"[^>]*><title>Legs to Outcome</)
  expect(text).toMatch(/class="way"[^>]*><title>Outcome to Plan</)
  expect(text).toContain('<title>other ends: not entered</title>')
})

test('no two boxes of a drawing touch, all are within it, and each line ends at the boxes that it joins', () => {
  const machine = readMachine(definition, new Set(['Good'])) ?? expect.fail()
  const { width, height, middles, edges } = layOut(machine)
  const all = [...middles.values()]
  for (const [index, { x, y }] of all.entries()) {
    for (const other of all.slice(index + 1))
      expect(Math.abs(x - other.x) > BOX.width || Math.abs(y - other.y) > BOX.height).toBe(true)
    expect([x - BOX.width / 2 >= 0, x + BOX.width / 2 <= width]).toEqual([true, true])
    expect([y - BOX.height / 2 >= 0, y + BOX.height / 2 <= height]).toEqual([true, true])
  }
  expect(edges).toHaveLength(machine.edges.length)
  for (const { from, to, points } of edges) {
    for (const [state, point] of [
      [from, points[0]],
      [to, points.at(-1)],
    ] as const) {
      const middle = middles.get(state) ?? expect.fail()
      expect(Math.abs((point?.x ?? Number.NaN) - middle.x)).toBeLessThanOrEqual(BOX.width / 2 + 0.1)
      expect(Math.abs((point?.y ?? Number.NaN) - middle.y)).toBeLessThanOrEqual(BOX.height / 2 + 0.1)
    }
  }
})

/** Like the machine of withdrawals: some of its lines pass outside of all boxes. */
const WIDE = {
  Check: 'Send Conclude',
  Send: 'Outcome Fence Conclude',
  Fence: 'Outcome',
  Outcome: 'Fence Turn Announce Wait Ends Needs',
  Announce: 'Turn',
  Turn: 'Send',
  Wait: 'Poll',
  Poll: 'Polled Conclude',
  Conclude: 'Concluded',
  Polled: 'Wait Ends Broke Conclude',
  Concluded: 'Ends Broke',
  Broke: 'Needs',
  Ends: '',
  Needs: '',
}

test('a drawing is as wide and high as its lines need, also where they pass outside of all boxes', () => {
  const ways = Object.entries(WIDE).flatMap(([from, to]) => to.split(' ').map((each) => ({ from, to: each })))
  const edges = ways.map((way) => ({ ...way, isInner: false }))
  const placed = layOut({ states: Object.keys(WIDE), edges })
  const points = placed.edges.flatMap((edge) => edge.points)
  expect(points.length).toBeGreaterThan(60)
  for (const { x, y } of points)
    expect([x > 0, x < placed.width, y > 0, y < placed.height]).toEqual([true, true, true, true])
})

test('a state with a hostile name is drawn as text', () => {
  const hostile = JSON.stringify({ StartAt: EVIL, States: { [EVIL]: { Type: 'Succeed' } } })
  expect(machineDrawing('x', hostile, undefined)?.text).not.toMatch(/<script|<img/)
})

const facts = [
  { fact: 'asked', at: '2026-01-31T09:00:00Z', what: 'buy BTC', notAfter: '2026-01-31T09:15:00Z' },
  { fact: 'sent', at: '2026-01-31T09:00:02Z', nonce: 'n', key: 'k', movement: 'order', isCertain: true },
  { fact: 'doubt', at: '2026-01-31T09:00:03Z', until: '2026-01-31T09:01:30Z', movement: 'order', why: EVIL },
  { fact: 'proven', movement: 'order', movementId: EVIL, by: 'look', claimedBy: 'cv-1' },
  { fact: 'settled', at: '2026-01-31T09:01:31Z', outcome: 'FILLED', movement: 'order', movementId: 'o-1' },
] as const
const course = {
  key: 'buy-BTC',
  intentId: 'cv-1',
  kind: 'convert',
  state: 'DONE',
  createdAt: '2026-01-31T09:00:00Z',
  facts,
} as const

test('each fact is a line with its title, and a fact without a time stays behind its predecessor', () => {
  const lines = happeningsOfIntent(course)
  expect(lines.map(({ what }) => what)).toEqual(['asked', 'send', 'fence wait', 'proven', 'settled'])
  expect(lines[2]).toMatchObject({ look: 'wait', text: expect.stringContaining('Until 09:01:30') })
  const report: RunReport = {
    ...{ outcome: 'SETTLED', runId: 'rb-1', policy: 'core', kind: 'rebalance', legs: [] },
    ...{ startedAt: '2026-01-31T08:59:59Z', endedAt: '2026-01-31T09:01:32Z', tiesOut: true },
    approval: {
      planHash: 'h',
      expiresAt: '2026-02-01T09:00:00Z',
      decision: 'approved',
      by: EVIL,
      at: '2026-01-31T09:00:01Z',
    },
  }
  expect(happeningsOfRun(report, [course]).map(({ what }) => what)).toEqual([
    ...['started', 'asked', 'approval', 'send', 'fence wait', 'proven', 'settled', 'ended'],
  ])
  const { text } = timeline(happeningsOfRun(report, [course]))
  expect(text).not.toMatch(/<script|<img|\u202e/)
  expect(text.match(/<li/g)).toHaveLength(8)
})

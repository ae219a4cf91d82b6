// A notice says what needs a person and how to act, and each end or wait has one id.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { APPROVAL_AWAITED, ResultEvent, SwitchEvent } from '../../../core/contract/events.ts'
import { NoticeAbout, NoticeShape } from '../../../core/contract/notices.ts'
import { RunEnd } from '../../../core/contract/runs.ts'
import { type PlainNotice, plainNotice } from '../../../core/contract/sent-notices.ts'
import { Refused } from '../../../core/errors.ts'
import { noticeOf, testNotice } from '../../../core/notices/notice-of-event.ts'
import { bodyOf, MOST_CHARACTERS, nameText, personText, subjectOf } from '../../../core/notices/shapes.ts'

const AT = '2026-01-31T09:00:00.000Z'
const TELLER = { environment: 'live', stage: 'live', isDesk: false } as const
const ALL = { name: 'ops', about: Object.values(NoticeAbout) }

const event = (detailType: string, detail: object) => ({
  event: { id: 'e-1', 'detail-type': detailType, detail: { version: 1, ...detail } },
})
const run = (outcome: string, more: object = {}, execution = 'run-1') =>
  event(ResultEvent.Run, {
    ...{ execution, endedAt: AT },
    result: { outcome, runId: 'run-1', policy: 'core', kind: 'rebalance', legs: [], ...more },
  })
const awaited = (more: object = {}) =>
  event(APPROVAL_AWAITED, {
    ...{ execution: 'm-1_2', kind: 'withdrawal', intentId: 'm-1', policy: 'core', terms: 'a'.repeat(64), at: AT },
    ...{ until: AT, why: 'guards.approval waits for a person to approve it', ...more },
  })
const halted = (more: object = {}) =>
  event(SwitchEvent.Halted, {
    scope: 'core',
    by: 'arn:aws:iam::1:user/ada',
    because: 'an audit',
    at: AT,
    isBreaker: false,
    ...more,
  })

describe('the content of a notice', () => {
  test('about a plan that waits: the run, and the command that shows and approves it', () => {
    expect(noticeOf(run(RunEnd.AwaitingApproval), ALL, TELLER)).toEqual({
      version: 1,
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      about: 'waits-for-approval',
      at: AT,
      notice: 'ops',
      environment: 'live',
      stage: 'live',
      subject: { kind: 'run', id: 'run-1', policy: 'core' },
      outcome: 'AWAITING_APPROVAL',
      says: 'Run run-1 of policy core waits for approval.',
      commands: ['npx sluice runs show run-1 --aws', 'npx sluice approve run-1 --because TEXT --aws'],
    })
  })

  test.each([
    ['a plan that waits', run(RunEnd.AwaitingApproval), 'runs/run-1/decide'],
    ['a run in need', run(RunEnd.NeedsAttention), 'runs/run-1'],
    ['a movement that waits', awaited(), 'intents/m-1'],
    ['a halt', halted(), 'halt'],
  ])("about %s, it links to that page of the console on the reader's own machine", (_what, happened, page) => {
    const notice = noticeOf(happened, { ...ALL, consolePort: 8484 }, TELLER)
    expect(notice?.link).toBe(`http://127.0.0.1:8484/go/${page}`)
    expect(notice && personText(notice)).toContain(`Where your own console runs:\nhttp://127.0.0.1:8484/go/${page}\n`)
    expect(noticeOf(happened, ALL, TELLER)).not.toHaveProperty('link')
  })

  test('about an id that it cannot write in full, it has no link', () => {
    const named = run(RunEnd.AwaitingApproval, {}, 'run 1/../halt')
    expect(noticeOf(named, { ...ALL, consolePort: 8484 }, TELLER)).not.toHaveProperty('link')
  })

  test.each([RunEnd.NeedsAttention, RunEnd.OwnFault])('a run that ended %s needs a person', (outcome) => {
    expect(noticeOf(run(outcome), ALL, TELLER)).toMatchObject({ about: 'needs-a-person', outcome })
  })

  test.each([ResultEvent.Conversion, ResultEvent.Withdrawal])('%s that is stuck needs a person', (detailType) => {
    const asked = event(detailType, {
      execution: 'm-1_2',
      endedAt: AT,
      result: { outcome: 'STUCK', intentId: 'm-1', attempts: 1 },
    })
    expect(noticeOf(asked, ALL, TELLER)).toMatchObject({ about: 'needs-a-person', subject: { id: 'm-1' } })
    expect(noticeOf(asked, { ...ALL, policies: ['core'] }, TELLER)).toBeUndefined()
  })

  test('about a movement that waits: the movement, its policy, and the commands that show and approve it', () => {
    expect(noticeOf(awaited(), ALL, TELLER)).toMatchObject({
      ...{ about: 'waits-for-approval', at: AT, outcome: 'AWAITING_APPROVAL' },
      subject: { kind: 'withdrawal', id: 'm-1', policy: 'core' },
      says: 'Withdrawal m-1 of policy core waits for approval.',
      commands: ['npx sluice movements show m-1 --aws', 'npx sluice approve m-1 --because TEXT --aws'],
    })
    const alone = noticeOf(awaited({ kind: 'conversion', policy: undefined }), ALL, TELLER)
    expect(alone).toMatchObject({ subject: { kind: 'conversion', id: 'm-1' } })
    expect(alone?.says).toBe('Conversion m-1 waits for approval.')
  })

  test.each([
    [{}, [NoticeAbout.NeedsPerson, NoticeAbout.RunEnded, NoticeAbout.Halted], undefined, false],
    [{}, [NoticeAbout.WaitsForApproval], ['core'], true],
    [{}, [NoticeAbout.WaitsForApproval], ['other'], false],
    [{ policy: undefined }, [NoticeAbout.WaitsForApproval], ['core'], false],
  ] as const)('about a movement that waits, %j, for a receiver of %j of %j: %j', (more, about, policies, isTold) => {
    const config = { ...ALL, about: [...about], ...(policies && { policies: [...policies] }) }
    expect(noticeOf(awaited(more), config, TELLER) !== undefined).toBe(isTold)
  })

  test('a repeated wait, also of another execution, has one id, and other terms have another', () => {
    const first = noticeOf(awaited(), ALL, TELLER)?.id
    expect(noticeOf(awaited({ execution: 'm-1_3', at: '2026-01-31T10:00:00.000Z' }), ALL, TELLER)?.id).toBe(first)
    expect(noticeOf(awaited({ terms: 'b'.repeat(64) }), ALL, TELLER)?.id).not.toBe(first)
    expect(noticeOf(awaited({ kind: 'conversion' }), ALL, TELLER)?.id).not.toBe(first)
  })

  test('about a conversion that filled: nothing', () => {
    const asked = { execution: 'm-1', endedAt: AT, result: { outcome: 'FILLED', intentId: 'm-1', attempts: 1 } }
    expect(noticeOf(event(ResultEvent.Conversion, asked), ALL, TELLER)).toBeUndefined()
  })

  test('about a halt: its scope, by a person or the breaker, without the person and the reason', () => {
    expect(noticeOf(halted(), ALL, TELLER)?.says).toBe('Sending is halted for policy core, by a person.')
    const trip = noticeOf(halted({ isBreaker: true, because: 'what is held fell by 12344 of 12345 USD' }), ALL, TELLER)
    expect(trip?.says).toBe('Sending is halted for policy core, by its breaker.')
    expect(JSON.stringify([trip, noticeOf(halted(), ALL, TELLER)])).not.toMatch(/12345|ada|audit/)
    const resumed = event(SwitchEvent.Resumed, { scope: '*', by: 'ada', because: 'over', at: AT })
    expect(noticeOf(resumed, ALL, TELLER)).toMatchObject({
      outcome: 'RESUMED',
      says: 'Sending goes on for everything, by a person.',
    })
  })

  test('no sentence, amount or payee of an event', () => {
    const hostile = {
      why: 'sold 123.45 BTC to <!channel> alice@example.com',
      legs: [{ key: 'k-777', intentId: 'x', outcome: 'FILLED' }],
    }
    for (const outcome of Object.values(RunEnd)) {
      expect(JSON.stringify(noticeOf(run(outcome, hostile), ALL, TELLER))).not.toMatch(/123|alice|channel|777/)
    }
  })

  test('on one machine the commands do not use AWS', () => {
    const { commands } = noticeOf(halted(), ALL, { ...TELLER, isDesk: true }) as PlainNotice
    expect(commands).toEqual(['npx sluice cases list'])
  })
})

describe('the subject of a notice', () => {
  test.each([
    [[NoticeAbout.RunEnded], RunEnd.Settled, 'run-ended'],
    [[NoticeAbout.RunEnded], RunEnd.NeedsAttention, 'run-ended'],
    [[NoticeAbout.RunEnded], RunEnd.AwaitingApproval, undefined],
    [[NoticeAbout.NeedsPerson], RunEnd.Settled, undefined],
    [[NoticeAbout.WaitsForApproval], RunEnd.AwaitingApproval, 'waits-for-approval'],
    [[NoticeAbout.Halted], RunEnd.Halted, undefined],
  ] as const)('%j for a run that ended %s: %s', (about, outcome, expected) => {
    expect(noticeOf(run(outcome), { ...ALL, about: [...about] }, TELLER)?.about).toBe(expected)
  })

  test('for other policies than the named ones: nothing, except a halt of everything', () => {
    const other = { ...ALL, policies: ['other'] }
    expect(noticeOf(run(RunEnd.Settled), other, TELLER)).toBeUndefined()
    expect(noticeOf(halted(), other, TELLER)).toBeUndefined()
    expect(noticeOf(halted({ scope: '*' }), other, TELLER)).toBeDefined()
  })
})

test('a repeated event has one id, and another end, notice or environment another', () => {
  const idOf = (...given: Parameters<typeof noticeOf>) => noticeOf(...given)?.id
  const first = idOf(run(RunEnd.Settled), ALL, TELLER)
  const again = run(RunEnd.Settled)
  expect(idOf({ event: { ...again.event, id: 'e-2' } }, ALL, TELLER)).toBe(first)
  const others = [
    idOf(run(RunEnd.Settled, {}, 'run-1_2'), ALL, TELLER),
    idOf(run(RunEnd.Settled), { ...ALL, name: 'desk' }, TELLER),
    idOf(run(RunEnd.Settled), ALL, { ...TELLER, environment: 'test' }),
  ]
  expect(new Set([first, ...others]).size).toBe(4)
})

test('a foreign event is refused by its field, without its value', () => {
  expect(() => noticeOf(event('Salaries Paid', {}), ALL, TELLER)).toThrow(Refused)
  expect(() => noticeOf(event(ResultEvent.Run, { execution: 's3cret' }), ALL, TELLER)).toThrow(
    /^event\.detail: expected/,
  )
})

test('whatever a name contains, a notice has no markup, mention, link, line or direction of it', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      '<!channel>',
      '<http://evil.example|pay>',
      '@here',
      '\u202Eevil',
      '`*_~',
      'a\nb',
      '\u0000',
      'x'.repeat(10_000),
    ),
  )
  fc.assert(
    fc.property(names, (name) => {
      const notice = noticeOf(run(RunEnd.NeedsAttention, {}, name), ALL, TELLER) as PlainNotice
      const { text } = JSON.parse(bodyOf(notice, NoticeShape.Slack)) as { text: string }
      for (const said of [text, personText(notice), notice.says, ...notice.commands]) {
        expect(said).toMatch(/^[\x20-\x7E\n]*$/)
        expect(said).not.toMatch(/[<>@`*|]|:\/\//)
      }
      expect(text.split('\n')).toHaveLength(7)
      expect(text.length).toBeLessThan(800)
      expect(subjectOf(notice)).toMatch(/^[\x20-\x7E]{1,99}$/)
      expect(plainNotice.parse(JSON.parse(bodyOf(notice, NoticeShape.Plain)))).toEqual(notice)
    }),
  )
})

test('a long name is cut, and the notice says so', () => {
  expect(nameText('run-1')).toBe('run-1')
  expect(nameText('x'.repeat(10_000))).toBe(`${'x'.repeat(MOST_CHARACTERS)}...`)
})

test('a test notice says that it is a test', () => {
  expect(testNotice({ id: 't', at: AT }, ALL, TELLER)).toMatchObject({ about: 'test', outcome: 'TEST', commands: [] })
})

// Tests the words of the pages about acts: an act is called by its run or movement, and says each thing once.

import { expect, test } from 'vitest'
import { beforeOf } from '../../../../operations/words/approvals-text.ts'
import { enteredText } from '../../../../views/again-view.ts'
import { viewOfDecision } from '../../../../views/decided.ts'
import { actPage } from '../../../../views/pages/act.ts'
import { resultText } from '../../../../views/pages/act-result.ts'
import type { ActEnd } from '../../../../views/pages/acted.ts'
import { viewOfResolution } from '../../../../views/result-view.ts'
import { viewOfResume } from '../../../../views/switched.ts'
import { spell } from '../../../helpers/spell.ts'
import { rebalanced } from '../../views/runs/sample-run.ts'

const seal = { token: 'T', by: 'ada', isNamed: true }
const AT = '2026-11-24T09:00:00Z'
const act = { id: '1', what: 'approve: balanced, 24 Nov 09:00', subject: 'rb-0f98', about: '/runs/rb-0f98', at: AT }
const outcomeOf = (end: ActEnd) =>
  (/<p class="outcome">(.*?)<\/p>/s.exec(actPage({ ...act, end }, seal, undefined, spell))?.[1] ?? '').replace(
    /<[^>]*>/g,
    '',
  )

test('an act is called by the policy and the time of its run, with the whole id beside it to copy', () => {
  const page = actPage(act, seal, undefined, spell)
  expect(page).toContain('<title>Approve: balanced, 24 Nov 09:00 · Sluice</title>')
  expect(page).toContain('<h1>Approve: balanced, 24 Nov 09:00</h1>\n<p class="subject"><code class="id">rb-0f98</code>')
})

test('the end of a run is said once, in words, and its code stands beside only where it says more', () => {
  const { notes, says = '' } = viewOfDecision({
    ...{ end: 'run ended', result: rebalanced, request: { policy: 'core' }, exitCode: 0 },
  })
  const end = { ended: 'done' as const, exitCode: 0 as const, facts: rebalanced, says, notes }
  expect(outcomeOf(end)).toBe('partly settled one leg of two moved nothing')
  expect(actPage({ ...act, end }, seal, undefined, spell)).not.toContain('PARTLY_SETTLED')
  expect(outcomeOf({ ...end, facts: { outcome: 'DISAPPROVED' } })).toBe(
    'rejected by a person DISAPPROVED a person rejected the plan; nothing moved',
  )
  expect(outcomeOf({ ...end, exitCode: 5 })).toContain('does not tie out')
})

test('a doubt that a person has settled is done once, with its movement', () => {
  const settled = { intentId: 'wd-1', movementId: 'w-7', state: 'DONE' }
  const { facts, says = '', lines } = viewOfResolution(settled)
  expect(outcomeOf({ ended: 'done', exitCode: 0, facts, says, notes: [] })).toBe('done settled, with movement w-7')
  expect(lines(80)).toEqual(['wd-1 is DONE with movement w-7'])
  expect(viewOfResolution({ ...settled, movementId: undefined }).says).toBe('settled: nothing moved')
})

test.each([
  ['approved', 0, 'approved'],
  ['rejected', 0, 'rejected'],
  ['approved', 1, 'waits: another person must approve it'],
] as const)('a movement that a person %s, with %i others missing, is "%s" on its page', (decision, missing, says) => {
  const movement = { intentId: 'wd-1', decision, missing, why: undefined, by: 'ada' }
  const view = viewOfDecision({ end: 'movement decided', movement, exitCode: 0 })
  expect(view.says).toBe(says)
  expect(view.lines(80)[0]).toContain('wd-1')
})

test('an approval that was not needed is not called done, and its page names the person who approved before', () => {
  const movement = { intentId: 'wd-1', decision: 'approved' as const, missing: 0, why: undefined, by: 'bob' }
  const { before } = beforeOf({ by: 'alice', at: AT }, movement)
  const {
    facts,
    notes,
    says = '',
  } = viewOfDecision({
    ...{ end: 'movement decided', movement, exitCode: 0 },
    ...(before && { before }),
  })
  const end = { ended: 'done' as const, exitCode: 0 as const, facts, says, notes }
  expect(outcomeOf(end)).not.toContain('done')
  expect(actPage({ ...act, end }, seal, undefined, spell)).toContain('alice approved it')
  expect(facts).toMatchObject({ before: { by: 'alice', at: AT } })
})

test('the result of a decision among several says the end in words, without the id that is its link', () => {
  const facts = { outcome: 'SETTLED', runId: 'rb-1' }
  expect(resultText({ exitCode: 0, facts })).toBe('settled: every leg moved what it should')
  // The answer of a function about a rejected plan has an outcome of its own.
  expect(resultText({ exitCode: 0, facts: { outcome: 'REJECTED' }, says: 'it is rejected, and ends' })).toBe(
    'it is rejected, and ends',
  )
})

test('a check says what was and what is in words, and names only what was not asked for', () => {
  const entered = [
    { id: 'wd-1', kind: 'withdraw', was: 'ARMED', outcome: 'COMPLETED', why: null, exitCode: 0 as const },
    { id: 'sw-2', kind: 'sweep', was: 'NEEDS_ATTENTION', outcome: 'SETTLED', why: 'all moved', exitCode: 0 as const },
  ]
  const result = {
    entered,
    more: 0,
    isCutOff: false,
    unreadable: [],
    inNeed: 0,
    again: { do: 'enter-again', id: 'wd-1' } as const,
    exitCode: 0 as const,
  }
  expect(enteredText('wd-1', result)).toBe(
    'sent, not proven yet before, completed now; sweep sw-2: needs a person before, settled now: all moved',
  )
})

test('a resume names the runs that people decided on during the halt to programs by their ids alone', () => {
  const decided = [{ runId: 'rb-1', policy: 'core', startedAt: AT }]
  const halt = { scope: '*', by: 'ada', because: 'x', at: AT }
  const resumed = {
    record: halt,
    wasHalted: true,
    isWaiting: false,
    still: [],
    isKnown: true,
    isDirect: false,
    decided,
  }
  expect(viewOfResume(resumed as never).facts).toMatchObject({ decided: ['rb-1'] })
})

// Tests the page of an act: how an open page learns of its end.

import { expect, test } from 'vitest'
import { actPage } from '../../../../views/pages/act.ts'
import type { Act, ActEnd } from '../../../../views/pages/acted.ts'
import { spell } from '../../../helpers/spell.ts'

const ask = { action: '/policies/core/run', hidden: { id: 'one' } }
const act: Act = { id: '1', what: 'run core', at: '2026-11-28T01:00:00.000Z', about: '/policies/core', ask }
const seal = { token: 't', by: 'ada', isNamed: true }
const asks: ActEnd = { ended: 'asks', question: 'run policy core now?', yes: 'yes-1', notes: [] }
const done: ActEnd = { ended: 'done', exitCode: 0, facts: {}, see: '/runs/rb-1', notes: [] }

/** The script replaces a page as a whole where the ids of its live parts have changed, and else only these parts. */
const livePartsOf = (page: string) =>
  [...page.matchAll(/<(?:section|div) id="([\w-]+)"[^>]* data-live/g)].map(([, id]) => id)

test.each([asks, done])('an open page of an act is replaced as a whole once the act $ended', (end) => {
  const [underWay, ended] = [actPage(act, seal, undefined, spell), actPage({ ...act, end }, seal, undefined, spell)]
  expect(livePartsOf(underWay)).not.toEqual(livePartsOf(ended))
  expect(underWay).not.toContain('See it')
  expect(ended).toContain(end.ended === 'asks' ? '>Yes</button>' : 'See it')
})

test('the page of an act under way shows its notes so far', () => {
  expect(actPage({ ...act, notes: ['after 0.4 s, leg: [1] sell 2 EUR for USD'] }, seal, undefined, spell)).toContain(
    '<li>after 0.4 s, leg: [1] sell 2 EUR for USD</li>',
  )
})

// Tests which acts begin where many are under way already.
import { expect, test } from 'vitest'
import { createActs } from '../../../../console/acts.ts'
import type { ActEnd } from '../../../../views/pages/acted.ts'

const never = () => Promise.withResolvers<ActEnd>().promise
const clock = { nowMs: () => 0, sleep: () => Promise.resolve() }

test('a halt begins however many acts are under way, and any other act is refused then', async () => {
  const acts = createActs(clock, () => undefined)
  for (let count = 0; count < 8; count += 1) await acts.begin({ what: `approve ${count}`, about: '/queue' }, never)
  expect((await acts.begin({ what: 'one more', about: '/queue' }, never)).end).toMatchObject({ ended: 'refused' })
  const done: ActEnd = { ended: 'done', exitCode: 0, facts: {}, notes: [] }
  const halt = await acts.begin({ what: 'halt everything', about: '/halt', isUrgent: true }, async () => done)
  expect(acts.find(halt.id)?.end).toEqual(done)
})

test('the notes of an act can be read while it is under way', async () => {
  const acts = createActs(clock, () => undefined)
  const { id } = await acts.begin({ what: 'run core', about: '/policies/core' }, (notes) => {
    notes.push('after 0.4 s, plan: phase 1')
    return never()
  })
  expect(acts.find(id)?.notes).toEqual(['after 0.4 s, plan: phase 1'])
})

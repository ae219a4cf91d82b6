// Tests what is said to stand against an approved run: a halt, quiet hours, or what its last entry met.
import { expect, test } from 'vitest'
import type { QuietHours } from '../../../../core/contract/guards.ts'
import { RunEnd } from '../../../../core/contract/runs.ts'
import type { Halt } from '../../../../core/journal/halts.ts'
import type { RunRecord } from '../../../../core/runs/record/run-record.ts'
import { findStandsAgainst } from '../../../../operations/runs/stands-against.ts'
import { haltNote } from '../../../../views/pages/movement-decision.ts'
import { waitEndedText } from '../../../../views/runs/wait-words.ts'
import { policies } from '../../../helpers/policies.ts'

const NOW_MS = Date.parse('2026-11-24T10:00:00.000Z')
const HALT = { scope: 'balanced', by: 'ada', because: 'an audit', at: '2026-11-24T09:00:00.000Z' } as Halt

interface World {
  readonly halts?: readonly Halt[]
  readonly quietHours?: readonly QuietHours[]
  /** The output of the last entry. */
  readonly last?: object
  readonly state?: string
}

const RUN = { runId: 'rb-1', policy: 'balanced', entry: 1, asPlanned: policies.balanced } as unknown as RunRecord

function stands({ halts = [], quietHours = [], last, state }: World) {
  const sources = {
    treasury: { guards: { quietHours }, policies },
    namesOf: async (policy: string) => [policy],
    journal: { find: async () => (state === undefined ? undefined : { state }) },
    findExecution: async (_machine: string, name: string) =>
      name === 'rb-1' && last !== undefined ? { status: 'SUCCEEDED', output: JSON.stringify(last) } : undefined,
  }
  return findStandsAgainst(RUN, sources as never, { halts, nowMs: NOW_MS })
}

/** The answer of an entry that ended nothing. */
const met = (outcome: string, why: string) => ({ outcome, runId: 'rb-1', phase: 1, legs: [], why })
const IN_DOUBT = 'intent cv-9 of EUR is in doubt'
const NIGHT = { timeZone: 'UTC', from: '09:00', to: '11:00' }

test.each<[string, World, object | undefined]>([
  ['nothing', {}, undefined],
  [
    'a halt of its policy',
    { halts: [HALT] },
    { says: 'sending is halted (policy balanced), by ada: an audit', since: HALT.at },
  ],
  ['no halt of another policy', { halts: [{ ...HALT, scope: 'other' }] }, undefined],
  ['quiet hours', { quietHours: [NIGHT] }, { says: expect.stringContaining('until 2026-11-24T11:00:00.000Z') }],
  [
    'a doubt that ends by itself',
    { last: met(RunEnd.Guarded, IN_DOUBT), state: 'ARMED' },
    { says: `at its last try, ${IN_DOUBT}` },
  ],
  [
    'a doubt that waits for a person',
    { last: met(RunEnd.Guarded, IN_DOUBT), state: 'ESCALATED' },
    { says: `at its last try, ${IN_DOUBT}`, isForPerson: true },
  ],
  ['a halt that is over', { last: met(RunEnd.Halted, 'an audit') }, undefined],
])('what stands against an approved run: %s', async (_name, world, expected) => {
  expect(await stands(world)).toEqual(expected)
})

test('an approved run says what stands against it, since when, and how that ends', () => {
  const against = { says: 'sending is halted (everything), by ada: an audit', since: HALT.at }
  expect(waitEndedText({ waitEnded: 'approved', against })).toBe(
    `was approved, and waits: ${against.says} (since ${HALT.at}); it continues by itself once that is over`,
  )
  const doubt = { says: `at its last try, ${IN_DOUBT}`, isForPerson: true } as const
  expect(waitEndedText({ waitEnded: 'approved', against: doubt })).toContain(
    'continues once a person has settled that doubt',
  )
  expect(waitEndedText({ waitEnded: 'rejected', against })).toBe('was rejected, and ends by itself')
})

test('before an approval during a halt, a page says when it is carried out', () => {
  const note = haltNote(HALT, '2026-11-25T00:00:00.000Z')
  expect(note ? note.text : undefined).toMatch(
    /by ada since .*An approval is recorded now, and carried out once the halt ends, if it ends before/,
  )
  expect(haltNote(undefined)).toBe(false)
})

// How the console runs the operation of a form, and what it keeps for the page.

import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { perform } from '../../../../console/perform.ts'
import { consentOf } from '../../../../place/consent.ts'
import type { OperationContext } from '../../../../place/context.ts'
import { ExitCode } from '../../../../place/exit-code.ts'
import { usageError } from '../../../../place/operation-error.ts'
import { spell } from '../../../helpers/spell.ts'

let nowMs = 0
const context: OperationContext = {
  variables: {},
  stdin: Readable.from([]),
  output: {
    note: () => expect.unreachable('the page shows it, and not the terminal'),
    service: () => expect.unreachable('the page shows it, and not the terminal'),
  },
  clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: () => Promise.resolve() },
  catchInterruption: () => new AbortController().signal,
}

test('the notes of an operation, its progress and those of its result are kept in their order, with its facts', async () => {
  const end = await perform(context, spell, async (given) => {
    given.context.output.service({ stage: 'live', url: 'https://service.example' })
    given.context.output.note('a note')
    const progress = given.beginProgress()
    nowMs += 400
    progress.line({ label: 'Quote', text: 'a quote', tone: 'good' })
    return { exitCode: ExitCode.AwaitsApproval, facts: { outcome: 'WAITS' }, notes: ['of the result'] }
  })
  expect(end).toEqual({
    ended: 'done',
    exitCode: 4,
    facts: { outcome: 'WAITS' },
    notes: [
      'LIVE  real money may move, at https://service.example',
      'a note',
      'after 0.4 s, quote: a quote',
      'of the result',
    ],
  })
})

test('an operation without consent ends with its question, and does nothing after it', async () => {
  const done: string[] = []
  const operation = (answer: true | string, facts = 'as shown') =>
    perform(context, spell, async (given) => {
      await consentOf(answer)(async (consent) => {
        given.context.output.note('looked')
        consent.to('do it?', facts)
        done.push('done')
      })
      return { exitCode: ExitCode.Done, facts: {}, notes: [] }
    })
  const asked = await operation('')
  expect(asked).toEqual({ ended: 'asks', question: 'do it?', yes: expect.any(String), notes: ['looked'] })
  const { yes } = asked as { readonly yes: string }
  expect(await operation('1')).toMatchObject({ ended: 'asks' })
  expect(await operation(yes, 'as it is now')).toMatchObject({ ended: 'asks', yes: expect.not.stringContaining(yes) })
  expect(done).toEqual([])
  expect(await operation(yes)).toMatchObject({ ended: 'done' })
  expect(await operation(true)).toMatchObject({ ended: 'done' })
  expect(done).toEqual(['done', 'done'])
})

test('an operation that fails keeps its notes, and says why, and what to do', async () => {
  const end = await perform(context, spell, async (given) => {
    given.context.output.note('looked')
    throw usageError('input', 'it is none', 'correct it')
  })
  expect(end).toEqual({
    ended: 'refused',
    error: { code: 'input', message: 'it is none', next: 'correct it' },
    notes: ['looked'],
  })
})

test('of more than 500 notes the first 500 are kept', async () => {
  const end = await perform(context, spell, async (given) => {
    for (let count = 0; count < 600; count += 1) given.context.output.note(String(count))
    return { exitCode: ExitCode.Done, facts: {}, notes: ['last'] }
  })
  expect(end.notes).toHaveLength(500)
  expect(end.notes.at(-1)).toBe('499')
})

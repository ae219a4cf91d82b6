// The judge of the simulated days notes a decision exactly where it is recorded.
import { expect, test } from 'vitest'
import type { Decision } from '../../../core/runs/approval/standing.ts'
import { RefusedRequest } from './ask.ts'
import { decide } from './decide.ts'

const note = { by: 'ada' }
const word: Decision = {
  decision: 'approved',
  by: 'arn:aws:iam::000000000000:user/ada',
  because: 'it is right',
  at: '',
}

/** Decides on a run that answers with `error`, if any. */
async function notesAfter(error: Error | undefined, { waits = false, words = [] as Decision[] } = {}) {
  const notes: (typeof note)[] = []
  const ask = () => (error === undefined ? Promise.resolve({}) : Promise.reject(error))
  await decide(note, notes, { ask, waits: async () => waits, findWords: async () => words })
  return notes
}

test('a decision that is answered is noted', async () => {
  expect(await notesAfter(undefined)).toEqual([note])
})

test('a decision that is refused because the run has ended is not noted', async () => {
  const others = { ...word, by: 'arn:aws:iam::000000000000:user/bob' }
  expect(await notesAfter(new RefusedRequest('APPROVAL_VOID'), { words: [others] })).toEqual([])
})

test('a decision whose answer was lost, and that is recorded, is noted', async () => {
  expect(await notesAfter(new RefusedRequest('it waits for nobody'), { words: [word] })).toEqual([note])
})

test('a refusal by a run that still waits is a fault, and so is every other error', async () => {
  await expect(notesAfter(new RefusedRequest('no'), { waits: true })).rejects.toThrow('no')
  await expect(notesAfter(new Error('answered 500'))).rejects.toThrow('500')
})

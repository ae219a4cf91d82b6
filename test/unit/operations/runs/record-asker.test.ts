// A movement with --aws: who asks is recorded before the start, and the start never depends on the record.
import { expect, test } from 'vitest'
import { Refused, Transient } from '../../../../core/errors.ts'
import { hashParams } from '../../../../core/params-hash.ts'
import { askingByFunction } from '../../../../operations/runs/record-asker.ts'

const INTENT = `wd-${'a1'.repeat(16)}`
const REQUEST = { assetSymbol: 'USDC', amount: '100', contactId: 'c-1' }
const asked = (name: string, stateMachine: 'sluice-withdraw' | 'sluice-sweep' = 'sluice-withdraw') => ({
  ...{ stateMachine, name, input: JSON.stringify(REQUEST) },
})

function setUp(answer: () => Promise<{ outcome: 'RECORDED' | 'BEGUN'; by?: string }>) {
  const done: unknown[] = []
  const notes: string[] = []
  const start = askingByFunction(
    async ({ name }) => {
      done.push(`start ${name}`)
      return { executionArn: name }
    },
    {
      askMovement: (request) => {
        done.push(request)
        return answer()
      },
    },
    { ownId: 'payday', note: (text) => notes.push(text) },
  )
  return { done, notes, start }
}

test('who asks is recorded with the own id and the hash of the request, and then the movement is started', async () => {
  const { done, notes, start } = setUp(async () => ({ outcome: 'RECORDED', by: 'ana' }))
  await start(asked(INTENT))
  const request = { kind: 'withdraw', intent: INTENT, ownId: 'payday', requestHash: hashParams(REQUEST) }
  expect(done).toEqual([request, `start ${INTENT}`])
  expect(notes).toEqual([])
})

test.each([new Refused('no'), new Transient('no answer')])(
  'after %s the movement is started, and a note says why',
  async (error) => {
    const { done, notes, start } = setUp(() => Promise.reject(error))
    await start(asked(INTENT))
    expect(done.at(-1)).toBe(`start ${INTENT}`)
    expect(notes).toEqual([`the log of people will not know who asked: ${error.message}`])
  },
)

test('a later entry and a run are started without a record of the asker', async () => {
  const { done, start } = setUp(async () => ({ outcome: 'RECORDED' }))
  await start(asked(`${INTENT}_2`))
  await start(asked(`sw-${'a1'.repeat(16)}`, 'sluice-sweep'))
  expect(done).toEqual([`start ${INTENT}_2`, `start sw-${'a1'.repeat(16)}`])
})

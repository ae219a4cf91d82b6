// Writers of one hot record at once, in computed time, with eight milliseconds for each call of the journal. The figures
// of docs/scale.md are from the same computation.
import { expect, test } from 'vitest'
import { contendForBudget, contendForTurns } from '../../helpers/contention.ts'

/** Enough that the record has a sum of DONE intents, and that its list is shortened several times. */
const WRITERS = 700

test('at 40 movements a second a reservation in one budget needs less than two writes, and none gives up', async () => {
  const { tries, gaveUp } = await contendForBudget(40, WRITERS)
  expect(tries).toBeLessThan(2)
  expect(gaveUp).toBe(0)
})

test('at 20 conversions a second less than one in a hundred has to ask again for its turn', async () => {
  expect((await contendForTurns(20, WRITERS)).gaveUp).toBeLessThan(0.01)
})

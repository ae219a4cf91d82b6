// Payout files of every length, with the longest texts that the schemas take, against the sizes that AWS allows.
import { expect, test } from 'vitest'
import { RunStep } from '../../../core/contract/runs.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { payoutWorld } from '../../helpers/payout-world.ts'

/** Bytes of UTF-8 that Step Functions takes as the input or output of a state, a task or an execution. */
const MOST_STATE_BYTES = 256 * 1024
const MOST_ITEM_BYTES = 400 * 1024

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const digits = (number: number) => String(number).padStart(4, '0')
const LONGEST = {
  ...{ run: 'r'.repeat(76), policy: 'p'.repeat(48), label: '世'.repeat(1_000), reference: '世'.repeat(140) },
  contactReference: '世'.repeat(60),
  idOf: (number: number) => `${'i'.repeat(43)}-${digits(number)}`,
  contactOf: (number: number) => `${'c'.repeat(252)}${digits(number)}`,
  withdrawalOf: (intentId: string) => `${'w'.repeat(216)}${intentId}`,
}
const LAST_ENTRY = 99

test.each([1, 100, 101, 200, 1_995, 2_000])('a file of %i rows with the longest texts fits', async (count) => {
  const { world, ports, pay } = payoutWorld(LONGEST)
  const { input, answers, states } = await pay(count, LAST_ENTRY)
  const settling = { ...input, fault: undefined }
  const summary = await settleRun({ enteredAt: settling.startedAt, ...settling }, ports)
  states.push({ ...settling, fault: answers.at(-2) }, summary)

  const names = answers.flatMap(({ legs }) => legs.map(({ name }) => name))
  expect({ legs: names.length, end: answers.at(-1)?.outcome }).toEqual({ legs: count, end: RunStep.Settle })
  expect(new Set(names).size).toBe(count)
  expect(Math.max(...states.map(bytes))).toBeLessThan(MOST_STATE_BYTES)
  expect(Math.max(...[...world.store.records.values()].map(bytes))).toBeLessThan(MOST_ITEM_BYTES)
  expect(summary).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
})

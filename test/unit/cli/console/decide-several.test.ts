// Tests that the decisions of one form do not wait for each other's runs.
import { expect, test } from 'vitest'
import { decideSeveral } from '../../../../console/queue-routes.ts'

test('a decision is written while the run of the one before is still under way', async () => {
  const happened: string[] = []
  const run = Promise.withResolvers<void>()
  const deciding = decideSeveral(['slow', 'quick'], async (name, onRecorded) => {
    happened.push(`${name} recorded`)
    onRecorded()
    if (name === 'slow') await run.promise
    else run.resolve()
    return `${name} ended`
  })
  expect(await deciding).toEqual(['slow ended', 'quick ended'])
  expect(happened).toEqual(['slow recorded', 'quick recorded'])
})

test('a decision is checked only once the one before is written, or refused', async () => {
  const happened: string[] = []
  await decideSeveral(['written', 'refused', 'last'], async (name, onRecorded) => {
    happened.push(`${name} begins`)
    await Promise.resolve()
    happened.push(`${name} is decided`)
    if (name !== 'refused') onRecorded()
  })
  expect(happened).toEqual(['written', 'refused', 'last'].flatMap((name) => [`${name} begins`, `${name} is decided`]))
})

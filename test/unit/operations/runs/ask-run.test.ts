// Tests the start of a run by the function that records who asks, and what is started without this function.
import { expect, test } from 'vitest'
import { Refused } from '../../../../core/errors.ts'
import { startByFunction, startDirectly } from '../../../../operations/runs/ask-run.ts'

const RUN = `rb-${'a1'.repeat(16)}`
const REFUSAL = new Refused(`run ${RUN} was asked for by ana: ask under another id`)

function setUp({ isShadowed }: { readonly isShadowed: boolean }) {
  const started: string[] = []
  const start = startByFunction(
    async ({ name }) => {
      started.push(name)
      return { executionArn: name }
    },
    { requestRun: () => Promise.reject(REFUSAL) },
    async (_stateMachine, name) => name,
    () => undefined,
    async () => isShadowed,
  )
  const enter = (name: string) =>
    start({ stateMachine: 'sluice-rebalance', name, input: JSON.stringify({ policy: 'balanced' }) })
  return { started, enter }
}

test("another person's run in shadow mode is not entered again with one's own permission", async () => {
  const { started, enter } = setUp({ isShadowed: true })
  await expect(enter(`${RUN}_2`)).rejects.toThrow('was asked for by ana: ask under another id; nothing was started')
  expect(started).toEqual([])
})

test("another person's run with legs in doubt is entered again with one's own permission", async () => {
  const { started, enter } = setUp({ isShadowed: false })
  expect(await enter(`${RUN}_2`)).toEqual({ executionArn: `${RUN}_2` })
  expect(started).toEqual([`${RUN}_2`])
})

test('--directly enters a run in doubt again, and no run that ended in shadow mode', async () => {
  const started: string[] = []
  const startWhere = (isShadowed: boolean) =>
    startDirectly(
      async ({ name }) => {
        started.push(name)
        return { executionArn: name }
      },
      async () => isShadowed,
    )
  const asked = { stateMachine: 'sluice-rebalance' as const, name: `${RUN}_2`, input: '{"policy":"balanced"}' }
  await expect(startWhere(true)(asked)).rejects.toThrow('ended in shadow mode, and --directly records no requester')
  expect(started).toEqual([])
  await startWhere(false)(asked)
  await startWhere(true)({ ...asked, name: RUN })
  expect(started).toEqual([`${RUN}_2`, RUN])
})

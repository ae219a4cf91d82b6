// Tests the start of a run by the function that records who asks, and what is started without this function.
import { expect, test } from 'vitest'
import { Refused } from '../../../../core/errors.ts'
import { startByFunction, startDirectly } from '../../../../operations/runs/ask-run.ts'
import { ExitCode } from '../../../../place/exit-code.ts'
import { OperationError } from '../../../../place/operation-error.ts'

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
    { ownId: undefined, note: () => undefined },
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

test('a plan is asked for by the function, and starts with a note where the function may not be called', async () => {
  const notes: string[] = []
  const started: string[] = []
  const refusal = { exitCode: ExitCode.Failed, code: 'unreachable', message: 'may not call it', next: 'ask' } as const
  const startWith = (requestRun: Parameters<typeof startByFunction>[1]['requestRun']) =>
    startByFunction(
      async ({ name }) => {
        started.push(name)
        return { executionArn: `own:${name}` }
      },
      { requestRun },
      async (_stateMachine, name) => name,
      () => undefined,
      async () => false,
      { ownId: undefined, note: (text) => void notes.push(text) },
    )
  const asked = (request: object) =>
    ({
      stateMachine: 'sluice-rebalance',
      name: RUN,
      input: JSON.stringify({ policy: 'balanced', ...request }),
    }) as const
  const recorded = startWith(async ({ run }) => ({ outcome: 'STARTED', by: 'ana', run }))
  expect(await recorded(asked({ shadow: true }))).toEqual({ executionArn: RUN })
  expect(started).toEqual([])
  const closed = startWith(() => Promise.reject(new OperationError(refusal)))
  expect(await closed(asked({ shadow: true }))).toEqual({ executionArn: `own:${RUN}` })
  expect(notes).toEqual(['the log of people will not know who asked: may not call it'])
  await expect(closed(asked({}))).rejects.toThrow('may not call it')
  expect(started).toEqual([RUN])
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
  await expect(startWhere(true)(asked)).rejects.toThrow('ended in shadow mode, and a direct start records no requester')
  expect(started).toEqual([])
  await startWhere(false)(asked)
  await startWhere(true)({ ...asked, name: RUN })
  expect(started).toEqual([`${RUN}_2`, RUN])
})

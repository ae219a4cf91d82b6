// A command starts, follows or enters an execution again, as its state allows, and never another request under its id.
import { expect, test } from 'vitest'
import type { ConvertRequest } from '../../../../core/contract/convert.ts'
import {
  type Executions,
  type Found,
  followExecution,
  type KeptExecution,
} from '../../../../operations/runs/follow-execution.ts'

const request: ConvertRequest = {
  baseAsset: 'BTC',
  quoteAsset: 'USDC',
  side: 'BUY',
  amountAsset: 'BTC',
  amount: '0.25',
}

/** Keeps executions and the calls made to it. All of them end SUCCEEDED when waited for. */
function rememberedExecutions(...kept: KeptExecution[]) {
  const asked: string[] = []
  const executions: Executions = {
    findExecution: (_machine, name) => kept.find((execution) => execution.name === name),
    async startExecution({ name, input }) {
      asked.push(`start ${name}`)
      kept.push({ executionArn: `arn:${name}`, name, input, status: 'RUNNING' })
      return { executionArn: `arn:${name}` }
    },
    async untilFinished(executionArn) {
      asked.push(`wait ${executionArn}`)
      const execution = kept.find((candidate) => candidate.executionArn === executionArn) as KeptExecution
      return { ...execution, status: 'SUCCEEDED', output: '{}' }
    },
  }
  return { executions, asked }
}

const keptAs = (status: string, input: unknown = request, name = 'cv-1'): KeptExecution => ({
  executionArn: `arn:${name}`,
  name,
  input: JSON.stringify(input),
  status,
})

async function follow(...kept: KeptExecution[]) {
  const { executions, asked } = rememberedExecutions(...kept)
  const found: Found[] = []
  const following = followExecution(executions, {
    stateMachine: 'sluice-convert',
    intentId: 'cv-1',
    request,
    noun: 'conversion',
    onFound: (how) => found.push(how),
  })
  return { execution: await following.catch((error: unknown) => error), asked, found }
}

test('an intent that has not run is started and waited for', async () => {
  expect(await follow()).toMatchObject({ asked: ['start cv-1', 'wait arn:cv-1'], found: ['new'] })
})

test('an intent that has succeeded is not entered again', async () => {
  expect(await follow(keptAs('SUCCEEDED'))).toMatchObject({
    execution: keptAs('SUCCEEDED'),
    asked: [],
    found: ['finished'],
  })
})

test('an intent under way is waited for', async () => {
  expect(await follow(keptAs('RUNNING'))).toMatchObject({ asked: ['wait arn:cv-1'], found: ['under way'] })
})

test.each(['FAILED', 'TIMED_OUT', 'ABORTED'])('an intent that ended %s is entered again', async (status) => {
  expect(await follow(keptAs(status))).toMatchObject({
    asked: ['start cv-1_2', 'wait arn:cv-1_2'],
    found: ['failed'],
  })
})

test('an intent that was entered again is followed at its last entry', async () => {
  const entries = [keptAs('FAILED'), keptAs('FAILED', request, 'cv-1_2')]
  expect(await follow(...entries)).toMatchObject({ asked: ['start cv-1_3', 'wait arn:cv-1_3'] })
  const last = keptAs('SUCCEEDED', request, 'cv-1_3')
  expect(await follow(...entries, last)).toMatchObject({ asked: [], found: ['finished'] })
})

test.each(['SUCCEEDED', 'RUNNING', 'FAILED'])(
  'an id of a %s run with other input is refused by the fields that differ',
  async (status) => {
    const { execution, asked } = await follow(keptAs(status, { ...request, amount: '1', worstRate: '9' }))
    expect(execution).toMatchObject({
      exitCode: 2,
      code: 'id_in_use',
      message: expect.stringContaining('differs in amount, worstRate;'),
    })
    expect(asked).toEqual([])
  },
)

test.each<[string, object, string]>([
  ['changed', { amount: '7' }, 'row a had amount 5, and has 7;'],
  ['was renamed', { id: 'b' }, 'row b was not among them;'],
  [
    'is by a label that has moved',
    { contactId: 'c-2' },
    'row a had contactId c-1, and has c-2: its label Cold now names another contact;',
  ],
  ['has lost its reference', { reference: undefined }, 'row a had reference June, and has nothing;'],
])('an id of a run whose row %s is refused with that row', async (_how, change, says) => {
  const row = { id: 'a', contactId: 'c-1', contactReference: 'Cold', asset: 'USDC', amount: '5', reference: 'June' }
  const { executions } = rememberedExecutions(keptAs('SUCCEEDED', { policy: 'pay', rows: [row] }))
  const again = { policy: 'pay', rows: [{ ...row, ...change }] }
  const terms = { stateMachine: 'sluice-sweep', intentId: 'cv-1', request: again, noun: 'sweep' } as const
  await expect(followExecution(executions, { ...terms, onFound: () => undefined })).rejects.toThrow(says)
})

test('a long file under a used id is told which of its rows differ first', async () => {
  const { executions } = rememberedExecutions(keptAs('SUCCEEDED', { ...request, pages: ['a', 'b', 'c'] }))
  const asked = { ...request, pages: ['a', 'x', 'c'] }
  const following = followExecution(executions, {
    ...{ stateMachine: 'sluice-sweep', intentId: 'cv-1', request: asked, noun: 'run', onFound: () => undefined },
  })
  await expect(following).rejects.toThrow('among its rows 101 to 200; nothing was sent')
})

test('an intent that ended well is entered again if that may change its result', async () => {
  const follow = async (mayChange: boolean) => {
    const { executions, asked } = rememberedExecutions(keptAs('SUCCEEDED'))
    const found: Found[] = []
    await followExecution(executions, {
      ...{ stateMachine: 'sluice-sweep', intentId: 'cv-1', request, noun: 'sweep' },
      onFound: (how) => found.push(how),
      mayChange: async () => mayChange,
    })
    return { asked, found }
  }
  expect(await follow(true)).toEqual({ asked: ['start cv-1_2', 'wait arn:cv-1_2'], found: ['unsettled'] })
  expect(await follow(false)).toEqual({ asked: [], found: ['finished'] })
})

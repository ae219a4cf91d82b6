// Policies for the ways in which runs end, on an embedded AWS, and short functions to start, hold and end their runs.
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn'
import { afterAll, beforeAll } from 'vitest'
import { type RunSummary, runSummary } from '../../../core/contract/runs.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import { type PolicyWorld, startPolicyWorld } from './policy-world.ts'

const arrival = (asset: string, more = {}) => ({ kind: 'convert-on-arrival', asset, into: 'USDC', ...more })

const POLICIES = {
  busy: arrival('LTC'),
  several: { kind: 'rebalance', weights: { BTC: '0.2', ETH: '0.2', SOL: '0.2', USD: '0.4' } },
  approved: arrival('DOGE', { approval: { above: '1', expiresAfterSeconds: 600, priceBoundBps: 200 } }),
  failing: arrival('XRP', { breaker: { failures: 2 } }),
  falling: { kind: 'rebalance', weights: { TRX: '0.5', LINK: '0.5' }, breaker: { largestFallBps: 1000 } },
  halted: arrival('UNI'),
}

export let world: PolicyWorld

/** Starts the world for the tests of a file. */
export function useWorld(): void {
  beforeAll(async () => {
    world = await startPolicyWorld((contactId) => ({
      ...POLICIES,
      swept: { kind: 'sweep', rules: [{ assets: ['USDT'], contactId: contactId('supplier-usdt-tron') }] },
    }))
  })
  afterAll(() => world?.stop())
}

export const start = (policy: keyof typeof POLICIES, name: string) =>
  world.aws.startExecution({ stateMachine: StateMachine.Rebalance, name, input: JSON.stringify({ policy }) })

export async function end({ executionArn }: { executionArn: string }): Promise<RunSummary> {
  const { output, cause } = await world.aws.untilFinished(executionArn)
  return runSummary.parse(JSON.parse(output ?? cause ?? 'null'))
}

export async function stopExecution({ executionArn }: { executionArn: string }): Promise<void> {
  const { credentials, endpointUrl: endpoint, region } = world.aws
  const client = new SFNClient({ endpoint, region, credentials })
  await client.send(new StopExecutionCommand({ executionArn }))
  client.destroy()
}

export const executionsOf = () => world.aws.listExecutions(StateMachine.Rebalance)

export const run = async (policy: keyof typeof POLICIES, name: string) => end(await start(policy, name))

/** Returns the answer, and the number of movements that were made. */
export async function moving<Answer>(act: () => Promise<Answer>): Promise<{ answer: Answer; moved: number }> {
  const before = (await world.movements()).length
  const answer = await act()
  return { answer, moved: (await world.movements()).length - before }
}

/** Holds a run before the function of this name sends its first leg, until it is released. */
export async function hold(starting: () => ReturnType<typeof start>, sender = 'sluice-order') {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  world.hooks.endpoint = async ({ functionName }) => {
    if (functionName !== sender) return undefined
    reached.resolve()
    await released.promise
    return undefined
  }
  const execution = await starting()
  await reached.promise
  const letGo = () => {
    world.hooks.endpoint = () => undefined
    released.resolve()
    return end(execution)
  }
  return { letGo }
}

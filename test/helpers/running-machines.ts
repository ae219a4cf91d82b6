// Runs the state machines on one machine: the synthesized assembly in the embedded AWS, against the sandbox. Waits of
// the state machines pass in virtual time: they advance the service's clock at once.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedAws, type EmbeddedAwsOptions, type EndpointHook, startEmbeddedAws } from '@sluice/embedded-aws'
import { type Sandbox, type SandboxOptions, startSandbox } from '@sluice/service-sandbox'
import type { ConvertReport } from '../../core/contract/convert.ts'
import { type ReconcileInput, type ReconcileReport, reconcileReport } from '../../core/contract/reconcile.ts'
import { StateMachine } from '../../core/contract/states.ts'
import type { WithdrawReport } from '../../core/contract/withdraw.ts'
import { loadTreasury } from '../../core/treasury/config.ts'
import { declared } from './declared-journal.ts'

/** Longer sleeps are time-outs, which these tests should not reach. */
const LONGEST_WAIT_MS = 3_600_000

/** Keys other than the sandbox's full one, and the functions' logs. */
export type MachineOptions = Pick<
  EmbeddedAwsOptions,
  'secrets' | 'kmsKeys' | 'onDelivery' | 'onFunctionLog' | 'workersPerFunction' | 'executionEvents'
> & {
  /** Another address than the sandbox's. */
  readonly serviceUrl?: string
}

export type MachineOptionsFor = (sandbox: Sandbox) => MachineOptions

export interface RunningMachines {
  readonly aws: EmbeddedAws
  readonly stateDir: string
  readonly sandbox: Sandbox
  /** Set it to interfere with the functions' calls to AWS. */
  hook: EndpointHook | undefined
  /** Names of the states that one execution entered, in order. */
  statesOf(name: string, stateMachine?: StateMachine): string[]
  run(name: string, input: object): Promise<{ status: string; error?: string | undefined; report: ConvertReport }>
  control<T = unknown>(path: string, body?: unknown): Promise<T>
  withdraw(name: string, input: object): Promise<{ status: string; error?: string | undefined; report: WithdrawReport }>
  /** Lets time pass for the service and the state machines, at most an hour. */
  pass(durationMs: number): Promise<void>
  reconcile(input?: ReconcileInput): Promise<ReconcileReport>
  clearRules(): Promise<void>
  movements(): Promise<{ orderId: string; baseAmount: string; quoteAmount: string }[]>
  stop(): Promise<void>
}

/** Waits pass at once. `onWait` is called when one has passed. Sleeps longer than an hour end only with their signal. */
export function virtualClock(onWait: (ms: number) => unknown = () => undefined) {
  let passedMs = 0
  return {
    nowMs: () => Date.now() + passedMs,
    async sleep(ms: number, signal?: AbortSignal): Promise<void> {
      if (ms > LONGEST_WAIT_MS)
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
      passedMs += ms
      await onWait(ms)
    },
  }
}

export async function startMachines(
  assemblyDir: string,
  optionsFor: MachineOptionsFor = () => ({}),
  sandboxOptions: Pick<SandboxOptions, 'seed' | 'profile' | 'manners' | 'webhookUrl'> = {},
): Promise<RunningMachines> {
  const sandbox = await startSandbox(sandboxOptions)
  const { serviceUrl, ...options } = optionsFor(sandbox)
  const stateDir = mkdtempSync(join(tmpdir(), 'sluice-machine-'))
  const treasury = loadTreasury()
  const { secret, privateKeyPem, alg } = sandbox.keys.full

  async function control<T>(path: string, body?: unknown): Promise<T> {
    const init =
      body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const answer = await fetch(`${sandbox.controlUrl}${path}`, init)
    if (!answer.ok) throw new Error(`control ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  const clock = virtualClock((ms) => control('/clock', { advanceMs: Math.ceil(ms) }))

  async function run<Report>(stateMachine: StateMachine, name: string, input: object) {
    const { executionArn } = await machine.aws.startExecution({ stateMachine, name, input: JSON.stringify(input) })
    const { status, output, error, cause } = await machine.aws.untilFinished(executionArn)
    return { status, error, report: JSON.parse(output ?? cause ?? 'null') as Report }
  }

  const machine: RunningMachines = {
    aws: await startEmbeddedAws({
      assemblyDir,
      stateDir,
      parameters: { ServiceUrl: serviceUrl ?? sandbox.baseUrl },
      secrets: { [treasury.service.keySecret]: JSON.stringify({ secret, privateKeyPem, alg }) },
      ...options,
      clock,
      onEndpointCall: (call) => machine.hook?.(call),
    }),
    stateDir,
    sandbox,
    hook: undefined,
    statesOf(name, stateMachine = StateMachine.Convert) {
      const execution = machine.aws.findExecution(stateMachine, name)
      const history = execution === undefined ? [] : machine.aws.history(execution.executionArn)
      return history.flatMap((event) => {
        const name = event.stateEnteredEventDetails?.name
        return name === undefined ? [] : [name]
      })
    },
    run: (name, input) => run<ConvertReport>(StateMachine.Convert, name, input),
    withdraw: (name, input) => run<WithdrawReport>(StateMachine.Withdraw, name, input),
    pass: (durationMs) => clock.sleep(durationMs),
    reconcile: async (input = {}) =>
      reconcileReport.parse(JSON.parse(await machine.aws.invokeFunction('sluice-reconcile', JSON.stringify(input)))),
    control,
    clearRules: async () => void (await fetch(`${sandbox.controlUrl}/rules`, { method: 'DELETE' })),
    movements: async () => (await control<{ movements: [] }>('/oracle')).movements,
    async stop() {
      await machine.aws.stop()
      await sandbox.stop()
      rmSync(stateDir, { recursive: true, force: true })
    },
  }
  await declared(Promise.resolve(machine.aws))
  return machine
}

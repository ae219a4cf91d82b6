// Starts conversions, withdrawals and runs at a deployment. An execution's name is the caller's id, and Step Functions
// accepts a name once, so that the same id is the same movement. Guards, approvals and halts are the deployment's: the
// client has no key of the service and decides nothing about money.
import { SFNClient } from '@aws-sdk/client-sfn'
import { IdTaken, InvalidRequest, NotAllowed, StartUnknown } from './errors.ts'
import { type Clock, createHandle, executionArnOf, type Followed, type Handle, systemClock } from './handle.ts'
import type { ConvertReport, RunReport, WithdrawReport } from './reports.ts'
import {
  type ConvertRequest,
  checkedId,
  convertInput,
  machineOfPolicy,
  type Policies,
  type RowsOf,
  rowsFor,
  type WithdrawRequest,
  withdrawInput,
} from './requests.ts'
import { conversionResult, runResult, withdrawalResult } from './results.ts'
import { findExecution, type StepFunctions, startExecution, Unanswered } from './step-functions.ts'

export interface ClientOptions<Known extends Policies = Policies> {
  /** The AWS account of the deployment, 12 digits. At a desk: 123456789012. */
  readonly account: string
  /** `environment` of treasury.json. Default: the deployment without one. */
  readonly environment?: string
  /** `policies` of treasury.json, for `run`. Default: none. */
  readonly policies?: Known
  /** An `SFNClient`, which decides region, endpoint and credentials. Default: one with the settings of the process. */
  readonly sfn?: SFNClient
  readonly clock?: Clock
}

export interface Named {
  /** At most 76 letters, digits and dashes. The same id is the same movement, for good. */
  readonly id: string
}

export interface SluiceClient<Known extends Policies = Policies> {
  /**
   * Starts a conversion, or finds the one with this id and request.
   * @throws InvalidRequest, IdTaken, NotAllowed, NoDeployment, StartUnknown
   */
  convert(request: ConvertRequest, named: Named): Promise<Handle<ConvertReport>>
  /** Like `convert`, for a withdrawal. */
  withdraw(request: WithdrawRequest, named: Named): Promise<Handle<WithdrawReport>>
  /**
   * Like `convert`, for a run of a policy. With `shadow: true` it plans and reports, and moves nothing. A run of payouts
   * pays `rows`, at most 100. A row's `id` is paid once in a deployment, so a corrected list pays only what is new. A run
   * that ended `GUARDED` or `ALREADY_RUNNING` keeps that result: give the next try another id.
   */
  run<Name extends keyof Known & string>(
    policy: Name,
    named: RunOptions<Known[Name]['kind']>,
  ): Promise<Handle<RunReport>>
}

/** Options of a run of a policy of this kind. */
export type RunOptions<Kind extends string = string> = Named & { readonly shadow?: boolean } & RowsOf<Kind>

/**
 * @throws InvalidRequest for options that cannot be right
 * @example
 * import { createClient } from '@sluice/client'
 *
 * const sluice = createClient({ account: '111122223333', policies: { salaries: { kind: 'payouts' } } })
 *
 * const purchase = await sluice.convert(
 *   { baseAsset: 'EURC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'EURC', amount: '125000', maxSlippageBps: 20 },
 *   { id: '2026-01-salaries' },
 * )
 * const { baseAmount, quoteAmount, fills } = await purchase.result()
 *
 * await sluice.withdraw({ assetSymbol: 'USDC', amount: '9800', contactId: 'contact-7' }, { id: '2026-01-payout' })
 *
 * await sluice.run('salaries', {
 *   id: '2026-06-salaries',
 *   rows: [{ id: '2026-06-0001', contactId: 'contact-7', asset: 'EUR', amount: '2500', reference: 'June' }],
 * })
 */
export function createClient<const Known extends Policies = Policies>(
  options: ClientOptions<Known>,
): SluiceClient<Known> {
  const { account, environment, sfn = new SFNClient({}), clock = systemClock } = options
  if (!/^\d{12}$/.test(account)) throw new InvalidRequest('account', '12 digits')
  if (environment !== undefined && !/^[a-z][a-z0-9-]{0,15}$/.test(environment)) {
    throw new InvalidRequest('environment', 'at most 16 lower-case letters, digits and dashes')
  }
  const policies: Policies = options.policies ?? {}

  async function start<Result>(
    machine: string,
    id: string,
    input: object,
    resultOf: Followed<Result>['resultOf'],
  ): Promise<Handle<Result>> {
    const region = await sfn.config.region()
    const deployed = environment === undefined ? machine : `${environment}-${machine}`
    const machineArn = `arn:${partitionOf(region)}:states:${region}:${account}:stateMachine:${deployed}`
    const followed = { id, machineArn, input: JSON.stringify(input), resultOf }
    await startOnce(sfn, followed)
    return createHandle(followed, sfn, clock)
  }

  return {
    async convert(request, { id }) {
      return start('sluice-convert', checkedId(id), convertInput(request), conversionResult(id))
    },
    async withdraw(request, { id }) {
      return start('sluice-withdraw', checkedId(id), withdrawInput(request), withdrawalResult(id))
    },
    async run(policy, { id, rows, shadow }) {
      const machine = machineOfPolicy(policy, policies)
      const paid = rowsFor(policy, policies, rows)
      const input = { policy, ...paid, ...(shadow === true && { shadow }), trigger: { by: 'call' } }
      return start(machine, checkedId(id), input, runResult(id))
    },
  }
}

/** @throws IdTaken for an execution with this name and another input */
async function startOnce(
  sfn: StepFunctions,
  { id, machineArn, input }: Pick<Followed<unknown>, 'id' | 'machineArn' | 'input'>,
): Promise<void> {
  try {
    if ((await startExecution(sfn, { stateMachineArn: machineArn, name: id, input })) === 'started') return
    const executionArn = executionArnOf(machineArn, id)
    const first = await findExecution(sfn, executionArn)
    if (first === undefined) throw new Unanswered('ExecutionDoesNotExist')
    if (first.input === undefined) throw new NotAllowed('DescribeExecution', executionArn, 'its input is left out')
    const fields = differences(first.input, input)
    if (fields.length > 0) throw new IdTaken(id, fields)
  } catch (error) {
    throw error instanceof Unanswered ? new StartUnknown(id, error.reason) : error
  }
}

/** The fields in which two inputs differ. Values are compared as they are written. */
function differences(first: string, second: string): readonly string[] {
  const [left, right] = [fieldsOf(first), fieldsOf(second)]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].filter((name) => sorted(left[name]) !== sorted(right[name])).sort()
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(text)
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : { input: parsed }
}

function sorted(value: unknown): string | undefined {
  if (Array.isArray(value)) return JSON.stringify(value.map(sorted))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return JSON.stringify(
    Object.entries(value)
      .map(([name, inner]) => [name, sorted(inner)])
      .sort(),
  )
}

/** By the beginning of a region's name. Source: AWS, "Amazon Resource Names (ARNs)", partitions. */
const PARTITIONS: Readonly<Record<string, string>> = {
  ...{ 'cn-': 'aws-cn', 'us-gov-': 'aws-us-gov', 'eusc-': 'aws-eusc' },
  ...{ 'us-iso-': 'aws-iso', 'us-isob-': 'aws-iso-b', 'eu-isoe-': 'aws-iso-e', 'us-isof-': 'aws-iso-f' },
}

export function partitionOf(region: string): string {
  return Object.entries(PARTITIONS).find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'aws'
}

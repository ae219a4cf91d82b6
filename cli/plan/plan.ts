// `sluice plan`: what a policy would do now. It is a run of the same state machine that moves money, which is asked to
// move nothing, so the plan is what a run would carry out. It also notes what the policy names and the service does not
// have.

import type { Policy } from '../../core/contract/policies.ts'
import type { RunRequest } from '../../core/contract/runs.ts'
import { KeyRole, type Treasury } from '../../core/contract/treasury.ts'
import { printable, printableJson } from '../../core/printable.ts'
import { type NamedService, readNamedService } from '../../operations/connection/configuration.ts'
import { treasuryFor } from '../../operations/connection/deployed-configuration.ts'
import { findPolicy, verbOf } from '../../operations/connection/named-policy.ts'
import { withConnection } from '../../operations/connection/service/service-connection.ts'
import { resolveTarget } from '../../operations/connection/settings.ts'
import { withCommands } from '../../operations/doctor/check.ts'
import { policyChecks } from '../../operations/doctor/policy-checks.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { intentIdOf, newRunId } from '../../operations/movements/intent-id.ts'
import { OperationError } from '../../operations/operation-error.ts'
import { type PolicyRunResult, policyOperations } from '../../operations/runs/policy-run.ts'
import { runOnAws, runToEnd } from '../../operations/runs/run-to-end.ts'
import { commandIn, commandNeedingKeys, commandWith, type TargetFlags } from '../../operations/words/command-line.ts'
import { outcomeWords } from '../../operations/words/outcome-words.ts'
import { policyRunWords } from '../../views/runs/policy-run-words.ts'
import { planLines } from '../../views/runs/report-text.ts'
import type { CommandContext } from '../terminal/context.ts'
import { screenWidth, type WideFlag } from '../terminal/listing.ts'
import { createProgress } from '../terminal/progress.ts'

export interface PlanFlags extends TargetFlags, WideFlag {}

interface NamedPolicy {
  readonly name: string
  readonly policy: Policy
}

/** @throws OperationError where there is no plan. */
export async function showPlan(name: string, flags: PlanFlags, context: CommandContext): Promise<ExitCode> {
  const settings = resolveTarget(flags, context.variables)
  const treasury = await treasuryFor({ flags, configFile: settings.configFile, output: context.output })
  const policy = findPolicy(name, treasury, { source: 'policy', flags })
  const verb = verbOf(policy)
  const isAws = flags.aws === true
  const service = isAws ? undefined : await readNamedService(settings, treasury, [KeyRole.Read], context.stdin)
  if (service !== undefined) await noteMismatches({ name, policy }, { treasury, service, flags }, context)
  const request: RunRequest = { policy: name, shadow: true, trigger: { by: 'person' } }
  const again = commandWith(`plan ${name}`, flags)
  const progress = createProgress(context.output, context.clock)
  const intentId = intentIdOf(verb, newRunId())
  try {
    const operation = policyOperations[verb]
    const leavesUnfinishedTo = commandNeedingKeys('serve', flags)
    const run = {
      operation,
      watch: policyRunWords.watch,
      settings,
      request,
      treasury,
      service,
      intentId,
      again,
      leavesUnfinishedTo,
    }
    const result = await (isAws ? runOnAws(run, progress, context) : runToEnd(run, progress, context))
    progress.end()
    return printPlan(result, { name, policy }, flags, context)
  } finally {
    progress.end()
  }
}

function printPlan(
  result: PolicyRunResult,
  { name, policy }: NamedPolicy,
  flags: PlanFlags,
  context: CommandContext,
): ExitCode {
  const { output } = context
  const { outcome, runId, why } = result
  const plan = 'plan' in result ? result.plan : undefined
  if (plan === undefined) {
    throw new OperationError({
      exitCode: ExitCode.Failed,
      code: 'refused',
      message: `policy ${name}: there is no plan: ${outcome}: ${why ?? outcomeWords(outcome).says}`,
      next: `${commandIn('policies', flags)}   # who runs, and what is halted`,
    })
  }
  if (output.json) output.data(printableJson(plan))
  else for (const line of planLines(plan, screenWidth(context, flags))) output.data(line)
  output.note(`${outcome}  ${why ?? outcomeWords(outcome).says}`)
  output.next([
    `${commandWith(`run ${verbOf(policy)} ${name} --id ID`, flags)}   # carries it out`,
    `${commandIn(`report ${runId}`, flags)}   # this plan as a page`,
  ])
  return ExitCode.Done
}

/** Where the policy stands, and at which service it is looked for. */
interface Place {
  readonly treasury: Treasury
  readonly service: NamedService
  readonly flags: PlanFlags
}

/**
 * Notes what the policy names and the service does not have. A read that fails is noted too, and the plan says more
 * about it.
 */
async function noteMismatches(
  { name, policy }: NamedPolicy,
  { treasury: { guards }, service: { url: baseUrl, readKey: key }, flags }: Place,
  { output, clock }: Pick<CommandContext, 'output' | 'clock'>,
): Promise<void> {
  const checks = await withConnection({ baseUrl, key, clock }, (client) =>
    policyChecks({ policies: { [name]: policy }, guards }, client),
  )
  for (const { status, check, detail, next } of withCommands(checks, flags)) {
    if (status !== 'ok') output.note(`${status}  ${check}: ${printable(detail)} → ${printable(next ?? '')}`)
  }
}

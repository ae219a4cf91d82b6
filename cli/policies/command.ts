// The words, flags and help of the commands around policies and their runs. Loads a command's own module
// only when it runs.
import type { Command } from 'commander'
import type { DecideFlags } from '../approve/approve.ts'
import { withPlace } from '../attention/command.ts'
import type { ReportFlags } from '../report/report.ts'
import type { RunsFlags } from '../runs/runs.ts'
import type { PlaceFlags } from '../target/journal/journal-target.ts'
import { withServiceOptions } from '../target/options.ts'
import type { Flags } from '../target/settings.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import type { ExitCode } from '../terminal/exit-code.ts'

type EndWith = (code: ExitCode) => void

/** First words of these commands. */
export const POLICY_WORDS: readonly string[] = ['plan', 'policies', 'runs', 'show', 'report', 'approve', 'reject']

export function addPolicyCommands(program: Command, context: CommandContext, endWith: EndWith): void {
  withServiceOptions(program.command('plan').description('print what a policy would do now, and do nothing'))
    .argument('<policy>', 'its name in treasury.json')
    .addHelpText('before', `Example:\n  ${INVOCATION} plan month-end\n`)
    .addHelpText('after', PLAN_HELP)
    .action(async (policy: string, flags: Flags) =>
      endWith(await (await import('../plan/plan.ts')).showPlan(policy, flags, context)),
    )

  withPlace(program.command('policies').description('list the policies of treasury.json, with what became of them'))
    .addHelpText('before', `Example:\n  ${INVOCATION} policies\n`)
    .action(async (flags: PlaceFlags) => endWith(await (await import('./policies.ts')).showPolicies(flags, context)))

  withPlace(program.command('runs').description('list runs of policies, latest first'))
    .option('--policy <name>', 'of that policy only')
    .option('--limit <n>', 'at most so many (default: 50)')
    .addHelpText('before', `Example:\n  ${INVOCATION} runs --policy month-end\n`)
    .action(async (flags: RunsFlags) => endWith(await (await import('../runs/runs.ts')).showRuns(flags, context)))

  withPlace(program.command('show').description('show one run: its plan, what became of each leg, and why'))
    .argument('<run>', 'the run, as runs shows it')
    .addHelpText('before', `Example:\n  ${INVOCATION} show RUN\n`)
    .addHelpText(
      'after',
      '\nExit codes: those of the run: 0 done, 1 not, 3 needs a person, 4 waits for approval, 5 does not tie out.',
    )
    .action(async (runId: string, flags: PlaceFlags) =>
      endWith(await (await import('../show/show.ts')).showRun(runId, flags, context)),
    )

  withPlace(program.command('report').description('write the report of a run as one page that stands by itself'))
    .argument('<run>', 'the run, as runs shows it')
    .option('--out <file>', 'where to (default: reports/RUN.html in the state directory; - is standard output)')
    .addHelpText('before', `Example:\n  ${INVOCATION} report RUN --out month-end.html\n`)
    .action(async (runId: string, flags: ReportFlags) =>
      endWith(await (await import('../report/report.ts')).reportRun(runId, flags, context)),
    )

  addDecision(program, 'approve', 'approve the plan that a run waits with, and let it go on', context, endWith)
  addDecision(program, 'reject', 'reject the plan that a run waits with, for good', context, endWith)
}

function addDecision(
  program: Command,
  name: 'approve' | 'reject',
  what: string,
  context: CommandContext,
  endWith: EndWith,
): void {
  withPlace(program.command(name).description(what))
    .argument('<run>', 'the run, as runs shows it')
    .option('--because <text>', 'why')
    .option('--by <name>', 'who decides (default: $USER)')
    .option('--plan-hash <hash>', 'decide on this very plan: another one is not taken')
    .option('--keys <file>', 'key file for that service; - reads standard input [SLUICE_KEYS]')
    .option('--yes', 'do not ask')
    .option('--no-input', 'never ask: without --yes nothing is recorded')
    .addHelpText('before', `Example:\n  ${INVOCATION} ${name} RUN --because 'month end, as agreed'\n`)
    .addHelpText('after', name === 'approve' ? APPROVE_HELP : '')
    .action(async (runId: string, flags: DecideFlags) =>
      endWith(await (await import('../approve/approve.ts'))[name](runId, flags, context)),
    )
}

const PLAN_HELP = `
Prints positions before and after, drift, each leg with its indicative rate, spread cost and fee, why, why not the
rest, and what the guards say; with --json the plan as one JSON object. Exit codes:
  0    there is a plan
  1    there is none: a guard or a halt stands against it, or it could not be made
  2    wrong usage, configuration or keys`

const APPROVE_HELP = `
The plan and its hash are shown before it asks for consent. An approval is void when it comes too late, or when the
plan's hash, a price beyond the policy's bound or a balance has changed by the time the run goes on: nothing moves
then. With a state directory the run goes on at once, to its end, and its report is printed; with --aws it is entered
again there. Exit codes: those of the run.`

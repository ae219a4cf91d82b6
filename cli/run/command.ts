// The words, flags and help of `sluice run`. Loads what runs only when it runs.
import type { Command } from 'commander'
import type { PolicyVerb } from '../target/named-policy.ts'
import type { Flags } from '../target/settings.ts'
import { EXAMPLE, exampleOf } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import type { ExitCode } from '../terminal/exit-code.ts'
import type { RunVerb } from './intent-id.ts'

/** Flags of every `sluice run` command, as commander gives them. */
export interface RunFlags extends Flags {
  readonly input?: string
  readonly id?: string
}

interface RunWords {
  readonly verb: RunVerb
  readonly what: string
  readonly input: string
  readonly exampleInput: string
  readonly resultHelp: string
  run(flags: RunFlags, context: CommandContext): Promise<ExitCode>
}

const COMMON_CODES = `  1    refused or failed, and nothing is in doubt
  2    wrong usage, input, configuration or keys; nothing was sent
  3    needs a person; do not try again under another id
  130  interrupted; the same command with the same --id goes on
npm writes a banner of its own before the result: npm run -s leaves it out.`

const runs: readonly RunWords[] = [
  {
    verb: 'convert',
    what: 'convert one asset into another: exactly one order, or a certified zero',
    input: 'what to convert, as JSON; - reads standard input',
    exampleInput: '{"baseAsset":"BTC","quoteAsset":"USDC","side":"BUY","amountAsset":"BTC","amount":"0.25"}',
    resultHelp: `Prints one JSON object: outcome, intentId, orderId, market, side, rate, baseAmount, quoteAmount, fills, attempts,
and why, where the outcome is not FILLED. Exit codes:
  0    filled
${COMMON_CODES}`,
    async run(flags, context) {
      const [{ runOperation }, { conversion }] = await Promise.all([import('./run.ts'), import('./conversion.ts')])
      return runOperation(conversion, flags, context)
    },
  },
  {
    verb: 'withdraw',
    what: 'send an asset to a contact: exactly one withdrawal, or a certified zero',
    input: 'what to send and to whom, as JSON; - reads standard input',
    exampleInput: '{"assetSymbol":"USDC","amount":"100","contactReference":"exchange-usdc-eth"}',
    resultHelp: `amount is the total debited (feeMode deduct, the default) or what arrives (feeMode add); contactId may stand in for
contactReference. Prints one JSON object: outcome, intentId, withdrawalId, assetSymbol, amount, fee, total,
transactionHash, bankReference, attempts, and why, where the outcome is not COMPLETED. Exit codes:
  0    completed
${COMMON_CODES}`,
    async run(flags, context) {
      const [{ runOperation }, { withdrawal }] = await Promise.all([import('./run.ts'), import('./withdrawal.ts')])
      return runOperation(withdrawal, flags, context)
    },
  },
  policyWords(
    'rebalance',
    'bring the account to what a policy says it should hold: rebalance, fund, convert on arrival',
  ),
  policyWords('sweep', 'send what a policy says is too much to its contacts: sweep, convert and withdraw'),
]

function policyWords(verb: PolicyVerb, what: string): RunWords {
  return {
    verb,
    what,
    input: 'a policy of treasury.json by its name, or a policy itself, as JSON; - reads standard input',
    exampleInput: '{"policy":"month-end"}',
    resultHelp: `Prints the report of the run as one JSON object: outcome, runId, policy, kind, startedAt, endedAt, plan, approval,
legs with what became of each, totalValueAfter, tiesOut, and why, where the outcome is not a success. Exit codes:
  0    every leg moved what it should, or there was nothing to move
  1    refused, guarded, halted or only partly done, and nothing is in doubt; the report says what and why
  2    wrong usage, input, configuration or keys; nothing was sent
  3    needs a person; do not try again under another id
  4    waits for approval: sluice show, then sluice approve or reject
  5    what moved does not agree with what the service says of it
  130  interrupted; the same command with the same --id goes on
npm writes a banner of its own before the result: npm run -s leaves it out.`,
    async run(flags, context) {
      const [{ runOperation }, { policyOperations }] = await Promise.all([
        import('./run.ts'),
        import('./policy-run.ts'),
      ])
      return runOperation(policyOperations[verb], flags, context)
    },
  }
}

export function addRunCommands(program: Command, context: CommandContext, endWith: (code: ExitCode) => void): void {
  const run = program
    .command('run')
    .description('run one operation to its end')
    .addHelpText('before', `Example:\n  ${EXAMPLE}\n`)
  for (const words of runs) {
    const { verb, exampleInput } = words
    run
      .command(verb)
      .description(words.what)
      .option('--input <file>', words.input)
      .option('--id <id>', 'names the run: the same id gives the first result again, also after a crash')
      .option('--service <url>', 'address of a service (default: the built-in sandbox) [SLUICE_SERVICE]')
      .option('--keys <file>', 'key file for that service, as JSON; - reads standard input [SLUICE_KEYS]')
      .option(
        '--state <dir>',
        'where runs are remembered; one an account, always the same (default: .sluice) [SLUICE_STATE]',
      )
      .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
      .addHelpText('before', `Example:\n  echo '${exampleInput}' > ${verb}.json\n  ${exampleOf(verb)}\n`)
      .addHelpText('after', `\n${words.resultHelp}`)
      .action(async (flags: RunFlags) => endWith(await words.run(flags, context)))
  }
}

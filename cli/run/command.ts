// Defines `sluice run convert`, `withdraw`, `rebalance` and `sweep`. A command's code is loaded when the command runs.

import type { RunVerb } from '../../operations/movements/intent-id.ts'
import { faultNames } from '../../operations/runs/faults/fault-names.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import type { PolicyVerb } from '../../place/named-policy.ts'
import { exampleWords } from '../terminal/command-line.ts'
import { type AddCommand, command, noun } from '../terminal/commander.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ASKED_BY, CONFIG, collect, ID, type OptionRow, SERVICE } from '../terminal/options.ts'
import type { RunFlags } from './run.ts'

interface RunDefinition {
  readonly verb: RunVerb
  readonly what: string
  readonly operand: OptionRow
  /** Written to a file in the example. Absent where a name is enough. */
  readonly exampleInput?: string
  readonly resultHelp: string
  /** Runs of a policy record who asks, because a policy may forbid its requester to approve. */
  readonly runsPolicy?: true
  /** Loads the work. */
  readonly load: () => Promise<(flags: RunFlags, context: CommandContext) => Promise<ExitCode>>
}

const COMMON_CODES = `  1    refused or failed, and nothing is in doubt
  2    wrong usage, input, configuration or keys; nothing was sent
  3    needs a person; do not try again under another id
  130  interrupted; the same command with the same --id continues`

const convert: RunDefinition = {
  verb: 'convert',
  what: 'convert one asset into another: exactly one order, or a certified zero',
  operand: ['[file]', 'what to convert, as JSON; - reads standard input'],
  exampleInput: '{"baseAsset":"BTC","quoteAsset":"USDC","side":"BUY","amountAsset":"BTC","amount":"0.25"}',
  resultHelp: `Prints the result. Off a terminal, and with --json, it is one JSON object: outcome, intentId, orderId, market, side,
rate, baseAmount, quoteAmount, fills, attempts, and why, where the outcome is not FILLED. Exit codes:
  0    filled
${COMMON_CODES}`,
  load: async () => {
    const [{ runOperation }, { conversion }, { conversionWords }] = await Promise.all([
      import('./run.ts'),
      import('../../operations/runs/movement-operations.ts'),
      import('../../views/runs/movement-words.ts'),
    ])
    return (flags, context) => runOperation(conversion, conversionWords, flags, context)
  },
}

const withdraw: RunDefinition = {
  verb: 'withdraw',
  what: 'send an asset to a contact: exactly one withdrawal, or a certified zero',
  operand: ['[file]', 'what to send and to whom, as JSON; - reads standard input'],
  exampleInput: '{"assetSymbol":"USDC","amount":"100","contactReference":"exchange-usdc-eth"}',
  resultHelp: `amount is the total debited (feeMode deduct, the default) or what arrives (feeMode add); contactId may stand in for
contactReference. Prints the result. Off a terminal, and with --json, it is one JSON object: outcome, intentId,
withdrawalId, assetSymbol, amount, fee, total, transactionHash, bankReference, attempts, and why, where the outcome is
not COMPLETED. Exit codes:
  0    completed
${COMMON_CODES}`,
  load: async () => {
    const [{ runOperation }, { withdrawal }, { withdrawalWords }] = await Promise.all([
      import('./run.ts'),
      import('../../operations/runs/movement-operations.ts'),
      import('../../views/runs/movement-words.ts'),
    ])
    return (flags, context) => runOperation(withdrawal, withdrawalWords, flags, context)
  },
}

function policy(verb: PolicyVerb, what: string): RunDefinition {
  return {
    verb,
    what,
    runsPolicy: true,
    operand: [
      '[policy]',
      'a policy of treasury.json by its name, or a file with {"policy":NAME or a policy}; - reads standard input',
    ],
    resultHelp: `Prints the report of the run. Off a terminal, and with --json, it is one JSON object: outcome, runId, policy, kind,
startedAt, endedAt, plan, approval, legs with their results, totalValueAfter, distances (from the targets of a
rebalance), tiesOut, and why, where the outcome is not a success. Exit codes:
  0    every leg moved what it should, or there was nothing to move
  1    refused, guarded, halted, off target or only partly done, and nothing is in doubt; the report says what and why
  2    wrong usage, input, configuration or keys; nothing was sent
  3    needs a person; do not try again under another id
  4    waits for approval: sluice runs show, then sluice approve or reject
  5    what moved does not agree with what the service reports
  130  interrupted; the same command with the same --id continues`,
    load: async () => {
      const [{ runOperation }, { policyOperations }, { policyRunWords }] = await Promise.all([
        import('./run.ts'),
        import('../../operations/runs/policy-run.ts'),
        import('../../views/runs/policy-run-words.ts'),
      ])
      return (flags, context) => runOperation(policyOperations[verb], policyRunWords, flags, context)
    },
  }
}

const addVerb = ({ verb, what, operand, exampleInput, resultHelp, runsPolicy, load }: RunDefinition): AddCommand =>
  command({
    name: verb,
    what,
    operands: [operand],
    options: [
      ['--input <file>', 'the same as a file, whatever its name; - reads standard input'],
      ID,
      ['--aws', "on AWS, by the AWS SDK's own configuration: the deployed functions, with their keys"],
      ...SERVICE.slice(0, 2),
      [
        '--state <dir>',
        'where runs are remembered; one for each account, always the same (default: .sluice) [SLUICE_STATE]',
      ],
      CONFIG,
      ['--fault <name>', 'against a sandbox only: a fault to meet, named below; may be given several times', collect],
      ['--control <url>', 'with --fault and --service: the controlUrl of that sandbox'],
      ASKED_BY,
      ...(runsPolicy === true ? [DIRECTLY] : []),
    ],
    ...(exampleInput !== undefined && { prepare: `echo '${exampleInput}' > ${verb}.json` }),
    example: exampleWords(verb),
    help: `${resultHelp}\n\n${faultHelp(verb)}`,
    load: async () => {
      const run = await load()
      return (given: string | undefined, flags: RunFlags, context: CommandContext) =>
        run(given === undefined ? flags : { ...flags, given }, context)
    },
  })

const DIRECTLY: OptionRow = ['--directly', 'with --aws: start it with your own permission; no requester is recorded']

/** Maximum characters of a line of names. The help is at most 120 columns wide. */
const FAULT_LINE_CHARS = 110

function faultHelp(verb: RunVerb): string {
  const lines = ['']
  for (const name of faultNames(verb)) {
    const last = lines.at(-1) ?? ''
    if (last.length + name.length > FAULT_LINE_CHARS) lines.push(name)
    else lines[lines.length - 1] = last === '' ? name : `${last}, ${name}`
  }
  return `Faults, each at the first request that moves money or asks for a quote, as packages/service-sandbox/README.md explains:
  ${lines.join(',\n  ')}
The result lists the faults that were met, as JSON in faults. At a desk another command may meet a fault instead.`
}

export const addRun = noun(
  { name: 'run', what: 'run one operation to its end', example: exampleWords('convert') },
  [
    convert,
    withdraw,
    policy('rebalance', 'bring the account to the targets of a policy: rebalance, fund, convert on arrival'),
    policy('sweep', 'send what exceeds the targets of a policy to its contacts: sweep, convert and withdraw'),
  ].map(addVerb),
)

// Defines `sluice setup init`: its options, one for each question, and its help. Its code is loaded when it runs.

import type { Command } from 'commander'
import { answerFlags } from '../../../operations/setup/answers.ts'
import { INVOCATION } from '../../terminal/command-line.ts'
import type { AddCommand } from '../../terminal/commander.ts'
import type { InitFlags } from './init.ts'

export const addInit: AddCommand = (setup, context, endWith) => {
  const command = setup
    .command('init')
    .description('write a treasury.json with a first policy, or add a policy to it, from questions or from flags')
    .option('--out <file>', 'where to (default: treasury.json in this directory)')
  withQuestions(command)
    .option('--add', 'add the policy to an existing file; nothing else of it changes')
    .option('--force', 'replace an existing file')
    .addHelpText('before', `Example:\n  ${INVOCATION} setup init --out policies.json\n`)
    .addHelpText('after', HELP)
    .action(async (flags: InitFlags) => endWith(await (await import('./init.ts')).init(flags, context)))
}

/** Adds the options of a command that asks for the first policy of a treasury.json. */
export function withQuestions(command: Command): Command {
  command
    .option('--service <url>', 'the service that the file is for (default: the built-in sandbox) [SLUICE_SERVICE]')
    .option('--keys <file>', 'key file for that service, as JSON; - reads standard input [SLUICE_KEYS]')
    .option('--state <dir>', 'the state directory of the built-in sandbox (default: .sluice) [SLUICE_STATE]')
    .option('--stage <stage>', 'live or test: which keys are acceptable', 'test')
    .option('--no-input', 'never ask: each answer needs its flag')
  for (const [flag, hint] of Object.entries(answerFlags)) command.option(`--${flag} <answer>`, hint)
  return command
}

const HELP = `
Reads assets, markets and contacts from the service, and checks the file as every other command does, before it is
written. Where the file exists, it offers to add the policy, and shows the change first. Off a terminal, with --json or with --no-input, each answer needs its flag; missing answers are named. Without
questions: ${INVOCATION} setup init --out policies.json --kind rebalance --weights BTC=0.5,USDC=0.5 --no-input`

// Adds the options that several commands share: the service to ask with its keys, the journal to read, and consent.
// This file only defines them, and reads nothing.
import type { Command } from 'commander'

/** Adds --service, --keys, --state and --config, for a command that asks a service. */
export function withServiceOptions(command: Command): Command {
  return command
    .option('--service <url>', 'address of a service (default: the built-in sandbox) [SLUICE_SERVICE]')
    .option('--keys <file>', 'key file for that service, as JSON; - reads standard input [SLUICE_KEYS]')
    .option('--state <dir>', 'the state directory of the built-in sandbox (default: .sluice) [SLUICE_STATE]')
    .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
}

/** Adds --aws, --state, --service and --config, for a command that reads a journal. */
export function withJournalOptions(command: Command): Command {
  return command
    .option('--aws', "the deployed journal, by the AWS SDK's own configuration, instead of a state directory")
    .option('--state <dir>', 'the state directory (default: .sluice) [SLUICE_STATE]')
    .option('--service <url>', 'the service whose runs are meant (default: the built-in sandbox) [SLUICE_SERVICE]')
    .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
}

/** Adds --yes and --no-input, for a command that asks for consent before it records something. */
export function withConsentOptions(command: Command): Command {
  return command.option('--yes', 'do not ask').option('--no-input', 'never ask: without --yes nothing is recorded')
}

/** Collects the values of an option that may be given more than once. */
export const collect = (value: string, before: readonly string[] = []) => [...before, value]

// The options by which a command is told which service it asks. Words only.
import type { Command } from 'commander'

/** Adds --service, --keys, --state and --config. */
export function withServiceOptions(command: Command): Command {
  return command
    .option('--service <url>', 'address of a service (default: the built-in sandbox) [SLUICE_SERVICE]')
    .option('--keys <file>', 'key file for that service, as JSON; - reads standard input [SLUICE_KEYS]')
    .option('--state <dir>', 'whose built-in sandbox it is (default: .sluice) [SLUICE_STATE]')
    .option('--config <file>', 'the configuration (default: treasury.json) [SLUICE_CONFIG]')
}

// The definition of `sluice serve`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withServiceOptions } from '../terminal/options.ts'
import type { ServeFlags } from './serve.ts'

export const addServe: AddCommand = (program, context, endWith) => {
  withServiceOptions(
    program
      .command('serve')
      .summary('keep the schedules and take events')
      .description('keep the schedules and take events, until it is stopped'),
  )
    .option('--port <n>', 'for events (default: any free one); a port that is taken moves on to the next')
    .option('--function-url-port <n>', 'for webhooks, such as a tunnel leads to (default: any free one)')
    .option('--no-console', 'do not open the console')
    .option('--jsonl', 'tell what happens as one JSON object a line on standard output')
    .addHelpText('before', `Example:\n  ${INVOCATION} serve --jsonl\n`)
    .addHelpText('after', HELP)
    .action(async (flags: ServeFlags) => endWith(await (await import('./serve.ts')).serve(flags, context)))
}

const HELP = `
Says when it is ready where it answers: on a terminal in lines, else (and with --jsonl) as one JSON line: {"eventsUrl",
"region","credentialsFile","functionUrls","eventBus","service","schedules":[…]}, with the built-in sandbox also
"controlUrl" (packages/service-sandbox/README.md). Events are put there as on AWS, signed with the key in that file,
which is made for each serve:
  export AWS_SHARED_CREDENTIALS_FILE=CREDENTIALS_FILE
  aws events put-events --endpoint-url EVENTS_URL --region us-east-1 --entries '[{"EventBusName":"sluice","Source":"me",
    "DetailType":"Rebalance Requested","Detail":"{\\"version\\":1,\\"id\\":\\"2026-01\\",\\"policy\\":\\"month-end\\"}"}]'
On a terminal it opens the console too (sluice console) and shows its link, which is good once.
Put one from another terminal with: sluice events trigger. An event that fits no schema starts nothing: it is told at
once with its id, source, type and reason, and kept as a dead letter (sluice events dead-letters). --jsonl tells each
happening with its "event", also that the clock of this machine was set back ("clock"). Ctrl-C stops it; what is not at
its end goes on with the next serve, run or approve in that state directory.
Exit codes: 0 stopped, 1 it could not start, 2 wrong usage, configuration or keys, 130 interrupted before it was ready.`

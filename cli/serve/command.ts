// Defines `sluice serve`: options and help. Its code is loaded when it runs.

import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, withServiceOptions } from '../terminal/commander.ts'
import type { ServeFlags } from './serve.ts'

export const addServe: AddCommand = (program, context, endWith) => {
  withServiceOptions(
    program
      .command('serve')
      .summary('keep the schedules and take events')
      .description('keep the schedules and take events, until it is stopped'),
  )
    .option('--port <n>', 'for events (default: any free one); the next free port is used where it is taken')
    .option('--function-url-port <n>', 'for webhooks, such as a tunnel leads to (default: any free one)')
    .option('--no-console', 'do not open the console')
    .option('--jsonl', 'report what happens as one JSON object a line on standard output')
    .addHelpText('before', `Example:\n  ${INVOCATION} serve --jsonl\n`)
    .addHelpText('after', HELP)
    .action(async (flags: ServeFlags) => endWith(await (await import('./serve.ts')).serve(flags, context)))
}

const HELP = `
When it is ready, it prints where it answers: lines on a terminal, otherwise (and with --jsonl) one JSON line with
eventsUrl, region, credentialsFile, functionUrls, eventBus, service and schedules, and controlUrl for the built-in
sandbox (packages/service-sandbox/README.md).
On a terminal it also opens the console and prints its link, which works once.
Put an event from another terminal with: sluice events trigger. Other programs put events as on AWS, signed with the
key in CREDENTIALS_FILE, which is new for each serve (docs/events/README.md has the form of an event):
  export AWS_SHARED_CREDENTIALS_FILE=CREDENTIALS_FILE
  aws events put-events --endpoint-url EVENTS_URL --region us-east-1 --entries file://events.json
An event that fits no schema starts nothing: it is reported at once with its id, source, type and reason, and kept as a
dead letter (sluice events dead-letters).
--jsonl prints each event that happens as one line with its name in "event"; "clock" says that the clock of this machine
was set back. Ctrl-C stops it. The next serve, run or approve in the same state directory continues unfinished work.
Exit codes: 0 stopped, 1 it could not start, 2 wrong usage, configuration or keys, 130 interrupted before it was ready.`

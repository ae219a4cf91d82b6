// Defines `sluice serve`. Its code is loaded when it runs.

import { command } from '../terminal/commander.ts'
import { SERVICE } from '../terminal/options.ts'

export const addServe = command({
  name: 'serve',
  summary: 'keep the schedules and take events',
  what: 'keep the schedules and take events, until it is stopped',
  options: [
    ...SERVICE,
    ['--port <n>', 'for events (default: any free one); the next free port is used where it is taken'],
    ['--function-url-port <n>', 'for webhooks, such as a tunnel leads to (default: any free one)'],
    ['--no-console', 'do not open the console'],
    ['--jsonl', 'report what happens as one JSON object a line on standard output'],
  ],
  example: 'serve --jsonl',
  help: `When it is ready, it prints where it answers: lines on a terminal, otherwise (and with --jsonl) one JSON line with
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
Exit codes: 0 stopped, 1 it could not start, 2 wrong usage, configuration or keys, 130 interrupted before it was ready.`,
  load: async () => (await import('./serve.ts')).serve,
})

// `sluice console`: opens the console, shows its link, and serves it until the command is stopped. On a terminal each
// Enter prints a new link.
import { once } from 'node:events'
import { hostname } from 'node:os'
import { readTreasury } from '../../place/configuration.ts'
import { readPort } from '../../place/desk/free-port.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { readText } from '../../place/files/text-file.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { failedWith, type OperationError, unfit } from '../../place/operation-error.ts'
import { isOnAws, resolveConnection } from '../../place/settings.ts'
import { type CommandContext, untilStdoutCloses } from '../terminal/context.ts'

interface ConsoleFlags extends ConnectionFlags {
  readonly port?: string
}

/**
 * Exits with 0 when it is stopped.
 * @throws OperationError: exit 2 for flags, exit 1 where the port is taken
 */
export async function openConsole(given: ConsoleFlags, context: CommandContext): Promise<ExitCode> {
  const { output, stdin, variables } = context
  const { port: askedPort, ...flags } = given
  // Refuses flags that cannot name a connection before anything is opened.
  readTreasury(settingsOf(flags, context).configFile)
  const port = askedPort === undefined ? 0 : readPort(askedPort, 'port')
  const keysFile = flags.keys ?? (isOnAws(flags) ? undefined : variables.SLUICE_KEYS)
  const keys = keysFile === '-' ? await readText('-', 'keys', stdin) : undefined
  const signal = untilStdoutCloses(context)
  const { openConsole: open } = await import('../../console/open-console.ts')
  const opened = await open({ flags, context, port, signal, keys, spell: output.spell }).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' ? portTaken(port) : error
  })
  try {
    const link = opened.newLink()
    printLink(link, context)
    const { port: openPort } = new URL(link)
    if (variables.SSH_CONNECTION !== undefined)
      output.note(
        `this is an SSH session: on your own machine run ssh -L ${openPort}:127.0.0.1:${openPort} ${hostname()}`,
      )
    output.note('open it in a browser on this machine: it works once. Enter shows another; Ctrl-C stops the console')
    if (stdin.isTTY === true) stdin.setEncoding('utf8').on('data', () => printLink(opened.newLink(), context))
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    stdin.pause()
    await opened.stop()
  }
  output.note('the console is closed')
  output.next([{ do: 'list-cases' }])
  return ExitCode.Done
}

function printLink(url: string, { output }: CommandContext): void {
  if (output.json) output.facts({ url })
  else output.data(url)
}

/** The journal to show, and the service it belongs to. Keys are optional, as for other commands that only read. */
function settingsOf({ keys, ...flags }: ConnectionFlags, { variables }: CommandContext) {
  if (keys !== undefined && isOnAws(flags)) {
    throw unfit('keys', 'belongs to a state directory; got --aws too', 'leave --keys or --aws out')
  }
  const { SLUICE_SERVICE: _service, SLUICE_KEYS: _keys, ...rest } = variables
  const { service: _named, ...readFlags } = flags
  return resolveConnection(readFlags, rest)
}

function portTaken(port: number): OperationError {
  return failedWith('unreachable', `--port: port ${port} is taken`, 'give another --port, or none for any free one')
}

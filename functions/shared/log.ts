// One JSON line an event on standard output. Takes only the fields listed here, so that nothing
// else (keys, tokens, bodies) can slip into a log.

export interface LogLine {
  readonly level: 'info' | 'error'
  readonly verb: string
  readonly intentId?: string | undefined
  readonly outcome?: string
  readonly error?: string
  readonly message?: string
}

export function logLine(line: LogLine): void {
  console.log(JSON.stringify(line))
}

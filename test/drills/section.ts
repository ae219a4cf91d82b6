// Reads the commands of a section of docs/runbook.md, from top to bottom: the lines of its `sh` blocks. A line that
// begins with `# by hand: ` is a step that no command does, so a drill must do it itself.
import { readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')
const BY_HAND = '# by hand: '

export type Step =
  /** `exitCode`: from the line's comment (`# exits 3`), else 0. */
  | { readonly kind: 'command'; readonly line: string; readonly argv: readonly string[]; readonly exitCode: number }
  | { readonly kind: 'by hand'; readonly line: string; readonly what: string }

/** @throws Error for an unknown heading, and for a line that is neither a command nor done by hand */
export function stepsOf(heading: string): readonly Step[] {
  const lines = readFileSync(path.join(ROOT, 'docs/runbook.md'), 'utf8').split('\n')
  const steps: Step[] = []
  let isHere = false
  let isShell = false
  for (const line of lines) {
    if (line.startsWith('```')) isShell = line === '```sh'
    else if (!isShell && line.startsWith('#')) isHere = line.replace(/^#+ /, '') === heading
    else if (isHere && isShell && line.trim() !== '') steps.push(stepOf(line))
  }
  if (steps.length === 0) throw new Error(`docs/runbook.md has no commands under "${heading}"`)
  return steps
}

function stepOf(line: string): Step {
  if (line.startsWith(BY_HAND)) return { kind: 'by hand', line, what: line.slice(BY_HAND.length) }
  const argv = wordsOf(line.replace(/\s+# .*$/, ''))
  const isOurs =
    (argv[0] === 'npx' && argv[1] === 'sluice') || (argv[0] === 'npm' && argv[1] === 'run') || argv[0] === 'rm'
  if (!isOurs) throw new Error(`a drill cannot run "${line}"`)
  const [, exitCode = 0] = /# .*\bexits (\d+)\b/.exec(line) ?? []
  return { kind: 'command', line, argv, exitCode: Number(exitCode) }
}

/** Splits a line as a shell does, where only double quotes are special. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

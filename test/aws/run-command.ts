// Runs a command on this machine. Its standard output is kept and shown, and its standard error is shown as it arrives.
// A command that takes too long is ended.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command, Finished, World } from './commands.ts'

const TOO_LONG = 124
/** Output limit in characters, because a history of 2,000 events has some megabytes. */
const MOST_CHARS = 20_000_000

/** `region`: the region of all commands, whatever the profile says. */
export function realWorld(root: string, region: string): World {
  return {
    run: (command) => runCommand(command, root, region),
    pause: (seconds) => sleep(seconds * 1_000),
    now: () => new Date(),
    tell: (line) => process.stderr.write(`${line}\n`),
  }
}

function runCommand({ args, mostMinutes, program, variables }: Command, cwd: string, region: string) {
  const child = spawn(program, [...args], {
    cwd,
    env: { ...process.env, AWS_REGION: region, AWS_DEFAULT_REGION: region, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    child.kill('SIGINT')
  }, mostMinutes * 60_000)
  let stdout = ''
  let stderr = ''
  // Output that is parsed as data is not for people.
  const isData = args.includes('--json') || args.includes('json')
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout = (stdout + text).slice(0, MOST_CHARS)
    if (!isData) process.stderr.write(text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MOST_CHARS)
    process.stderr.write(text)
  })
  return new Promise<Finished>((resolve) => {
    child.on('error', (error) => {
      clearTimeout(late)
      resolve({ exitCode: 127, stdout, stderr: error.message })
    })
    child.on('close', (code) => {
      clearTimeout(late)
      resolve({ exitCode: isLate ? TOO_LONG : (code ?? 1), stdout, stderr })
    })
  })
}

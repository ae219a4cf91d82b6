// An interrupted command says how to continue, and loses no result that is there.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { orInterrupted } from '../../../place/interruption.ts'

test('an interrupted wait ends with exit 130 and says how to continue', async () => {
  const interruption = new AbortController()
  const waiting = orInterrupted(new Promise(() => {}), interruption.signal, 'the same command')
  interruption.abort()
  await expect(waiting).rejects.toMatchObject({ exitCode: 130, code: 'interrupted', next: 'the same command' })
  await expect(orInterrupted(Promise.resolve(1), interruption.signal, '')).rejects.toMatchObject({ exitCode: 130 })
})

test('work that ends before an interruption gives its result', async () => {
  await expect(orInterrupted(Promise.resolve('done'), new AbortController().signal, '')).resolves.toBe('done')
})

/** A command that waits in its own process while `fault` happens. */
async function waitBeside(fault: string): Promise<unknown> {
  const script = `
    import { orInterrupted } from './place/interruption.ts'
    import { processContext } from './cli/terminal/process-context.ts'
    const signal = processContext().catchInterruption()
    setTimeout(() => { ${fault} })
    const { message, exitCode, code, next } = await orInterrupted(new Promise(() => setTimeout(() => {}, 60_000)), signal, 'the same command').catch((error) => error)
    console.log(JSON.stringify({ message, exitCode, code, next }))
    process.exit()`
  const cwd = path.resolve(import.meta.dirname, '../../..')
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd })
  return JSON.parse(stdout)
}

test.each(["throw new RangeError('lost')", "Promise.reject(new RangeError('lost'))"])(
  'an uncaught error ends a wait with exit 3, because it is unknown whether something was sent: %s',
  async (fault) => {
    expect(await waitBeside(fault)).toEqual({
      exitCode: 3,
      code: 'in_doubt',
      message: 'unexpected: RangeError: lost; what this command has moved is not known',
      next: 'do not start it under another id; continue with: the same command',
    })
  },
)

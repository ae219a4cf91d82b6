import { expect, test } from 'vitest'
import { orInterrupted } from '../../../cli/interruption.ts'

test('an interrupted wait ends with exit 130 and says how to go on', async () => {
  const interruption = new AbortController()
  const waiting = orInterrupted(new Promise(() => {}), interruption.signal, 'the same command')
  interruption.abort()
  await expect(waiting).rejects.toMatchObject({ exitCode: 130, code: 'interrupted', next: 'the same command' })
  await expect(orInterrupted(Promise.resolve(1), interruption.signal, '')).rejects.toMatchObject({ exitCode: 130 })
})

test('work that ends before an interruption gives its result', async () => {
  await expect(orInterrupted(Promise.resolve('done'), new AbortController().signal, '')).resolves.toBe('done')
})

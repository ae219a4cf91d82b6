// What a worker has compiled is used by the next one, for the same text alone, and changes nothing that anybody sees.
import { expect, test } from 'vitest'
import { compiledOf } from '../../lambda/compiled-files.ts'
import { oneTask } from './fixture/assembly.ts'
import { boot, runToEnd } from './fixture/booted.ts'

/** As large as a bundle is. Any two are of one length, which is all that V8 compares. */
function bundleThatSays(word: string): string {
  return `exports.say = async () => { if (globalThis.said) throw new Error('${word}'); globalThis.said = true; return '${word}' } // ${'-'.repeat(200_000)}`
}

async function said(word: string) {
  const aws = await boot({
    functions: { say: {} },
    code: { 'index.js': bundleThatSays(word) },
    machines: { Say: oneTask('say') },
  })
  const { output } = await runToEnd(aws, 'Say')
  const { cause } = await runToEnd(aws, 'Say', {}, 'run-2')
  return { output, trace: (cause as { readonly trace: readonly string[] }).trace }
}

test('a worker runs its own text, whatever another of the same name and length has compiled', async () => {
  const first = await said('one')
  const { hash } = compiledOf('index') ?? {}
  expect(hash).toBeDefined()
  const second = await said('one')
  expect(second.output).toBe('one')
  // It compiled nothing, so nothing else is kept.
  expect(compiledOf('index')?.hash).toBe(hash)
  expect((await said('two')).output).toBe('two')
  expect(compiledOf('index')?.hash).not.toBe(hash)
  expect((await said('one')).output).toBe('one')

  const place = `index.js:1:${bundleThatSays('one').indexOf('new Error') + 1}`
  for (const { trace } of [first, second]) expect(trace[1]).toContain(place)
})

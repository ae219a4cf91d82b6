// A benchmark counts as worse only beyond the noise of both runs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compare, readBefore } from '../../../bench/against.ts'

const figure = (name: string, low: number, high = low) => ({
  ...{ benchmark: 'money', name, unit: 'ms' as const, value: 1 },
  ratio: { low, median: (low + high) / 2, high },
})

test('a ratio is worse if even its better quartile is above the earlier worse quartile', () => {
  const now = [figure('apart', 1.3, 1.4), figure('touching', 1.2, 1.4)]
  const { compared, worse } = compare([figure('apart', 1, 1.2), figure('touching', 1, 1.2)], now)
  expect(compared).toBe(2)
  expect(worse).toEqual(['money: apart: worse: ratio 1.35 (from 1.30), was 1.10 (to 1.20)'])
})

test('without quartiles, a ratio that is a seventh higher is not reported', () => {
  const before = [figure('a little', 0.002), figure('much', 0.002)]
  const { worse } = compare(before, [figure('a little', 0.00225), figure('much', 0.00235)])
  expect(worse).toEqual(['money: much: worse: ratio 0.00235 (from 0.00235), was 0.00200 (to 0.00200)'])
})

test('figures of only one run are named, and those without a ratio are not compared', () => {
  const { ratio: _ratio, ...plain } = figure('rate', 1)
  const { alone, compared } = compare([figure('gone', 1), plain], [figure('new', 1), plain])
  expect(alone).toEqual(['money: gone', 'money: new'])
  expect(compared).toBe(0)
})

test('a missing file, a directory, or another content is refused with a hint how to write a file', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'sluice-against-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const holding = (name: string, text: string) => {
    const file = path.join(dir, name)
    writeFileSync(file, text)
    return file
  }
  for (const file of [path.join(dir, 'missing'), dir, holding('half', '{'), holding('other', '{"figures":1}')]) {
    expect(() => readBefore(file)).toThrow(`--against ${file}: expected a file with the output of`)
  }
  expect(readBefore(holding('figures', '{"figures":[]}'))).toEqual([])
})

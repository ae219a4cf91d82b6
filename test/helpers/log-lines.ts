// The lines that functions log, caught in the process of a test.
import { vi } from 'vitest'

/** What is logged from now on, line by line, until all mocks are restored. */
export function catchLogLines(): string[] {
  const lines: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(
      ...String(text)
        .split('\n')
        .filter((line) => line !== ''),
    )
    return true
  })
  return lines
}

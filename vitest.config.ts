import { defineConfig } from 'vitest/config'

const report = process.env.SLUICE_TEST_REPORT

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/helpers/synthesized-assembly.ts'],
    // CI counts tests from this file (.ci/run).
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    // Two cores: more workers only add start-up and memory.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['contract', 'server', 'bench', 'test'].map((folder) => `${folder}/**/*.test.ts`),
    globalSetup: 'test/support/postgres.ts',
    // Real servers and real crashes: a slow machine needs patience, and two cores are enough for two files at a time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})

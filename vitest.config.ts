import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './test/support/slowest-first.ts'

/** Tests of plans look into the plans of one PostgreSQL. */
const onePostgres = process.env.TEST_DISTRIBUTE === '1' ? ['**/plans.test.ts', '**/remove-step.test.ts'] : []

export default defineConfig({
  test: {
    include: ['contract', 'dashboard', 'server', 'client', 'sdk', 'release', 'bench', 'test'].map(
      (folder) => `${folder}/**/*.test.ts`,
    ),
    exclude: ['test/long/**', '**/node_modules/**', ...onePostgres],
    globalSetup: [
      'test/support/memory-folder.ts',
      'test/support/postgres.ts',
      'test/support/chromium-path.ts',
      'test/support/bundled-server.ts',
    ],
    provide: { isLong: false },
    // Real servers and real crashes: these limits only end a test that hangs. No test has a shorter one of its own
    // (test/steadiness.test.ts): how long a condition takes depends on what else the machine does.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    // Many tests wait for processes. On two cores four files at a time left a quarter of them idle, and took 356 s, not 324.
    maxWorkers: 6,
    sequence: { sequencer: SlowestFirst },
    // A file loads the modules in a third of a second instead of three when the file before it has loaded them. Tests
    // keep nothing in modules: what they share is in their own databases and folders.
    isolate: false,
    // Node runs the TypeScript itself, as it does for users. Vite's transformation takes a tenth more CPU time in all.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})

import { defineConfig, mergeConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** The tests that take minutes: `npm run test:long`. */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: [
        'test/long/**/*.test.ts',
        // These try more than in `npm test`.
        'test/package.test.ts',
        'client/test/package.test.ts',
        'test/stopping.test.ts',
        'test/signals.test.ts',
        'test/webhooks-guide.test.ts',
        'test/raw-sockets.test.ts',
        'test/migrations.test.ts',
        'test/faults.test.ts',
        'test/progress-kills.test.ts',
        'test/webhooks-crash.test.ts',
        'test/concurrency.test.ts',
        'test/slow-senders.test.ts',
        'test/contract/batch-keys.test.ts',
        'server/batches/environments.test.ts',
        'contract/content/published-schema.test.ts',
        'server/command/content/wrong-documents.test.ts',
        'server/conditions/forms.test.ts',
        'server/conditions/probes.test.ts',
        'server/results/late-runs.test.ts',
        'server/lists/plans.test.ts',
        'server/http/admission.test.ts',
        'server/webhooks/delivery/delivery.test.ts',
        'test/visible-order.test.ts',
        'test/browser/script-tabs.test.ts',
        'test/browser/script-looks.test.ts',
        'test/browser/script-searches.test.ts',
        'test/fuzz/fuzz.test.ts',
        'test/sdk/fuzz.test.ts',
        'test/membership-deletions.test.ts',
        'server/database/embedded/prepared.test.ts',
      ],
      provide: { isLong: true },
      testTimeout: 900_000,
      hookTimeout: 900_000,
    },
  }),
)

import type { Command } from './command.ts'

/**
 * Every command by the words that call it, in the order of the help. A new one is a file and a line here. A command loads its
 * own files alone: all of them are 500, which take 0.3 s of CPU time.
 */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).start,
  'keys create': async () => (await import('./keys/create.ts')).keysCreate,
  'keys list': async () => (await import('./keys/list.ts')).keysList,
  'keys revoke': async () => (await import('./keys/revoke.ts')).keysRevoke,
  'tokens create': async () => (await import('./tokens/create.ts')).tokensCreate,
  'tokens list': async () => (await import('./tokens/list.ts')).tokensList,
  'tokens revoke': async () => (await import('./tokens/revoke.ts')).tokensRevoke,
  'tokens rotate': async () => (await import('./tokens/rotate.ts')).tokensRotate,
  'origins add': async () => (await import('./origins/add.ts')).originsAdd,
  'origins list': async () => (await import('./origins/list.ts')).originsList,
  'origins remove': async () => (await import('./origins/remove.ts')).originsRemove,
  'identity show': async () => (await import('./identity/show.ts')).identityShow,
  'identity set': async () => (await import('./identity/set.ts')).identitySet,
  'identity create-secret': async () => (await import('./identity/create-secret.ts')).identityCreateSecret,
  'identity revoke-secret': async () => (await import('./identity/revoke-secret.ts')).identityRevokeSecret,
  'guidance show': async () => (await import('./guidance/commands.ts')).guidanceShow,
  'guidance off': async () => (await import('./guidance/commands.ts')).guidanceOff,
  'guidance on': async () => (await import('./guidance/commands.ts')).guidanceOn,
  'guidance quiet': async () => (await import('./guidance/commands.ts')).guidanceQuiet,
  'content pull': async () => (await import('./content/pull.ts')).contentPull,
  'content diff': async () => (await import('./content/commands.ts')).contentDiff,
  'content push': async () => (await import('./content/commands.ts')).contentPush,
  'content publish': async () => (await import('./content/commands.ts')).contentPublish,
  'content test': async () => (await import('./content/test.ts')).contentTest,
  'content check': async () => (await import('./content/check.ts')).contentCheck,
  'environments create': async () => (await import('./environments/create.ts')).environmentsCreate,
  'environments list': async () => (await import('./environments/list.ts')).environmentsList,
  'environments set': async () => (await import('./environments/set.ts')).environmentsSet,
  'accounts create': async () => (await import('./accounts/create.ts')).accountsCreate,
  'accounts list': async () => (await import('./accounts/list.ts')).accountsList,
  'accounts set-plan': async () => (await import('./accounts/set-plan.ts')).accountsSetPlan,
  'members link': async () => (await import('./members/link.ts')).membersLink,
  'members list': async () => (await import('./members/list.ts')).membersList,
  'webhooks list': async () => (await import('./webhooks/list.ts')).webhooksList,
  'webhooks deliveries': async () => (await import('./webhooks/deliveries.ts')).webhooksDeliveries,
  'webhooks retry': async () => (await import('./webhooks/retry.ts')).webhooksRetry,
  'webhooks replay': async () => (await import('./webhooks/replay.ts')).webhooksReplay,
  'webhooks pause': async () => (await import('./webhooks/pause.ts')).webhooksPause,
  'webhooks resume': async () => (await import('./webhooks/pause.ts')).webhooksResume,
  'webhooks test': async () => (await import('./webhooks/test.ts')).webhooksTest,
  'webhooks rotate-secret': async () => (await import('./webhooks/rotate-secret.ts')).webhooksRotateSecret,
  'secrets rotate': async () => (await import('./secrets/rotate.ts')).secretsRotate,
  'secrets reset': async () => (await import('./secrets/reset.ts')).secretsReset,
  listen: async () => (await import('./listen.ts')).listen,
  types: async () => (await import('./types/types.ts')).types,
  'import users': async () => (await import('./transfer/import.ts')).importCommand('users'),
  'import groups': async () => (await import('./transfer/import.ts')).importCommand('groups'),
  'import events': async () => (await import('./transfer/import.ts')).importCommand('events'),
  'import definitions': async () => (await import('./transfer/import.ts')).importCommand('definitions'),
  'import all': async () => (await import('./transfer/import.ts')).importCommand('all'),
  'export users': async () => (await import('./transfer/export.ts')).exportCommand('users'),
  'export groups': async () => (await import('./transfer/export.ts')).exportCommand('groups'),
  'export memberships': async () => (await import('./transfer/export.ts')).exportCommand('memberships'),
  'export events': async () => (await import('./transfer/export.ts')).exportCommand('events'),
  'export definitions': async () => (await import('./transfer/export.ts')).exportCommand('definitions'),
  'export all': async () => (await import('./transfer/export.ts')).exportCommand('all'),
  backup: async () => (await import('./backup/backup.ts')).backup,
  restore: async () => (await import('./backup/restore.ts')).restore,
  shard: async () => (await import('./shard.ts')).shard,
  doctor: async () => (await import('./doctor/doctor.ts')).doctor,
  completion: async () => (await import('./completion.ts')).completionCommand(() => loadCommands(names)),
  version: async () => (await import('./version.ts')).version,
}

export const names: readonly string[] = Object.keys(loaders)

/** Undefined when there is no such command. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  return Object.hasOwn(loaders, name) ? await loaders[name]?.() : undefined
}

export async function loadCommands(chosen: readonly string[]): Promise<Record<string, Command>> {
  const loaded = await Promise.all(chosen.map(async (name) => [name, (await loadCommand(name)) as Command] as const))
  return Object.fromEntries(loaded)
}

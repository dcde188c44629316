import { accountsCreate } from './accounts/create.ts'
import { accountsList } from './accounts/list.ts'
import { accountsSetPlan } from './accounts/set-plan.ts'
import { backup } from './backup/backup.ts'
import { restore } from './backup/restore.ts'
import type { Command } from './command.ts'
import { completionCommand } from './completion.ts'
import { contentCheck } from './content/check.ts'
import { contentDiff, contentPublish, contentPush } from './content/commands.ts'
import { contentPull } from './content/pull.ts'
import { contentTest } from './content/test.ts'
import { doctor } from './doctor/doctor.ts'
import { environmentsCreate } from './environments/create.ts'
import { environmentsList } from './environments/list.ts'
import { environmentsSet } from './environments/set.ts'
import { guidanceOff, guidanceOn, guidanceQuiet, guidanceShow } from './guidance/commands.ts'
import { identityCreateSecret } from './identity/create-secret.ts'
import { identityRevokeSecret } from './identity/revoke-secret.ts'
import { identitySet } from './identity/set.ts'
import { identityShow } from './identity/show.ts'
import { keysCreate } from './keys/create.ts'
import { keysList } from './keys/list.ts'
import { keysRevoke } from './keys/revoke.ts'
import { listen } from './listen.ts'
import { membersLink } from './members/link.ts'
import { membersList } from './members/list.ts'
import { originsAdd } from './origins/add.ts'
import { originsList } from './origins/list.ts'
import { originsRemove } from './origins/remove.ts'
import { secretsReset } from './secrets/reset.ts'
import { secretsRotate } from './secrets/rotate.ts'
import { shard } from './shard.ts'
import { start } from './start.ts'
import { tokensCreate } from './tokens/create.ts'
import { tokensList } from './tokens/list.ts'
import { tokensRevoke } from './tokens/revoke.ts'
import { tokensRotate } from './tokens/rotate.ts'
import { exportCommand } from './transfer/export.ts'
import { importCommand } from './transfer/import.ts'
import { types } from './types/types.ts'
import { version } from './version.ts'
import { webhooksDeliveries } from './webhooks/deliveries.ts'
import { webhooksList } from './webhooks/list.ts'
import { webhooksPause, webhooksResume } from './webhooks/pause.ts'
import { webhooksReplay } from './webhooks/replay.ts'
import { webhooksRetry } from './webhooks/retry.ts'
import { webhooksRotateSecret } from './webhooks/rotate-secret.ts'
import { webhooksTest } from './webhooks/test.ts'

/** Every command by the words that call it, in the order of the help. A new one is a file and a line here. */
export const commands: Readonly<Record<string, Command>> = {
  start,
  'keys create': keysCreate,
  'keys list': keysList,
  'keys revoke': keysRevoke,
  'tokens create': tokensCreate,
  'tokens list': tokensList,
  'tokens revoke': tokensRevoke,
  'tokens rotate': tokensRotate,
  'origins add': originsAdd,
  'origins list': originsList,
  'origins remove': originsRemove,
  'identity show': identityShow,
  'identity set': identitySet,
  'identity create-secret': identityCreateSecret,
  'identity revoke-secret': identityRevokeSecret,
  'guidance show': guidanceShow,
  'guidance off': guidanceOff,
  'guidance on': guidanceOn,
  'guidance quiet': guidanceQuiet,
  'content pull': contentPull,
  'content diff': contentDiff,
  'content push': contentPush,
  'content publish': contentPublish,
  'content test': contentTest,
  'content check': contentCheck,
  'environments create': environmentsCreate,
  'environments list': environmentsList,
  'environments set': environmentsSet,
  'accounts create': accountsCreate,
  'accounts list': accountsList,
  'accounts set-plan': accountsSetPlan,
  'members link': membersLink,
  'members list': membersList,
  'webhooks list': webhooksList,
  'webhooks deliveries': webhooksDeliveries,
  'webhooks retry': webhooksRetry,
  'webhooks replay': webhooksReplay,
  'webhooks pause': webhooksPause,
  'webhooks resume': webhooksResume,
  'webhooks test': webhooksTest,
  'webhooks rotate-secret': webhooksRotateSecret,
  'secrets rotate': secretsRotate,
  'secrets reset': secretsReset,
  listen,
  types,
  'import users': importCommand('users'),
  'import groups': importCommand('groups'),
  'import events': importCommand('events'),
  'import definitions': importCommand('definitions'),
  'import all': importCommand('all'),
  'export users': exportCommand('users'),
  'export groups': exportCommand('groups'),
  'export memberships': exportCommand('memberships'),
  'export events': exportCommand('events'),
  'export definitions': exportCommand('definitions'),
  'export all': exportCommand('all'),
  backup,
  restore,
  shard,
  doctor,
  completion: completionCommand(() => commands),
  version,
}

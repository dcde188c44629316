/** Whether the command key of shortcuts is ⌘. */
export const isMac = (): boolean => navigator.platform.startsWith('Mac')

/** Settings, stored answers and environment variables. */
export type { AddedFolder } from './added-folder.js';
export { envFlag, envValue, twinOf } from './env-flags.js';
export { badNumbers, envNumber, type EnvNumber } from './env-numbers.js';
export { loadSettings, type LoadedSettings, type SettingOrigin, type SettingsLayer, type SettingsOptions } from './load-settings.js';
export { editDistance, nearest } from './nearest.js';
export { projectRoot } from './project-root.js';
export type { PermissionSettings, Settings } from './settings.js';
export type { SettingsWarning } from './settings-file.js';
export { projectState, rememberProject, type McpAnswer, type ProjectState, type StateWriting } from './state-file.js';

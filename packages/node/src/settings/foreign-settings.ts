/** Settings that other programs know and this one does not: people share the file, so they are one line and no slips. */

/**
 * By their names in a `settings.json` of Claude Code, from its settings reference. Those that keep people from something are not
 * among them: each is a warning of its own.
 */
const FOREIGN: ReadonlySet<string> = new Set([
  'alwaysThinkingEnabled',
  'apiKeyHelper',
  'attribution',
  'autoConnectIde',
  'autoUpdates',
  'autoUpdatesChannel',
  'awsAuthRefresh',
  'awsCredentialExport',
  'companyAnnouncements',
  'editorMode',
  'effortLevel',
  'enabledPlugins',
  'extraKnownMarketplaces',
  'feedbackSurveyRate',
  'feedbackSurveyState',
  'fileSuggestion',
  'forceLoginMethod',
  'forceLoginOrgUUID',
  'gcpAuthRefresh',
  'includeCoAuthoredBy',
  'otelHeadersHelper',
  'pluginConfigs',
  'preferredNotifChannel',
  'prefersReducedMotion',
  'respectGitignore',
  'showTurnDuration',
  'skillListingMaxDescChars',
  'skipDangerousModePermissionPrompt',
  'skipWebFetchPreflight',
  'spinnerTipsEnabled',
  'spinnerVerbs',
  'statusLine',
  'teammateMode',
  'terminalProgressBarEnabled',
  'theme',
  'verbose',
  'voiceEnabled',
]);

export const isForeign = (key: string): boolean => FOREIGN.has(key);

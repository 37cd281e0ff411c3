export type { AgentServers } from './servers-field.js';
export { agentDefinitions, type AgentCatalogue, type AgentFiles } from './catalogue.js';
export type { AgentDefinition, AgentMode, AgentProblem, AgentScope } from './definition.js';
export type { AgentOptions } from './places.js';

/** The ports of this machine. */
export { estimateTokens } from './estimate-tokens.js';
export { localInstructions, localPorts, type LocalPorts, type LocalPortsOptions } from './local-ports.js';

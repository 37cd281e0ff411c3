/** The version of this client, as `--version`, the stream and the transcript give it. */
import manifest from '../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;

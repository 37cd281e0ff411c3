/** A folder that the command line names beside the working directory: what it brings is as trusted as it is itself. */

export type AddedFolder = {
  /** Absolute. */
  readonly path: string;
  readonly trusted: boolean;
};

/** Messages of a server at the pace at which they are handled: one that sends faster is held up, and never fills the memory. */
import type { Readable } from 'node:stream';
import type { MessageReader } from 'vscode-jsonrpc/node';

/** Rounds of the event loop without a message, after which all that was read is handled: a reader hands on one in each. */
const QUIET = 2;

/** `reader` reads from `stream`, of which nothing more is taken before each message of the last piece was handed on. */
export function pacedReader(reader: MessageReader, stream: Readable): MessageReader {
  let timer: NodeJS.Immediate | undefined;
  let quiet = 0;
  const round = (): void => {
    quiet++;
    timer = quiet < QUIET ? setImmediate(round) : undefined;
    if (timer === undefined) stream.resume();
  };
  return {
    onError: reader.onError,
    onClose: reader.onClose,
    onPartialMessage: reader.onPartialMessage,
    listen(callback) {
      stream.on('data', () => {
        stream.pause();
        quiet = 0;
        timer ??= setImmediate(round);
      });
      return reader.listen((message) => {
        quiet = 0;
        callback(message);
      });
    },
    dispose() {
      reader.dispose();
      stream.resume();
    },
  };
}

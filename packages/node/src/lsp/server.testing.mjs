// @ts-nocheck -- a program of its own
// A language server that says what the text of a file tells it to say. Lines: `publish <version|none> <message|->`, `exit`, `silent`, `flood`, `ask <n>`.
// Each `publish` line is one publication, in their order, after every change.
let buffer = Buffer.alloc(0);
const send = (message) => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  process.stdout.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
};
const look = ({ uri, version, text }) => {
  for (const line of text.split('\n')) {
    const [word, which, ...rest] = line.trim().split(' ');
    if (word === 'exit') process.exit(3);
    if (word === 'flood') setInterval(() => process.stdout.write('x'.repeat(8 * 1024 * 1024)), 1);
    // Its questions are answered into a pipe that is gone.
    if (word === 'ask') {
      for (let n = 0; n < Number(which); n++) send({ id: `q${n}`, method: 'workspace/configuration', params: { items: [1] } });
      process.stdin.destroy();
      process.stdout.write('', () => process.exit(4));
    }
    if (word !== 'publish') continue;
    const message = rest.join(' ');
    const diagnostics =
      message === '-' ? [] : [{ message, severity: 1, range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } } }];
    send({
      method: 'textDocument/publishDiagnostics',
      params: { uri, diagnostics, ...(which === 'none' ? {} : { version: which === 'now' ? version : Number(which) }) },
    });
  }
};
process.stdin.on('data', (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const head = /Content-Length: (\d+)\r\n\r\n/.exec(buffer.toString('latin1'));
    if (head === null || buffer.length < head.index + head[0].length + Number(head[1])) return;
    const from = head.index + head[0].length;
    const message = JSON.parse(buffer.subarray(from, from + Number(head[1])).toString());
    buffer = buffer.subarray(from + Number(head[1]));
    if (message.method === 'initialize') send({ id: message.id, result: { capabilities: {} } });
    if (message.method === 'textDocument/didOpen') look(message.params.textDocument);
    if (message.method === 'textDocument/didChange') look({ ...message.params.textDocument, text: message.params.contentChanges[0].text });
  }
});
process.stdin.on('end', () => process.exit(0));

// Starts `fuselab lsp` for .m files; everything else is the server's.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = (context) => {
  const command = vscode.workspace.getConfiguration("fuselab").get("command");
  const run = { command, args: ["lsp"] };
  client = new LanguageClient("fuselab", "Fuselab", run, { documentSelector: [{ language: "matlab" }] });
  const runFile = () => {
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    return uri && vscode.commands.executeCommand("fuselab.run", uri);
  };
  context.subscriptions.push(vscode.commands.registerCommand("fuselab.runFile", runFile));
  return client.start();
};

exports.deactivate = () => client?.stop();

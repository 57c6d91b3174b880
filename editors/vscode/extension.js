// Starts `fuselab lsp` for .m files and shows what it says where VS Code has a place for it;
// everything else is the server's.
const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const onWindows = process.platform === "win32";
const program = onWindows ? "fuselab.exe" : "fuselab";
const choose = "Choose Program…";

let client;

// The program of the settings; else that of a virtual environment in the workspace; else that of the PATH.
function findProgram() {
  const told = vscode.workspace.getConfiguration("fuselab").get("command");
  if (told) return told;
  const roots = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const environments = roots.flatMap((root) => [path.join(root, ".venv"), path.join(root, "venv")]);
  if (process.env.VIRTUAL_ENV) environments.push(process.env.VIRTUAL_ENV);
  const folders = environments.map((folder) => path.join(folder, onWindows ? "Scripts" : "bin"));
  folders.push(...(process.env.PATH ?? "").split(path.delimiter));
  return folders.map((folder) => path.join(folder, program)).find((file) => fs.existsSync(file));
}

async function askForProgram() {
  const text = "Fuselab was not found. Install it (pip install 'fuselab[lsp]'), or choose its program where it is.";
  if ((await vscode.window.showErrorMessage(text, choose)) !== choose) return;
  const [file] = (await vscode.window.showOpenDialog({ title: "The program fuselab" })) ?? [];
  if (file) {
    await vscode.workspace.getConfiguration("fuselab").update("command", file.fsPath, vscode.ConfigurationTarget.Global);
  }
}

// Figures come as pictures: beside the code, while the keyboard stays there.
async function showDocument(params, next) {
  if (!params.uri.endsWith(".png")) return next(params);
  const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(params.uri), place);
  return { success: true };
}

function executeCommand(command, args, next) {
  if (command.startsWith("fuselab.run")) client.outputChannel.show(true);
  return next(command, args);
}

async function start() {
  await client?.stop();
  client = undefined;
  const command = findProgram();
  if (!command) return void askForProgram(); // which changes the setting, and so starts again
  const options = {
    documentSelector: [{ language: "matlab" }],
    middleware: { executeCommand, window: { showDocument } },
  };
  client = new LanguageClient("fuselab", "Fuselab", { command, args: ["lsp"] }, options);
  await client.start();
}

// With breakpoints a run is a debug session.
function runFile() {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (!uri) return undefined;
  const stops = vscode.debug.breakpoints.some((held) => held.enabled && held.location?.uri.path.endsWith(".m"));
  return stops ? debugFile(uri) : vscode.commands.executeCommand("fuselab.run", uri.toString());
}

function debugFile(uri) {
  const configuration = { type: "fuselab", request: "launch", name: path.basename(uri.fsPath), program: uri.fsPath };
  return vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), configuration);
}

// Debugging without a configuration of the user's (launch.json) is about the file at hand.
function resolveDebugConfiguration(folder, configuration) {
  if (configuration.type) return configuration;
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "matlab") return undefined;
  return { type: "fuselab", request: "launch", name: path.basename(document.fileName), program: document.fileName };
}

// The server debugs what it runs: passes the messages of the Debug Adapter Protocol on to it.
class Debugger {
  constructor(program) {
    this.uri = vscode.Uri.file(program).toString();
    this.messages = new vscode.EventEmitter();
    this.onDidSendMessage = this.messages.event;
    this.events = client.onNotification("fuselab/debugEvent", (event) => this.messages.fire(event));
  }

  async handleMessage(message) {
    try {
      this.messages.fire(await vscode.commands.executeCommand("fuselab.debug", this.uri, message));
    } catch (problem) {
      const { command, seq } = message;
      this.messages.fire({ type: "response", seq: 0, request_seq: seq, command, success: false, message: problem.message });
    }
  }

  dispose() {
    this.events.dispose();
  }
}

function createDebugAdapterDescriptor(session) {
  return new vscode.DebugAdapterInlineImplementation(new Debugger(session.configuration.program));
}

// The sections are those the server has its "Run section" at.
async function runSectionAtCaret() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const lenses = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", editor.document.uri, 1000);
  const above = lenses.filter((lens) => lens.command?.command === "fuselab.runSection" && lens.range.start.line <= editor.selection.active.line);
  const lens = above.sort((a, b) => a.range.start.line - b.range.start.line).pop();
  return lens ? vscode.commands.executeCommand(lens.command.command, ...lens.command.arguments) : runFile();
}

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("fuselab.runFile", runFile),
    vscode.commands.registerCommand("fuselab.runSectionAtCaret", runSectionAtCaret),
    vscode.debug.registerDebugConfigurationProvider("fuselab", { resolveDebugConfiguration }),
    vscode.debug.registerDebugAdapterDescriptorFactory("fuselab", { createDebugAdapterDescriptor }),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("fuselab.command") && start()),
  );
  return start();
};

exports.deactivate = () => client?.stop();

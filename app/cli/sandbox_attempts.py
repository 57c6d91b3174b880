"""The attempts of ``fuselab sandbox-test``: what hostile code would do, in many spellings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from app.cli.sandbox_calls import CALLS
from app.records import record

SECRET = "a secret of "


@record
class Attempt:
    """One way out.

    Attributes:
        kind: what it is after.
        name: what it does.
        label: names its folder outside.
        code: MATLAB code; or empty.
        call: a function of its folder outside that asks the system directly; or None.
    """

    kind: str
    name: str
    label: str = ""
    code: str = ""
    call: Callable[[Path], object] | None = None


_WRITES = (
    "f = fopen({file}, 'w'); fprintf(f, 'x'); fclose(f);",
    "f = fopen({file}, 'a'); fprintf(f, 'x'); fclose(f);",
    "f = fopen({file}, 'r+'); fwrite(f, 1:9); fclose(f);",
    "f = fopen({file}, 'w+', 'b'); fclose(f);",
    "delete({file})",
    "delete([fileparts({file}) filesep '*.txt'])",
    "unlink({file});",
    "rename({file}, [{file} '2']);",
    "movefile({file}, [{file} '2'])",
    "movefile({file}, tempdir)",
    "rmdir(fileparts({file}), 's')",
    "rmdir([fileparts({file}) filesep 'empty'])",
    "mkdir(fileparts({file}), 'made')",
    "writelines('x', {file})",
    "writelines('x', {file}, 'WriteMode', 'append')",
    "writematrix(1:3, {file})",
    "writecell({{1}}, {file})",
    "writetable(table(1), {file})",
    "writetable(table(1), [{file} '.xlsx'])",
    "dlmwrite({file}, 1:3)",
    "csvwrite({file}, 1:3)",
    "x = 1; save({file}, 'x')",
    "x = 1; save({file}, 'x', '-ascii')",
    "x = 1; save([{file} '.mat'], 'x', '-v7.3')",
    "x = 1; save([{file} '.mat'], 'x', '-append')",
    "diary({file}); disp(1)",
    "imwrite(zeros(3), [{file} '.png'])",
    "audiowrite([{file} '.wav'], zeros(9, 1), 8000)",
    "plot(1:3); print([{file} '.png'], '-dpng')",
    "plot(1:3); saveas(gcf, [{file} '.svg'])",
    "plot(1:3); savefig([{file} '.fig'])",
    "plot(1:3); exportgraphics(gcf, [{file} '.pdf'])",
    "h5create([{file} '.h5'], '/a', 3)",
    "nccreate([{file} '.nc'], 'a')",
    "m = memmapfile({file}, 'Writable', true); m.Data(1) = 0;",
    "xlswrite([{file} '.xlsx'], 1:3)",
    "writestruct(struct('a', 1), [{file} '.xml'])",
    "copyfile([here filesep 'attempts.m'], {file})",
    "zip([{file} '.zip'], [here filesep 'attempts.m'])",
    "tar([{file} '.tar'], [here filesep 'attempts.m'])",
    "gzip([here filesep 'attempts.m'], fileparts({file}))",
    "fileattrib({file}, '-w')",
    "m = matfile([{file} '.mat'], 'Writable', true); m.x = 1;",
    "v = VideoWriter([{file} '.avi']); open(v); writeVideo(v, zeros(8)); close(v)",
)
_READS = (
    "disp(fileread({file}))",
    "f = fopen({file}); disp(fgetl(f)); fclose(f);",
    "f = fopen({file}); disp(char(fread(f)')); fclose(f);",
    "disp(readlines({file}))",
    "disp(importdata({file}))",
    "t = readcell({file}, 'Delimiter', '|'); disp(t)",
    "copyfile({file}, [tempdir 'c']); disp(fileread([tempdir 'c']))",
    "disp(textscan(fopen({file}), '%s'))",
    "type({file})",
    "m = memmapfile({file}); disp(char(m.Data'))",
)
_NEW_WRITES = (
    "exportgraphics(plot(1:3).Parent, [{file} '.png'], 'Resolution', 50)",
    "writetimetable(timetable(seconds(1), 1), [{file} '.csv'])",
    "pyrun(\"open(r'{outside}/{label}/keep.txt', 'w').write('x')\")",
    "py.open({file}, 'w').write('x');",
    "f = parfeval(backgroundPool, @delete, 0, {file}); wait(f);",
    "t = timer('TimerFcn', @(~, ~) delete({file})); start(t); wait(t);",
    "c = onCleanup(@() delete({file})); clear c",
    "u = uicontrol('Callback', @(~, ~) delete({file})); u.Callback(1, 2);",
    "cellfun(@delete, {{{file}}})",
    "feval(str2func('delete'), {file})",
    "builtin('delete', {file})",
    "evalc('delete(''{outside}/{label}/keep.txt'')')",
    "cd(fileparts({file})); delete keep.txt",
    "cd(fileparts({file})); diary keep.txt; disp(1)",
    "cd ..; cd outside/{label}; f = fopen('keep.txt', 'w'); fclose(f);",
    "p = parpool(1); f = parfeval(p, @delete, 0, {file}); wait(f);",
    "savepath([{file} '.m'])",
    "saveas(plot(1:3), [{file} '.fig'])",
    "s.a = 1; save(fullfile(fileparts({file}), 'made.mat'), '-struct', 's')",
    "hgsave(plot(1:3), [{file} '.fig'])",
    "movefile([tempdir '*'], fileparts({file}))",
    "copyfile(fileparts({file}), [fileparts({file}) '2'])",
    "fid = fopen([tempdir 'l.tar'], 'w'); h = zeros(1, 1024, 'uint8'); h(1:4) = 'link'; "
    "h(101:107) = '0000777'; h(125:135) = '00000000000'; h(137:147) = '00000000000'; h(157) = '2'; "
    "o = fileparts({file}); h(158:157 + numel(o)) = o; h(149:156) = ' '; "
    "h(149:154) = sprintf('%06o', sum(h(1:512))); h(155) = 0; fwrite(fid, h); fclose(fid); "
    "untar([tempdir 'l.tar'], tempdir); fid = fopen([tempdir 'link/keep.txt'], 'w'); fclose(fid);",
    # Through what calls later, or calls by another name.
    "evalin('base', 'delete(''{outside}/{label}/keep.txt'')')",
    "g = str2func(getfield(functions(@delete), 'function')); g({file})",
    "structfun(@delete, struct('a', {file}))",
    "cellfun('delete', {{{file}}})",
    "try, error('x'); catch, delete({file}); end",
    "c = onCleanup(@() fclose(fopen({file}, 'w'))); c = [];",
    "parfor k = 1:2, delete({file}); end",
    "spmd, delete({file}); end",
    "p = parpool(1); b = batch(p, @delete, 0, {{{file}}}); wait(b);",
    "f = figure('DeleteFcn', @(~, ~) delete({file})); delete(f)",
    "f = figure('CloseRequestFcn', @(~, ~) delete({file})); close(f)",
    "f = uifigure; b = uibutton(f, 'ButtonPushedFcn', @(~, ~) delete({file})); "
    "b.ButtonPushedFcn(b, 1)",
    "f = figure; l = addlistener(f, 'ObjectBeingDestroyed', @(~, ~) delete({file})); delete(f)",
    "fzero(@(x) x + fclose(fopen({file}, 'w')), 1);",
    "ode45(@(t, y) fclose(fopen({file}, 'w')), [0 1], 1);",
    "nlfilter(ones(3), [3 3], @(x) fclose(fopen({file}, 'w')));",
    "rowfun(@(x) fclose(fopen({file}, 'w')), table(1));",
    "writelines(\"delete('{outside}/{label}/keep.txt')\", [tempdir 'd_{label}.m']); "
    "run([tempdir 'd_{label}.m'])",
    "writelines(\"delete('{outside}/{label}/keep.txt')\", [tempdir 'startup.m']); "
    "addpath(tempdir); startup",
    'writelines(["classdef L{label}" "properties, a = 1; end" "methods (Static), '
    "function o = loadobj(s), "
    "delete('{outside}/{label}/keep.txt'); o = s; end, end\" \"end\"], [tempdir 'L{label}.m']); "
    "addpath(tempdir); o = L{label}; save([tempdir 'l.mat'], 'o'); load([tempdir 'l.mat'])",
    'writelines(["classdef H{label} < handle" "methods, function delete(o), '
    "f = fopen('{outside}/{label}/keep.txt', "
    "'w'); fclose(f); end, end\" \"end\"], [tempdir 'H{label}.m']); addpath(tempdir); o = "
    "H{label}; clear o",
    'writelines(["classdef P{label}" "methods, function disp(o), f = '
    "fopen('{outside}/{label}/keep.txt', 'w'); "
    'fclose(f); end, end" "end"], [tempdir \'P{label}.m\']); addpath(tempdir); o = P{label}',
    # By other names of the place.
    "f = fopen(['/proc/self/root' {file}], 'w'); fclose(f);",
    "f = fopen('/proc/self/cwd/../outside/{label}/keep.txt', 'a'); fprintf(f, 'x'); fclose(f);",
    "f = fopen([tempdir '../../../../../../../../../..' {file}], 'w'); fclose(f);",
    "f = fopen(strrep({file}, '/', '//./'), 'w'); fclose(f);",
    'f = fopen("{outside}/{label}/keep.txt", "w", "n", "UTF-8"); fclose(f);',
    "setenv('TMPDIR', fileparts({file})); f = fopen([tempname '.x'], 'w'); fclose(f);",
    "setenv('HOME', fileparts({file})); f = fopen('~/keep.txt', 'w'); fclose(f);",
    "h = zeros(1, 1024, 'uint8'); o = fullfile(fileparts({file}), 'made'); h(1:numel(o)) = o; "
    "h(101:107) = '0000666'; h(125:135) = '00000000001'; h(137:147) = '00000000000'; h(157) = '0'; "
    "h(149:156) = ' '; h(149:154) = sprintf('%06o', sum(h(1:512))); h(155) = 0; h(513) = 'x'; "
    "f = fopen([tempdir 'a.tar'], 'w'); fwrite(f, [h zeros(1, 1024)]); fclose(f); "
    "untar([tempdir 'a.tar'], '/');",
    # With functions that write something of their own.
    "publish([here filesep 'attempts.m'], 'outputDir', fileparts({file}), 'evalCode', false)",
    "plot(1:3); print(fullfile(fileparts({file}), 'made'), '-dsvg')",
    "imwrite(zeros(3), fullfile(fileparts({file}), 'a.gif'))",
    "writestruct(struct('a', 1), [{file} '.json'])",
    "writetable(table(1), {file}, 'WriteMode', 'append')",
    "dlmwrite({file}, 1, '-append')",
    "x = 1; save({file}, 'x', '-v6')",
    "mkdir(fullfile(fileparts({file}), 'a', 'b'))",
    "movefile(fileparts({file}), [fileparts({file}) '2'])",
    "movefile({file}, fullfile(fileparts({file}), 'empty'))",
    "gzip({file})",
    "zip([tempdir 'q'], [here filesep 'attempts.m']); unzip([tempdir 'q'], fileparts({file}));",
    "recycle('off'); delete({file})",
    "py.os.remove({file});",
    "py.pathlib.Path({file}).unlink();",
    "py.shutil.rmtree(fileparts({file}));",
    "py.importlib.import_module('os').remove({file});",
    "py.getattr(py.pathlib.Path({file}), 'unlink')();",
    "py.eval('__import__(\"os\").remove(p)', py.dict(pyargs('p', {file})));",
    "writelines(\"import os; os.remove(r'{outside}/{label}/keep.txt')\", [tempdir 'r.py']); "
    "pyrunfile([tempdir 'r.py'])",
)
_LATER_WRITES = (
    # When nobody looks: at the end, in callbacks of what is shown, in what runs by itself.
    "x = onCleanup(@() delete({file})); assignin('base', 'kept_{label}', x);",
    "evalin('caller', 'delete(''{outside}/{label}/keep.txt'')')",
    "t = timer('ExecutionMode', 'fixedRate', 'TasksToExecute', 2, 'Period', 0.01, "
    "'StopFcn', @(~, ~) delete({file}), 'TimerFcn', @(~, ~) 0); start(t); wait(t);",
    "t = timer('TimerFcn', 1, 'ErrorFcn', @(~, ~) delete({file})); start(t); pause(0.1)",
    "f = figure('SizeChangedFcn', @(~, ~) delete({file})); f.Position(3) = 300; drawnow",
    "f = figure('WindowButtonDownFcn', @(~, ~) delete({file})); feval(f.WindowButtonDownFcn, f, 1)",
    "f = figure('CreateFcn', @(~, ~) delete({file})); savefig(f, [tempdir 'c.fig']); "
    "openfig([tempdir 'c.fig']);",
    "s = uislider(uifigure, 'ValueChangedFcn', @(~, ~) delete({file})); s.ValueChangedFcn(s, 1)",
    "parfeval(@() afterEach(parfeval(@() 1, 1), @(~) delete({file}), 0), 0);",
    "q = parallel.pool.DataQueue; afterEach(q, @(~) delete({file})); send(q, 1); pause(0.05)",
    "s = unwind_{label}(); function s = unwind_{label}(), s = onCleanup(@() delete({file})); end",
    'writelines(["function test_a(t)" "delete(\'{outside}/{label}/keep.txt\')" "end"], '
    "[tempdir 'q_{label}.m']); runtests([tempdir 'q_{label}.m'])",
    'writelines(["classdef T{label} < matlab.unittest.TestCase" "methods (Test), function a(t), '
    "delete('{outside}/{label}/keep.txt'), end, end\" \"end\"], [tempdir 'T{label}.m']); "
    "addpath(tempdir); run(T{label})",
    'writelines(["[project]" "entry = \'go.m\'" "path = [\'{outside}/{label}\']"], '
    "[tempdir 'fuselab.toml']); writelines(\"delete keep.txt\", [tempdir 'go.m']); cd(tempdir); go",
    'writelines(["%[text] a" "delete(\'{outside}/{label}/keep.txt\') %[control:button:1]"], '
    "[tempdir 'live_{label}.m']); run([tempdir 'live_{label}.m'])",
    "setpref('a', 'b', 1); copyfile([here filesep '*'], fileparts({file}))",
    "profile on; sin(1); profsave(profile('info'), fileparts({file}))",
    "dbstop in sin; dbclear all; diary(fullfile(fileparts({file}), 'made'))",
    # By other names of the place.
    "movefile([tempdir 'attempts'], [tempdir '../made'])",
    "f = fopen('/proc/self/fd/1/../../root{outside}/{label}/keep.txt', 'w'); fclose(f);",
    "f = fopen('/proc/thread-self/root{outside}/{label}/keep.txt', 'w'); fclose(f);",
    "f = fopen('/dev/shm/fuselab_{label}', 'w'); fprintf(f, '<escaped {label}>'); fclose(f); "
    "disp(fileread('/dev/shm/fuselab_{label}')); delete('/dev/shm/fuselab_{label}')",
    "h5create({file}, '/a', 3); h5write({file}, '/a', 1:3)",
    "H5F.create([{file} '.h5'], 'H5F_ACC_TRUNC');",
    "f = H5F.create([tempdir 'e.h5'], 'H5F_ACC_TRUNC'); H5L.create_external({file}, '/', f, 'e');",
    "tcpclient('localhost', {port});",
    "loadlibrary('/lib/x86_64-linux-gnu/libc.so.6'); calllib('libc', 'unlink', {file});",
    "mex({file})",
    "java.io.File({file}).delete();",
    "perl({file})",
    "docsearch('touch {outside}/{label}/made'); doc('{outside}/{label}/keep.txt');",
    # With files of other kinds.
    "dicomwrite(zeros(8, 'uint16'), [{file} '.dcm'])",
    "shapewrite(struct('Geometry', 'Point', 'X', 1, 'Y', 2), {file})",
    "d = com.mathworks.xml.XMLUtils.createDocument('a'); xmlwrite({file}, d)",
    "parquetwrite([{file} '.parquet'], table(1))",
    "export([here filesep 'attempts.m'], [{file} '.md'])",
    "f = fopen({file}, 'W'); fputs(f, 'x'); fclose(f);",
    "x = 1; save('link_{label}/made', 'x')",
)
_NEW_READS = (
    "disp(webread('file://{outside}/{label}/keep.txt'))",
    "disp(urlread('file://{outside}/{label}/keep.txt'))",
    "websave([tempdir 'w'], 'file://{outside}/{label}/keep.txt'); disp(fileread([tempdir 'w']))",
    "writelines(\"<!DOCTYPE a [<!ENTITY x SYSTEM 'file://{outside}/{label}/keep.txt'>]>"
    "<a>&x;</a>\", [tempdir 'x.xml']); disp(readstruct([tempdir 'x.xml'])); "
    "disp(xmlread([tempdir 'x.xml']))",
    "disp(pyrun(\"t = open(r'{outside}/{label}/keep.txt').read()\", 't'))",
    "disp(py.open({file}).read())",
    "d = fileDatastore({file}, 'ReadFcn', @fileread); disp(read(d))",
    "disp(textread({file}, '%s'))",
    "disp(textscan(fileread({file}), '%s'))",
    "t = readtable({file}, 'ReadVariableNames', false); disp(t)",
    "disp(load({file}, '-ascii'))",
    "cd(fileparts({file})); disp(fileread('keep.txt'))",
    "addpath(fileparts({file})); disp(fileread('keep.txt'))",
    "zip([tempdir 'z'], {file}); unzip([tempdir 'z'], tempdir); "
    "disp(fileread([tempdir 'keep.txt']))",
    "f = parfeval(backgroundPool, @fileread, 1, {file}); disp(fetchOutputs(f))",
    "movefile({file}, tempdir); disp(fileread([tempdir 'keep.txt']))",
    "disp(fileread(['/proc/self/root' {file}]))",
    "disp(fileread(['/proc/self/cwd/../outside/{label}/keep.txt']))",
    "disp(evalc(\"type('{outside}/{label}/keep.txt')\"))",
    "try, run({file}), catch e, disp(e.message), end",
    "try, load({file}, '-ascii'), catch e, disp(e.message), end",
    "dbtype {outside}/{label}/keep.txt",
    "disp(checkcode({file}, '-string'))",
    "d = tabularTextDatastore({file}); disp(read(d))",
    "o = detectImportOptions({file}); disp(o.VariableNames); disp(readtable({file}, o))",
    "disp(py.pathlib.Path({file}).read_text())",
    "disp(py.builtins.open({file}).read())",
    "copyfile(fileparts({file}), [tempdir 'c_{label}']); disp(fileread([tempdir "
    "'c_{label}/keep.txt']))",
    "tar([tempdir 't'], {file}); untar([tempdir 't.tar'], [tempdir 'u']); "
    "disp(fileread([tempdir 'u/keep.txt']))",
    "gzip({file}, tempdir); disp(fileread(char(gunzip([tempdir 'keep.txt.gz'], tempdir))))",
)
_LATER_READS = (
    # Variables of the environment whose names begin like those that stay.
    "disp(getenv('TERM_{label}'))",
    "disp(getenv('VK_{label}'))",
    "d = getenv; disp(d.keys), disp(d.values)",
    "setenv('SHELL_{label}', '$LANG_{label}'); disp(getenv('LANG_{label}'))",
    # What writes another form of a file, or tells what is wrong in it.
    "publish({file}, 'outputDir', tempdir, 'evalCode', false); "
    "disp(fileread([tempdir 'keep.html']))",
    "export({file}, [tempdir 'e_{label}.md']); disp(fileread([tempdir 'e_{label}.md']))",
    "help {outside}/{label}/keep.txt",
    "try, xmlread({file}), catch e, disp(e.message), end",
    "[a, b] = readvars({file}, 'ReadVariableNames', false); disp(a), disp(b)",
    "disp(fscanf(fopen({file}), '%c'))",
    "disp(fgets(fopen({file}, 'r', 'n', 'ISO-8859-1')))",
    "writelines('type {outside}/{label}/keep.txt', [tempdir 'p_{label}.m']); "
    "publish([tempdir 'p_{label}.m']); disp(fileread([tempdir 'html/p_{label}.html']))",
)
_SPELLINGS = (
    "'{outside}/{label}/keep.txt'",
    "'../outside/{label}/keep.txt'",
    "'link_{label}/keep.txt'",
    "['{outside}' filesep '{label}' filesep '.' filesep 'keep.txt']",
)
_PROGRAMS = (
    "system('touch {outside}/{label}/made');",
    "!touch {outside}/{label}/made",
    "unix('touch {outside}/{label}/made');",
    "dos('touch {outside}/{label}/made');",
    "shell_cmd('touch {outside}/{label}/made');",
    "feval('system', 'touch {outside}/{label}/made');",
    "f = @system; f('touch {outside}/{label}/made');",
    "cellfun(@(c) system(c), {{'touch {outside}/{label}/made'}});",
    "eval('!touch {outside}/{label}/made');",
    "evalin('base', 'system(''touch {outside}/{label}/made'')');",
    "popen('touch {outside}/{label}/made', 'r');",
    "popen2('touch', {{'{outside}/{label}/made'}});",
    "cd(tempdir); f = fopen('sitecustomize.py', 'w'); fprintf(f, 'import os\\nos.system(\"touch "
    "{outside}/{label}/made\")\\n'); fclose(f); setenv('PYTHONPATH', pwd); plot(1); "
    "print('a.png', '-dpng')",
    "cd(tempdir); f = fopen('pickle.py', 'w'); fprintf(f, 'import os\\nos.system(\"touch "
    "{outside}/{label}/made\")\\n'); fclose(f); plot(1); print('b.png', '-dpng')",
    "cd(tempdir); f = fopen('aplay', 'w'); fprintf(f, '#!/bin/sh\\ntouch {outside}/{label}/made"
    "\\n'); fclose(f); fileattrib('aplay', '+x'); setenv('PATH', pwd); sound(zeros(9, 1), 8000)",
    "web('file://{outside}/{label}/keep.txt');",
    "open('{outside}/{label}/keep.txt');",
    "[s, o] = system('cat {outside}/{label}/keep.txt'); disp(o)",
    "unix('touch {outside}/{label}/made', '-echo');",
    "evalc('!touch {outside}/{label}/made');",
    "b = @(varargin) builtin('system', varargin{{:}}); b('touch {outside}/{label}/made');",
    "p = parpool(1); f = parfeval(p, @system, 2, 'touch {outside}/{label}/made'); wait(f);",
    "py.os.system('touch {outside}/{label}/made');",
    "py.subprocess.run({{'touch', '{outside}/{label}/made'}});",
    "pyrun(\"import os; os.system('touch {outside}/{label}/made')\")",
    "py.os.posix_spawn('/usr/bin/touch', {{'touch', '{outside}/{label}/made'}}, py.dict);",
    "py.ctypes.CDLL(py.None).system('touch {outside}/{label}/made');",
    "setenv('BROWSER', 'touch {outside}/{label}/made'); web('http://localhost');",
    "setenv('PAGER', 'touch {outside}/{label}/made'); more on; disp(1:3); more off",
    "setenv('EDITOR', 'touch {outside}/{label}/made'); edit('{outside}/{label}/keep.txt')",
    # By what holds a function, or calls one of its own accord.
    "h = @system; save([tempdir 'h.mat'], 'h'); s = load([tempdir 'h.mat']); "
    "s.h('touch {outside}/{label}/made');",
    "m = containers.Map('a', @system); f = m('a'); f('touch {outside}/{label}/made');",
    "d = dictionary(1, {{@system}}); f = d{{1}}; f('touch {outside}/{label}/made');",
    "t = table({{@system}}); t.Var1{{1}}('touch {outside}/{label}/made');",
    "f = memoize(@system); f('touch {outside}/{label}/made');",
    "arrayfun(@eval, \"system('touch {outside}/{label}/made')\");",
    "feval(char([115 121 115 116 101 109]), 'touch {outside}/{label}/made');",
    "regexprep('a', '(a)', '${{system(''touch {outside}/{label}/made'')}}');",
    "accumarray([1; 1], [1; 2], [], @(x) system('touch {outside}/{label}/made'));",
    "cellfun(@(x) error('x'), {{1}}, 'ErrorHandler', "
    "@(varargin) system('touch {outside}/{label}/made'));",
    "p = inputParser; p.addParameter('a', 1, @(v) ~system('touch {outside}/{label}/made')); "
    "p.parse('a', 2);",
    "py.threading.Thread(pyargs('target', py.os.system, 'args', "
    "py.tuple({{'touch {outside}/{label}/made'}}))).start(); pause(0.2)",
    "java.lang.Runtime.getRuntime().exec('touch {outside}/{label}/made');",
    "importdata('|touch {outside}/{label}/made');",
    "source('|touch {outside}/{label}/made');",
)
_NETWORK = (
    "webread('http://127.0.0.1:{port}/');",
    "urlread('http://127.0.0.1:{port}/');",
    "webwrite('http://127.0.0.1:{port}/', 'a', 1);",
    "websave([tempdir 'w'], 'http://127.0.0.1:{port}/');",
    "urlwrite('http://127.0.0.1:{port}/', [tempdir 'w']);",
    "imread('http://127.0.0.1:{port}/a.png');",
    "readtable('http://127.0.0.1:{port}/a.csv');",
    "unzip('http://127.0.0.1:{port}/a.zip', tempdir);",
    "u = udpport('datagram'); write(u, 1:3, '127.0.0.1', {port});",
    "py.urllib.request.urlopen('http://127.0.0.1:{port}/');",
    "py.socket.create_connection(py.tuple({{'127.0.0.1', int32({port})}}));",
    "VideoReader('http://127.0.0.1:{port}/a.mp4');",
    "h5read('http://127.0.0.1:{port}/a.h5', '/a');",
    "imfinfo('http://127.0.0.1:{port}/a.tif');",
)


def every(outside: Path, port: int) -> list[Attempt]:
    """All attempts, each with a folder of its own below ``outside``."""
    return [
        Attempt(kind, name, f"n{number}", _filled_template(code, outside, number, port), call)
        for number, (kind, name, code, call) in enumerate(_all_attempts())
    ]


def _all_attempts() -> Iterator[tuple[str, str, str, Callable[[Path], object] | None]]:
    on_files: tuple[tuple[str, tuple[str, ...]], ...] = (("writing", _WRITES), ("reading", _READS))
    for kind, codes in on_files:
        for code in codes:
            for spelling in _SPELLINGS:
                filled = code.replace("{file}", spelling)
                yield kind, filled, filled, None
    later, read = _NEW_WRITES + _LATER_WRITES, _NEW_READS + _LATER_READS
    others: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("writing", tuple(code.replace("{file}", _SPELLINGS[0]) for code in later)),
        ("reading", tuple(code.replace("{file}", _SPELLINGS[0]) for code in read)),
        ("programs", _PROGRAMS),
        ("network", _NETWORK),
    )
    for kind, codes in others:
        for code in codes:
            yield kind, code, code, None
    for name, call in CALLS.items():
        yield "system", name, "", call


def _filled_template(code: str, outside: Path, number: int, port: int) -> str:
    names = {"{outside}": str(outside), "{label}": f"n{number}", "{port}": str(port)}
    for mark, text in names.items():
        code = code.replace(mark, text)
    return code.replace("{{", "{").replace("}}", "}")

function tests = testsuite(where)
% testsuite(name): the tests of a file or class, or of all files test*.m and *test.m in a folder.
if nargin == 0
    where = pwd;
end
where = char(where);
tests = functiontests({});
if isfolder(where)
    files = [dir(fullfile(where, '*.m'))];
    names = unique({files.name});
    names = names(~cellfun('isempty', regexpi(names, '^test.*\.m$|test\.m$', 'once')));
    before = cd(where);
    restore = onCleanup(@() cd(before));
    for k = 1:numel(names)
        [~, name] = fileparts(names{k});
        tests = [tests, testsuite(name)]; %#ok<AGROW>
    end
    return
end
[folder, name] = fileparts(where);
if ~isempty(folder)
    before = cd(folder);
    restore = onCleanup(@() cd(before));
end
if exist(name, 'class') == 8
    tests = ofClass(name);
elseif exist(name, 'file')
    found = feval(name);
    if isstruct(found) && isfield(found, 'Run')
        tests = found;
    end
else
    error('MATLAB:unittest:TestSuite:UnrecognizedSuite', ...
        'No test file, class or folder is called ''%s''.', where);
end
end

function tests = ofClass(name)
% One test per method of a class with the attribute Test.
tests = functiontests({});
description = eval(['?', name]);
methods_ = description.MethodList;
named = @(role) {methods_([methods_.(role)]).Name};
call = @(method) @(testCase) feval(method, testCase);
wrapped = @(role) cellfun(call, named(role), 'UniformOutput', false);
found = named('Test');
for k = 1:numel(found)
    tests(k) = struct('Name', [name, '/', found{k}], 'Run', call(found{k}), ...
        'Setup', {wrapped('TestMethodSetup')}, 'Teardown', {wrapped('TestMethodTeardown')}, ...
        'Once', {[{str2func(name)}, wrapped('TestClassSetup')]}, ...
        'Finally', {wrapped('TestClassTeardown')});
end
end
